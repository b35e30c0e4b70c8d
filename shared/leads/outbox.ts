/**
 * What the sales group has yet to see: leads without a card, and cards that show an older state.
 *
 * An attempt is written down before the call, as if it had failed; the answer only corrects that. So whoever dies
 * between sending and marking sends again after the usual pause, and a full disk never floods the group.
 */
import type { Database } from "bun:sqlite";
import { transact } from "../db.ts";
import { getSetting, putSetting } from "../settings.ts";
import type { Lead } from "./lead.ts";

const TIDIED = "leads_tidied_at";
const PAUSES_MS = [5_000, 15_000, 60_000, 300_000, 900_000];

/** An edit without an answer (its process died, its line broke) may still arrive this much later, and undo a newer one. */
const LATE_EDIT_MS = 30_000;

/** How long to wait after so many failures in a row. */
export const pauseAfter = (failures: number) => PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] as number;

/**
 * The lead whose turn it is. Cards keep their order: while the oldest one waits, all wait, except behind one that
 * Telegram refuses for itself.
 */
export function dueLead(db: Database, now: number): Lead | null {
  return db
    .query(
      `SELECT * FROM leads WHERE published_at IS NULL AND next_publish_at <= ?1 AND (publish_refused = 1 OR number =
         (SELECT min(number) FROM leads WHERE published_at IS NULL AND publish_refused = 0))
       ORDER BY publish_refused, number LIMIT 1`,
    )
    .get(now) as Lead | null;
}

/** Writes an attempt down. @returns how many in a row have failed if this one does, or null when it is published meanwhile */
export function beginPublish(db: Database, number: number, now: number): number | null {
  return transact(db, () => {
    const row = db
      .query(
        "UPDATE leads SET publish_failures = publish_failures + 1 WHERE number = ? AND published_at IS NULL RETURNING publish_failures AS failures",
      )
      .get(number) as { failures: number } | null;
    if (!row) return null;
    holdLead(db, number, now + pauseAfter(row.failures));
    return row.failures;
  });
}

/** Sets when the next attempt is. */
export function holdLead(db: Database, number: number, untilMs: number) {
  db.query("UPDATE leads SET next_publish_at = ? WHERE number = ? AND published_at IS NULL").run(untilMs, number);
}

/** Telegram refuses this card for itself; the ones behind it need not wait. */
export function passLead(db: Database, number: number) {
  db.query("UPDATE leads SET publish_refused = 1 WHERE number = ?").run(number);
}

export const hasRefused = (db: Database) =>
  db.query("SELECT 1 FROM leads WHERE published_at IS NULL AND publish_refused = 1 LIMIT 1").get() !== null;

/** The attempt did not count: Telegram only asked to wait, or to write elsewhere. */
export function excusePublish(db: Database, number: number, untilMs: number) {
  transact(db, () => {
    db.query("UPDATE leads SET publish_failures = max(0, publish_failures - 1) WHERE number = ?").run(number);
    holdLead(db, number, untilMs);
  });
}

export type SentCard = { chatId: number; messageId: number; number: number; version: number };

/** The card stands in the group. */
export function published(db: Database, card: SentCard, now: number) {
  transact(db, () => {
    noteCard(db, card);
    db.query(
      `UPDATE leads SET published_at = ?2, first_published_at = coalesce(first_published_at, ?2), publish_failures = 0,
         publish_refused = 0 WHERE number = ?1 AND published_at IS NULL`,
    ).run(card.number, now);
  });
}

/** Remembers a card, so that it is kept up to date; one that is known stays as it is. */
export function noteCard(db: Database, { chatId, messageId, number, version }: SentCard) {
  db.query(
    `INSERT INTO lead_cards (chat_id, message_id, number, shown, stale)
     SELECT ?1, ?2, number, ?4, version > ?4 FROM leads WHERE number = ?3 ON CONFLICT DO NOTHING`,
  ).run(chatId, messageId, number, version);
}

/** Asks for a fresh card of a lead. @returns whether there is such a lead */
export const publishAgain = (db: Database, number: number, now: number) =>
  db
    .query(
      `UPDATE leads SET queued_at = iif(published_at IS NULL, queued_at, ?2), published_at = NULL,
         next_publish_at = iif(published_at IS NULL, next_publish_at, ?2) WHERE number = ?1`,
    )
    .run(number, now).changes > 0;

/** The bot may write in the group again: nothing that waits needs to wait longer. @returns how many leads wait */
export function hurryOutbox(db: Database, now: number): number {
  return transact(db, () => {
    db.query("UPDATE lead_cards SET next_edit_at = ? WHERE next_edit_at > ?").run(now, now);
    return db.query("UPDATE leads SET next_publish_at = ? WHERE published_at IS NULL").run(now).changes;
  });
}

export type StaleCard = {
  chat_id: number;
  message_id: number;
  number: number;
  shown: number;
  failures: number;
  /** 1 when it has only to forget a person: nobody waits for that. */
  tidying: 0 | 1;
};

/** A card that shows an older version of its lead, or may; those that somebody waits for first. */
export const staleCard = (db: Database, now: number) =>
  db
    .query(
      `SELECT c.*, l.erased_at IS NOT NULL AS tidying FROM lead_cards c JOIN leads l USING (number)
       WHERE (stale = 1 OR again_at <= ?1) AND next_edit_at <= ?1 ORDER BY tidying, next_edit_at LIMIT 1`,
    )
    .get(now) as StaleCard | null;

/** Is there room for another card to be tidied? Marks it as taken. A retention may leave thousands of them at once. */
export function takeTidying(db: Database, everyMs: number, now: number): boolean {
  return transact(db, () => {
    const last = getSetting<number>(db, TIDIED);
    if (last !== null && last <= now && now - last < everyMs) return false;
    return putSetting(db, TIDIED, now, now);
  });
}

/** Writes an edit down. @returns how many in a row have failed if this one does */
export function beginEdit(db: Database, { chat_id, message_id }: StaleCard): number {
  const row = db
    .query("UPDATE lead_cards SET failures = failures + 1 WHERE chat_id = ? AND message_id = ? RETURNING failures")
    .get(chat_id, message_id) as { failures: number } | null;
  return row?.failures ?? 1;
}

/** The card shows this version. After failures it is drawn once more in a while: one of them may only be late. */
export function cardShows(db: Database, card: StaleCard, version: number, now: number) {
  db.query(
    `UPDATE lead_cards SET shown = ?1, failures = 0,
       stale = ?1 < (SELECT version FROM leads l WHERE l.number = lead_cards.number),
       again_at = iif(?4, ?5 + ${LATE_EDIT_MS}, iif(again_at > ?5, again_at, NULL))
     WHERE chat_id = ?2 AND message_id = ?3`,
  ).run(version, card.chat_id, card.message_id, card.failures > 0, now);
}

export function postponeCard(db: Database, { chat_id, message_id }: StaleCard, untilMs: number) {
  db.query("UPDATE lead_cards SET next_edit_at = ? WHERE chat_id = ? AND message_id = ?").run(
    untilMs,
    chat_id,
    message_id,
  );
}

/** Telegram only asked to wait: the edit was not made, and is not late. */
export function excuseEdit(db: Database, { chat_id, message_id }: StaleCard) {
  db.query("UPDATE lead_cards SET failures = max(0, failures - 1) WHERE chat_id = ? AND message_id = ?").run(
    chat_id,
    message_id,
  );
}

/** Telegram asks for silence in the group: nothing that waits is tried before. */
export function holdGroup(db: Database, chatId: number, untilMs: number) {
  transact(db, () => {
    db.query(
      "UPDATE lead_cards SET next_edit_at = max(next_edit_at, ?2) WHERE chat_id = ?1 AND (stale = 1 OR again_at IS NOT NULL)",
    ).run(chatId, untilMs);
    db.query("UPDATE leads SET next_publish_at = max(next_publish_at, ?) WHERE published_at IS NULL").run(untilMs);
  });
}

/** Has the lead a card in this group? */
export const hasCardIn = (db: Database, number: number, chatId: number): boolean =>
  db.query("SELECT 1 FROM lead_cards WHERE number = ? AND chat_id = ? LIMIT 1").get(number, chatId) !== null;

/** The card cannot be reached any more. */
export function forgetCard(db: Database, card: Pick<StaleCard, "chat_id" | "message_id">) {
  db.query("DELETE FROM lead_cards WHERE chat_id = ? AND message_id = ?").run(card.chat_id, card.message_id);
}

/** How many leads wait for their card, and for how many milliseconds the one that waits longest. */
export function outboxState(db: Database, now: number): { waiting: number; oldestMs: number | null } {
  const row = db
    .query("SELECT count(*) AS n, min(queued_at) AS oldest FROM leads WHERE published_at IS NULL")
    .get() as {
    n: number;
    oldest: number | null;
  };
  return { waiting: row.n, oldestMs: row.oldest === null ? null : Math.max(0, now - row.oldest) };
}

/** When cards were sent lately, oldest first, so that a fresh process keeps the group's pace. */
export const publishedSince = (db: Database, since: number) =>
  (
    db.query("SELECT published_at AS at FROM leads WHERE published_at > ? ORDER BY at").all(since) as { at: number }[]
  ).map((row) => row.at);
