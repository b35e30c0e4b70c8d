/** A bot that stood still while another took its job over: awake again, it changes nothing of it. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sheetPicture } from "./sim/providers/pictures.ts";
import { openWorkers } from "./worker-world.ts";

const { world, sim, jobOf, links, stickers, standingIn, putToSleep, endLease, expectOnePack, close } =
  await openWorkers();

afterEach(() => sim.clearFaults());
afterAll(close);

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
    const sleeper = putToSleep();
    endLease(visit.token);
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
  const sleeper = putToSleep();
  endLease(visit.token);
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
  const sleeper = putToSleep();
  endLease(visit.token);
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
