/**
 * Telegram's answers in the classes that a caller can act on. Everything the bot sends beside getUpdates and
 * callback answers goes through `ask`, so no other place reads error texts.
 */
import { GrammyError } from "grammy";
import { inPlainWords } from "../shared/plain-words.ts";
import { LONGEST_WAIT_MS } from "../shared/waits.ts";
import { unlessAborted } from "./unless-aborted.ts";

export type Refusal =
  /** 429: the same call may be made after this long. Not a failure. */
  | { kind: "wait"; retryAfterMs: number }
  /** Timeout, reset, 5xx, unreadable, a token that Telegram does not know: it may have happened. */
  | { kind: "unknown" }
  /** The group became a supergroup: the same call goes to the new id. */
  | { kind: "moved"; chatId: number }
  /** Blocked, kicked, deactivated or never met: nobody reads that chat. */
  | { kind: "unreachable" }
  /** What was asked for is already so, or can no longer matter. */
  | { kind: "done" }
  /** There is no such sticker set. */
  | { kind: "absent" }
  /** The sticker set's name is taken. */
  | { kind: "occupied" }
  /** Any other 400: our bug, or a rule of Telegram's that is new to us. */
  | { kind: "bug" };

/** `reason`: for logs and alerts; Telegram's own description where it has one. */
export type NotOk = Refusal & { reason: string };
export type Answer<T> = { kind: "ok"; value: T } | NotOk;

/**
 * Makes one call and says how it ended; it throws nothing.
 * @param signal leaves the call behind, as `unknown`
 */
export async function ask<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<Answer<T>> {
  try {
    return { kind: "ok", value: await (signal ? unlessAborted(call(), cutShort, signal) : call()) };
  } catch (error) {
    return { ...refusalOf(error), reason: inPlainWords(error) };
  }
}

const cutShort = () => {
  throw new Error("cut short: the process stops");
};

/**
 * `fetch` for grammY: an upload goes out in one piece and with its length. Streamed, one was once seen to reach
 * the simulator without its first fields, and was refused for that.
 */
export async function sendWhole(url: string, { body, ...init }: { body?: unknown; [option: string]: unknown }) {
  const isStream = typeof body === "object" && body !== null && Symbol.asyncIterator in body;
  const whole = isStream ? Buffer.concat(await Array.fromAsync(body as AsyncIterable<Uint8Array>)) : (body as string);
  return fetch(url, { ...init, body: whole });
}

/** Descriptions as Telegram words them; matched loosely, since it words one thing in several ways. */
const MEANINGS: [RegExp, Refusal["kind"] & ("done" | "unreachable" | "absent" | "occupied")][] = [
  [
    /message is not modified|query is too old|query id is invalid|message to edit not found|message_id_invalid|message can't be edited/i,
    "done",
  ],
  [
    /chat not found|user not found|peer_id_invalid|user is deactivated|bot was blocked|bot was kicked|user_is_blocked|(?:have no|not enough) rights to send|chat_write_forbidden|chat_restricted|topic_closed/i,
    "unreachable",
  ],
  [/stickerset_invalid|sticker ?set not found/i, "absent"],
  [/name is already occupied|sticker set name is already/i, "occupied"],
];

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof GrammyError)) return { kind: "unknown" };
  const { error_code: code, description, parameters } = error;
  if (code === 429)
    return { kind: "wait", retryAfterMs: Math.min((parameters.retry_after ?? 1) * 1000, LONGEST_WAIT_MS) };
  // 401 and 404 speak of the token, not of this call: it is kept until the token is mended.
  if (code >= 500 || code === 401 || code === 404) return { kind: "unknown" };
  if (parameters.migrate_to_chat_id) return { kind: "moved", chatId: parameters.migrate_to_chat_id };
  if (code === 403) return { kind: "unreachable" };
  const meaning = MEANINGS.find(([pattern]) => pattern.test(description));
  return { kind: meaning ? meaning[1] : "bug" };
}
