/** Telegram's flood limits (core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this). */
import { Refusal } from "../errors.ts";
import type { JsonObject } from "../types.ts";

const limited = /^(send(?!ChatAction)|edit|copy|forward)/;
const CHAT_PER_SECOND = 1;
/** Short bursts above one message a second pass. */
const CHAT_BURST = 4;
const GROUP_PER_MINUTE = 20;
const MINUTE_MS = 60_000;

export class RateLimits {
  private sent = new Map<string, number[]>();

  constructor(
    public enabled: boolean,
    private readonly nowMs: () => number,
  ) {}

  /** Counts one call, or throws 429 with the seconds to wait. A refused call does not count. */
  count(method: string, params: JsonObject): void {
    if (!this.enabled || !limited.test(method) || params.chat_id === undefined) return;
    const chat = String(params.chat_id);
    const now = this.nowMs();
    const times = (this.sent.get(chat) ?? []).filter((at) => now - at < MINUTE_MS);
    const waitMs = Math.max(burstWait(times, now), chat.startsWith("-") ? groupWait(times, now) : 0);
    if (waitMs > 0) {
      const retry_after = Math.ceil(waitMs / 1000);
      throw new Refusal(429, `Too Many Requests: retry after ${retry_after}`, { parameters: { retry_after } });
    }
    this.sent.set(chat, [...times, now]);
  }
}

/** Milliseconds until the chat's bucket holds a message again. */
function burstWait(times: number[], now: number): number {
  let level = CHAT_BURST;
  let at = times[0] ?? now;
  for (const time of times) {
    level = Math.min(CHAT_BURST, level + ((time - at) / 1000) * CHAT_PER_SECOND) - 1;
    at = time;
  }
  level = Math.min(CHAT_BURST, level + ((now - at) / 1000) * CHAT_PER_SECOND);
  return level >= 1 ? 0 : ((1 - level) / CHAT_PER_SECOND) * 1000;
}

function groupWait(times: number[], now: number): number {
  const oldest = times.at(-GROUP_PER_MINUTE);
  return oldest === undefined ? 0 : oldest + MINUTE_MS - now;
}
