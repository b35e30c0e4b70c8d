/** Photos sent in the chat: the retake, albums, files, and what cannot be used. */
import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { openDb } from "../shared/db.ts";
import { speak } from "../shared/texts/index.ts";
import { fixture, World } from "./world.ts";

const world = await World.open();
const { sim, textsTo } = world;
const en = speak("en");
const selfie = fixture("selfie.jpg");
let guests = 7200;

afterAll(() => world[Symbol.asyncDispose]());

const heard = (guest: number, text: string, times = 1) =>
  sim.until(
    () => textsTo(guest).filter((t) => t === text).length >= times,
    `“${text}” in\n${textsTo(guest).join("\n")}`,
  );
const jobsOf = (token: string) => world.rows("SELECT * FROM jobs WHERE session_token = ? ORDER BY id", token);
const filesOf = (token: string) => readdirSync(join(world.dataDir, "sessions", token));
async function atCamera() {
  const guest = ++guests;
  return { guest, token: await world.visit(guest) };
}

test("a photo in the chat is as good as one at the booth", async () => {
  const { guest, token } = await atCamera();
  await sim.guestSendsPhoto(guest, selfie);
  await heard(guest, en.photo.taken);
  await world.reaches(token, "done");
  expect(textsTo(guest).filter((text) => text === en.photo.taken)).toHaveLength(1);
  expect(jobsOf(token)).toHaveLength(1);
});

for (const problem of ["no_face", "face_hidden"] as const) {
  test(`a selfie with ${problem}: the kiosk and the chat say so, and a new photo in the chat makes the pack`, async () => {
    const { guest, token } = await atCamera();
    sim.fault({ target: "gemini:selfie", do: { answer: { usable: false, faces: 0, problem } } });
    expect((await world.sendPhoto(token, selfie)).status).toBe(202);
    expect(await world.reaches(token, "template_chosen")).toMatchObject({ problem, queue_position: null });
    await heard(guest, en.retake[problem]);
    await sim.guestSendsPhoto(guest, await new Uint8Array(await sharp(selfie).flop().jpeg().toBuffer()));
    await world.reaches(token, "done");
    expect((await world.session(token)).problem).toBeNull();
    expect(jobsOf(token).map((j) => [j.status, j.problem])).toEqual([
      ["cancelled", problem],
      ["done", null],
    ]);
    expect(textsTo(guest).filter((text) => text === en.retake[problem])).toHaveLength(1);
  });
}

test("a verdict that names no problem of the list still has a reason for the guest", async () => {
  const { guest, token } = await atCamera();
  sim.fault({ target: "gemini:selfie", do: { answer: { usable: false, faces: 3, problem: "none" } } });
  await world.sendPhoto(token, selfie);
  await heard(guest, en.retake.many_faces);
});

test("a retake at the booth works too, with another photo or the same", async () => {
  const { guest, token } = await atCamera();
  sim.fault({ target: "gemini:selfie", do: { answer: { usable: false, faces: 0, problem: "blurred" } } });
  await world.sendPhoto(token, selfie);
  await heard(guest, en.retake.blurred);
  sim.fault({ target: "gemini:selfie", do: { answer: { usable: false, faces: 0, problem: "too_dark" } } });
  expect((await world.sendPhoto(token, selfie)).status).toBe(202);
  await heard(guest, en.retake.too_dark);
  expect(jobsOf(token).map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
  const other = new Uint8Array(await sharp(selfie).modulate({ brightness: 1.2 }).jpeg().toBuffer());
  expect((await world.sendPhoto(token, other)).status).toBe(202);
  await world.reaches(token, "done");
});

test("an album is one photo, and its other pictures leave nothing behind", async () => {
  const { guest, token } = await atCamera();
  const hold = sim.hold("gemini:image");
  await Promise.all(
    [0, 90, 180].map(async (turn) =>
      sim.guestSendsPhoto(guest, new Uint8Array(await sharp(selfie).rotate(turn).jpeg().toBuffer())),
    ),
  );
  await hold.reached;
  await heard(guest, en.photo.taken);
  await world.eventually(() => world.rows("SELECT * FROM chat_photos").length === 0, "the album to be through");
  expect(jobsOf(token)).toHaveLength(1);
  const selfies = () => filesOf(token).filter((f) => f.startsWith("selfie"));
  await world.eventually(() => selfies().length === 1, "the end of the others' files");
  expect(selfies()).toEqual([jobsOf(token)[0].selfie]);
  hold.release();
  await world.reaches(token, "done");
  expect(textsTo(guest).filter((t) => t === en.photo.taken)).toHaveLength(1);
  expect(textsTo(guest)).not.toContain(en.photo.notNow);
});

test("a picture sent as a file is a photo too; one that cannot be opened or is too large is told apart", async () => {
  const { guest, token } = await atCamera();
  sim.guestSendsFile(guest, selfie.subarray(0, 60_000), "half.jpg", "image/jpeg");
  await heard(guest, en.photo.unreadable);
  sim.guestSendsFile(guest, new TextEncoder().encode("no picture"), "letter.png", "image/png");
  await heard(guest, en.photo.unreadable, 2);
  sim.guestSendsFile(guest, new Uint8Array(15 * 1024 * 1024 + 1), "large.png", "image/png");
  await heard(guest, en.photo.tooLarge);
  expect((await world.session(token)).status).toBe("template_chosen");
  sim.guestSendsFile(guest, selfie, "me.jpg", "image/jpeg");
  await world.reaches(token, "done");
});

for (const mime of [undefined, "application/octet-stream"])
  test(`a photo sent as a file of type ${mime} is a photo`, async () => {
    const { guest, token } = await atCamera();
    sim.guestSendsFile(guest, selfie, "me.heic", mime);
    await world.reaches(token, "done");
    sim.guestSendsFile(guest, selfie, "me.pdf", "application/pdf");
    await heard(guest, en.photo.onlyPhotos);
  });

test("a file whose size is told by Telegram's refusal alone is too large, and not asked for again", async () => {
  const { guest, token } = await atCamera();
  const body = { ok: false, error_code: 400, description: "Bad Request: file is too big" };
  sim.fault({ target: "telegram:getFile", times: -1, do: { status: 400, body } });
  const asked = () => sim.calls.filter(({ target }) => target === "telegram:getFile").length;
  const before = asked();
  sim.guestSendsFile(guest, selfie, "me.png", "image/png");
  await heard(guest, en.photo.tooLarge);
  expect(asked() - before).toBe(1);
  sim.clearFaults();
  expect((await world.session(token)).status).toBe("template_chosen");
});

test("Telegram does not give the file at first, then it does", async () => {
  const { guest, token } = await atCamera();
  sim.fault({
    target: "telegram:getFile",
    do: { status: 429, body: { ok: false, error_code: 429, description: "Too Many", parameters: { retry_after: 1 } } },
  });
  sim.fault({ target: "file", do: { html: "<h1>502</h1>" } });
  await sim.guestSendsPhoto(guest, selfie);
  await world.reaches(token, "done");
});

test("Telegram never gives the file: the guest is asked to send it again", async () => {
  const { guest, token } = await atCamera();
  sim.fault({ target: "file", times: -1, do: { status: 404 } });
  await sim.guestSendsPhoto(guest, selfie);
  await sim.until(() => textsTo(guest).includes(en.photo.tooSlow), "the request to send it again", {
    timeoutMs: 30_000,
  });
  sim.clearFaults();
  expect((await world.session(token)).status).toBe("template_chosen");
});

test("a photo that another process has dealt with meanwhile is not spoken of again", async () => {
  const { guest, token } = await atCamera();
  const letter = new TextEncoder().encode("no picture");
  const hold = sim.hold("file");
  sim.guestSendsFile(guest, letter, "letter.png", "image/png");
  const call = await hold.reached;
  const db = openDb(world.dataDir);
  db.query("DELETE FROM chat_photos WHERE session_token = ?").run(token);
  db.close(false);
  hold.release();
  await sim.until(() => call.ms !== undefined, "the answer of the first");
  // Has the same way to go, and sets out later: when it is through, the first one is too.
  const second = sim.hold("file");
  sim.guestSendsFile(guest, letter, "letter.png", "image/png");
  await second.reached;
  second.release();
  await world.eventually(() => world.rows("SELECT * FROM chat_photos").length === 0, "the end of the second");
  sim.guestSays(guest, "/packs");
  await heard(guest, en.packs.none);
  expect(textsTo(guest).filter((text) => text === en.photo.unreadable)).toHaveLength(1);
});

test("a photo for a visit that ended meanwhile, and the same update twice", async () => {
  const { guest, token } = await atCamera();
  const hold = sim.hold("telegram:getFile");
  await sim.guestSendsPhoto(guest, selfie);
  await hold.reached;
  await world.post(`/session/${token}/expire`);
  hold.release();
  await heard(guest, en.photo.notNow);
  expect(jobsOf(token)).toEqual([]);
  sim.redeliver(1);
  sim.guestSays(guest, "/packs");
  await heard(guest, en.packs.none);
  expect(textsTo(guest).filter((t) => t === en.photo.notNow)).toHaveLength(1);
  expect(sim.violations).toEqual([]);
});
