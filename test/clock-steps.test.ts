/** Somebody sets the clock: nobody waits for an hour, nobody's work is taken from them, and no lock lasts for ever. */
import { afterEach, expect, setSystemTime, test } from "bun:test";
import type { BotContext } from "../bot/context.ts";
import { createClockWatch } from "../bot/housekeeping.ts";
import { rememberPace } from "../bot/outbox.ts";
import { createPace } from "../bot/pace.ts";
import { alertOperators, TOGETHER_AFTER_MS, tellTogether } from "../shared/alerts.ts";
import { rateLimit } from "../shared/gate.ts";
import { allHeartbeats, beat, type Heartbeat, heartbeats, isLate } from "../shared/heartbeats.ts";
import { claimJob, type Job, jobById, LEASE_MS } from "../shared/jobs.ts";
import { allKiosks, isSilent, KIOSK_SILENT_MS, type Kiosk, noteKiosk } from "../shared/kiosks.ts";
import { takeLead } from "../shared/leads/intake.ts";
import { beginPublish, published } from "../shared/leads/outbox.ts";
import { createLockout, LOCKOUT_MS, MAX_WRONG } from "../shared/lockout.ts";
import { Loop } from "../shared/loop.ts";
import { delayNotice, dueNotices, notify } from "../shared/notices.ts";
import { decidePack, LATE_CREATION_MS, withdrawPackOf } from "../shared/packs.ts";
import { recoverJobs } from "../shared/recovery.ts";
import { expireSession, latestSessionOf } from "../shared/sessions.ts";
import { endStrayPauses, LONGEST_PAUSE_MS, watchedClock } from "../shared/waits.ts";
import { freshConfig, freshDb, freshLog, NOON, visitAtCamera, visitInQueue } from "./fresh.ts";

const HOUR_MS = 3_600_000;
const lead = () => ({ request_id: crypto.randomUUID(), name: "Aziz", contact: "@aziz", locale: "uz" }) as const;
const nobody = { isGone: () => false, isHeld: () => false };

/** The bot's clock, its time of day and its time since the start given by the test. */
const clockOf = (times: () => [at: number, sinceBoot: number]) =>
  watchedClock(
    () => times()[0],
    () => times()[1],
  );

afterEach(() => {
  setSystemTime();
});

test("pauses of every kind end when the clock was set back, and only then", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const { jobId } = visitInQueue(db, 7001);
  db.query("UPDATE jobs SET not_before = ? WHERE id = ?").run(NOON + 30_000, jobId);
  notify(db, { chatId: 7001, text: "Hello", now: NOON });
  delayNotice(db, dueNotices(db, NOON, 1, [])[0]?.id ?? 0, NOON + LONGEST_PAUSE_MS, true);
  const taken = takeLead(db, lead(), { mark: "m", limit: 5 }, NOON);
  const number = taken.kind === "stored" ? taken.number : 0;
  beginPublish(db, number, NOON);
  db.query(
    "INSERT INTO lead_cards (chat_id, message_id, number, shown, stale, next_edit_at) VALUES (-1, 1, ?, 0, 1, ?)",
  ).run(number, NOON + 5_000);
  const job = jobById(db, jobId) as Job;
  decidePack(db, job, "a_bot", "T", 9, NOON);
  withdrawPackOf(db, job, NOON);
  expect(endStrayPauses(db, NOON)).toBe(0);

  const before = NOON - HOUR_MS;
  expect(endStrayPauses(db, before)).toBe(5);
  expect(jobById(db, jobId)?.not_before).toBe(before);
  expect(dueNotices(db, before, 1, [])).toHaveLength(1);
  expect(db.query("SELECT next_publish_at AS at FROM leads").get()).toEqual({ at: before });
  expect(db.query("SELECT next_edit_at AS at FROM lead_cards").get()).toEqual({ at: before });
  // A creation that is on its way may still arrive.
  expect(db.query("SELECT delete_at AS at FROM discarded_sets").get()).toEqual({ at: before + LATE_CREATION_MS });
  expect(endStrayPauses(db, before)).toBe(0);
});

test("a guest who comes again after the clock was set back is known by the new visit", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const old = visitAtCamera(db, 1, NOON);
  expireSession(db, old, "reset", "kiosk", NOON);
  const visit = visitAtCamera(db, 1, NOON - HOUR_MS);
  expect(latestSessionOf(db, 1)?.token).toBe(visit);
});

test("an open visit has no more time left than a new one", () => {
  using booth = underClock();
  const token = visitAtCamera(booth.db, 1, NOON);
  const left = () =>
    (booth.db.query("SELECT expires_at AS at FROM sessions WHERE token = ?").get(token) as { at: number }).at;
  booth.look();
  expect(left()).toBe(NOON + 10 * 60_000);
  booth.stepBack();
  booth.look();
  expect(left()).toBe(NOON - HOUR_MS + 10 * 60_000);
});

const CHAT = { ADMIN_CHAT_ID: -100500, TEAM_LANG: "en" } as const;

/** A database that is looked at by the clock loop, at noon until the clock is set back by an hour. */
function underClock() {
  const fresh = freshDb();
  let at = NOON;
  const context = { db: fresh.db, config: freshConfig(), log: freshLog().log, now: () => at, wake: () => {} };
  const look = createClockWatch(
    context as Partial<BotContext> as BotContext,
    clockOf(() => [at, NOON]),
  );
  const stepBack = () => {
    at -= HOUR_MS;
    return at;
  };
  return { db: fresh.db, look, stepBack, [Symbol.dispose]: () => fresh[Symbol.dispose]() };
}

test("what was seen and told before the clock was set back is so long ago as it is, not an hour ahead", () => {
  using booth = underClock();
  const { db, look } = booth;
  const alert = (now: number) => alertOperators(db, CHAT, { cause: "failed:bad_sheet", text: "A pack failed", now });
  const kiosk = () => allKiosks(db)[0] as Kiosk;
  noteKiosk(db, { kiosk: "hall" }, NOON);
  beat(db, "outbox", 2_000, NOON);
  expect([alert(NOON), alert(NOON)]).toEqual([true, false]);
  look();
  expect(kiosk().seen_at).toBe(NOON);

  const at = booth.stepBack();
  look();
  expect(kiosk().seen_at).toBe(at);
  expect([isSilent(kiosk(), at), isSilent(kiosk(), at + KIOSK_SILENT_MS + 1)]).toEqual([false, true]);
  const outbox = () => allHeartbeats(db)[0] as Heartbeat;
  expect([isLate(outbox(), at), isLate(outbox(), at + 60_000)]).toEqual([false, true]);
  expect(tellTogether(db, CHAT, at + TOGETHER_AFTER_MS - 1)).toBe(false);
  expect(tellTogether(db, CHAT, at + TOGETHER_AFTER_MS)).toBe(true);
});

test("an artist that drew before it broke, and before the clock was set back, is not said to answer again", () => {
  using booth = underClock();
  const { db, look } = booth;
  const drew = (when: number) =>
    db
      .query(
        `INSERT INTO ai_usage (provider, model, purpose, outcome, input_tokens, output_tokens, images, usd, ms, at)
         VALUES ('gemini', 'm', 'draw', 'ok', 1, 1, 1, 0.1, 1, ?)`,
      )
      .run(when);
  drew(NOON - 10 * 60_000);
  alertOperators(db, CHAT, { cause: "broken:gemini", text: "gemini rejects our calls", now: NOON });
  const at = booth.stepBack();
  look();
  expect(tellTogether(db, CHAT, at)).toBe(false);
  expect(tellTogether(db, CHAT, NOON - 5 * 60_000)).toBe(false);
  drew(NOON + 1);
  expect(tellTogether(db, CHAT, NOON + 1)).toBe(true);
});

test("a wait of hours that Telegram asked for is kept, over a restart too, until the clock is set back", () => {
  using fresh = freshDb();
  const { db } = fresh;
  let [at, sinceBoot, woken] = [NOON, 0, 0];
  const context = {
    db,
    config: freshConfig(),
    log: freshLog().log,
    now: () => at,
    wake: () => woken++,
  } as Partial<BotContext> as BotContext;
  const start = () =>
    createClockWatch(
      context,
      clockOf(() => [at, sinceBoot]),
    );
  const pass = (ms: number) => {
    at += ms;
    sinceBoot += ms;
  };
  notify(db, { chatId: 7001, text: "Hello", now: NOON });
  const id = dueNotices(db, NOON, 1, [])[0]?.id ?? 0;
  const until = () => (db.query("SELECT next_at AS at FROM notices").get() as { at: number }).at;
  const wait = (ms: number) => delayNotice(db, id, at + ms, false);

  wait(20 * HOUR_MS);
  let watch = start();
  for (let i = 0; i < 3; i++) {
    watch();
    pass(5_000);
  }
  beat(db, "notices", 2_000, at);
  watch = start();
  watch();
  expect([until(), woken]).toEqual([NOON + 20 * HOUR_MS, 0]);

  // Set back by less than the slack, again and again, and once for good while it works.
  for (let i = 0; i < 3; i++) {
    at -= 3_000;
    watch();
  }
  expect(woken).toBe(0);
  at -= HOUR_MS;
  watch();
  expect([until(), woken]).toEqual([at, 1]);

  // What is asked for after the step is kept again, as soon as nothing from before it can still be written.
  pass(60_000);
  wait(2 * HOUR_MS);
  watch();
  expect(until()).toBe(at + 2 * HOUR_MS);

  // Set back while the bot was down: the last sign of life lies ahead.
  beat(db, "notices", 2_000, at);
  at -= HOUR_MS;
  sinceBoot = 0;
  start()();
  expect([until(), woken]).toEqual([at, 2]);

  // Nothing lies further ahead than a day.
  wait(25 * HOUR_MS);
  db.query("DELETE FROM heartbeats").run();
  start()();
  expect([until(), woken]).toEqual([at, 3]);
});

test("a clock that jumps ahead and back between two looks leaves no pause, nor does what is written late", () => {
  using fresh = freshDb();
  const { db } = fresh;
  let [at, sinceBoot, woken] = [NOON, 0, 0];
  const clock = clockOf(() => [at, sinceBoot]);
  const context = {
    db,
    config: freshConfig(),
    log: freshLog().log,
    now: clock.now,
    wake: () => woken++,
  } as Partial<BotContext> as BotContext;
  notify(db, { chatId: 7001, text: "Hello", now: NOON });
  const id = dueNotices(db, NOON, 1, [])[0]?.id ?? 0;
  const until = () => (db.query("SELECT next_at AS at FROM notices").get() as { at: number }).at;
  const watch = createClockWatch(context, clock);
  watch();

  at += HOUR_MS;
  delayNotice(db, id, context.now() + 1_000, false);
  at -= HOUR_MS;
  watch();
  expect([until(), woken]).toEqual([at, 1]);

  // Read before the step back, written after the look that saw it.
  at += HOUR_MS;
  const read = context.now();
  at -= HOUR_MS;
  watch();
  delayNotice(db, id, read + 1_000, false);
  at += 5_000;
  sinceBoot += 5_000;
  watch();
  expect([until(), woken]).toEqual([at, 2]);
});

test("what was written by a clock that was ahead for a moment does not wait, be it by a process that is gone", () => {
  using fresh = freshDb();
  const { db } = fresh;
  let [at, sinceBoot] = [NOON, 0];
  const context = {
    db,
    config: freshConfig(),
    log: freshLog().log,
    wake: () => {},
  } as Partial<BotContext> as BotContext;
  const start = () =>
    createClockWatch(
      context,
      clockOf(() => [at, sinceBoot]),
    );
  let watch = start();
  for (const isDown of [false, true]) {
    watch();
    const { jobId } = visitInQueue(db, isDown ? 7002 : 7001, NOON + HOUR_MS);
    db.query("UPDATE jobs SET not_before = ? WHERE id = ?").run(NOON + HOUR_MS + 30_000, jobId);
    const until = () => jobById(db, jobId)?.not_before;
    if (isDown) watch = start();
    watch();
    expect(until()).toBe(at);
    at += 5 * 60_000;
    sinceBoot += 5 * 60_000;
  }
  // A trace tells once: what Telegram asks for afterwards is kept.
  notify(db, { chatId: 7001, text: "Hello", now: at });
  delayNotice(db, dueNotices(db, at, 9, []).at(-1)?.id ?? 0, at + 2 * HOUR_MS, false);
  watch();
  expect(db.query("SELECT max(next_at) AS at FROM notices").get()).toEqual({ at: at + 2 * HOUR_MS });
});

test("a loop that backs off does not wait for the clock of the day", async () => {
  const { log } = freshLog();
  const rounds = Promise.withResolvers<void>();
  let count = 0;
  const step = () => {
    count += 1;
    if (count > 1) return rounds.resolve();
    setSystemTime(new Date(Date.now() - HOUR_MS));
    throw new Error("once");
  };
  const loop = new Loop({ name: "test", everyMs: 5, step, log }).start();
  await rounds.promise;
  await loop.stop();
  expect(count).toBeGreaterThan(1);
});

test("a job whose worker is at it stays with it when the lease looks out of date", () => {
  using fresh = freshDb();
  const { db } = fresh;
  visitInQueue(db, 7001);
  const job = claimJob(db, "1-abc/1", NOON);
  const held = { ...nobody, isHeld: () => true };
  for (const now of [NOON + HOUR_MS, NOON - HOUR_MS]) expect(recoverJobs(db, held, now).requeued).toEqual([]);
  expect(recoverJobs(db, nobody, NOON + LEASE_MS - 1).requeued).toEqual([]);
  // Nobody holds it, and no lease is that long.
  expect(recoverJobs(db, nobody, NOON - HOUR_MS).requeued.map(({ id }) => id)).toEqual([job?.id ?? 0]);
});

test("cards that were sent by a clock that was ahead hold up the group no longer than those of now", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const config = freshConfig({ LEADS_CHAT_ID: "-1" });
  for (let i = 0; i < 3; i++) {
    const taken = takeLead(db, lead(), { mark: `m${i}`, limit: 5 }, NOON);
    const number = taken.kind === "stored" ? taken.number : 0;
    published(db, { chatId: -1, messageId: i, number, version: 1 }, NOON);
  }
  const pace = createPace(() => 0);
  rememberPace({ db, config, now: () => NOON - HOUR_MS }, pace);
  expect(pace.waitMs(-1)).toBeGreaterThan(0);
  expect(pace.waitMs(-1)).toBeLessThan(2_000);
});

test("signs of life go on when the clock was set back", () => {
  using fresh = freshDb();
  const { db } = fresh;
  let now = NOON;
  const beats = heartbeats(db, () => now);
  beats.ok({ name: "outbox", everyMs: 1_000 });
  now -= HOUR_MS;
  beats.ok({ name: "outbox", everyMs: 1_000 });
  expect(db.query("SELECT last_ok_at AS at FROM heartbeats").get()).toEqual({ at: now });
});

test("what was counted or locked in the future counts for nothing", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const lockout = createLockout(
    db,
    "leads",
    (address) => address,
    () => {},
  );
  for (let i = 0; i < MAX_WRONG; i++) lockout.wrong("a", NOON);
  expect(lockout.isLocked("a", NOON + LOCKOUT_MS - 1)).toBe(true);
  expect(lockout.isLocked("a", NOON - HOUR_MS)).toBe(false);

  const limit = rateLimit(1, 60_000);
  expect(limit.take("a", NOON)).toBe(0);
  expect(limit.take("a", NOON + 1)).toBeGreaterThan(0);
  expect(limit.take("a", NOON - HOUR_MS)).toBe(0);

  expect(takeLead(db, lead(), { mark: "m", limit: 1 }, NOON).kind).toBe("stored");
  expect(takeLead(db, lead(), { mark: "m", limit: 1 }, NOON + 1).kind).toBe("flood");
  expect(takeLead(db, lead(), { mark: "m", limit: 1 }, NOON - HOUR_MS).kind).toBe("stored");
});
