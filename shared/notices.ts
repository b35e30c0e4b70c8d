/**
 * What Telegram has yet to be told. Whoever changes a row and owes somebody a message stores the message in the same
 * transaction; the bot's `notices` loop sends it, at least once, waiting a chat at a time: within a chat in order, but
 * answers to what somebody asked before what is told unasked.
 */
import type { Database } from "bun:sqlite";

export type Notice = {
  id: number;
  chat_id: number;
  method: NoticeMethod;
  payload: string;
  once: string | null;
  tries: number;
  created_at: number;
  /** The visit whose consent it asks for. */
  asks: string | null;
};
export type SentNotice = Pick<Notice, "chat_id" | "asks">;
export type NoticeMethod = "sendMessage" | "editMessageText" | "deleteStickerSet";

export type Button = { text: string; callback_data: string } | { text: string; url: string };

export type NewNotice = {
  chatId: number;
  /** HTML, already escaped where it quotes somebody. */
  text: string;
  buttons?: Button[][];
  /** Said at most once ever under this name. */
  once?: string;
  /** The visit whose consent it asks for: questions.ts. */
  asks?: string;
  /** Makes no sound where it arrives. */
  silent?: boolean;
  /** Somebody asked for it and waits: it does not stand behind twenty alerts. */
  asked?: boolean;
  now: number;
};

/** Promises a message. @returns whether it is new */
export function notify(db: Database, notice: NewNotice): boolean {
  return promise(
    db,
    notice.chatId,
    "sendMessage",
    {
      // Telegram refuses half a character, which a cut may leave.
      text: notice.text.toWellFormed(),
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
      ...(notice.silent ? { disable_notification: true } : {}),
      ...(notice.buttons ? { reply_markup: { inline_keyboard: notice.buttons } } : {}),
    },
    notice.now,
    notice.once,
    notice.asks,
    notice.asked,
  );
}

/** Promises that a message the bot once sent will read like this. */
export function rewrite(db: Database, messageId: number, notice: NewNotice): boolean {
  return promise(
    db,
    notice.chatId,
    "editMessageText",
    {
      message_id: messageId,
      text: notice.text.toWellFormed(),
      parse_mode: "HTML",
      ...(notice.buttons ? { reply_markup: { inline_keyboard: notice.buttons } } : {}),
    },
    notice.now,
    notice.once,
  );
}

export function promise(
  db: Database,
  chatId: number,
  method: NoticeMethod,
  payload: object,
  now: number,
  once?: string,
  asks?: string,
  asked = false,
): boolean {
  return (
    db
      .query(
        "INSERT INTO notices (chat_id, method, payload, once, asks, asked, created_at) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (once) DO NOTHING",
      )
      .run(chatId, method, JSON.stringify(payload), once ?? null, asks ?? null, Number(asked), now).changes > 0
  );
}

/** The waiting notice of each chat whose turn it is, and until when the whole chat pauses. */
const turns = `SELECT *, row_number() OVER (PARTITION BY chat_id ORDER BY asked DESC, id) AS turn,
    max(next_at) OVER (PARTITION BY chat_id) AS pauses_until FROM notices WHERE sent_at IS NULL`;

/** The next notice of each chat that is not pausing, chats in `except` left out. */
export const dueNotices = (db: Database, now: number, limit: number, except: readonly number[] = []) =>
  db
    .query(
      `SELECT id, chat_id, method, payload, once, tries, created_at, asks FROM (${turns})
       WHERE turn = 1 AND pauses_until <= ? AND chat_id NOT IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?`,
    )
    .all(now, JSON.stringify(except), limit) as Notice[];

/** @returns milliseconds until the next notice of a chat that is pausing is due, if there is one */
export function untilNextNotice(db: Database, now: number): number | undefined {
  const { at } = db
    .query(`SELECT min(pauses_until) AS at FROM (${turns}) WHERE turn = 1 AND pauses_until > ?`)
    .get(now) as { at: number | null };
  return at === null ? undefined : at - now;
}

/** Sent, or given up: the text is forgotten, the fact stays for a while. */
export function settleNotice(db: Database, id: number, outcome: string, now: number) {
  db.query("UPDATE notices SET sent_at = ?, outcome = ?, payload = '{}' WHERE id = ? AND sent_at IS NULL").run(
    now,
    outcome,
    id,
  );
}

export function delayNotice(db: Database, id: number, untilMs: number, counts: boolean) {
  db.query("UPDATE notices SET next_at = ?, tries = tries + ? WHERE id = ?").run(
    Math.round(untilMs),
    counts ? 1 : 0,
    id,
  );
}

/** The chat has another id now; everything waiting for the old one follows. */
export function moveNotice(db: Database, id: number, chatId: number) {
  db.query(
    "UPDATE notices SET chat_id = ?2 WHERE sent_at IS NULL AND chat_id = (SELECT chat_id FROM notices WHERE id = ?1)",
  ).run(id, chatId);
}

export const hasNotices = (db: Database) =>
  db.query("SELECT 1 FROM notices WHERE sent_at IS NULL LIMIT 1").get() !== null;

/** Forgets settled notices once Telegram can no longer redeliver what caused them (it keeps updates for a day). */
export function sweepNotices(db: Database, before: number): number {
  return db.query("DELETE FROM notices WHERE sent_at < ?").run(before).changes;
}

export const countNotices = (db: Database) =>
  (db.query("SELECT count(*) AS n FROM notices WHERE sent_at IS NULL").get() as { n: number }).n;
