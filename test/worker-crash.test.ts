/** The bot dies, or is stopped, in each step of a job: it goes on from there, pays once, makes one pack. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { MAX_STRIKES } from "../shared/jobs.ts";
import { speak } from "../shared/texts/index.ts";
import { openWorkers, type Visit } from "./worker-world.ts";
import type { Program } from "./world.ts";

const { world, sim, db, jobOf, calls, links, stickers, standingIn, expectOnePack, close } = await openWorkers();

afterEach(() => sim.clearFaults());
afterAll(close);

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

test("a stop that comes as several signals, to the group and by its parent, is one stop; who insists later ends it at once", async () => {
  const visit = await standingIn("gemini:image");
  const bot = world.bot as Program;
  const ended = bot.end("SIGTERM");
  bot.process.kill("SIGINT");
  bot.process.kill("SIGTERM");
  await bot.said('"stopping"');
  visit.hold.release();
  expect(await ended).toBe(0);
  await world.startBot();
  await world.reaches(visit.token, "done");
  expectOnePack(visit, 1);

  const insists = await standingIn("gemini:image");
  const stubborn = world.bot as Program;
  while (stubborn.process.exitCode === null) {
    stubborn.process.kill("SIGTERM");
    await Promise.race([stubborn.process.exited, Bun.sleep(100)]);
  }
  expect([stubborn.process.exitCode, stubborn.output.includes("took too long")]).toEqual([1, false]);
  insists.hold.release();
  await world.startBot();
  await world.reaches(insists.token, "done");
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

test("a stop after a sheet was drawn: the rounds without one that it ended stay forgotten", async () => {
  const visit = await standingIn("gemini:image");
  db.query("UPDATE jobs SET rounds = 2 WHERE session_token = ?").run(visit.token);
  await world.bot?.end("SIGKILL");
  visit.hold.release();
  const hold = sim.hold("gemini:sheet");
  const bot = await world.startBot();
  await hold.reached;
  expect(jobOf(visit.token)).toMatchObject({ status: "running", rounds: 0 });
  expect(await bot.end("SIGINT")).toBe(0);
  expect(jobOf(visit.token)).toMatchObject({ status: "queued", rounds: 0 });
  hold.release();
  await world.startBot();
  await world.reaches(visit.token, "done");
});

/** The last worker that may take the job dies in this call. */
async function lastDiesIn(step: string): Promise<Visit> {
  const visit = await standingIn(step);
  db.query("UPDATE jobs SET strikes = ? WHERE session_token = ?").run(MAX_STRIKES, visit.token);
  await world.bot?.end("SIGKILL");
  return visit;
}

test("a job that takes its workers down after its set was made: the guest gets the pack, not a failure", async () => {
  const visit = await lastDiesIn("telegram:getStickerSet");
  visit.hold.release();
  const bot = await world.startBot();
  await world.reaches(visit.token, "done");
  expectOnePack(visit, 1);
  expect([links(visit.guest), stickers(visit.guest)]).toEqual([1, 1]);
  expect(bot.output).toContain("the delivery asks Telegram");
});

test("a job that takes its workers down before its set is made: Telegram is asked for a while, then guest and operators are told", async () => {
  const visit = await lastDiesIn("telegram:createNewStickerSet");
  sim.fault({ target: "telegram:createNewStickerSet", do: { reset: true } });
  visit.hold.release();
  await world.startBot();
  const asked = () => calls("telegram:getStickerSet", visit.since);
  await sim.until(() => asked() >= 2, "a second look");
  const { id, status } = jobOf(visit.token);
  expect(status).toBe("delivering");
  // As if it had looked in vain for a while.
  db.query("UPDATE jobs SET strikes = 8, not_before = 0 WHERE id = ?").run(id);
  expect(await world.reaches(visit.token, "failed")).toMatchObject({ problem: "worker_died" });
  await sim.until(() => world.textsTo(visit.guest).includes(speak("en").failed.worker_died), "the guest's message");
  await sim.until(
    () => world.textsTo(sim.operatorsChatId).some((text) => text.includes(`Pack ${id} `)),
    "the operators' alert",
  );
  expect(sim.sets.filter((set) => set.ownerId === visit.guest)).toEqual([]);
  // A set that comes later still is deleted; another try makes one of another name.
  const discarded = () => world.rows("SELECT name FROM discarded_sets").map(({ name }) => name);
  const { name } = world.packOf(visit.token);
  expect(discarded()).toEqual([name]);
  sim.operatorSays(sim.operatorsChatId, 601, `/retry ${id}`);
  await world.reaches(visit.token, "done");
  expect(world.packOf(visit.token).name).not.toBe(name);
  expect(discarded()).toEqual([name]);
});

test("the bot broke no rule of Telegram in all this", () => {
  expect(sim.violations).toEqual([]);
});
