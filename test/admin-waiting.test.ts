/** No green while a guest waits for something that fails: what packs wait for, and how it is told. */
import { expect, test } from "bun:test";
import { machineProblems } from "../shared/admin/machine-problems.ts";
import { nowOf } from "../shared/admin/now.ts";
import { problemsOf } from "../shared/admin/problems.ts";
import { waitingOf } from "../shared/admin/waiting.ts";
import { beat } from "../shared/heartbeats.ts";
import { claimJob, handToDelivery, keepResult, noteStep, postponeDelivery, requeueJob } from "../shared/jobs.ts";
import { delayNotice, notify } from "../shared/notices.ts";
import { decidePack, packSeen } from "../shared/packs.ts";
import { noteUsage } from "../shared/usage.ts";
import { admin, openBooth, TEST_MS } from "./admin-world.ts";
import { freshConfig, freshDb, NOON, visitInQueue } from "./fresh.ts";
import { withDb } from "./leads-world.ts";

const SECOND = 1_000;
const MINUTE = 60_000;

/** A booth whose bot is well, with one claimed job. */
function withJob() {
  const fresh = freshDb();
  const { db } = fresh;
  const config = { ...freshConfig({ AI_PROVIDERS: "offline", DAILY_BUDGET_USD: "1" }), DATA_DIR: fresh.dataDir };
  visitInQueue(db, 7001, NOON);
  const job = claimJob(db, "me/1", NOON);
  if (!job) throw new Error("nothing to claim");
  const look = (now: number) => {
    for (const loop of ["poll", "worker-1"]) beat(db, loop, 1_000, now);
    const state = nowOf(db, config, now);
    const [first] = state.jobs;
    const waiting = first ? waitingOf(first, state, config) : null;
    const problems = problemsOf(state, config).filter(({ cause }) => cause !== "backup" && cause !== "disk");
    return { waiting, problems, causes: problems.map(({ cause }) => cause) };
  };
  return { db, config, job, look, [Symbol.dispose]: () => fresh[Symbol.dispose]() };
}

test("a pack that is well at work waits for nothing, one in the queue for a slot", () => {
  using booth = withJob();
  expect(booth.look(NOON + SECOND)).toMatchObject({ waiting: null, causes: [] });
  requeueJob(booth.db, booth.job, { untilMs: NOON, reason: "stopped" }, NOON + SECOND);
  expect(booth.look(NOON + SECOND).waiting).toEqual({ for: "slot", attempt: 2, nextAt: null });
  expect(booth.look(NOON + SECOND).causes).toEqual([]);
});

test("a set that Telegram leaves open: amber while it waits, and while it is tried again", () => {
  using booth = withJob();
  const { db } = booth;
  const done = { selfie_check: "{}", sheet: "s.png", sheet_check: "{}", stickers: "[]" };
  const job = keepResult(db, booth.job, done, NOON + SECOND);
  noteStep(db, job, { name: "pack", outcome: "telegram_silent", at: NOON, ms: 1 });
  requeueJob(db, job, { untilMs: NOON + 10 * SECOND, reason: "telegram_silent" }, NOON + 2 * SECOND);
  const { waiting, problems } = booth.look(NOON + 2 * SECOND);
  expect(waiting).toEqual({ for: "telegram", attempt: 2, nextAt: NOON + 10 * SECOND });
  expect(problems).toMatchObject([
    {
      cause: "waiting:telegram",
      level: "amber",
      what: "Pack 1 (Ann) is waiting for Telegram, attempt 2, next in 8 s.",
    },
  ]);
  expect(problems[0]?.todo).toContain("by itself");
  expect(problems[0]?.ending).toBeUndefined();

  claimJob(db, "me/1", NOON + 10 * SECOND);
  const tried = booth.look(NOON + 10 * SECOND);
  expect(tried.waiting).toEqual({ for: "telegram", attempt: 2, nextAt: null });
  expect(tried.problems[0]?.what).toContain("attempt 2, right now");
  // Three minutes of a guest's waiting are told in the chat as well.
  expect(booth.look(NOON + 3 * MINUTE).problems[0]?.ending).toBe("No pack waits for Telegram any more.");
});

test("a call to Telegram that hangs is seen before it ends", () => {
  using booth = withJob();
  const done = { selfie_check: "{}", sheet: "s.png", sheet_check: "{}", stickers: "[]" };
  keepResult(booth.db, booth.job, done, NOON);
  expect(booth.look(NOON + 5 * SECOND).causes).toEqual([]);
  expect(booth.look(NOON + 20 * SECOND).causes).toEqual(["waiting:telegram"]);
});

test("a delivery: a page that comes a moment later is no trouble, vain tries are", () => {
  using booth = withJob();
  const { db, job } = booth;
  const { name } = decidePack(db, job, "unit_booth_bot", "Ann", 9, NOON);
  handToDelivery(db, job, NOON);
  expect(booth.look(NOON)).toMatchObject({ waiting: null, causes: [] });
  const inVain = (at: number) => {
    packSeen(db, name, false, 2, at);
    postponeDelivery(db, job, at + 5 * SECOND);
  };
  inVain(NOON);
  inVain(NOON + SECOND);
  expect(booth.look(NOON + SECOND).causes).toEqual([]);
  const { waiting, problems } = booth.look(NOON + 12 * SECOND);
  expect(waiting).toMatchObject({ for: "telegram", attempt: 3 });
  expect(problems[0]?.what).toBe("Pack 1 (Ann) is waiting for Telegram, attempt 3, right now.");
  // The first of the two good looks counts as no vain one.
  packSeen(db, name, true, 2, NOON + 12 * SECOND);
  postponeDelivery(db, job, NOON + 13 * SECOND);
  expect(booth.look(NOON + 12 * SECOND).waiting?.attempt).toBe(3);
});

test("artists that fail, an error of ours and a used-up budget each have their own word", () => {
  using booth = withJob();
  const { db } = booth;
  const checked = keepResult(db, booth.job, { selfie_check: "{}" }, NOON);
  requeueJob(db, checked, { untilMs: NOON + 3 * SECOND, reason: "gemini: 503", round: true }, NOON);
  expect(booth.look(NOON)).toMatchObject({
    waiting: { for: "artist", attempt: 2, nextAt: NOON + 3 * SECOND },
    causes: ["waiting:artist"],
  });
  const again = claimJob(db, "me/1", NOON + 3 * SECOND);
  expect(booth.look(NOON + 3 * SECOND).causes).toEqual(["waiting:artist"]);
  if (!again) throw new Error("nothing to claim");
  const drawn = keepResult(db, again, { sheet: "s.png", rounds: 0 }, NOON + 4 * SECOND);
  expect(booth.look(NOON + 4 * SECOND).causes).toEqual([]);
  requeueJob(db, drawn, { untilMs: NOON + 9 * SECOND, reason: "error", keepStrike: true }, NOON + 4 * SECOND);
  expect(booth.look(NOON + 4 * SECOND)).toMatchObject({
    waiting: { for: "retry", attempt: 3 },
    causes: ["waiting:retry"],
  });
  noteUsage(db, {
    ...{ job_id: null, provider: "gemini", model: "m", purpose: "draw", outcome: "ok", reason: null },
    ...{ input_tokens: 0, output_tokens: 0, images: 1, usd: 2, ms: 1, at: NOON },
  });
  const held = booth.look(NOON + 5 * SECOND);
  // The day ends at six in the morning in Tashkent.
  expect(held.waiting).toEqual({ for: "budget", attempt: 3, nextAt: Date.parse("2026-06-16T01:00:00Z") });
  expect(held.problems[0]?.level).toBe("red");
});

test("messages and chat photos that fail are told at their second try, long ones of any kind too", () => {
  using booth = withJob();
  const { db } = booth;
  notify(db, { chatId: 7001, text: "x", now: NOON });
  expect(booth.look(NOON + SECOND).causes).toEqual([]);
  const { id } = db.query("SELECT max(id) AS id FROM notices").get() as { id: number };
  for (const _ of [1, 2]) delayNotice(db, id, NOON + 5 * SECOND, true);
  expect(booth.look(NOON + SECOND).causes).toEqual(["notices"]);
  db.run("DELETE FROM notices");
  const { token } = db.query("SELECT token FROM sessions").get() as { token: string };
  db.query(
    "INSERT INTO chat_photos (session_token, user_id, file_id, size, tries, next_at, created_at) VALUES (?, 7001, 'f', 1, 1, 0, 0)",
  ).run(token);
  expect(booth.look(NOON + SECOND).causes).toEqual(["photos"]);
  db.run("DELETE FROM chat_photos");
  expect(booth.look(NOON + 4 * MINUTE).causes).toEqual(["slow"]);
});

test(
  "the overview names it to the page, and its sentence is not green",
  async () => {
    await using world = await openBooth();
    world.sim.fault({ target: "page", times: -1, do: { missing: true } });
    const token = await world.visit(7001);
    await world.sendPhoto(token, world.selfie());
    await world.reaches(token, "photo_taken");
    await world.eventually(() => world.rows("SELECT 1 FROM jobs WHERE strikes > 1")[0], "looks in vain");
    // Ten seconds, as far as this pack can tell.
    withDb(world, (db) => db.run("UPDATE jobs SET updated_at = updated_at - 11000"));
    const overview = () => admin(world, "GET overview").then(({ body }) => body);
    const amber = await world.eventually(async () => {
      const body = await overview();
      return body.verdict.cause === "waiting:telegram" ? body : null;
    }, "amber");
    expect(amber.verdict).toMatchObject({ level: "amber", what: expect.stringContaining("is waiting for Telegram") });
    const [job] = amber.queue.jobs;
    expect([job.waiting.for, job.waiting.attempt > 2]).toEqual(["telegram", true]);
    expect(job.waiting.words).toMatch(/^attempt \d+, (next in \d+ s|right now)$/);
    world.sim.clearFaults();
    await world.reaches(token, "done");
    expect((await overview()).verdict.level).toBe("green");
    expect(world.rows("SELECT strikes FROM jobs")).toEqual([{ strikes: 0 }]);
  },
  TEST_MS,
);

test("the disk's room is counted as the page counts it: in thousands", () => {
  using booth = withJob();
  const at = (diskFreeBytes: number) =>
    machineProblems({ ...nowOf(booth.db, booth.config, NOON), diskFreeBytes }, "en").filter((p) => p.cause === "disk");
  expect(at(300_000_000)).toMatchObject([{ level: "red", what: expect.stringContaining(": 300 MB are left") }]);
  expect(at(1_900_000_000)).toMatchObject([{ level: "amber", what: expect.stringContaining(": 1900 MB are left") }]);
  expect(at(2_000_000_000)).toEqual([]);
});
