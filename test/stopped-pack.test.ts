/** An operator stops a pack: its guest is told once, and no set of it remains in Telegram, wherever it was. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { speak } from "../shared/texts/index.ts";
import { admin, openBooth } from "./admin-world.ts";

setDefaultTimeout(40_000);

const world = await openBooth();
const { sim, textsTo } = world;
afterAll(() => world[Symbol.asyncDispose]());
let guests = 7500;

const jobOf = (token: string) => world.rows("SELECT * FROM jobs WHERE session_token = ?", token)[0];
const isGone = (guest: number) =>
  sim.until(() => !sim.sets.some((s) => s.ownerId === guest), "no set of a stopped pack");

async function stop(token: string, guest: number) {
  expect((await admin(world, `POST jobs/${jobOf(token).id}/cancel`, {})).status).toBe(200);
  const told = () => textsTo(guest).filter((text) => text === speak("en").failed.cancelled);
  await sim.until(() => told().length > 0, "the word to the guest");
  expect(told()).toHaveLength(1);
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
  });
}

test("a set that Telegram made while nobody was there to hear of it goes too", async () => {
  const guest = ++guests;
  const token = await world.visit(guest);
  sim.fault({ target: "telegram:createNewStickerSet", do: { executeThenLose: "reset" } });
  sim.fault({ target: "telegram:getStickerSet", times: -1, do: { status: 500 } });
  await world.sendPhoto(token, world.selfie());
  await sim.until(() => sim.sets.some((s) => s.ownerId === guest), "the set");
  await world.eventually(() => jobOf(token).status === "queued", "an outcome that nobody knows");
  await stop(token, guest);
  await isGone(guest);
  sim.clearFaults();
});
