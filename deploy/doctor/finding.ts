/** What a check of the doctor finds. */

/** `fail`: the booth cannot open. `warn`: it can, with something missing that somebody should know of. */
export type State = "ok" | "warn" | "fail";
/** One line: what is so; where it is not well, `mend` says what to do. */
export type Finding = { about: string; state: State; text: string; mend?: string };
export type Check = () => Promise<Finding[]> | Finding[];

const marks: Record<State, string> = { ok: "ok  ", warn: "WARN", fail: "FAIL" };

export const line = ({ about, state, text, mend }: Finding) =>
  `${marks[state]}  ${about.padEnd(9)}  ${text}${mend ? `: ${mend}` : ""}`;

/** Findings about one thing, by state. */
export const about = (thing: string) => ({
  ok: (text: string): Finding => ({ about: thing, state: "ok", text }),
  warn: (text: string, mend: string): Finding => ({ about: thing, state: "warn", text, mend }),
  fail: (text: string, mend: string): Finding => ({ about: thing, state: "fail", text, mend }),
});
