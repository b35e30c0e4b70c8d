/**
 * The question of consent in a guest's chat. Its buttons are live as long as the visit waits for them: whatever ends
 * the waiting (an answer, the clock, the kiosk, another visit) takes them away, in the transaction of that very move.
 */
import type { Database } from "bun:sqlite";
import { type Button, notify, rewrite, type SentNotice } from "./notices.ts";
import type { Lang, SessionStatus } from "./status.ts";
import { speak, type Texts } from "./texts/index.ts";
import { userById } from "./users.ts";

/** What became of a question; every one has a sentence for the guest. */
export type Closing = keyof Texts["consent"]["closed"];

export type NewQuestion = { token: string; chatId: number; text: string; buttons: Button[][]; now: number };

/** Promises the question. Asked twice, both stand until the visit goes on. */
export function putQuestion(db: Database, { token, ...message }: NewQuestion) {
  notify(db, { ...message, asks: token });
}

/**
 * Telegram has the question: from now on it can be found again. One whose visit has gone on while it was on its way
 * loses its buttons at once. Call it in the transaction that settles the notice.
 */
export function questionSent(db: Database, { asks, chat_id }: SentNotice, messageId: number, now: number) {
  if (asks === null) return;
  db.query("INSERT OR IGNORE INTO questions (chat_id, message_id, session_token) VALUES (?, ?, ?)").run(
    chat_id,
    messageId,
    asks,
  );
  const visit = visitOf(db, asks);
  if (visit && visit.status !== "linked") closeQuestions(db, asks, closingOf(visit), now);
}

type Visit = { status: SessionStatus; problem: string | null };
const visitOf = (db: Database, token: string) =>
  db.query("SELECT status, problem FROM sessions WHERE token = ?").get(token) as Visit | null;

function closingOf({ status, problem }: Visit): Closing {
  if (status !== "expired" && status !== "blocked") return "agreed";
  return problem === "timeout" || problem === "declined" ? problem : "reset";
}

/** For a press on a question that nobody waits for: it says what became of its visit. */
export function closeQuestion(db: Database, token: string, chatId: number, messageId: number, now: number) {
  const visit = visitOf(db, token);
  if (!visit) return;
  forgetQuestion(db, chatId, messageId);
  rewrite(db, messageId, { chatId, text: sentence(db, chatId, token, closingOf(visit)), now });
}

/** A question whose button was pressed is rewritten by the one who heard the press. */
export function forgetQuestion(db: Database, chatId: number, messageId: number) {
  db.query("DELETE FROM questions WHERE chat_id = ? AND message_id = ?").run(chatId, messageId);
}

/** Takes the buttons of a visit's questions away and says instead what happened. Call it in the transaction of the move. */
export function closeQuestions(db: Database, token: string, closing: Closing, now: number) {
  const open = db
    .query("DELETE FROM questions WHERE session_token = ? RETURNING chat_id AS chatId, message_id AS messageId")
    .all(token) as { chatId: number; messageId: number }[];
  for (const { chatId, messageId } of open)
    rewrite(db, messageId, { chatId, text: sentence(db, chatId, token, closing), now });
  // One that still waits to be sent is sent as what it has become. (One that is being sent now: see `questionSent`.)
  const waiting = db.query("SELECT id, chat_id AS chatId FROM notices WHERE asks = ? AND sent_at IS NULL").all(token);
  for (const { id, chatId } of waiting as { id: number; chatId: number }[]) {
    const payload = JSON.stringify({ text: sentence(db, chatId, token, closing) });
    db.query("UPDATE notices SET payload = ?, asks = NULL WHERE id = ?").run(payload, id);
  }
}

function sentence(db: Database, chatId: number, token: string, closing: Closing): string {
  const visit = db.query("SELECT lang FROM sessions WHERE token = ?").get(token) as { lang: Lang } | null;
  return speak(userById(db, chatId)?.lang ?? visit?.lang ?? "ru").consent.closed[closing];
}
