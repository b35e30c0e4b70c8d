/**
 * States that the operators' chat is told of: once when one begins, once when it is over. Of a group of like ones
 * (the kiosks without a camera) each has a row of its own, so that none is forgotten, but the group alone speaks:
 *
 *     it begins            its parts, those told before included, are said in one sentence
 *     others join it       at once, or together ten minutes after it spoke last
 *     some are well again  nothing; they are counted
 *     it is small again    one all-clear, which names those that are not well; from here on each speaks for itself
 */
import type { Database } from "bun:sqlite";
import { type AlertRow, begin, type Chat, drop, say, TOGETHER_AFTER_MS } from "../alerts.ts";
import { transact } from "../db.ts";
import { team } from "../texts/operators/index.ts";
import type { Fate } from "./endings.ts";
import { groupOf, kioskOf, named } from "./kiosk-problems.ts";

/** A state that comes and goes is not told again within this time. */
const CALM_MS = 10 * 60_000;

/** A state worth an alert, and what is said when it is over (empty: nothing). `parts`: what a group is made of. */
export type State = { cause: string; text: string; ending: string; parts?: readonly State[] };

/**
 * Tells states that began and states that ended.
 * @param states all that hold now
 * @param fateOf whether one that does not is over, is about nothing any more, or cannot be judged now
 * @returns whether something was said
 */
export function watchStates(
  db: Database,
  config: Chat,
  states: readonly State[],
  now: number,
  fateOf: (cause: string) => Fate = () => "over",
): boolean {
  const rows = db.query("SELECT * FROM alerts WHERE watched = 1").all() as AlertRow[];
  const rowOf = (cause: string | null) => rows.find((row) => row.cause === cause);
  const all = states.flatMap((state) => [state, ...(state.parts ?? [])]);
  const isOn = (cause: string) => all.some((state) => state.cause === cause);
  const isCalm = ({ over_at }: AlertRow) => over_at !== null && now >= over_at + CALM_MS;
  const isDue = ({ cause }: State) => {
    const row = rowOf(cause);
    return !row || isCalm(row);
  };
  const hasGrown = ({ cause, parts = [] }: State) => {
    const row = rowOf(cause);
    return row?.over_at === null && now - row.told_at >= TOGETHER_AFTER_MS && parts.some(isDue);
  };
  const told = states.filter((state) => isDue(state) || hasGrown(state));
  const absent = rows.filter((row) => row.over_at === null && !isOn(row.cause));
  const ended = absent.filter((row) => fateOf(row.cause) === "over");
  const gone = absent.filter((row) => fateOf(row.cause) === "gone");
  const past = rows.filter((row) => isCalm(row) && !isOn(row.cause));
  /** Its group is on and speaks for it. */
  const isSpokenFor = ({ cause }: AlertRow) => rowOf(groupOf(cause))?.over_at === null;
  const counted = ended.filter(isSpokenFor);
  const endingOf = ({ cause, ending, untold }: AlertRow): string => {
    const parts = rows.filter((row) => groupOf(row.cause) === cause);
    if (parts.length === 0 || !ending) return ending;
    // Nobody is well again: those that the rest was of were put away.
    if (untold === 0 && !parts.some((row) => counted.includes(row))) return "";
    const left = parts.filter((row) => row.over_at === null && !ended.includes(row) && !gone.includes(row));
    const { notYet } = team(config.TEAM_LANG).alerts;
    const names = left.map((row) => kioskOf(row.cause));
    return names.length > 0 ? `${ending} ${notYet(named(names, config.TEAM_LANG))}` : ending;
  };
  const endings = ended.filter((row) => !isSpokenFor(row)).map((row) => endingOf(row));
  if (told.length + ended.length + gone.length + past.length === 0) return false;
  return transact(db, () => {
    for (const { cause } of [...past, ...gone]) drop(db, cause);
    for (const state of told) {
      const { cause, text, ending, parts = [] } = state;
      for (const part of parts.filter(isDue)) begin(db, { ...part, watched: 1, now });
      if (isDue(state)) begin(db, { cause, watched: 1, text, ending, now });
      else db.query("UPDATE alerts SET text = ?, told_at = ? WHERE cause = ?").run(text, now, cause);
      say(db, config, { mark: "⚠️", text, now });
    }
    for (const { cause } of counted)
      db.query("UPDATE alerts SET untold = untold + 1 WHERE cause = ?").run(groupOf(cause));
    for (const { cause } of ended) db.query("UPDATE alerts SET over_at = ? WHERE cause = ?").run(now, cause);
    for (const ending of endings) if (ending) say(db, config, { mark: "✅", text: ending, now });
    return told.length + endings.filter(Boolean).length > 0;
  });
}
