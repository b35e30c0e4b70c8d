/**
 * Pauses stand in rows as times of the clock. When somebody sets that clock back, they lie far ahead, and whoever waits
 * would wait for as long as the step was. No pause of our own is longer than the longest one, so after such a step what
 * lies further is over. Telegram may ask for more (429): without a step its waits are kept.
 */
import type { Database } from "bun:sqlite";
import { transact } from "./db.ts";
import { LATE_CREATION_MS } from "./packs.ts";
import { IS_OPEN } from "./status.ts";

/** Of those that we choose ourselves. */
export const LONGEST_PAUSE_MS = 15 * 60_000;
/** Of those that Telegram asks for: who asks for more is asked again after a day. */
export const LONGEST_WAIT_MS = 24 * 3_600_000;
/** Clocks that are set a little all the time are no news. */
const SLACK_MS = 5_000;
/** What was read from the clock before a step may be written after it, when the database or a call has kept it waiting. */
const AFTERMATH_MS = 60_000;

/** A column of some rows; `thenMs`: how long after a step they wait still. */
type Time = { table: string; column: string; rows: string; thenMs?: number };

const waiting: Time[] = [
  { table: "jobs", column: "not_before", rows: "status = 'queued'" },
  { table: "jobs", column: "not_before", rows: "status = 'delivering'" },
  { table: "notices", column: "next_at", rows: "sent_at IS NULL" },
  { table: "leads", column: "next_publish_at", rows: "published_at IS NULL" },
  { table: "lead_cards", column: "next_edit_at", rows: "(stale = 1 OR again_at IS NOT NULL)" },
  { table: "lead_cards", column: "again_at", rows: "again_at IS NOT NULL" },
  { table: "chat_photos", column: "next_at", rows: "TRUE" },
  // Its length is its purpose: a creation that is on its way does not arrive sooner because somebody set the clock.
  { table: "discarded_sets", column: "delete_at", rows: "TRUE", thenMs: LATE_CREATION_MS },
];

/**
 * Ends every pause that reaches further than any may.
 * @param longestMs `LONGEST_WAIT_MS` while nobody has set the clock back. After a step a long wait of Telegram's cannot
 *   be told from a stray: it ends too, and Telegram asks for it again.
 * @returns how many
 */
export function endStrayPauses(db: Database, now: number, longestMs = LONGEST_PAUSE_MS): number {
  return pullBack(db, waiting, now + longestMs + SLACK_MS, now);
}

/** When somebody was seen or told last: counted from a time ahead of the clock, "long ago" would take as long as the step was. */
const marks: Time[] = [
  { table: "kiosks", column: "seen_at", rows: "TRUE" },
  { table: "heartbeats", column: "last_ok_at", rows: "TRUE" },
  // Not `last_at`: what is well since then is judged by it, and what was well before the step is no sign of that.
  { table: "alerts", column: "told_at", rows: "TRUE" },
  { table: "alerts", column: "over_at", rows: "TRUE" },
];

/** What bears a time that has not come yet, because the clock was set back, counts as of now. @returns how many */
export const endStrayMarks = (db: Database, now: number): number => pullBack(db, marks, now + SLACK_MS, now);

/** No open visit has more time left than one that begins now. @param ttlMs how long that is @returns how many */
export const endStrayVisits = (db: Database, now: number, ttlMs: number): number =>
  pullBack(
    db,
    [{ table: "sessions", column: "expires_at", rows: IS_OPEN, thenMs: ttlMs }],
    now + ttlMs + SLACK_MS,
    now,
  );

/** Times that lie further ahead become now, or what comes after it. @returns how many */
function pullBack(db: Database, times: readonly Time[], furthest: number, now: number): number {
  const strays = times.filter(({ table, column, rows }) =>
    db.query(`SELECT 1 FROM ${table} WHERE ${rows} AND ${column} > ? LIMIT 1`).get(furthest),
  );
  if (strays.length === 0) return 0;
  return transact(db, () =>
    strays.reduce(
      (count, { table, column, rows, thenMs = 0 }) =>
        count +
        db.query(`UPDATE ${table} SET ${column} = ?1 WHERE ${rows} AND ${column} > ?2`).run(now + thenMs, furthest)
          .changes,
      0,
    ),
  );
}

/**
 * A clock that tells whether it was set back: each reading is held against a clock that nobody sets, so that no step is
 * missed between two looks, and against the traces of others.
 * @param monotonic a clock in milliseconds that nobody sets
 */
export function watchedClock(read = Date.now, monotonic = () => performance.now()) {
  let furthest = read() - monotonic();
  let pending = false;
  let steppedAt = Number.NEGATIVE_INFINITY;
  const now = () => {
    const at = read();
    const since = monotonic();
    const ahead = at - since;
    if (ahead < furthest - SLACK_MS) {
      pending = true;
      steppedAt = since;
      furthest = ahead;
    } else furthest = Math.max(furthest, ahead);
    return at;
  };
  return {
    now,
    /** The other process, or one before this, wrote at this time by the clock of then. */
    trace: (at: number | null) => {
      if (at === null || at <= read() + SLACK_MS) return;
      pending = true;
      steppedAt = monotonic();
    },
    /** Stays true until `forget`, so that a round that fails is made up for by the next, and for some time after a step. */
    setBack: () => {
      now();
      return pending || monotonic() - steppedAt < AFTERMATH_MS;
    },
    forget: () => {
      pending = false;
      furthest = read() - monotonic();
    },
  };
}

/** More than both processes write between two looks, or in their last seconds. */
const NEWEST = 1_000;

/** Reads the latest time that the newest moves of visits, jobs and leads bear, each of them once; null without any. */
export function createTraces(db: Database): () => number | null {
  let seen = 0;
  return () => {
    const { id, at } = db
      .query(
        "SELECT max(id) AS id, max(at) AS at FROM (SELECT id, at FROM history WHERE id > ? ORDER BY id DESC LIMIT ?)",
      )
      .get(seen, NEWEST) as { id: number | null; at: number | null };
    seen = id ?? seen;
    return at;
  };
}
