/** From photo to pack while the artists misbehave: who stands in, what waits, what the guest and the operators hear. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { openDb } from "../shared/db.ts";
import { speak } from "../shared/texts/index.ts";
import type { FaultAction } from "./sim/faults.ts";
import { World } from "./world.ts";

const world = await World.open({ env: { PACK_LIMIT: "0" } });
const { sim, jobOf, textsTo } = world;
const db = openDb(world.dataDir);
const en = speak("en");
let guests = 7400;

afterEach(() => {
  sim.clearFaults();
  sim.models.picture = undefined;
  sim.models.sheet = undefined;
});
afterAll(async () => {
  db.close(false);
  await world[Symbol.asyncDispose]();
});

/** Packs that no operator is to hear of; asked at the end, when they would have. */
const refused: number[] = [];
const alerts = (part: string) => textsTo(sim.operatorsChatId).filter((text) => text.includes(part));
const bill = (token: string, purpose: string) =>
  world
    .rows(
      "SELECT provider, outcome FROM ai_usage WHERE purpose = ? AND job_id = ? ORDER BY id",
      purpose,
      jobOf(token).id,
    )
    .map((row) => `${row.provider} ${row.outcome}`);

async function sent(): Promise<{ guest: number; token: string }> {
  const guest = ++guests;
  const token = await world.visit(guest);
  expect((await world.sendPhoto(token, world.selfie())).status).toBe(202);
  return { guest, token };
}

/** The guest's pack: one, whole, told once. */
async function delivered({ guest, token }: { guest: number; token: string }) {
  await world.reaches(token, "done");
  expect(sim.sets.filter((set) => set.ownerId === guest).map((set) => set.stickers.length)).toEqual([9]);
  expect(textsTo(guest).filter((text) => text.includes("/addstickers/"))).toHaveLength(1);
}

/** The visit failed for this reason, and the guest read it once. */
async function failed({ guest, token }: { guest: number; token: string }, problem: keyof typeof en.failed) {
  expect(await world.reaches(token, "failed")).toMatchObject({ problem });
  await sim.until(() => textsTo(guest).includes(en.failed[problem]), "the guest's message");
  expect(textsTo(guest).filter((text) => text === en.failed[problem])).toHaveLength(1);
  expect(sim.sets.filter((set) => set.ownerId === guest)).toEqual([]);
}

const drawing: [string, FaultAction, string[]][] = [
  ["503", { outcome: "overloaded" }, ["gemini overloaded", "gemini overloaded", "openai ok"]],
  ["HTML", { html: "<h1>502</h1>" }, ["gemini overloaded", "gemini overloaded", "openai ok"]],
  ["bytes that are none", { imageBase64: "aGVsbG8=" }, ["gemini empty", "gemini empty", "openai ok"]],
];
for (const [what, action, expected] of drawing) {
  test(`Gemini draws with ${what}: OpenAI stands in, and every call is on the bill`, async () => {
    sim.fault({ target: "gemini:image", times: 2, do: action });
    const one = await sent();
    await delivered(one);
    expect(bill(one.token, "draw")).toEqual(expected);
    expect(jobOf(one.token).sheet_by).toBe("openai");
  });
}

test("Gemini stumbles once: its second try draws", async () => {
  sim.fault({ target: "gemini:image", do: { outcome: "rate_limited" } });
  const one = await sent();
  await delivered(one);
  expect(bill(one.token, "draw")).toEqual(["gemini overloaded", "gemini ok"]);
});

for (const outcome of ["bad_key", "unknown_model"] as const) {
  test(`Gemini says ${outcome}: OpenAI stands in, and the operators hear of it once`, async () => {
    sim.fault({ target: "gemini:*", times: -1, do: { outcome } });
    const [one, two] = [await sent(), await sent()];
    await Promise.all([delivered(one), delivered(two)]);
    // Within the hour the second cause is the same one to them.
    await sim.until(() => alerts("gemini rejects our calls").length === 1, "the alert");
    expect(alerts("gemini rejects our calls")[0]).toMatch(/rejects our calls: .*API key not valid/);
    expect(bill(one.token, "draw")).toEqual(["gemini broken", "openai ok"]);
    expect(textsTo(one.guest).join("\n")).not.toContain("gemini");
  });
}

for (const outcome of ["refused", "blocked"] as const) {
  test(`a picture that is ${outcome}: the guest reads why, nobody else is asked, no operator is woken`, async () => {
    sim.fault({ target: "gemini:image", do: { outcome } });
    const one = await sent();
    await failed(one, "refused");
    expect(bill(one.token, "draw")).toEqual(["gemini refused"]);
    refused.push(jobOf(one.token).id);
  });
}

test("nobody can look at the selfie: it is drawn all the same", async () => {
  sim.fault({ target: "*:selfie", times: -1, do: { outcome: "overloaded" } });
  const one = await sent();
  await delivered(one);
  expect(bill(one.token, "selfie")).toHaveLength(4);
  expect(JSON.parse(jobOf(one.token).selfie_check)).toEqual({ unchecked: true });
});

test("nobody can look at the sheet: it is cut all the same, with emoji of our own", async () => {
  sim.fault({ target: "*:sheet", times: -1, do: { outcome: "bad_json" } });
  const one = await sent();
  await delivered(one);
  expect(jobOf(one.token).draws).toBe(1);
});

test("both are down for a while: the job waits, then the pack comes; the kiosk's visit is not disturbed", async () => {
  sim.fault({ target: "gemini:image", times: 2, do: { outcome: "overloaded" } });
  sim.fault({ target: "openai:image", times: 2, do: { html: "<h1>down</h1>" } });
  const one = await sent();
  await world.eventually(() => jobOf(one.token).rounds === 1, "the first round in vain");
  expect((await world.session(one.token)).status).toBe("photo_taken");
  await delivered(one);
  expect(bill(one.token, "draw")).toEqual([
    "gemini overloaded",
    "gemini overloaded",
    "openai overloaded",
    "openai overloaded",
    "gemini ok",
  ]);
  expect(bill(one.token, "selfie")).toEqual(["gemini ok"]);
  expect(jobOf(one.token)).toMatchObject({ rounds: 0, strikes: 0 });
});

test("both are down for good: the guest is told once, the operators once", async () => {
  sim.fault({ target: "*:image", times: -1, do: { outcome: "overloaded" } });
  const one = await sent();
  // As if all the pauses had gone by, after one round in vain.
  const skip = db.query(
    "UPDATE jobs SET rounds = 5, not_before = 0 WHERE session_token = ? AND status = 'queued' AND rounds > 0",
  );
  await world.eventually(() => skip.run(one.token).changes === 1, "a round in vain");
  await failed(one, "providers_down");
  const { id } = jobOf(one.token);
  await sim.until(() => alerts(`Pack ${id} `).length > 0, "the alert");
  expect(alerts(`Pack ${id} `)).toHaveLength(1);
  expect(jobOf(one.token)).toMatchObject({ status: "failed", problem: "providers_down", owner: null });
});

test("a bad sheet is drawn again, differently, and set aside for the operators", async () => {
  sim.fault({ target: "gemini:sheet", do: { answer: { usable: false, problem: "cropped", stickers: [] } } });
  const one = await sent();
  await delivered(one);
  const { id, draws } = jobOf(one.token);
  expect(draws).toBe(2);
  const orders = sim.calls
    .filter((c) => c.target === "gemini:image")
    .slice(-2)
    .map((c) => String(c.params.prompt));
  expect(orders[0]).not.toBe(orders[1]);
  expect(readdirSync(join(world.dataDir, "debug_sheets"))).toContain(`job-${id}-attempt-1-draw-1.img`);
});

test("sheets that stay bad end within the bound: three are paid for, then the guest is told", async () => {
  sim.models.sheet = { usable: false, problem: "distorted", stickers: [] };
  const one = await sent();
  await failed(one, "bad_sheet");
  expect(bill(one.token, "draw")).toEqual(["gemini ok", "gemini ok", "gemini ok"]);
  expect(jobOf(one.token).draws).toBe(3);
  // Another try counts anew, and writes over nothing that the operators were to see.
  const { id } = jobOf(one.token);
  sim.operatorSays(sim.operatorsChatId, 601, `/retry ${id}`);
  await world.eventually(() => jobOf(one.token).attempt === 2, "another try");
  await world.reaches(one.token, "failed");
  const names = readdirSync(join(world.dataDir, "debug_sheets")).filter((name) => name.startsWith(`job-${id}-`));
  expect(names.sort()).toEqual(
    [1, 2].flatMap((attempt) => [1, 2, 3].map((draw) => `job-${id}-attempt-${attempt}-draw-${draw}.img`)),
  );
});

test("a sheet that the cutter cannot use is drawn again too, whatever the model thought of it", async () => {
  const plain = await sharp({ create: { width: 1024, height: 1024, channels: 3, background: "#00ff00" } })
    .png()
    .toBuffer();
  sim.fault({ target: "gemini:image", do: { imageBase64: plain.toString("base64") } });
  const half = (
    await sharp(
      await sharp({ create: { width: 900, height: 900, channels: 3, background: "#f00" } })
        .png()
        .toBuffer(),
    )
      .png()
      .toBuffer()
  ).subarray(0, 900);
  sim.fault({ target: "gemini:image", do: { imageBase64: half.toString("base64") } });
  const one = await sent();
  await delivered(one);
  expect(jobOf(one.token).draws).toBe(3);
});

test("every call left its row, with tokens and dollars where there was an answer", () => {
  const calls = sim.calls.filter((c) => /^(gemini|openai):(image|selfie|sheet)$/.test(c.target)).length;
  expect(world.rows("SELECT count(*) AS n FROM ai_usage")).toEqual([{ n: calls }]);
  expect(
    world.rows("SELECT count(*) AS n FROM ai_usage WHERE outcome = 'ok' AND (usd <= 0 OR output_tokens <= 0)"),
  ).toEqual([{ n: 0 }]);
  expect(world.rows("SELECT count(*) AS n FROM ai_usage WHERE outcome = 'overloaded' AND reason IS NULL")).toEqual([
    { n: 0 },
  ]);
  expect(refused).toHaveLength(2);
  for (const id of refused) expect(alerts(`Pack ${id} `)).toEqual([]);
  expect(sim.violations).toEqual([]);
  for (const secret of ["test-gemini-key", "test-openai-key", sim.token])
    expect(world.bot?.output.includes(secret)).toBe(false);
});
