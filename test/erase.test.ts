/** /delete: what was said to be erased is gone from disk, rows and Telegram, whatever was going on. */
import { afterAll, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openDb } from "../shared/db.ts";
import { type Job, jobById } from "../shared/jobs.ts";
import { failJob } from "../shared/outcomes.ts";
import { speak } from "../shared/texts/index.ts";
import { stuckCreation } from "./stuck-creation.ts";
import { World } from "./world.ts";

const world = await World.open();
const { sim, textsTo } = world;
const db = openDb(world.dataDir);
const en = speak("en");
const CREATE = "telegram:createNewStickerSet";
let guests = 7300;

afterAll(async () => {
  db.close(false);
  await world[Symbol.asyncDispose]();
});

const folderOf = (token: string) => join(world.dataDir, "sessions", token);

/** Sends /delete and presses one of its buttons. @returns the last word about it */
async function erase(guest: number, what: "data" | "packs" | "no"): Promise<string> {
  const said = sim.guestSays(guest, "/delete");
  const question = await sim.until(
    () => sim.messages(guest).find((m) => m.message_id > said.message_id && m.text === en.erase.ask),
    "the question",
  );
  sim.guestPresses(guest, `erase:${what}`, { message: question });
  const answers = /^Erased: |^Nothing was erased/;
  const answer = await sim.until(
    () => sim.messages(guest).find((m) => m.message_id > question.message_id && answers.test(m.text ?? "")),
    "what was erased",
  );
  return answer.text ?? "";
}

/** Nothing in any table names the guest. */
function expectForgotten(guest: number) {
  const tables = db.query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'").all() as {
    name: string;
  }[];
  const kept = tables.flatMap(({ name }) => {
    const rows = db
      .query(`SELECT * FROM ${name}`)
      .all()
      .filter((row) => JSON.stringify(row).includes(`Guest ${guest}`));
    const ids = db
      .query(`SELECT * FROM ${name}`)
      .all()
      .filter((row) => {
        const { user_id, actor, id } = row as Record<string, unknown>;
        return user_id === guest || actor === `guest:${guest}` || (name === "users" && id === guest);
      });
    return [...rows, ...ids].map(() => name);
  });
  expect(kept).toEqual([]);
  // The word about it is the only one left that names the chat.
  const said = db.query("SELECT id FROM notices WHERE chat_id = ? AND method <> 'deleteStickerSet'").all(guest);
  expect(said.length).toBeLessThanOrEqual(1);
}

async function delivered() {
  const guest = ++guests;
  const token = await world.visit(guest);
  await world.sendPhoto(token, world.selfie());
  await world.reaches(token, "done");
  const set = sim.sets.find((one) => one.ownerId === guest);
  if (!set) throw new Error("no set");
  return { guest, token, set };
}

test("photos and data: files, name and visits go, the pack stays in Telegram", async () => {
  const { guest, token, set } = await delivered();
  const files = readdirSync(folderOf(token)).length;
  expect(files).toBeGreaterThanOrEqual(11);
  const said = await erase(guest, "data");
  expect(said).toBe(en.erase.done(files, 0, 0));
  expect(existsSync(folderOf(token))).toBe(false);
  expectForgotten(guest);
  // As the answer says: what is left of the visit leads to nobody.
  expect(said).toContain("Records of your visits stay, with no link to you.");
  expect(world.rows("SELECT user_id FROM sessions WHERE token = ?", token)).toEqual([{ user_id: null }]);
  expect(await world.session(token)).toMatchObject({ status: "done", guest_name: null });
  expect(sim.sets.map((s) => s.name)).toContain(set.name);
  expect(world.rows("SELECT files_removed_at > 0 AS gone FROM jobs WHERE session_token = ?", token)).toEqual([
    { gone: 1 },
  ]);
  // Counted rows stay; the guest begins anew.
  sim.guestSays(guest, "/packs");
  await sim.until(() => textsTo(guest).at(-1) === en.packs.none);
});

test("packs too: they vanish from Telegram, and the answer counted them", async () => {
  const { guest, token, set } = await delivered();
  sim.guestSays(guest, "/packs");
  await sim.until(() => sim.buttons(guest).some((b) => b.url?.endsWith(set.name)), "the list of packs");
  const said = await erase(guest, "packs");
  expect(said).toContain("1 sticker pack will vanish");
  await sim.until(() => !sim.sets.some((s) => s.name === set.name), "the pack's end");
  expect(existsSync(folderOf(token))).toBe(false);
  expectForgotten(guest);
  // Telegram had it, so none can come later.
  expect(world.rows("SELECT * FROM discarded_sets WHERE name = ?", set.name)).toEqual([]);
});

test("nothing: nothing goes", async () => {
  const { guest, token, set } = await delivered();
  expect(await erase(guest, "no")).toBe(en.erase.kept);
  expect(existsSync(folderOf(token))).toBe(true);
  expect(sim.sets.map((s) => s.name)).toContain(set.name);
});

test("twice, also by Telegram's own repetition: harmless", async () => {
  const { guest, set } = await delivered();
  await erase(guest, "packs");
  sim.redeliver(2);
  sim.guestSays(guest, "/help");
  await sim.until(() => textsTo(guest).at(-1)?.startsWith("How it works"));
  expect(await erase(guest, "packs")).toBe(en.erase.done(0, 0, 0));
  const deletions = sim.calls.filter((call) => call.target === "telegram:deleteStickerSet");
  expect(deletions.filter(({ params }) => params.name === set.name)).toHaveLength(1);
});

test("in the middle of the visit: it ends, and the kiosk sees it", async () => {
  const guest = ++guests;
  const token = await world.visit(guest);
  await erase(guest, "data");
  expect(await world.session(token)).toMatchObject({ status: "expired", guest_name: null });
  expectForgotten(guest);
});

for (const step of ["gemini:selfie", "gemini:image", "gemini:sheet", "telegram:createNewStickerSet"]) {
  test(`while ${step} is under way: the pack stops, and nothing of it remains anywhere`, async () => {
    const guest = ++guests;
    const token = await world.visit(guest);
    const hold = sim.hold(step);
    await world.sendPhoto(token, world.selfie());
    await hold.reached;
    const said = await erase(guest, "data");
    expect(said).toContain("The pack being made was stopped.");
    hold.release();
    expect(await world.session(token)).toMatchObject({ status: "failed", problem: "erased" });
    // The worker that was in the step comes back to nothing.
    await world.eventually(() => world.bot?.output.includes("the lease was lost"), "the worker's return");
    await world.eventually(() => !existsSync(folderOf(token)), "the files' end");
    await sim.until(() => !sim.sets.some((s) => s.ownerId === guest), "no set of an erased guest");
    expectForgotten(guest);
    expect(textsTo(guest).filter((text) => text.includes("addstickers"))).toEqual([]);
    world.bot?.lines.splice(0);
  });
}

test("a set that Telegram made while nobody was there to hear of it goes too", async () => {
  const guest = ++guests;
  await stuckCreation(world, guest);
  expect(await erase(guest, "packs")).toContain("stopped");
  sim.clearFaults();
  await sim.until(() => !sim.sets.some((s) => s.ownerId === guest), "the set's end");
  expectForgotten(guest);
});

test("a pack that failed while nobody knew whether Telegram had made it goes too, although the packs were to stay", async () => {
  const guest = ++guests;
  const token = await stuckCreation(world, guest);
  const { id } = world.rows("SELECT id FROM jobs WHERE session_token = ?", token)[0];
  expect(failJob(db, jobById(db, id) as Job, "worker_died", "clock", Date.now())).toBe(true);
  sim.clearFaults();
  await erase(guest, "data");
  await sim.until(() => !sim.sets.some((s) => s.ownerId === guest), "the set's end");
  expectForgotten(guest);
});

test("a creation that Telegram carries out only after its worker was killed and its guest erased: no set remains", async () => {
  const guest = ++guests;
  const token = await world.visit(guest);
  const hold = sim.hold(CREATE);
  await world.sendPhoto(token, world.selfie());
  await hold.reached;
  await world.bot?.end("SIGKILL");
  // The next worker has no luck with it.
  sim.fault({ target: CREATE, times: -1, do: { status: 500 } });
  await world.startBot();
  await erase(guest, "data");
  const isThere = () => sim.sets.some((s) => s.ownerId === guest);
  sim.clearFaults();
  hold.release();
  await sim.until(isThere, "the late creation");
  // Ten minutes later, as far as this pack can tell; a worker may just have come back from it.
  const due = db.query("UPDATE discarded_sets SET delete_at = 0");
  await sim.until(() => due.run() && !isThere(), "no set of an erased guest");
  expectForgotten(guest);
});

test("the bot broke no rule of Telegram", () => {
  expect(sim.violations).toEqual([]);
});
