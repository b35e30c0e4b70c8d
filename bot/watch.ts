/** The loop that looks at the booth as an operator would, and says in their chat what began, what is over and what piled up. */
import { fateOf } from "../shared/admin/endings.ts";
import { nowOf } from "../shared/admin/now.ts";
import { type Problem, problemsOf } from "../shared/admin/problems.ts";
import { type State, watchStates } from "../shared/admin/states.ts";
import { tellTogether } from "../shared/alerts.ts";
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
    const toTell = problems.filter(({ cause }) => settled || !ownTrouble.test(cause)).flatMap(stateOf);
    const fate = (cause: string) => fateOf(problems, state, settled, cause);
    const said = [watchStates(db, config, toTell, now(), fate), tellTogether(db, config, now())];
    if (said.includes(true)) wake();
  };
}

/** What the chat is told of a problem; without an ending it is the page's alone. */
const stateOf = ({ cause, what, todo, ending, parts }: Problem): State[] =>
  ending === undefined ? [] : [{ cause, text: `${what} ${todo}`, ending, parts: parts?.flatMap(stateOf) }];
