/** Sticker sets: the name is decided and stored before Telegram is asked for it, and never used again. */

import type { Database } from "bun:sqlite";
import { randomBytes } from "node:crypto";
import { transact } from "./db.ts";
import type { Job } from "./jobs.ts";
import { promise } from "./notices.ts";
import { relaxed } from "./relaxed.ts";

export type Pack = {
  job_id: number;
  user_id: number | null;
  name: string;
  title: string;
  stickers: number;
  decided_at: number;
  created_at: number | null;
  first_sticker: string | null;
  page_seen: number;
  visible_at: number | null;
  link_sent_at: number | null;
  sticker_sent_at: number | null;
  deleted_at: number | null;
};

const PREFIX = "booth";
/** Bot API, createNewStickerSet: 1–64 characters, begins with a letter, no `__`, ends in `_by_<bot_username>`. */
const NAME_LENGTH = 64;
const TITLE_LENGTH = 64;
/** A creation whose worker died may reach Telegram this much later, or be worked on there for so long. */
export const LATE_CREATION_MS = 10 * 60_000;
/** The guest may be erased by then, and what they are told need not wait for it. */
const NO_CHAT = 0;

/** @returns `<prefix>_<job id>_<random>_by_<bot_username>`, valid for Telegram whatever the bot is called */
export function packName(jobId: number, username: string): string {
  const tail = `_by_${username}`;
  const random = [...randomBytes(12)].map((b) => "abcdefghijklmnopqrstuvwxyz012345"[b % 32]).join("");
  const head = `${PREFIX}_${jobId}_`;
  return head + random.slice(0, Math.max(4, NAME_LENGTH - head.length - tail.length)) + tail;
}

const graphemes = new Intl.Segmenter();

/** The beginning of a text that fits into `limit` UTF-16 units (the strictest way to count) without cutting an emoji. */
export function fitting(text: string, limit: number): string {
  let end = 0;
  for (const { index, segment } of graphemes.segment(text)) {
    if (index + segment.length > limit) break;
    end = index + segment.length;
  }
  return text.slice(0, end).trimEnd();
}

/** The job's pack; its name is decided at the first call and stays. */
export function decidePack(
  db: Database,
  job: Job,
  username: string,
  title: string,
  stickers: number,
  now: number,
): Pack {
  return transact(db, () => {
    const known = packOf(db, job.id);
    if (known) return known;
    return db
      .query(
        "INSERT INTO packs (job_id, user_id, name, title, stickers, decided_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING *",
      )
      .get(job.id, job.user_id, packName(job.id, username), fitting(title, TITLE_LENGTH), stickers, now) as Pack;
  });
}

export const packOf = (db: Database, jobId: number) =>
  db.query("SELECT * FROM packs WHERE job_id = ?").get(jobId) as Pack | null;

// By name: who comes late with what became of a set must not have it noted of the one that took its place.

/** Telegram has the set; it could be asked again. One that nobody wants any more goes. */
export function packCreated(db: Database, name: string, firstSticker: string, now: number) {
  const query = db.query(
    "UPDATE packs SET created_at = coalesce(created_at, ?), first_sticker = ? WHERE name = ? AND deleted_at IS NULL",
  );
  relaxed(db, () => {
    if (query.run(now, firstSticker, name).changes === 0) discardSet(db, name, now);
  });
}

/** What a look at the pack's page gave; two good looks in a row make it visible. @returns the pack after it, if it is wanted still */
export function packSeen(db: Database, name: string, seen: boolean, needed: number, now: number): Pack | null {
  const query = db.query(
    `UPDATE packs SET page_seen = CASE WHEN ?2 THEN page_seen + 1 ELSE 0 END,
         visible_at = CASE WHEN ?2 AND page_seen + 1 >= ?3 THEN coalesce(visible_at, ?4) ELSE visible_at END
       WHERE name = ?1 RETURNING *`,
  );
  return relaxed(db, () => query.get(name, seen ? 1 : 0, needed, now) as Pack | null);
}

export function packVisible(db: Database, name: string, now: number) {
  db.query("UPDATE packs SET visible_at = coalesce(visible_at, ?) WHERE name = ?").run(now, name);
}

export function packSent(db: Database, name: string, what: "link" | "sticker", now: number) {
  db.query(`UPDATE packs SET ${what}_sent_at = ? WHERE name = ? AND ${what}_sent_at IS NULL`).run(now, name);
}

/** Telegram has the set no more. */
export function packGone(db: Database, name: string, now: number) {
  db.query("UPDATE packs SET deleted_at = coalesce(deleted_at, ?) WHERE name = ?").run(now, name);
}

/** A guest's packs that exist, newest first. */
export const packsOf = (db: Database, userId: number, limit = 50) =>
  db
    .query(
      "SELECT * FROM packs WHERE user_id = ? AND created_at IS NOT NULL AND deleted_at IS NULL ORDER BY decided_at DESC, job_id DESC LIMIT ?",
    )
    .all(userId, limit) as Pack[];

/** A job that was stopped leaves no set of which nobody knows: perhaps Telegram has it, or gets it in this moment. */
export function withdrawPackOf(db: Database, job: Job, now: number) {
  const pack = packOf(db, job.id);
  if (pack && job.user_id !== null) withdraw(db, pack, job.user_id, now);
}

/**
 * The packs of a guest who is erased: on request all of them, and in any case those that nobody will deliver any more,
 * of stopped jobs, and those of which it is not known whether Telegram has them.
 */
export function withdrawPacksOf(db: Database, userId: number, all: boolean, now: number) {
  const packs = db
    .query(
      `SELECT p.* FROM packs p JOIN jobs j ON j.id = p.job_id
       WHERE p.user_id = ?1 AND p.deleted_at IS NULL AND (?2 OR p.created_at IS NULL OR j.status = 'cancelled')`,
    )
    .all(userId, all) as Pack[];
  for (const pack of packs) withdraw(db, pack, userId, now);
}

/** Has Telegram delete the set; one that it does not have is as good as deleted. */
function withdraw(db: Database, pack: Pack, userId: number, now: number) {
  transact(db, () => {
    promise(db, userId, "deleteStickerSet", { name: pack.name }, now);
    packGone(db, pack.name, now);
    if (pack.created_at === null) discardSet(db, pack.name, now);
  });
}

/** A job that failed leaves no set of which nobody knows. */
export function discardUnknownSetOf(db: Database, jobId: number, now: number) {
  const pack = packOf(db, jobId);
  if (pack && pack.created_at === null) discardSet(db, pack.name, now);
}

/** The job is tried again, with a set of another name: a deleted one's is taken for good, and a deletion may be under way. */
export function replacePackOf(db: Database, jobId: number, now: number) {
  const pack = packOf(db, jobId);
  if (!pack) return;
  discardSet(db, pack.name, now);
  db.query("DELETE FROM packs WHERE name = ?").run(pack.name);
}

/** Nobody wants this set: it is deleted after a while, for Telegram may get it only now, or would not delete it. */
export function discardSet(db: Database, name: string, now: number) {
  db.query("INSERT OR REPLACE INTO discarded_sets (name, delete_at) VALUES (?, ?)").run(name, now + LATE_CREATION_MS);
}

/** Has Telegram delete the discarded sets that are due for it. @returns how many */
export function deleteDiscardedSets(db: Database, now: number): number {
  const due = "delete_at <= ?";
  if (db.query(`SELECT 1 FROM discarded_sets WHERE ${due} LIMIT 1`).get(now) === null) return 0;
  return transact(db, () => {
    const sets = db.query(`DELETE FROM discarded_sets WHERE ${due} RETURNING name`).all(now) as Pick<Pack, "name">[];
    for (const { name } of sets) {
      promise(db, NO_CHAT, "deleteStickerSet", { name }, now);
      packGone(db, name, now);
    }
    return sets.length;
  });
}
