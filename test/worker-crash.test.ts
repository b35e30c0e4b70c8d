/** The bot dies, is stopped, or loses its lease in each step of a job: it goes on from there, pays once, makes one pack. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isBusy, openDb, transact } from "../shared/db.ts";
import type { Hold } from "./sim/faults.ts";
import { sheetPicture } from "./sim/providers/pictures.ts";
import { type Program, World } from "./world.ts";

const world = await World.open({ env: { PACK_LIMIT: "0", WORKER_SLOTS: "1" } });
const { sim, jobOf } = world;
const db = openDb(world.dataDir);
let guests = 7500;

afterEach(() => sim.clearFaults());
afterAll(async () => {
  db.close(false);
  await world[Symbol.asyncDispose]();
});

const calls = (target: string, since: number) => sim.calls.slice(since).filter((c) => c.target === target).length;
const links = (guest: number) => sim.messages(guest).filter((m) => m.text?.includes("/addstickers/")).length;
const stickers = (guest: number) => sim.messages(guest).filter((m) => m.sticker).length;

type Visit = { guest: number; token: string; since: number; hold: Hold };

/** Stops a bot, but not in the midst of a transaction: the lock would be held for as long as it sleeps. */
function putToSleep(bot: Program) {
  for (let tries = 0; tries < 5; tries++) {
    bot.process.kill("SIGSTOP");
    try {
      return transact(db, () => {});
    } catch (error) {
      if (!isBusy(error)) throw error;
      bot.process.kill("SIGCONT");
    }
  }
  throw new Error("the bot holds the database whenever it is looked at");
}

/** A photo is on its way, and the bot stands still in this call. */
async function standingIn(step: string): Promise<Visit> {
  const guest = ++guests;
  const token = await world.visit(guest);
  const since = sim.calls.length;
  // The sales and operators' chats may be written to at any time: only the guest's calls stand still.
  const hold = sim.hold(
    step,
    step.startsWith("telegram:send")
      ? { chat_id: guest, ...(step.endsWith("Message") && { reply_markup: {} }) }
      : undefined,
  );
  await world.sendPhoto(token, world.selfie());
  await hold.reached;
  return { guest, token, since, hold };
}

function expectOnePack({ guest, token, since }: Visit, images: number) {
  expect(sim.sets.filter((set) => set.ownerId === guest)).toHaveLength(1);
  expect(calls("gemini:image", since)).toBe(images);
  expect(world.rows("SELECT count(*) AS n FROM packs WHERE job_id = ?", jobOf(token).id)).toEqual([{ n: 1 }]);
  expect(jobOf(token)).toMatchObject({ status: "done", strikes: 0, owner: null });
}

/** The step, and what a kill in it costs in pictures and messages at most. */
const steps: [string, { images: number; links: number; stickers: number }][] = [
  ["gemini:selfie", { images: 1, links: 1, stickers: 1 }],
  // The answer that was under way is lost with the process that waited for it.
  ["gemini:image", { images: 2, links: 1, stickers: 1 }],
  ["gemini:sheet", { images: 1, links: 1, stickers: 1 }],
  ["telegram:createNewStickerSet", { images: 1, links: 1, stickers: 1 }],
  ["page", { images: 1, links: 1, stickers: 1 }],
  // Nobody can know whether a message went out that was under way: better twice than never.
  ["telegram:sendMessage", { images: 1, links: 2, stickers: 1 }],
];

for (const [step, most] of steps) {
  test(`kill -9 in ${step}: the next process goes on from there`, async () => {
    const visit = await standingIn(step);
    await world.bot?.end("SIGKILL");
    visit.hold.release();
    await world.startBot();
    await world.reaches(visit.token, "done");
    expectOnePack(visit, most.images);
    expect(links(visit.guest)).toBeGreaterThanOrEqual(1);
    expect(links(visit.guest)).toBeLessThanOrEqual(most.links);
    expect(stickers(visit.guest)).toBeLessThanOrEqual(most.stickers);
    const checks = calls("gemini:selfie", visit.since);
    expect(checks).toBe(step === "gemini:selfie" ? 2 : 1);
  });
}

test("kill -9 while the sheet is being cut: it is cut again, and not drawn again", async () => {
  const visit = await standingIn("gemini:sheet");
  visit.hold.release();
  await world.eventually(() => jobOf(visit.token).sheet_check !== null, "the sheet's check");
  await world.bot?.end("SIGKILL");
  await world.startBot();
  await world.reaches(visit.token, "done");
  expectOnePack(visit, 1);
});

test("a sheet that was stored but not yet billed is found, not drawn again", async () => {
  const visit = await standingIn("gemini:sheet");
  await world.bot?.end("SIGKILL");
  visit.hold.release();
  // As if the process had died between the file and its row.
  db.query("UPDATE jobs SET sheet = NULL, sheet_by = NULL, draws = 0 WHERE session_token = ?").run(visit.token);
  await world.startBot();
  await world.reaches(visit.token, "done");
  expectOnePack(visit, 1);
});

test("SIGTERM in a step that ends soon: the job is finished or given back without a strike, and goes on after the start", async () => {
  const visit = await standingIn("gemini:image");
  const bot = world.bot as Program;
  const ended = bot.end("SIGTERM");
  await bot.said('"stopping"');
  visit.hold.release();
  expect(await ended).toBe(0);
  expect(bot.output).not.toContain("took too long");
  await world.startBot();
  await world.reaches(visit.token, "done");
  expectOnePack(visit, 1);
  expect(links(visit.guest)).toBe(1);
});

test("SIGINT, as the unit stops it, in a step that does not end: within its limit the job is given back, without a strike", async () => {
  const visit = await standingIn("gemini:image");
  const bot = world.bot as Program;
  expect(await bot.end("SIGINT")).toBe(0);
  // Past its limit it would have ended with 1.
  expect(jobOf(visit.token)).toMatchObject({ status: "queued", strikes: 0, owner: null });
  visit.hold.release();
  await world.startBot();
  await world.reaches(visit.token, "done");
  expectOnePack(visit, 2);
});

/** What another bot has to ask for anew, since the answer to the sleeping one was never kept. */
const sleeps: [string, { images: number }][] = [
  ["gemini:selfie", { images: 1 }],
  ["gemini:image", { images: 2 }],
  ["gemini:sheet", { images: 1 }],
  ["telegram:createNewStickerSet", { images: 1 }],
  ["page", { images: 1 }],
];
for (const [step, { images }] of sleeps) {
  test(`a bot that sleeps in ${step} past its lease finds, on waking, that another has done it all, and changes nothing`, async () => {
    const visit = await standingIn(step);
    const sleeper = world.bot as Program;
    putToSleep(sleeper);
    // As if half a minute had passed.
    db.query("UPDATE jobs SET lease_until = 1 WHERE session_token = ? AND status = 'running'").run(visit.token);
    await world.startBot();
    try {
      await world.reaches(visit.token, "done");
      const rows = () =>
        JSON.stringify([
          jobOf(visit.token),
          world.rows(
            "SELECT name, created_at, visible_at, link_sent_at, sticker_sent_at FROM packs WHERE job_id = ?",
            jobOf(visit.token).id,
          ),
        ]);
      const before = rows();
      const asked = sim.calls.length;
      visit.hold.release();
      sleeper.process.kill("SIGCONT");
      if (step === "page")
        await sim.until(() => sim.calls.slice(asked).some((c) => c.target === "telegram:getUpdates"), "its waking", {
          timeoutMs: 40_000,
        });
      else await sleeper.said("the lease was lost");
      expect(rows()).toBe(before);
    } finally {
      sleeper.process.kill("SIGCONT");
      await sleeper.end("SIGKILL");
    }
    expectOnePack(visit, images);
    expect([links(visit.guest), stickers(visit.guest)]).toEqual([1, 1]);
  });
}

test("a bot that wakes with a late sheet leaves the one that another has drawn meanwhile", async () => {
  const visit = await standingIn("gemini:image");
  const sleeper = world.bot as Program;
  putToSleep(sleeper);
  db.query("UPDATE jobs SET lease_until = 1 WHERE session_token = ? AND status = 'running'").run(visit.token);
  const judged = sim.hold("gemini:sheet");
  await world.startBot();
  await judged.reached;
  const job = jobOf(visit.token);
  const sheet = () => readFileSync(join(world.dataDir, "sessions", visit.token, job.sheet));
  const drawn = sheet();
  try {
    // Its own is another one.
    sim.models.picture = await sheetPicture(4);
    visit.hold.release();
    sleeper.process.kill("SIGCONT");
    await sleeper.said("the lease was lost");
    expect(sheet().equals(drawn)).toBe(true);
  } finally {
    sim.models.picture = undefined;
    sleeper.process.kill("SIGCONT");
    await sleeper.end("SIGKILL");
    judged.release();
  }
  await world.reaches(visit.token, "done");
  expectOnePack(visit, 2);
});

test("a bot that wakes with a bad word of a sheet leaves the sheet that another works with", async () => {
  const visit = await standingIn("gemini:sheet");
  const sleeper = world.bot as Program;
  putToSleep(sleeper);
  db.query("UPDATE jobs SET lease_until = 1 WHERE session_token = ? AND status = 'running'").run(visit.token);
  const uploading = sim.hold("telegram:createNewStickerSet");
  await world.startBot();
  await uploading.reached;
  const folder = join(world.dataDir, "sessions", visit.token);
  const files = () => readdirSync(folder).sort();
  const before = files();
  try {
    sim.fault({ target: "gemini:sheet", do: { answer: { usable: false, problem: "cropped", stickers: [] } } });
    visit.hold.release();
    sleeper.process.kill("SIGCONT");
    await sleeper.said("the lease was lost");
    expect(files()).toEqual(before);
    expect(readdirSync(join(world.dataDir, "debug_sheets"))).toEqual([]);
  } finally {
    sleeper.process.kill("SIGCONT");
    await sleeper.end("SIGKILL");
    uploading.release();
  }
  await world.reaches(visit.token, "done");
  expectOnePack(visit, 1);
});

test("the bot broke no rule of Telegram in all this", () => {
  expect(sim.violations).toEqual([]);
});
