/**
 * Pauses stand in rows as times of the clock. When somebody sets that clock back, they lie far ahead, and whoever waits
 * would wait for as long as the step was. No pause is ever longer than the longest one, so what lies further is over.
 */
import type { Database } from "bun:sqlite";
import { transact } from "./db.ts";

/** Whoever asks for more (Telegram's 429 may) is asked again after this. */
export const LONGEST_PAUSE_MS = 15 * 60_000;
/** Clocks that are set a little all the time are no news. */
const SLACK_MS = 5_000;

const waiting = [
  { table: "jobs", until: "not_before", rows: "status = 'queued'" },
  { table: "jobs", until: "not_before", rows: "status = 'delivering'" },
  { table: "notices", until: "next_at", rows: "sent_at IS NULL" },
  { table: "leads", until: "next_publish_at", rows: "published_at IS NULL" },
  { table: "lead_cards", until: "next_edit_at", rows: "stale = 1" },
  { table: "chat_photos", until: "next_at", rows: "TRUE" },
];

/** Ends every pause that reaches further than any may. @returns how many */
export function endStrayPauses(db: Database, now: number): number {
  const furthest = now + LONGEST_PAUSE_MS + SLACK_MS;
  const strays = waiting.filter(({ table, until, rows }) =>
    db.query(`SELECT 1 FROM ${table} WHERE ${rows} AND ${until} > ? LIMIT 1`).get(furthest),
  );
  if (strays.length === 0) return 0;
  return transact(db, () =>
    strays.reduce(
      (count, { table, until, rows }) =>
        count +
        db.query(`UPDATE ${table} SET ${until} = ?1 WHERE ${rows} AND ${until} > ?2`).run(now, furthest).changes,
      0,
    ),
  );
}
