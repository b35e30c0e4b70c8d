/** What time asks of the sales desk: reminders, the digest's day, and forgetting people. Each function owns its transaction. */
import type { Database } from "bun:sqlite";
import type { Config } from "../config.ts";
import { transact } from "../db.ts";
import { getSetting, putSetting } from "../settings.ts";
import { addDays } from "../time.ts";
import type { Lead } from "./lead.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Reminders come after 1, 2, 4, 8 … times LEADS_REMIND_MINUTES; one that would be further off than this is left to the digest. */
const MAX_REMIND_PAUSE_MS = DAY_MS;
const ERASED_AT_ONCE = 200;
const DIGEST = "leads_digest_on";

/**
 * Finds the leads that nobody took in time, counted from when the group could first see them as new, and lets `promise` store what the group shall hear, all in one transaction.
 * @returns how many there were
 */
export function remind(
  db: Database,
  { LEADS_REMIND_MINUTES }: Pick<Config, "LEADS_REMIND_MINUTES">,
  now: number,
  promise: (leads: Lead[]) => void,
): number {
  const firstMs = LEADS_REMIND_MINUTES * MINUTE_MS;
  const longestMs = Math.max(MAX_REMIND_PAUSE_MS, firstMs);
  // What lies further ahead than any pause reaches was written by a clock that has been set back since.
  const seen = "max(status_at, coalesce(first_published_at, 0))";
  const due = () =>
    db
      .query(
        `SELECT * FROM leads WHERE status = 'new' AND erased_at IS NULL AND published_at IS NOT NULL
           AND CASE reminders WHEN 0 THEN ${seen} <= ?2 - ?1 OR ${seen} > ?2 + ?1
             ELSE remind_at <= ?2 OR remind_at > ?2 + ?3 END ORDER BY number`,
      )
      .all(firstMs, now, longestMs) as Lead[];
  if (due().length === 0) return 0;
  return transact(db, () => {
    const leads = due();
    if (leads.length === 0) return 0;
    for (const { number, reminders } of leads) {
      const pauseMs = firstMs * 2 ** (reminders + 1);
      const next = pauseMs <= longestMs ? now + pauseMs : null;
      db.query("UPDATE leads SET reminders = reminders + 1, remind_at = ? WHERE number = ?").run(next, number);
    }
    promise(leads);
    return leads.length;
  });
}

/**
 * Runs `promise` once for a local date, marking the date in the same transaction. A clock that went back a little does
 * not bring a day again; one that once stood far in the future does not end the digests.
 * @returns whether it ran
 */
export function onceADay(db: Database, date: string, now: number, promise: () => void): boolean {
  const isDone = () => {
    const last = getSetting<string>(db, DIGEST);
    return last !== null && last >= date && last <= addDays(date, 2);
  };
  if (isDone()) return false;
  return transact(db, () => {
    if (isDone()) return false;
    putSetting(db, DIGEST, date, now);
    promise();
    return true;
  });
}

/** Did a lead come before this instant? */
export const hasLeadsBefore = (db: Database, at: number) =>
  db.query("SELECT 1 FROM leads WHERE created_at < ? LIMIT 1").get(at) !== null;

/**
 * Erases contact data of leads made before `before`; the counted row and its history stay, and the cards follow.
 * @returns how many; call again while it is not 0
 */
export function eraseOldLeads(db: Database, before: number, now: number): number {
  const old = db.query("SELECT 1 FROM leads WHERE erased_at IS NULL AND created_at < ? LIMIT 1");
  if (old.get(before) === null) return 0;
  return db
    .query(
      `UPDATE leads SET name = NULL, contact = NULL, city = NULL, comment = NULL, page = NULL, utm = NULL,
         erased_at = ?2, version = version + 1, updated_at = ?2
       WHERE number IN (SELECT number FROM leads WHERE erased_at IS NULL AND created_at < ?1 ORDER BY created_at LIMIT ?3)`,
    )
    .run(before, now, ERASED_AT_ONCE).changes;
}
