/** Photos sent in the chat that have yet to be fetched from Telegram. */
import type { Database } from "bun:sqlite";

export type ChatPhoto = {
  id: number;
  session_token: string;
  user_id: number;
  file_id: string;
  size: number;
  tries: number;
};

export function enqueueChatPhoto(
  db: Database,
  photo: { session: string; userId: number; fileId: string; size: number; now: number },
) {
  db.query(
    "INSERT INTO chat_photos (session_token, user_id, file_id, size, next_at, created_at) VALUES (?, ?, ?, ?, ?, ?)",
  ).run(photo.session, photo.userId, photo.fileId, photo.size, photo.now, photo.now);
}

/** Those whose time has come, ids in `except` left out. */
export const dueChatPhotos = (db: Database, now: number, limit: number, except: readonly number[]) =>
  db
    .query(
      "SELECT * FROM chat_photos WHERE next_at <= ? AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?",
    )
    .all(now, JSON.stringify(except), limit) as ChatPhoto[];

/** @returns milliseconds until the next photo that is pausing is due, if there is one */
export function untilNextChatPhoto(db: Database, now: number): number | undefined {
  const { at } = db.query("SELECT min(next_at) AS at FROM chat_photos WHERE next_at > ?").get(now) as {
    at: number | null;
  };
  return at === null ? undefined : at - now;
}

export function delayChatPhoto(db: Database, id: number, untilMs: number, counts: boolean) {
  db.query("UPDATE chat_photos SET next_at = ?, tries = tries + ? WHERE id = ?").run(
    Math.round(untilMs),
    counts ? 1 : 0,
    id,
  );
}

/** Does it still wait: neither its guest nor another process has dealt with it? */
export const chatPhotoWaits = (db: Database, id: number): boolean =>
  db.query("SELECT 1 FROM chat_photos WHERE id = ?").get(id) !== null;

/** @returns whether it was still waiting: if not, another process has dealt with it */
export const dropChatPhoto = (db: Database, id: number): boolean =>
  db.query("DELETE FROM chat_photos WHERE id = ?").run(id).changes > 0;
