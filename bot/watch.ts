/** The loop that looks at the booth as an operator would, and says in their chat what began, what is over and what piled up. */
import { fateOf } from "../shared/admin/endings.ts";
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
    const state = nowOf(db, config, now());
    const problems = problemsOf(state, config);
    const toTell = problems.flatMap(({ cause, what, todo, ending }) =>
      ending === undefined || (!settled && ownTrouble.test(cause)) ? [] : [{ cause, text: `${what} ${todo}`, ending }],
    );
    const fate = (cause: string) => fateOf(problems, state, settled, cause);
    const said = [watchStates(db, config, toTell, now(), fate), tellTogether(db, config, now())];
    if (said.includes(true)) wake();
  };
}
