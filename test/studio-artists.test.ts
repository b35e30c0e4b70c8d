/** Which artist gets a call: order, second chances, rest, deadlines, the bill. With artists of the test's own. */
import { expect, test } from "bun:test";
import { type Bill, createArtists, hireArtists } from "../bot/studio/artists.ts";
import type { Outcome, Provider, Reply } from "../bot/studio/providers/provider.ts";
import type { ProviderName } from "../shared/config.ts";
import { freshConfig } from "./fresh.ts";

type Said = Outcome | "throws" | "hangs" | { retryAfterMs: number };
const spent = { inputTokens: 1, outputTokens: 2, images: 0 };
const FOREVER = new Promise<never>(() => {});
/** Deadlines that a hanging artist meets soon, and no other one ever. */
const deadlines = { selfie: 30, sheet: 60_000, draw: 60_000, tryout: 60_000 };

/** An artist that answers as it is told, one answer a call; `count` counts them. */
function artist(name: ProviderName, ...script: Said[]) {
  let calls = 0;
  const checkSelfie = async (): Promise<Reply<{ usable: boolean; faces: number; problem: "none" }>> => {
    const said = script[calls++] ?? "ok";
    if (said === "hangs") return FOREVER;
    if (said === "throws") throw new Error("socket");
    if (said === "ok") return { model: name, spent, outcome: "ok", value: { usable: true, faces: 1, problem: "none" } };
    if (typeof said === "object") return { model: name, spent, outcome: "overloaded", reason: "busy", ...said };
    return { model: name, spent, outcome: said, reason: `${said} by ${name}` };
  };
  const never = () => FOREVER;
  const provider: Provider = { name, checkSelfie, drawSheet: never, checkSheet: never };
  return Object.assign(provider, { count: () => calls });
}

async function ask(artists: Provider[], signal = new AbortController().signal, purpose: "selfie" | "draw" = "draw") {
  const bills: Bill[] = [];
  const asked = await createArtists(artists, deadlines).ask(purpose, (one, s) => one.checkSelfie(new Uint8Array(), s), {
    signal,
    billed: (bill) => bills.push(bill),
  });
  return { asked, bills, outcomes: bills.map((b) => `${b.provider} ${b.reply.outcome}`) };
}

test("the first artist that can is the only one asked", async () => {
  const second = artist("openai");
  const { asked, outcomes } = await ask([artist("gemini"), second]);
  expect(asked).toMatchObject({ outcome: "ok", by: "gemini", broken: [] });
  expect(outcomes).toEqual(["gemini ok"]);
  expect(second.count()).toBe(0);
});

test("an empty answer is worth one more try at once, then the next artist", async () => {
  expect((await ask([artist("gemini", "empty"), artist("openai")])).outcomes).toEqual(["gemini empty", "gemini ok"]);
  expect((await ask([artist("gemini", "empty", "empty"), artist("openai")])).outcomes).toEqual([
    "gemini empty",
    "gemini empty",
    "openai ok",
  ]);
});

test("an overloaded artist is asked twice, with a rest between, then the next one", async () => {
  const started = performance.now();
  const { asked, outcomes } = await ask([artist("gemini", "overloaded", "overloaded"), artist("openai")]);
  expect(asked).toMatchObject({ outcome: "ok", by: "openai" });
  expect(outcomes).toEqual(["gemini overloaded", "gemini overloaded", "openai ok"]);
  expect(performance.now() - started).toBeGreaterThan(900);
});

test("one that wants a long rest is passed over at once", async () => {
  const { outcomes } = await ask([artist("gemini", { retryAfterMs: 60_000 }), artist("openai")]);
  expect(outcomes).toEqual(["gemini overloaded", "openai ok"]);
});

test("one that throws counts as overloaded, and is billed", async () => {
  const { bills } = await ask([artist("gemini", "throws", "throws"), artist("openai")]);
  expect(bills.map((b) => b.reply.outcome)).toEqual(["overloaded", "overloaded", "ok"]);
  expect(bills[0]?.reply).toMatchObject({ reason: "socket" });
});

test("a refusal is the end: nobody else is asked", async () => {
  const second = artist("openai");
  const { asked } = await ask([artist("gemini", "refused"), second]);
  expect(asked).toMatchObject({ outcome: "refused", by: "gemini" });
  expect(second.count()).toBe(0);
});

test("a broken key is told once, not tried twice, and another stands in", async () => {
  const { asked, outcomes } = await ask([artist("gemini", "broken"), artist("openai")]);
  expect(asked).toMatchObject({
    outcome: "ok",
    by: "openai",
    broken: [{ name: "gemini", reason: "broken by gemini" }],
  });
  expect(outcomes).toEqual(["gemini broken", "openai ok"]);
  const both = await ask([artist("gemini", "broken"), artist("openai", "broken")]);
  expect(both.asked).toMatchObject({
    outcome: "unavailable",
    broken: [
      { name: "gemini", reason: "broken by gemini" },
      { name: "openai", reason: "broken by openai" },
    ],
  });
});

test("one that does not answer by the deadline is left behind, and the next is asked at once", async () => {
  const signal = new AbortController().signal;
  const { asked, bills } = await ask([artist("gemini", "hangs"), artist("openai")], signal, "selfie");
  expect(asked).toMatchObject({ outcome: "ok", by: "openai" });
  expect(bills.map((b) => b.reply.outcome)).toEqual(["overloaded", "ok"]);
  expect(bills[0]?.reply).toMatchObject({ reason: "no answer within 0.03 s" });
});

test("a stop ends the wait with its own reason, and the call that was cut short is billed as that", async () => {
  const stop = new AbortController();
  const hanging = artist("gemini", "hangs");
  const bills: Bill[] = [];
  const asked = createArtists([hanging, artist("openai")], deadlines).ask(
    "draw",
    (one, s) => one.checkSelfie(new Uint8Array(), s),
    { signal: stop.signal, billed: (bill) => bills.push(bill) },
  );
  stop.abort(new Error("stopping"));
  await expect(asked).rejects.toThrow("stopping");
  expect(bills).toHaveLength(1);
  expect(bills[0]?.reply).toMatchObject({ outcome: "overloaded", reason: "cut short" });
});

test("whoever may no longer ask is stopped right before the next call, also after a rest", async () => {
  const asked: string[] = [];
  const mayAsk = () => {
    if (asked.length > 0) throw new Error("another's");
  };
  const one = artist("gemini", "overloaded", "ok");
  const call = (who: Provider, signal: AbortSignal) => {
    asked.push(who.name);
    return who.checkSelfie(new Uint8Array(), signal);
  };
  const { signal } = new AbortController();
  const answer = createArtists([one]).ask("selfie", call, { signal, mayAsk, billed: () => {} });
  await expect(answer).rejects.toThrow("another's");
  expect(asked).toEqual(["gemini"]);
});

test("a call that is over leaves nothing at the process's own signal, which would keep its pictures", async () => {
  const { signal } = new AbortController();
  const listeners: unknown[] = [];
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  Object.assign(signal, {
    addEventListener(type: "abort", listener: () => void) {
      listeners.push(listener);
      add(type, listener);
    },
    removeEventListener(type: "abort", listener: () => void) {
      listeners.splice(listeners.indexOf(listener), 1);
      remove(type, listener);
    },
  });
  const calls = ["empty", "overloaded", "ok"] as const;
  await ask([artist("gemini", "throws", ...calls), artist("openai", "hangs")], signal, "selfie");
  await ask([artist("openai", "hangs"), artist("gemini")], signal, "selfie");
  expect(listeners).toEqual([]);
});

test("a stop ends the rest too", async () => {
  const stop = new AbortController();
  const asked = ask([artist("gemini", { retryAfterMs: 4_000 }), artist("openai")], stop.signal);
  setImmediate(() => stop.abort(new Error("stopping")));
  await expect(asked).rejects.toThrow("stopping");
});

test("without artists nothing is possible, and it is said", async () => {
  expect((await ask([])).asked).toEqual({ outcome: "unavailable", reason: "no artist is configured", broken: [] });
});

test("artists are hired in the configured order, those without a key left out", () => {
  const names = (env: Record<string, string>) => hireArtists(freshConfig(env)).map((a) => a.name);
  expect(names({ OPENAI_API_KEY: "k", GEMINI_API_KEY: "k", AI_PROVIDERS: "openai,gemini" })).toEqual([
    "openai",
    "gemini",
  ]);
  expect(names({ OPENAI_API_KEY: "k" })).toEqual(["openai"]);
  expect(names({ AI_PROVIDERS: "offline" })).toEqual(["offline"]);
  expect(names({})).toEqual([]);
});
