/** The supervised loop, under a clock of the test's own where time decides. */
import { expect, test } from "bun:test";
import { heartbeats, isLate, keepHeartbeats } from "../shared/heartbeats.ts";
import { Loop, type LoopOptions } from "../shared/loop.ts";
import { freshDb, freshLog, NOON } from "./fresh.ts";

/** So long that no round comes by itself during a test. */
const NEVER_MS = 3_600_000;

function loopOf(step: LoopOptions["step"], more: Partial<LoopOptions> = {}) {
  const { log, lines } = freshLog();
  return { lines, loop: new Loop({ name: "test", everyMs: NEVER_MS, log, ...more, step }) };
}

/** Lets everything that is ready to run do so. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((done) => setImmediate(done));
};

test("a round runs at the start, and wakes during it make one more, never two at once", async () => {
  let running = 0;
  let most = 0;
  let rounds = 0;
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { loop } = loopOf(async () => {
    most = Math.max(most, ++running);
    await gates[rounds++]?.promise;
    running--;
  });
  loop.start();
  for (let i = 0; i < 5; i++) loop.wake();
  await settle();
  expect(rounds).toBe(1);
  gates[0]?.resolve();
  await settle();
  expect(rounds).toBe(2);
  gates[1]?.resolve();
  await settle();
  expect(rounds).toBe(2);
  expect(most).toBe(1);
  await loop.stop();
});

test("`again` asks for another round at once, and only while it is said", async () => {
  let rounds = 0;
  const { loop } = loopOf(() => (++rounds < 4 ? "again" : undefined));
  loop.start();
  await settle();
  expect(rounds).toBe(4);
  await loop.stop();
});

test("a number asks for a round after so many milliseconds", async () => {
  const second = Promise.withResolvers<void>();
  let rounds = 0;
  const { loop } = loopOf(() => {
    if (++rounds === 2) second.resolve();
    return rounds === 1 ? 1 : undefined;
  });
  loop.start();
  await second.promise;
  await loop.stop();
});

test("rounds come by themselves", async () => {
  const third = Promise.withResolvers<void>();
  let rounds = 0;
  const { loop } = loopOf(
    () => {
      if (++rounds === 3) third.resolve();
    },
    { everyMs: 1 },
  );
  loop.start();
  await third.promise;
  await loop.stop();
});

test("failures back off, doubling up to a bound; waking does not hurry them; success forgets them", async () => {
  let now = NOON;
  let rounds = 0;
  let bad = true;
  const { loop, lines } = loopOf(
    () => {
      rounds++;
      if (bad) throw new Error("no");
    },
    { everyMs: 1_000, maxBackoffMs: 5_000, now: () => now },
  );
  // The interval itself is out of the play: `wake` stands for its tick.
  loop.start();
  await settle();
  for (const pauseMs of [2_000, 4_000, 5_000, 5_000]) {
    const before = rounds;
    now += pauseMs - 1;
    loop.wake();
    await settle();
    expect(rounds).toBe(before);
    now += 1;
    loop.wake();
    await settle();
    expect(rounds).toBe(before + 1);
  }
  expect(loop.failures).toBe(5);
  expect(lines.map((line) => JSON.parse(line).pauseMs)).toEqual([2_000, 4_000, 5_000, 5_000, 5_000]);
  bad = false;
  now += 5_000;
  loop.wake();
  await settle();
  expect(loop.failures).toBe(0);
  await loop.stop();
});

for (const broken of ["ok", "failed"] as const) {
  test(`a heartbeat that throws at “${broken}” brings nothing down`, async () => {
    let rounds = 0;
    let now = NOON;
    const cry = () => {
      throw new Error("the database is locked");
    };
    const heartbeat = { ok: () => {}, failed: () => {}, [broken]: cry };
    const { loop } = loopOf(
      () => {
        rounds++;
        if (broken === "failed") throw new Error("no");
      },
      { heartbeat, now: () => now },
    );
    loop.start();
    await settle();
    now += NEVER_MS * 4;
    loop.wake();
    await settle();
    expect(rounds).toBe(2);
    await loop.stop();
  });
}

test("stopping waits for the round in hand, gives it its grace, then tells it to end", async () => {
  const told = Promise.withResolvers<void>();
  let rounds = 0;
  const { loop } = loopOf(async ({ signal }) => {
    rounds++;
    await new Promise((end) => signal.addEventListener("abort", end, { once: true }));
    told.resolve();
  });
  loop.start();
  loop.wake();
  const stopped = loop.stop(1);
  loop.wake();
  await told.promise;
  await stopped;
  loop.wake();
  await settle();
  expect(rounds).toBe(1);
});

test("a round that ends within the grace is not told to", async () => {
  const go = Promise.withResolvers<void>();
  let aborted = true;
  const { loop } = loopOf(async ({ signal }) => {
    await go.promise;
    aborted = signal.aborted;
    return "again";
  });
  loop.start();
  const stopped = loop.stop(NEVER_MS);
  go.resolve();
  await stopped;
  expect(aborted).toBe(false);
});

test("a round that throws while stopping is not a failure", async () => {
  let failures = 0;
  const { loop, lines } = loopOf(
    async ({ signal }) => {
      await new Promise((end) => signal.addEventListener("abort", end, { once: true }));
      throw new Error("stopped");
    },
    { heartbeat: { ok: () => {}, failed: () => failures++ } },
  );
  loop.start();
  await loop.stop(1);
  expect([failures, lines]).toEqual([0, []]);
});

test("heartbeats: good ones are written seldom, a failure at once, and the next good one at once again", () => {
  using fresh = freshDb();
  let now = NOON;
  const beats = heartbeats(fresh.db, () => now);
  const row = () =>
    fresh.db.query("SELECT last_ok_at, last_error, failures FROM heartbeats").get() as {
      last_ok_at: number;
      last_error: string | null;
      failures: number;
    };
  beats.ok({ name: "files", everyMs: 20_000 });
  now += 4_999;
  beats.ok({ name: "files", everyMs: 20_000 });
  expect(row().last_ok_at).toBe(NOON);
  now += 1;
  beats.failed(
    { name: "files", everyMs: 20_000, failures: 3 },
    new Error("bot123456:AAAAAAAAAAAAAAAAAAAAAAAA is wrong"),
  );
  expect(row()).toEqual({ last_ok_at: NOON, last_error: "bot<bot token> is wrong", failures: 3 });
  now += 1;
  beats.ok({ name: "files", everyMs: 20_000 });
  expect(row().last_ok_at).toBe(now);
  expect(row().failures).toBe(0);
  keepHeartbeats(fresh.db, ["another"]);
  expect(row()).toBeNull();
});

test("a loop is late after three missed rounds and half a minute, or when it fails", () => {
  const base = { loop: "x", last_error_at: null, last_error: null, failures: 0 };
  const quick = { ...base, every_ms: 1_000, last_ok_at: NOON };
  const slow = { ...base, every_ms: 20_000, last_ok_at: NOON };
  expect(isLate(quick, NOON + 30_000)).toBe(false);
  expect(isLate(quick, NOON + 30_001)).toBe(true);
  expect(isLate(slow, NOON + 60_000)).toBe(false);
  expect(isLate(slow, NOON + 60_001)).toBe(true);
  expect(isLate({ ...quick, failures: 1 }, NOON)).toBe(true);
  expect(isLate({ ...quick, last_ok_at: null }, NOON)).toBe(true);
});
