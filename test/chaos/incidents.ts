/**
 * Why something may have been done twice: between the two, an answer was lost or given up, a process died, or the database
 * was shut.
 */
import type { Call } from "../sim/types.ts";
import type { Booth } from "./booth.ts";

/** The bot gives up a call after 30 s; whatever comes later it does not hear. */
const CLIENT_TIMEOUT_MS = 25_000;
/** What left before something was noted may arrive a moment after it. */
const CROSSING_MS = 30;
/** A request that was on its way when its sender died may still arrive. */
const LATE_MS = 1_000;

const isLost = ({ outcome, ms }: Call) =>
  outcome.includes("answer lost") || outcome.includes("truncated") || ms === undefined || ms > CLIENT_TIMEOUT_MS;

/**
 * May a call that arrives now have set out before something was noted? Usually a moment before; one that a bot had begun when
 * it was made to stand still arrives when it is awake again, whatever another one has done and noted meanwhile.
 */
export const crosses = ({ deaf }: Booth, notedAt: number, callAt: number): boolean =>
  callAt <= notedAt + CROSSING_MS || deaf.some(({ from, to }) => from <= notedAt && callAt <= to + LATE_MS);

/** May whoever made this call have been unable to write down its end: dead, or the database shut? */
export function wasCutShort(booth: Booth, { at, ms }: Call): boolean {
  if (ms === undefined) return true;
  const end = at + ms + LATE_MS;
  return (
    booth.botDeaths.some((death) => death.at >= at && death.at <= end) ||
    booth.spans.some(({ from, to }) => from <= end && to >= at)
  );
}

/** @returns how many of the calls that were carried out nothing explains, the first one being due */
export function unexplained(booth: Booth, calls: Call[]): number {
  return calls.slice(1).filter((_, index) => {
    const call = calls[index] as Call;
    const next = calls[index + 1] as Call;
    const died = booth.botDeaths.some(({ at }) => at >= call.at && at <= next.at + LATE_MS);
    const shut = [...booth.spans, ...booth.deaf].some(({ from, to }) => from <= next.at && to >= call.at);
    return !(isLost(call) || died || shut);
  }).length;
}

/** @returns how many of the calls came although it was noted that such a message had arrived */
export function afterNoted(booth: Booth, what: "link" | "sticker" | "card", id: number, calls: Call[]): number {
  const notes: { value: number | null; at: number }[] = booth.rows(
    "SELECT value, at FROM chaos_sent WHERE what = ? AND id = ? ORDER BY rowid",
    what,
    id,
  );
  return calls.filter(({ at }) => {
    const note = notes.filter((one) => one.at < at).at(-1);
    return note !== undefined && note.value !== null && !crosses(booth, note.at, at);
  }).length;
}
