/** Creating the set, whatever Telegram answers: one set, one name, one call too few rather than one too many. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { openDb } from "../shared/db.ts";
import { speak } from "../shared/texts/index.ts";
import type { FaultAction } from "./sim/faults.ts";
import { World } from "./world.ts";

const CREATE = "telegram:createNewStickerSet";
const world = await World.open({ env: { PACK_LIMIT: "0" } });
const { sim, jobOf, packOf, textsTo } = world;
const db = openDb(world.dataDir);
const en = speak("en");
let guests = 7600;

afterEach(() => sim.clearFaults());
afterAll(async () => {
  db.close(false);
  await world[Symbol.asyncDispose]();
});

const creations = (guest: number) => sim.calls.filter((c) => c.target === CREATE && Number(c.params.user_id) === guest);
const due = (token: string) => db.query("UPDATE jobs SET not_before = 0 WHERE session_token = ?").run(token);

async function sent(look: { name?: string } = {}): Promise<{ guest: number; token: string }> {
  const guest = ++guests;
  if (look.name) sim.guest(guest, look);
  const token = await world.visit(guest);
  await world.sendPhoto(token, world.selfie());
  return { guest, token };
}

/** One set of that guest, under the one name that was stored before the first call; another try's is another. */
function expectOneSet(guest: number, token: string, before: string[] = []) {
  const sets = sim.sets.filter((set) => set.ownerId === guest);
  expect(sets.map((set) => set.name)).toEqual([packOf(token).name]);
  expect(new Set(creations(guest).map((c) => c.params.name))).toEqual(new Set([...before, packOf(token).name]));
}

const lost: [string, FaultAction, number][] = [
  ["made, but the connection broke", { executeThenLose: "reset" }, 1],
  ["made, but answered 502", { executeThenLose: "502" }, 1],
  ["made, but half the answer came", { truncate: true }, 1],
  ["not made: 500", { status: 500 }, 2],
  ["not made: a page of HTML", { html: "<h1>Bad gateway</h1>" }, 2],
  ["not made: the connection broke", { reset: true }, 2],
];
for (const [what, action, calls] of lost) {
  test(`${what}: getStickerSet decides, ${calls === 1 ? "and it is not asked again" : "and it is asked again by the same name"}`, async () => {
    sim.fault({ target: CREATE, do: action });
    const { guest, token } = await sent();
    await world.reaches(token, "done");
    expectOneSet(guest, token);
    expect(creations(guest)).toHaveLength(calls);
    expect(textsTo(guest).filter((text) => text.includes("/addstickers/"))).toHaveLength(1);
  });
}

test("Telegram is silent after it made the set: the call is given up in time, and the set is found", async () => {
  // The bot's own limit of 120 s is not waited for: a stop cuts the call short, and the next process asks first.
  sim.fault({ target: CREATE, do: { executeThenLose: "hang" } });
  const { guest, token } = await sent();
  await sim.until(() => creations(guest).some((c) => c.outcome.includes("answer lost")), "the silence", {
    timeoutMs: 20_000,
  });
  await world.bot?.end("SIGKILL");
  await world.startBot();
  await world.reaches(token, "done");
  expectOneSet(guest, token);
  expect(creations(guest)).toHaveLength(1);
});

test("nothing is clear: neither the call nor the question; the job waits and asks the question first", async () => {
  sim.fault({ target: CREATE, do: { executeThenLose: "reset" } });
  sim.fault({ target: "telegram:getStickerSet", times: 2, do: { html: "<h1>down</h1>" } });
  const { guest, token } = await sent();
  await world.eventually(() => jobOf(token).status === "queued" && packOf(token), "the wait");
  expect(packOf(token).created_at).toBeNull();
  due(token);
  await world.reaches(token, "done");
  expectOneSet(guest, token);
  expect(creations(guest)).toHaveLength(1);
  expect(jobOf(token).strikes).toBe(0);
});

test("429: it waits as long as it is asked to, and that is no failure", async () => {
  const body = {
    ok: false,
    error_code: 429,
    description: "Too Many Requests: retry after 3",
    parameters: { retry_after: 3 },
  };
  sim.fault({ target: CREATE, do: { status: 429, body } });
  const { guest, token } = await sent();
  await world.reaches(token, "done");
  const [first, second, ...more] = creations(guest);
  expect(more).toEqual([]);
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(3_000);
  expect(jobOf(token)).toMatchObject({ strikes: 0, rounds: 0 });
  expectOneSet(guest, token);
});

test("Telegram refuses the set: the guest is told, the operators too, and their retry makes it from what is there", async () => {
  const body = { ok: false, error_code: 400, description: "Bad Request: STICKER_PNG_DIMENSIONS" };
  sim.fault({ target: CREATE, do: { status: 400, body } });
  const { guest, token } = await sent();
  expect(await world.reaches(token, "failed")).toMatchObject({ problem: "pack_refused" });
  await sim.until(() => textsTo(guest).includes(en.failed.pack_refused));
  const { id } = jobOf(token);
  await sim.until(
    () => textsTo(sim.operatorsChatId).some((text) => text.includes(`Pack ${id} `)),
    "the operators' alert",
  );
  const images = sim.calls.filter((c) => c.target === "gemini:image").length;
  const refused = packOf(token).name;
  sim.operatorSays(sim.operatorsChatId, 1, `/retry ${id}`);
  await world.reaches(token, "done");
  expect(packOf(token).name).not.toBe(refused);
  expectOneSet(guest, token, [refused]);
  expect(sim.calls.filter((c) => c.target === "gemini:image")).toHaveLength(images);
});

test("the guest's account is gone: the job ends, nobody waits for ever", async () => {
  const { guest, token } = await (async () => {
    const hold = sim.hold(CREATE);
    const one = await sent();
    await hold.reached;
    sim.world.users.delete(one.guest);
    hold.release();
    return one;
  })();
  expect(await world.reaches(token, "failed")).toMatchObject({ problem: "pack_refused" });
  expect(world.rows("SELECT unreachable_at > 0 AS gone FROM users WHERE id = ?", guest)).toEqual([{ gone: 1 }]);
});

for (const name of ["👨‍👩‍👧‍👦".repeat(9), '"<&>\\_*`ع']) {
  test(`a guest called ${JSON.stringify(name.slice(0, 12))} gets a set with a title that Telegram takes`, async () => {
    const { guest, token } = await sent({ name });
    await world.reaches(token, "done");
    expectOneSet(guest, token);
    expect(sim.sets.find((set) => set.ownerId === guest)?.title).toBe(packOf(token).title);
  });
}

test("the bot broke no rule of Telegram", () => {
  expect(sim.violations).toEqual([]);
});
