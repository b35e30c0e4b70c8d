/** The loop that looks at the booth as an operator would, and says in their chat what began, what is over and what piled up. */
import { nowOf } from "../shared/admin/now.ts";
import { problemsOf } from "../shared/admin/problems.ts";
import { tellTogether, watchStates } from "../shared/alerts.ts";
import type { BotContext } from "./context.ts";

/** After a start the signs of life are old: the bot's own troubles are believed only after this. */
const SETTLE_MS = 60_000;
const ownTrouble = /^(telegram$|loop:)/;

export function createWatch({ db, config, now, wake }: BotContext) {
  const startedAt = now();
  return () => {
    const settled = now() - startedAt >= SETTLE_MS;
    const states = problemsOf(nowOf(db, config, now()), config).flatMap(({ cause, what, todo, ending }) =>
      ending === undefined || (!settled && ownTrouble.test(cause)) ? [] : [{ cause, text: `${what} ${todo}`, ending }],
    );
    const said = [watchStates(db, config, states, now()), tellTogether(db, config, now())];
    if (said.includes(true)) wake();
  };
}
