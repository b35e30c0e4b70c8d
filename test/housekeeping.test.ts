/** What time does to rows and files, under a clock of the test's own. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Api } from "grammy";
import { createTelegram } from "../api/telegram.ts";
import type { BotContext } from "../bot/context.ts";
import { failPack } from "../bot/failing.ts";
import { expireVisits, forgetOldMarks, recoverDeadWork, removeOldFiles } from "../bot/housekeeping.ts";
import { delayChatPhoto, enqueueChatPhoto } from "../shared/chat-photos.ts";
import {
  assertHeld,
  claimJob,
  handToDelivery,
  type Job,
  jobById,
  keepResult,
  LEASE_MS,
  LeaseLost,
  MAX_STRIKES,
  postponeDelivery,
  renewLease,
  requeueJob,
} from "../shared/jobs.ts";
import { delayNotice, notify, settleNotice } from "../shared/notices.ts";
import { failJob, refuseSelfie, retryJob } from "../shared/outcomes.ts";
import { processOwner } from "../shared/process.ts";
import { findSession } from "../shared/sessions.ts";
import { historyOf, jobMachine } from "../shared/status.ts";
import { handleOnce } from "../shared/updates.ts";
import { freshConfig, freshDb, freshLog, NOON, ttl, visitAtCamera, visitInQueue } from "./fresh.ts";
import { startSim } from "./sim/sim.ts";

const HOUR_MS = 3_600_000;

/** A bot's context over a database of its own, with a clock that a test moves: `at(ms)` after noon. */
function booth(env: Record<string, string> = {}) {
  const fresh = freshDb();
  const { log, lines } = freshLog();
  const config = freshConfig({ DATA_DIR: fresh.dataDir, ...env });
  const api = new Api(config.BOT_TOKEN);
  let now = NOON;
  let wakes = 0;
  const context: BotContext = { db: fresh.db, config, log, now: () => now, api, slowApi: api, wake: () => wakes++ };
  const at = (ms: number) => {
    now = NOON + ms;
  };
  return { ...fresh, config, context, lines, at, wakes: () => wakes, [Symbol.dispose]: fresh[Symbol.dispose] };
}

test("a visit expires when its time is over, not a millisecond before, and one with its photo never", () => {
  using b = booth();
  const waiting = visitAtCamera(b.db, 1);
  const { token: drawing } = visitInQueue(b.db, 2);
  const status = (token: string) =>
    b.db.query("SELECT status, problem FROM sessions WHERE token = ?").get(token) as {
      status: string;
      problem: string;
    };
  b.at(10 * 60_000 - 1);
  expireVisits(b.context);
  expect(status(waiting).status).toBe("template_chosen");
  b.at(10 * 60_000);
  expireVisits(b.context);
  expect(status(waiting)).toEqual({ status: "expired", problem: "timeout" });
  b.at(1_000 * HOUR_MS);
  expireVisits(b.context);
  expect(status(drawing).status).toBe("photo_taken");
});

test("files go once they are old, from visits and rejected sheets, and the rows say so; young ones and folders in use stay", () => {
  using b = booth({ PHOTO_TTL_HOURS: "2" });
  const { token, jobId } = visitInQueue(b.db, 1);
  const { token: young, jobId: youngJob } = visitInQueue(b.db, 2);
  const put = (folder: string, name: string, ageMs: number) => {
    mkdirSync(join(b.dataDir, folder), { recursive: true });
    const path = join(b.dataDir, folder, name);
    writeFileSync(path, "x");
    utimesSync(path, (NOON - ageMs) / 1000, (NOON - ageMs) / 1000);
    return path;
  };
  const old = [
    put(`sessions/${token}`, "selfie.jpg", 2 * HOUR_MS + 1_000),
    put(`sessions/${token}`, "sheet-1-1.png", 3 * HOUR_MS),
    put(`sessions/${token}`, "selfie.jpg.123-abc.tmp", 3 * HOUR_MS),
    put("sessions", "stray", 3 * HOUR_MS),
    put("debug_sheets", "job-1-draw-1.img", 3 * HOUR_MS),
    put(`sessions/${token}/deep/er`, "by-hand.png", 3 * HOUR_MS),
    put("debug_sheets/sub", "by-hand.png", 3 * HOUR_MS),
  ];
  const kept = [
    put(`sessions/${young}`, "selfie.jpg", 2 * HOUR_MS - 1_000),
    put("debug_sheets", "job-2-draw-1.img", 0),
    put("backups", "app-20200101T000000Z.db.gz", 1_000 * HOUR_MS),
  ];
  removeOldFiles(b.context);
  expect(old.filter((path) => existsSync(path))).toEqual([]);
  expect(kept.filter((path) => existsSync(path))).toEqual(kept);
  const removedAt = (id: number) =>
    (b.db.query("SELECT files_removed_at AS at FROM jobs WHERE id = ?").get(id) as { at: number | null }).at;
  expect([removedAt(jobId), removedAt(youngJob)]).toEqual([NOON, null]);
  // The empty folder goes a round later, when no writer can be about to fill it.
  const folder = join(b.dataDir, "sessions", token);
  b.at(1);
  for (const inner of ["deep/er", "deep", ""]) {
    utimesSync(join(folder, inner), (NOON - 3 * HOUR_MS) / 1000, (NOON - 3 * HOUR_MS) / 1000);
    removeOldFiles(b.context);
  }
  expect(readdirSync(join(b.dataDir, "sessions"))).toEqual([young]);
  expect(removedAt(jobId)).toBe(NOON);
});

test("files and folders that bear a time to come, because the clock was set back, count from now", () => {
  using b = booth({ PHOTO_TTL_HOURS: "2" });
  const folder = join(b.dataDir, "sessions", visitAtCamera(b.db, 1));
  mkdirSync(folder);
  const photo = join(folder, "selfie.jpg");
  writeFileSync(photo, "x");
  const ahead = (NOON + 720 * HOUR_MS) / 1000;
  for (const path of [photo, folder]) utimesSync(path, ahead, ahead);
  for (const [hours, wanted] of [
    [0, true],
    [2, true],
    [2.01, false],
  ] as const) {
    b.at(hours * HOUR_MS);
    removeOldFiles(b.context);
    expect([hours, existsSync(photo)]).toEqual([hours, wanted]);
  }
  utimesSync(folder, ahead, ahead);
  removeOldFiles(b.context);
  b.at(5 * HOUR_MS);
  removeOldFiles(b.context);
  expect(existsSync(folder)).toBe(false);
});

test("a job of a process that is gone goes back at once, one of a living process only when its lease ran out", async () => {
  using b = booth();
  const { jobId: dead } = visitInQueue(b.db, 1);
  const { jobId: alive } = visitInQueue(b.db, 2);
  const ended = Bun.spawn(["true"]);
  await ended.exited;
  expect(claimJob(b.db, `${ended.pid}-gone/1`, NOON)?.id).toBe(dead);
  // The test's parent lives on, and is not this process.
  expect(claimJob(b.db, `${process.ppid}-other/1`, NOON)?.id).toBe(alive);
  recoverDeadWork(b.context);
  expect([jobById(b.db, dead)?.status, jobById(b.db, alive)?.status]).toEqual(["queued", "running"]);
  expect(b.wakes()).toBe(1);
  b.at(LEASE_MS - 1);
  recoverDeadWork(b.context);
  expect(jobById(b.db, alive)?.status).toBe("running");
  b.at(LEASE_MS);
  recoverDeadWork(b.context);
  expect(jobById(b.db, alive)).toMatchObject({ status: "queued", owner: null, lease_until: null, strikes: 1 });
  expect(historyOf(b.db, jobMachine, alive).at(-1)).toMatchObject({
    before: "running",
    after: "queued",
    actor: "clock",
    reason: "worker_died",
  });
});

test("a renewed lease holds; a lost one lets its holder change nothing any more", () => {
  using b = booth();
  const { jobId } = visitInQueue(b.db, 1);
  const owner = `${process.ppid}-other/1`;
  const held = claimJob(b.db, owner, NOON);
  if (!held) throw new Error("no claim");
  expect(claimJob(b.db, owner, NOON)).toBeNull();
  renewLease(b.db, held, NOON + LEASE_MS - 1);
  b.at(LEASE_MS + 1);
  recoverDeadWork(b.context);
  expect(jobById(b.db, jobId)?.status).toBe("running");
  b.at(2 * LEASE_MS);
  recoverDeadWork(b.context);
  // The same owner, the next attempt: the old claim is dead all the same.
  expect(claimJob(b.db, owner, NOON + 2 * LEASE_MS)?.attempt).toBe(2);
  const late = NOON + 2 * LEASE_MS;
  for (const write of [
    () => assertHeld(b.db, held),
    () => renewLease(b.db, held, late),
    () => keepResult(b.db, held, { draws: 9 }, late),
    () => requeueJob(b.db, held, { untilMs: 0, reason: "x" }, late),
    () => handToDelivery(b.db, held, late),
    () => refuseSelfie(b.db, held, "blurred", ttl, late),
  ])
    expect(write).toThrow(LeaseLost);
  expect(failJob(b.db, held, "bad_sheet", "worker", late, "worker")).toBe(false);
  expect(jobById(b.db, jobId)).toMatchObject({ status: "running", attempt: 2, draws: 0 });
});

test("a job that takes its workers down is given up after five claims, and guest and operators are told once", () => {
  using b = booth();
  const { jobId, token } = visitInQueue(b.db, 1);
  for (let claim = 1; claim <= MAX_STRIKES; claim++) {
    b.at(claim * 100_000);
    expect(claimJob(b.db, `999999999-dead/1`, NOON + claim * 100_000)?.strikes).toBe(claim);
    recoverDeadWork(b.context);
    expect(jobById(b.db, jobId)?.status).toBe(claim < MAX_STRIKES ? "queued" : "failed");
  }
  recoverDeadWork(b.context);
  expect(findSession(b.db, token, NOON)).toMatchObject({ status: "failed", problem: "worker_died" });
  const to = b.db
    .query("SELECT chat_id FROM notices ORDER BY id")
    .all()
    .map((n) => (n as { chat_id: number }).chat_id);
  expect(to.sort()).toEqual([-100500, 1]);
  // An operator's retry begins with a clean slate.
  expect(retryJob(b.db, jobId, "operator:1", NOON)).toBe(true);
  expect(jobById(b.db, jobId)).toMatchObject({ status: "queued", strikes: 0, problem: null });
  expect(findSession(b.db, token, NOON)).toMatchObject({ status: "photo_taken", problem: null });
  expect(retryJob(b.db, jobId, "operator:1", NOON)).toBe(false);
});

test("a job fails in the moment in which its guest and the operators are told, or not at all", () => {
  using b = booth();
  const { jobId } = visitInQueue(b.db, 1);
  const job = claimJob(b.db, `${processOwner}/1`, NOON) as Job;
  const told = () => b.db.query("SELECT chat_id FROM notices ORDER BY id").values().flat();
  b.db.run(
    "CREATE TRIGGER mute BEFORE INSERT ON alerts BEGIN SELECT RAISE(ABORT, 'as if the process had died here'); END",
  );
  const fail = () => failPack(b.context, job, { problem: "bad_sheet", actor: "worker", hand: "worker" });
  expect(fail).toThrow("as if the process had died here");
  expect(jobById(b.db, jobId)?.status).toBe("running");
  expect(told()).toEqual([]);
  b.db.run("DROP TRIGGER mute");
  expect(fail()).toBe(true);
  expect(jobById(b.db, jobId)).toMatchObject({ status: "failed", problem: "bad_sheet" });
  expect(told()).toEqual([1, -100500]);
  // Who comes too late tells nobody.
  expect(fail()).toBe(false);
  expect(told()).toEqual([1, -100500]);
});

test("a pause or a stop in the worker's own words is no strike", () => {
  using b = booth();
  const { jobId } = visitInQueue(b.db, 1);
  for (let round = 0; round < MAX_STRIKES + 3; round++) {
    const job = claimJob(b.db, `${processOwner}/1`, NOON);
    if (!job) throw new Error(`not claimed in round ${round}`);
    requeueJob(b.db, job, { untilMs: NOON, reason: "stopped" }, NOON);
  }
  expect(jobById(b.db, jobId)).toMatchObject({ status: "queued", strikes: 0 });
  const job = claimJob(b.db, `${processOwner}/1`, NOON);
  if (!job) throw new Error("not claimed");
  requeueJob(b.db, job, { untilMs: NOON + 5, reason: "error", keepStrike: true }, NOON);
  expect(claimJob(b.db, `${processOwner}/1`, NOON + 4)).toBeNull();
  expect(claimJob(b.db, `${processOwner}/1`, NOON + 5)?.strikes).toBe(2);
});

test("a pause that was halved to a fraction of a millisecond is kept all the same, wherever pauses stand", () => {
  using b = booth();
  const { token, jobId } = visitInQueue(b.db, 1);
  const claim = () => claimJob(b.db, `${processOwner}/1`, NOON + HOUR_MS) ?? expect.unreachable();
  requeueJob(b.db, claim(), { untilMs: NOON + 4_001 / 2, reason: "telegram_silent" }, NOON);
  expect(jobById(b.db, jobId)?.not_before).toBe(NOON + 2_001);
  handToDelivery(b.db, claim(), NOON);
  postponeDelivery(b.db, jobById(b.db, jobId) as Job, NOON + 0.25);
  expect(jobById(b.db, jobId)?.not_before).toBe(NOON);
  notify(b.db, { chatId: 1, text: "hi", now: NOON });
  delayNotice(b.db, 1, NOON + 0.5, true);
  enqueueChatPhoto(b.db, { session: token, userId: 1, fileId: "f", size: 1, now: NOON });
  delayChatPhoto(b.db, 1, NOON + 0.5, true);
  expect(b.db.query("SELECT next_at FROM notices").get()).toEqual({ next_at: NOON + 1 });
  expect(b.db.query("SELECT next_at FROM chat_photos").get()).toEqual({ next_at: NOON + 1 });
});

test("jobs are claimed in the order in which they came", () => {
  using b = booth();
  const ids = [1, 2, 3].map((guest) => visitInQueue(b.db, guest).jobId);
  expect(ids.map(() => claimJob(b.db, "x", NOON)?.id)).toEqual(ids);
});

test("marks of updates and settled messages are forgotten after two days, what still waits is kept", () => {
  using b = booth();
  for (const id of [1, 2, 3]) notify(b.db, { chatId: id, text: "t", now: NOON });
  settleNotice(b.db, 1, "sent", NOON);
  settleNotice(b.db, 2, "sent", NOON + HOUR_MS);
  handleOnce(b.db, 70, NOON, () => {});
  handleOnce(b.db, 71, NOON + HOUR_MS, () => {});
  b.at(48 * HOUR_MS + 1);
  forgetOldMarks(b.context);
  expect(b.db.query("SELECT id FROM notices ORDER BY id").all()).toEqual([{ id: 2 }, { id: 3 }]);
  expect(b.db.query("SELECT id FROM updates").all()).toEqual([{ id: 71 }]);
});

test("the api's message to a guest who blocked it marks them, and a locked database does not end the api over it", async () => {
  using b = booth();
  await using sim = await startSim();
  const guest = 1;
  visitAtCamera(b.db, guest);
  sim.guestSays(guest, "hello");
  sim.guestBlocks(guest);
  const config = freshConfig({ ...sim.env(), DATA_DIR: b.dataDir });
  const { log, lines } = freshLog();
  const telegram = createTelegram(config, b.db, log);
  const until = async (text: string) => {
    while (!lines.some((line) => line.includes(text))) await new Promise((done) => setImmediate(done));
  };
  b.db.run("CREATE TRIGGER stuck BEFORE UPDATE ON users BEGIN SELECT raise(ABORT, 'locked'); END");
  telegram.tell(guest, "hi");
  await until("could not be marked");
  b.db.run("DROP TRIGGER stuck");
  telegram.tell(guest, "hi");
  const gone = () => (b.db.query("SELECT unreachable_at AS at FROM users").get() as { at: number | null }).at;
  while (gone() === null) await new Promise((done) => setImmediate(done));
  expect(lines.join("")).not.toContain(sim.token);
});
