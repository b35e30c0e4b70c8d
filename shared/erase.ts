/** A guest's right to be forgotten: files, name, visits, and on request the packs in Telegram. */
import type { Database } from "bun:sqlite";
import { forgetInAlerts } from "./alerts.ts";
import { transact } from "./db.ts";
import { removeDebugSheets, removeSessionFiles } from "./files.ts";
import { endJob, type Job, jobById } from "./jobs.ts";
import { packsOf, withdrawPackOf, withdrawPacksOf } from "./packs.ts";
import { endSession, expireSession, openSessionsOf } from "./sessions.ts";

/** The chat of messages that were said to somebody who is erased since. */
const NOBODY = 0;

export type Erased = { files: number; packs: number; stopped: number };

/**
 * Erases what the booth knows of a guest. Files go first: if the process dies between, the guest's update comes again
 * and the rest is done then. Counted rows stay, without a name on them.
 */
export function eraseGuest(db: Database, dataDir: string, userId: number, withPacks: boolean, now: number): Erased {
  const tokens = db.query("SELECT token FROM sessions WHERE user_id = ?").all(userId) as { token: string }[];
  const jobs = db.query("SELECT * FROM jobs WHERE user_id = ?").all(userId) as Job[];
  let files = 0;
  for (const { token } of tokens) files += removeSessionFiles(dataDir, token);
  for (const job of jobs) files += removeDebugSheets(dataDir, job.id);
  return transact(db, () => {
    const actor = "guest:erased";
    const stopped = jobs.filter((job) => endJob(db, job, "cancelled", { problem: "erased", actor, now }));
    for (const { token } of tokens) endSession(db, token, "failed", "erased", actor, now);
    // What waited to be said quotes the guest; what is promised from here on does not.
    db.query(
      "UPDATE notices SET payload = '{}', sent_at = ?, outcome = 'erased' WHERE chat_id = ? AND sent_at IS NULL AND method <> 'deleteStickerSet'",
    ).run(now, userId);
    db.query("UPDATE notices SET chat_id = ? WHERE chat_id = ? AND sent_at IS NOT NULL").run(NOBODY, userId);
    for (const { token } of openSessionsOf(db, userId)) expireSession(db, token, "declined", actor, now);
    const packs = withPacks ? packsOf(db, userId, 1000).length : 0;
    withdrawPacksOf(db, userId, withPacks, now);
    db.query("UPDATE packs SET title = '' WHERE user_id = ?").run(userId);
    db.query("UPDATE sessions SET photo_answer = NULL, photo_sha256 = NULL WHERE user_id = ?").run(userId);
    db.query("UPDATE jobs SET files_removed_at = coalesce(files_removed_at, ?) WHERE user_id = ?").run(now, userId);
    db.query("UPDATE history SET actor = ? WHERE actor = ?").run(actor, `guest:${userId}`);
    db.query("DELETE FROM chat_photos WHERE user_id = ?").run(userId);
    forgetInAlerts(db, userId);
    // Visits, jobs and packs keep their row; the reference to the guest becomes NULL.
    db.query("DELETE FROM users WHERE id = ?").run(userId);
    return { files, packs, stopped: stopped.length };
  });
}

/**
 * For a worker that comes back from a step to find its job stopped or its guest erased: what the step left in Telegram
 * or on disk since goes too.
 * @param job as the worker knew it, with its guest
 */
export function removeLeftovers(db: Database, dataDir: string, job: Job, now: number) {
  const current = jobById(db, job.id);
  if (current?.user_id === null) {
    removeSessionFiles(dataDir, job.session_token);
    removeDebugSheets(dataDir, job.id);
  }
  if (current?.status === "cancelled") withdrawPackOf(db, job, now);
}
