/** An operator stops a pack: its guest is told once, and no set of it remains in Telegram, wherever it was. */
import type { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { Api } from "grammy";
import type { BotContext } from "../bot/context.ts";
import { failPack } from "../bot/failing.ts";
import { Lanes } from "../bot/lanes.ts";
import { sendNotices } from "../bot/notices.ts";
import { createPace } from "../bot/pace.ts";
import { createPack } from "../bot/packing.ts";
import { createArtists } from "../bot/studio/artists.ts";
import { sessionDir, writeWhole } from "../shared/files.ts";
import { claimJob, type Job, jobById, keepResult } from "../shared/jobs.ts";
import { hasNotices } from "../shared/notices.ts";
import { failJob, retryJob } from "../shared/outcomes.ts";
import {
  decidePack,
  deleteDiscardedSets,
  LATE_CREATION_MS,
  type Pack,
  packCreated,
  packOf,
  packsOf,
  withdrawPackOf,
} from "../shared/packs.ts";
import { speak } from "../shared/texts/index.ts";
import { admin, openBooth } from "./admin-world.ts";
import { freshConfig, freshDb, freshLog, NOON, TOKEN, visitInQueue } from "./fresh.ts";
import { withDb } from "./leads-world.ts";
import { stuckCreation } from "./stuck-creation.ts";
import { fixture } from "./world.ts";

const world = await openBooth();
const { sim, textsTo } = world;
afterAll(() => world[Symbol.asyncDispose]());
let guests = 7500;

const jobOf = (token: string) => world.rows("SELECT * FROM jobs WHERE session_token = ?", token)[0];
const isGone = (guest: number) =>
  sim.until(() => !sim.sets.some((s) => s.ownerId === guest), "no set of a stopped pack");

/** Sets that are to go, and when. */
const discarded = (db: Database): Record<string, number> =>
  Object.fromEntries(db.query("SELECT name, delete_at FROM discarded_sets").values());

const told = (guest: number) => textsTo(guest).filter((text) => text === speak("en").failed.cancelled);

async function stop(token: string, guest: number) {
  expect((await admin(world, `POST jobs/${jobOf(token).id}/cancel`, {})).status).toBe(200);
  await sim.until(() => told(guest).length > 0, "the word to the guest");
  expect(await world.session(token)).toMatchObject({ status: "failed", problem: "cancelled" });
}

for (const step of ["gemini:image", "telegram:createNewStickerSet", "page"]) {
  test(`while ${step} is under way: nothing of it remains, and the guest may begin again`, async () => {
    const guest = ++guests;
    const token = await world.visit(guest);
    const hold = sim.hold(step);
    await world.sendPhoto(token, world.selfie());
    await hold.reached;
    await stop(token, guest);
    hold.release();
    if (step !== "page") await world.eventually(() => world.bot?.output.includes("the lease was lost"), "the worker");
    await isGone(guest);
    world.bot?.lines.splice(0);

    const again = await world.visit(guest);
    await world.sendPhoto(again, world.selfie());
    await world.eventually(async () => (await world.session(again)).status === "done", "the next pack");
    expect(sim.sets.filter((s) => s.ownerId === guest)).toHaveLength(1);
    expect(textsTo(guest).filter((text) => text.includes("addstickers"))).toHaveLength(1);
    expect(told(guest)).toHaveLength(1);
  });
}

test("a set that Telegram made while nobody was there to hear of it goes too", async () => {
  const guest = ++guests;
  await stop(await stuckCreation(world, guest), guest);
  await isGone(guest);
  sim.clearFaults();
});

test("a creation that reaches Telegram after its worker was killed and its set deleted: the set is deleted once more", async () => {
  const guest = ++guests;
  const token = await world.visit(guest);
  const hold = sim.hold("telegram:createNewStickerSet");
  await world.sendPhoto(token, world.selfie());
  await hold.reached;
  await world.bot?.end("SIGKILL");
  expect((await admin(world, `POST jobs/${jobOf(token).id}/cancel`, {})).status).toBe(200);
  await world.startBot();
  const { name } = world.rows("SELECT name FROM packs WHERE job_id = ?", jobOf(token).id)[0];
  const deletions = () =>
    sim.calls.filter((call) => call.target === "telegram:deleteStickerSet" && call.params.name === name);
  await sim.until(() => deletions()[0]?.outcome.includes("STICKERSET_INVALID"), "the first deletion");
  hold.release();
  await sim.until(() => sim.sets.some((set) => set.name === name), "the late creation");
  expect(sim.sets.find((set) => set.name === name)?.ownerId).toBe(guest);
  // Ten minutes later, as far as this pack can tell.
  withDb(world, (db) => db.run("UPDATE discarded_sets SET delete_at = 0"));
  await isGone(guest);
  expect(deletions()).toHaveLength(2);
  expect(told(guest)).toHaveLength(1);
});

test("a set that Telegram would not delete for an hour holds up the guest's messages no longer, and is asked for again", async () => {
  using fresh = freshDb();
  const { db, dataDir } = fresh;
  const api = new Api(TOKEN);
  const asked: unknown[] = [];
  api.config.use(async (_prev, method, payload) => {
    asked.push([method, payload]);
    return { ok: false, error_code: 500, description: "Internal Server Error" };
  });
  let at = NOON;
  const { log } = freshLog();
  const config = freshConfig({ DATA_DIR: dataDir });
  const context: BotContext = { db, config, log, now: () => at, api, slowApi: api, wake: () => {} };
  const lanes = new Lanes("chats", log, () => {});
  const round = async () => {
    at += 600_000;
    sendNotices(context, createPace(), lanes);
    while (lanes.busy.length > 0) await new Promise((done) => setImmediate(done));
  };
  const { jobId } = visitInQueue(db, 1);
  const job = jobById(db, jobId) as Job;
  const pack = decidePack(db, job, "a_bot", "T", 9, NOON);
  packCreated(db, pack.name, "file", NOON);
  withdrawPackOf(db, job, NOON);
  const again = () => discarded(db)[pack.name] ?? null;
  for (let tries = 0; tries < 16; tries++) {
    expect([hasNotices(db), again()]).toEqual([true, null]);
    await round();
  }
  expect([hasNotices(db), again()]).toEqual([false, at + LATE_CREATION_MS]);
  expect(deleteDiscardedSets(db, at)).toBe(0);
  expect(deleteDiscardedSets(db, at + LATE_CREATION_MS)).toBe(1);
  await round();
  expect(asked).toEqual(Array(17).fill(["deleteStickerSet", { name: pack.name }]));
});

test("a set that Telegram was silent about to the end goes should it come; another try makes one of another name", async () => {
  using fresh = freshDb();
  const { db, dataDir } = fresh;
  const api = new Api(TOKEN);
  api.config.use(async () => ({ ok: false, error_code: 502, description: "Bad Gateway" }));
  const { log } = freshLog();
  const config = freshConfig({ DATA_DIR: dataDir, BOT_USERNAME: "a_bot" });
  const context: BotContext = { db, config, log, now: () => NOON, api, slowApi: api, wake: () => {} };
  const { jobId } = visitInQueue(db, 1);
  const { signal } = new AbortController();
  const attempt = async () => {
    const claimed = claimJob(db, "1-x/1", NOON + 1) as Job;
    const job = keepResult(db, claimed, { stickers: "[]" }, NOON);
    return await createPack({ context, artists: createArtists([]), signal, stopping: signal }, job);
  };
  const silent = () => packOf(db, jobId) as Pack;
  decidePack(db, jobById(db, jobId) as Job, "a_bot", "T", 9, NOON - 7 * 3_600_000);
  const { name } = silent();
  expect(await attempt()).toEqual({ kind: "fail", problem: "pack_refused", reason: "telegram_silent" });
  expect(failPack(context, jobById(db, jobId) as Job, { problem: "pack_refused", actor: "worker" })).toBe(true);
  expect(discarded(db)).toEqual({ [name]: NOON + LATE_CREATION_MS });
  expect(retryJob(db, jobId, "operator:1", NOON + 1)).toBe(true);
  expect(discarded(db)).toEqual({ [name]: NOON + 1 + LATE_CREATION_MS });
  // It has its own patience, and its own name.
  expect(await attempt()).toMatchObject({ kind: "pause", reason: "telegram_silent" });
  expect(silent().name).not.toBe(name);
  expect(deleteDiscardedSets(db, NOON + 2 * LATE_CREATION_MS)).toBe(1);
  const deletions = db.query("SELECT payload FROM notices WHERE method = 'deleteStickerSet'").values().flat();
  expect(deletions).toEqual([JSON.stringify({ name })]);
  expect(silent().deleted_at).toBeNull();
});

test("a set whose job was given up and that came all the same is in Telegram no more, and under /packs neither", () => {
  using fresh = freshDb();
  const { db } = fresh;
  visitInQueue(db, 1);
  const job = claimJob(db, "1-x/1", NOON) as Job;
  const { name } = decidePack(db, job, "a_bot", "T", 9, NOON);
  expect(failJob(db, job, "worker_died", "delivery", NOON)).toBe(true);
  // Its worker has slept.
  packCreated(db, name, "first", NOON);
  expect(packsOf(db, 1)).toHaveLength(1);
  expect(deleteDiscardedSets(db, NOON + LATE_CREATION_MS)).toBe(1);
  expect(packsOf(db, 1)).toEqual([]);
  // And one that comes later still, of a pack that is gone or of a try before.
  packCreated(db, name, "first", NOON);
  expect(discarded(db)).toEqual({ [name]: NOON + LATE_CREATION_MS });
  expect(packsOf(db, 1)).toEqual([]);
});

test("a pack whose set was deleted before its guest saw it: another try makes it anew, though the name stays taken", async () => {
  const guest = ++guests;
  const token = await world.visit(guest);
  sim.fault({ target: "page", times: -1, do: { missing: true } });
  await world.sendPhoto(token, world.selfie());
  await world.eventually(() => jobOf(token).status === "delivering", "the set");
  const nameOf = (): string => world.rows("SELECT name FROM packs WHERE job_id = ?", jobOf(token).id)[0].name;
  const name = nameOf();
  sim.world.deleteSet(name);
  withDb(world, (db) => {
    db.run("UPDATE packs SET created_at = created_at - 601000 WHERE name = ?", [name]);
    db.run("UPDATE jobs SET not_before = 0 WHERE id = ?", [jobOf(token).id]);
  });
  await world.reaches(token, "failed");
  sim.clearFaults();
  expect((await admin(world, `POST jobs/${jobOf(token).id}/retry`, {})).status).toBe(200);
  await world.reaches(token, "done");
  expect(nameOf()).not.toBe(name);
  expect(sim.sets.filter((set) => set.ownerId === guest).map((set) => set.name)).toEqual([nameOf()]);
});

test("a creation that Telegram takes its time over is waited for, also by a worker that lost the job meanwhile", async () => {
  using fresh = freshDb();
  const { db, dataDir } = fresh;
  const config = freshConfig({ DATA_DIR: dataDir, BOT_USERNAME: sim.botUsername });
  const api = new Api(sim.token, { apiRoot: sim.root });
  const context: BotContext = { db, config, log: freshLog().log, now: () => NOON, api, slowApi: api, wake: () => {} };
  const { token } = visitInQueue(db, 1);
  writeWhole(join(sessionDir(dataDir, token), "sticker-1.png"), fixture("sheet-3x3.png"));
  const claimed = claimJob(db, "1-x/1", NOON) as Job;
  const stickers = JSON.stringify([{ file: "sticker-1.png", emoji: ["😀"] }]);
  const job = keepResult(db, claimed, { stickers }, NOON);
  const lost = new AbortController();
  const hold = sim.hold("telegram:createNewStickerSet");
  const bench = { context, artists: createArtists([]), signal: lost.signal, stopping: new AbortController().signal };
  const end = createPack(bench, job).then(() => "ended");
  await hold.reached;
  lost.abort();
  // Another call's whole way there and back: whoever did not wait has ended by then.
  await api.getMe();
  expect(await Promise.race([end, Promise.resolve("waits")])).toBe("waits");
  hold.release();
  expect(await end).toBe("ended");
});

test("a pack that failed, waits for another try and is stopped: its guest hears of both", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const { jobId } = visitInQueue(db, 1);
  const job = () => jobById(db, jobId) as Job;
  const said = () =>
    (db.query("SELECT payload FROM notices").all() as { payload: string }[]).map((row) => JSON.parse(row.payload).text);
  expect(failJob(db, job(), "providers_down", "worker", NOON)).toBe(true);
  expect(retryJob(db, jobId, "operator:1", NOON)).toBe(true);
  expect(failJob(db, job(), "cancelled", "operator:1", NOON)).toBe(true);
  const { failed } = speak(job().lang);
  expect(said().slice(-2)).toEqual([failed.providers_down, failed.cancelled]);
});
