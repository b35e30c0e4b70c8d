/** The watch: what is so is told once, and an all-clear is only said when it is true. */
import { expect, test } from "bun:test";
import type { BotContext } from "../bot/context.ts";
import { createWatch } from "../bot/watch.ts";
import { setTodaysBudget } from "../shared/budget.ts";
import { beat } from "../shared/heartbeats.ts";
import { allKiosks, forgetKiosk, type KioskBeat, noteKiosk } from "../shared/kiosks.ts";
import { openBooth, pauseBooth } from "../shared/pause.ts";
import { createSession } from "../shared/sessions.ts";
import { noteUsage } from "../shared/usage.ts";
import { openBooth as openWorld, TEST_MS } from "./admin-world.ts";
import { freshConfig, freshDb, freshLog, NOON, ttl, visitInQueue } from "./fresh.ts";
import { textsIn, withDb } from "./leads-world.ts";

const SECOND = 1_000;
const MINUTE = 60_000;

/** A booth during an event, looked at by its watch at the seconds that a test names. */
function booth(env: Record<string, string> = {}) {
  const store = freshDb();
  const { db } = store;
  const config = { ...freshConfig({ AI_PROVIDERS: "offline", ...env }), DATA_DIR: store.dataDir };
  let now = NOON;
  const context = { db, config, now: () => now, log: freshLog().log, wake: () => {} } as unknown as BotContext;
  let watch = createWatch(context);
  let heard = 0;
  createSession(db, { kiosk: "a", lang: "en", ttl, now });
  return {
    db,
    config,
    /** The bot starts anew: it knows nothing of its own state yet. */
    restart: () => {
      watch = createWatch(context);
    },
    kiosk: (more: Partial<KioskBeat> = {}) => noteKiosk(db, { kiosk: "a", camera: "ok", ...more }, now),
    at: (seconds: number) => {
      now = NOON + seconds * SECOND;
    },
    /** Signs of life of the bot, then a look. @returns what the chat is told at that */
    look: (signs: readonly string[] = ["poll", "worker-1"]): string[] => {
      for (const loop of signs) beat(db, loop, 1_000, now);
      watch();
      const all = db.query("SELECT payload FROM notices ORDER BY id").all() as { payload: string }[];
      const texts = all.map(({ payload }) => JSON.parse(payload).text as string);
      const fresh = texts.slice(heard);
      heard = texts.length;
      return fresh;
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

test("a kiosk that falls silent is told after a minute, once, and when it is back", () => {
  using b = booth();
  b.kiosk();
  b.at(60);
  expect(b.look()).toEqual([]);
  b.at(61);
  expect(b.look()).toEqual([expect.stringContaining("⚠️ Kiosk a has been silent for 1 min.")]);
  b.at(90);
  expect(b.look()).toEqual([]);
  b.kiosk();
  expect(b.look()).toEqual(["✅ Kiosk a is back."]);
});

test("a pause, or the end of the event, is no all-clear for a silent kiosk", () => {
  using b = booth();
  b.kiosk();
  b.at(61);
  expect(b.look()).toHaveLength(1);
  pauseBooth(b.db, null, "operator:1", NOON + 62 * SECOND);
  expect(b.look()).toEqual([]);
  openBooth(b.db, "operator:1", NOON + 63 * SECOND);
  b.at(3 * 3600);
  expect(b.look()).toEqual([]);
  // Put away: there is nothing left to tell of it.
  expect([forgetKiosk(b.db, "a"), allKiosks(b.db)]).toEqual([true, []]);
  expect(b.look()).toEqual([]);
  expect(b.db.query("SELECT cause FROM alerts WHERE cause LIKE 'kiosk%'").all()).toEqual([]);
});

test("a kiosk that falls silent does not make its camera well", () => {
  using b = booth();
  b.kiosk({ camera: "frozen" });
  expect(b.look()).toEqual([expect.stringContaining("no picture from its camera (frozen)")]);
  b.at(61);
  expect(b.look()).toEqual([expect.stringContaining("silent")]);
  b.kiosk({ camera: "frozen" });
  expect(b.look()).toEqual(["✅ Kiosk a is back."]);
  b.kiosk({ camera: "ok" });
  expect(b.look()).toEqual(["✅ The camera of kiosk a works again."]);
});

test("when the last of several falls silent too, none of them is said to be back", () => {
  using b = booth();
  b.kiosk();
  b.kiosk({ kiosk: "b" });
  b.at(50);
  b.kiosk({ kiosk: "b" });
  b.at(61);
  expect(b.look()).toEqual([expect.stringContaining("Kiosk a has been silent")]);
  b.at(120);
  expect(b.look()).toEqual([expect.stringContaining("All 2 kiosks are silent.")]);
  b.kiosk();
  expect(b.look()).toEqual(["✅ The kiosks are back. Not yet: b."]);
  b.kiosk({ kiosk: "b" });
  expect(b.look()).toEqual(["✅ Kiosk b is back."]);
});

test("when those of two silent kiosks are put away, nobody is said to be back", () => {
  using b = booth();
  b.kiosk();
  b.kiosk({ kiosk: "b" });
  b.at(61);
  expect(b.look()).toEqual([expect.stringContaining("All 2 kiosks are silent.")]);
  forgetKiosk(b.db, "a");
  expect(b.look()).toEqual([]);
  b.kiosk({ kiosk: "b" });
  expect(b.look()).toEqual(["✅ Kiosk b is back."]);
});

const HALL = ["k1", "k2", "k3", "k4", "k5", "k6", "k7"];
/** Tells for some kiosks that their cameras are as said. */
const cameras = (b: ReturnType<typeof booth>, camera: string, ids: readonly string[]) => {
  for (const kiosk of ids) b.kiosk({ kiosk, camera });
};

test("the cameras of many kiosks are one alert that names some, and one all-clear", () => {
  using b = booth();
  cameras(b, "busy", HALL);
  expect(b.look()).toEqual([
    expect.stringContaining("⚠️ 7 kiosks have no picture from their cameras: k1, k2, k3, k4, k5 and 2 more. Go there"),
  ]);
  cameras(b, "ok", HALL.slice(0, 2));
  expect(b.look()).toEqual([]);
  cameras(b, "ok", HALL);
  expect(b.look()).toEqual(["✅ The kiosks' cameras work again."]);
  expect(b.look()).toEqual([]);
});

test("alerts of single kiosks become one of many, and single ones again, each told once", () => {
  using b = booth();
  cameras(b, "ok", HALL);
  cameras(b, "busy", HALL.slice(0, 3));
  expect(b.look()).toHaveLength(3);
  cameras(b, "busy", HALL.slice(3, 4));
  expect(b.look()).toEqual([expect.stringContaining("4 kiosks have no picture from their cameras: k1, k2, k3, k4.")]);
  cameras(b, "ok", HALL.slice(2, 4));
  expect(b.look()).toEqual(["✅ The kiosks' cameras work again. Not yet: k1, k2."]);
  // What flickers around the limit is told no second time.
  cameras(b, "busy", HALL.slice(2, 4));
  expect(b.look()).toEqual([]);
  cameras(b, "ok", HALL.slice(2, 4));
  expect(b.look()).toEqual([]);
  // One that was not among them is news; each of those that were left is over by itself.
  cameras(b, "busy", ["k7"]);
  cameras(b, "ok", ["k1"]);
  expect(b.look()).toEqual([
    expect.stringContaining("Kiosk k7 has no picture"),
    "✅ The camera of kiosk k1 works again.",
  ]);
});

test("kiosks that join many others are told, together and not within ten minutes", () => {
  using b = booth();
  const away = HALL.slice(0, 4);
  cameras(b, "ok", HALL);
  cameras(b, "busy", away);
  expect(b.look()).toHaveLength(1);
  b.at(599);
  cameras(b, "ok", HALL);
  cameras(b, "busy", [...away, "k5"]);
  expect(b.look()).toEqual([]);
  b.at(600);
  expect(b.look()).toEqual([expect.stringContaining("5 kiosks have no picture")]);
  expect(b.look()).toEqual([]);
  // One was well before the last of them was told, and is counted all the same.
  cameras(b, "ok", ["k5"]);
  expect(b.look()).toEqual([]);
  b.at(1200);
  cameras(b, "ok", HALL);
  cameras(b, "busy", [...away, "k6"]);
  expect(b.look()).toEqual([expect.stringContaining("5 kiosks have no picture")]);
  for (const id of HALL.slice(1)) forgetKiosk(b.db, id);
  expect(b.look()).toEqual(["✅ The kiosks' cameras work again. Not yet: k1."]);
});

test("many kiosks that fall silent, or a pause, make their cameras not well", () => {
  using b = booth();
  cameras(b, "busy", HALL.slice(0, 5));
  cameras(b, "ok", HALL.slice(5));
  expect(b.look()).toHaveLength(1);
  pauseBooth(b.db, null, "operator:1", NOON + SECOND);
  expect(b.look()).toEqual([]);
  openBooth(b.db, "operator:1", NOON + 2 * SECOND);
  b.at(61);
  cameras(b, "busy", ["k1"]);
  cameras(b, "ok", HALL.slice(5));
  expect(b.look()).toEqual([expect.stringContaining("4 kiosks are silent: k2, k3, k4, k5.")]);
  cameras(b, "busy", HALL.slice(1, 5));
  expect(b.look()).toEqual(["✅ The kiosks are back."]);
  cameras(b, "ok", HALL);
  expect(b.look()).toEqual(["✅ The kiosks' cameras work again."]);
});

test("a restart between tells nothing twice of many kiosks", () => {
  using b = booth();
  cameras(b, "busy", HALL);
  expect(b.look()).toHaveLength(1);
  b.restart();
  b.at(30);
  expect(b.look()).toEqual([]);
});

test("a bot that has just started does not say that Telegram answers again", () => {
  using b = booth();
  b.look();
  b.at(200);
  expect(b.look(["worker-1"])).toEqual([expect.stringContaining("Telegram has not answered for 3 min")]);
  b.restart();
  b.at(210);
  expect(b.look(["worker-1"])).toEqual([]);
  b.at(271);
  expect(b.look(["worker-1"])).toEqual([]);
  expect(b.look()).toEqual(["✅ Telegram answers again."]);
});

test("a queue that is held for want of money is not short again, and another limit that is used up is no money", () => {
  using b = booth({ DAILY_BUDGET_USD: "1" });
  visitInQueue(b.db, 7001, NOON);
  b.at(400);
  expect(b.look()).toEqual([expect.stringContaining("Guests are waiting long")]);
  noteUsage(b.db, {
    ...{ job_id: null, provider: "gemini", model: "m", purpose: "draw", outcome: "ok", reason: null },
    ...{ input_tokens: 0, output_tokens: 0, images: 1, usd: 3, ms: 1, at: NOON },
  });
  b.at(405);
  expect(b.look()).toEqual([expect.stringContaining("AI budget of $1.00 is used up")]);
  setTodaysBudget(b.db, b.config, { usd: 2, actor: "operator:1", now: NOON });
  expect(b.look()).toEqual([expect.stringContaining("AI budget of $2.00 is used up")]);
  setTodaysBudget(b.db, b.config, { usd: null, actor: "operator:1", now: NOON });
  expect(b.look()).toEqual(["✅ There is money for today again: the queue goes on."]);
  b.db.run("UPDATE jobs SET status = 'cancelled'");
  expect(b.look()).toEqual(["✅ The queue is short again."]);
});

test("a state that is no longer told, but not over, gets no all-clear", () => {
  using b = booth();
  visitInQueue(b.db, 7001, NOON);
  b.at(400);
  expect(b.look()).toHaveLength(1);
  // The page still calls it long after three minutes; the chat hears of it from six on.
  b.db.run(`UPDATE jobs SET created_at = ${NOON + 400 * SECOND - 4 * MINUTE}`);
  expect(b.look()).toEqual([]);
  b.db.run(`UPDATE jobs SET created_at = ${NOON + 400 * SECOND}`);
  expect(b.look()).toEqual(["✅ The queue is short again."]);
});

test("an operator without any artist hears of it once", () => {
  using b = booth({ AI_PROVIDERS: "gemini" });
  expect(b.look()).toEqual([expect.stringContaining("No artist can draw")]);
  b.restart();
  b.at(70);
  expect(b.look()).toEqual([]);
});

test("what a guest is called turns nothing around in the chat", () => {
  using b = booth();
  b.kiosk({ camera: "x\u202e" });
  expect(b.look()[0]).toContain("(x)");
});

test(
  "the real bot tells its chat of a kiosk that fell silent, and that it is back",
  async () => {
    await using world = await openWorld();
    await world.start();
    const beatAt = (at: number) => withDb(world, (db) => noteKiosk(db, { kiosk: "hall-1" }, at));
    const hears = (text: string) =>
      world.sim.until(() => textsIn(world, world.sim.operatorsChatId).some((each) => each.includes(text)), text, {
        timeoutMs: 20_000,
      });
    beatAt(Date.now() - 61 * SECOND);
    await hears("Kiosk hall-1 has been silent for 1 min.");
    beatAt(Date.now());
    await hears("✅ Kiosk hall-1 is back.");
  },
  TEST_MS,
);
