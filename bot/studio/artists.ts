/** Which artist gets a call, and what happens when one fails: the one place of order, deadlines, tries and the bill. */
import type { Config, ProviderName } from "../../shared/config.ts";
import type { Purpose } from "../../shared/usage.ts";
import { unlessAborted } from "../unless-aborted.ts";
import { geminiArtist } from "./providers/gemini.ts";
import { offlineArtist } from "./providers/offline.ts";
import { openaiArtist } from "./providers/openai.ts";
import type { Provider, Reply } from "./providers/provider.ts";

/** A picture takes half a minute; a slow one two. */
const DEADLINE_MS: Record<Purpose, number> = { selfie: 20_000, sheet: 30_000, draw: 180_000, tryout: 180_000 };
const TRIES_EACH = 2;
/** An overloaded artist gets this much rest before its second try, unless it asks for a little more. */
const REST_MS = 1_000;
const MAX_REST_MS = 5_000;

export type Bill = { provider: ProviderName; purpose: Purpose; reply: Reply<unknown>; ms: number };

/** Cannot succeed before somebody mends its key or model; `reason` is its own. */
export type Broken = { name: ProviderName; reason: string };

export type Asked<T> = {
  /** Whoever stood in for them. */
  broken: Broken[];
} & (
  | { outcome: "ok"; value: T; by: ProviderName }
  | { outcome: "refused"; reason: string; by: ProviderName }
  /** Every artist failed this time. */
  | { outcome: "unavailable"; reason: string }
);

export type Call<T> = (artist: Provider, signal: AbortSignal) => Promise<Reply<T>>;

export type Artists = {
  names: ProviderName[];
  ask<T>(purpose: Purpose, call: Call<T>, options: AskOptions<T>): Promise<Asked<T>>;
};

export type AskOptions<T> = {
  signal: AbortSignal;
  /** Throws when nobody may be asked any more; looked at right before each call, since rests lie between them. */
  mayAsk?: () => void;
  /** Told of each call, failures included, before anything else is done with its result. */
  billed: (bill: Bill, value: T | undefined) => void;
};

/** The artists in the configured order, those without a key left out. */
export function hireArtists(config: Config): Provider[] {
  const hire: Record<ProviderName, () => Provider | null> = {
    gemini: () => (config.GEMINI_API_KEY ? geminiArtist(config) : null),
    openai: () => (config.OPENAI_API_KEY ? openaiArtist(config) : null),
    offline: offlineArtist,
  };
  return config.AI_PROVIDERS.map((name) => hire[name]()).filter((artist) => artist !== null);
}

export function createArtists(artists: Provider[], deadlineMs = DEADLINE_MS): Artists {
  return {
    names: artists.map((a) => a.name),
    async ask(purpose, call, { signal, mayAsk, billed }) {
      const broken: Broken[] = [];
      let reason = "no artist is configured";
      for (const artist of artists) {
        for (let tries = 1; tries <= TRIES_EACH; tries++) {
          // Whoever may no longer ask would get a bill for a call that was never made.
          signal.throwIfAborted();
          mayAsk?.();
          const reply = await timed(artist, purpose, call, deadlineMs[purpose], signal, billed);
          signal.throwIfAborted();
          if (reply.outcome === "ok") return { outcome: "ok", value: reply.value, by: artist.name, broken };
          reason = `${artist.name}: ${reply.reason}`;
          if (reply.outcome === "refused") return { outcome: "refused", reason, by: artist.name, broken };
          if (reply.outcome === "broken") {
            broken.push({ name: artist.name, reason: reply.reason });
            break;
          }
          if (reply.outcome === "overloaded" && tries < TRIES_EACH) {
            // Somebody who asks for a long rest, or was silent until the deadline, is passed over at once.
            const restMs = Math.max(REST_MS, reply.retryAfterMs ?? 0);
            if (restMs > MAX_REST_MS || reply.late) break;
            await rest(restMs, signal);
          }
        }
      }
      return { outcome: "unavailable", reason, broken };
    },
  };
}

async function timed<T>(
  artist: Provider,
  purpose: Purpose,
  call: Call<T>,
  limitMs: number,
  signal: AbortSignal,
  billed: AskOptions<T>["billed"],
): Promise<Reply<T> & { late?: boolean }> {
  const started = performance.now();
  // A signal of this call alone: one joined to the process's own would be kept by it, with all that hangs on it.
  const over = new AbortController();
  const deadline = setTimeout(() => over.abort(new DOMException("The deadline is over.", "TimeoutError")), limitMs);
  const stop = () => over.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  const work = call(artist, over.signal).catch((error: unknown): Reply<T> => failed(artist, error));
  // The SDKs' own time-outs are not to be trusted: whoever has not answered by the deadline is left behind.
  const reply = await unlessAborted(
    work,
    (): Reply<T> => failed(artist, signal.aborted ? "cut short" : `no answer within ${limitMs / 1000} s`),
    over.signal,
  ).finally(() => {
    clearTimeout(deadline);
    signal.removeEventListener("abort", stop);
  });
  const late = over.signal.aborted;
  billed(
    { provider: artist.name, purpose, reply, ms: performance.now() - started },
    reply.outcome === "ok" ? reply.value : undefined,
  );
  return { ...reply, late };
}

const failed = <T>(artist: Provider, error: unknown): Reply<T> => ({
  model: artist.name,
  spent: { inputTokens: 0, outputTokens: 0, images: 0 },
  outcome: "overloaded",
  reason: error instanceof Error ? error.message : String(error),
});

async function rest(ms: number, signal: AbortSignal) {
  await unlessAborted(Bun.sleep(ms), () => {}, signal);
  signal.throwIfAborted();
}
