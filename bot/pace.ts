/**
 * Telegram's pace for one chat: about one message a second with short bursts, and in a group 20 a minute
 * (core.telegram.org/bots/faq). Counts every message and edit of the bot, whoever sends it, and remembers for how long a
 * 429 asked to leave the group alone; the outbox asks before it sends.
 */
import type { Transformer } from "grammy";
import { LONGEST_WAIT_MS } from "../shared/waits.ts";

const BURST = 3;
const EVERY_MS = 1_050;
const GROUP_PER_MINUTE = 20;
/** A little more than Telegram's minute: calls travel for unequal times. */
const MINUTE_MS = 61_000;
const counted = /^(send(?!ChatAction)|edit|copy|forward)/;

export type Pace = ReturnType<typeof createPace>;

/** @param now a clock in milliseconds that never goes back */
export function createPace(now: () => number = () => performance.now()) {
  const sent = new Map<number, number[]>();
  const heldUntil = new Map<number, number>();
  const recent = (chatId: number) => (sent.get(chatId) ?? []).filter((at) => at > now() - MINUTE_MS);

  return {
    /** Install it on the Api whose calls are to be counted. */
    transformer: (async (prev, method, payload, signal) => {
      const chatId = Number((payload as { chat_id?: unknown }).chat_id);
      if (!(chatId < 0 && counted.test(method))) return prev(method, payload, signal);
      note(chatId, now());
      const answer = await prev(method, payload, signal);
      if (!answer.ok && answer.error_code === 429) hold(chatId, answer.parameters?.retry_after ?? 1);
      return answer;
    }) satisfies Transformer,
    /** Counts messages that another process sent so long ago. */
    remember(chatId: number, agoMs: number) {
      note(chatId, now() - agoMs);
    },
    /** @returns 0, or the milliseconds until the next message to this group fits */
    waitMs(chatId: number): number {
      const times = recent(chatId);
      const oldest = times.at(-GROUP_PER_MINUTE);
      const minuteMs = oldest === undefined ? 0 : oldest + MINUTE_MS - now();
      const heldMs = (heldUntil.get(chatId) ?? 0) - now();
      return Math.max(0, heldMs, minuteMs, burstWaitMs(times, now()));
    },
  };

  function note(chatId: number, at: number) {
    sent.set(chatId, [...recent(chatId), at]);
  }

  function hold(chatId: number, seconds: number) {
    const until = now() + Math.min(seconds * 1000, LONGEST_WAIT_MS);
    heldUntil.set(chatId, Math.max(until, heldUntil.get(chatId) ?? 0));
  }
}

/** A bucket of `BURST` messages that gains one every `EVERY_MS`. */
function burstWaitMs(times: number[], now: number): number {
  let level = BURST;
  let last = times[0] ?? now;
  const refill = (at: number) => {
    level = Math.min(BURST, level + (at - last) / EVERY_MS);
    last = at;
  };
  for (const at of times) {
    refill(at);
    level -= 1;
  }
  refill(now);
  return level >= 1 ? 0 : (1 - level) * EVERY_MS;
}
