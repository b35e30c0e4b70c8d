/** Photos as people and programs send them: what is taken, what is refused and with which words, and what stays as it was. */
import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import sharp from "sharp";
import { speak } from "../shared/texts/index.ts";
import { openCamera } from "./camera.ts";
import { visitInQueue } from "./fresh.ts";
import { fixture } from "./world.ts";

const { world, db, atCamera, selfie, filesOf, jobsOf, close } = await openCamera();
afterAll(close);

/** The visit is where it was, without file or job, and takes a good photo afterwards. */
async function stillWaits(token: string) {
  expect((await world.session(token)).status).toBe("template_chosen");
  expect(filesOf(token)).toEqual([]);
  expect(jobsOf(token)).toEqual([]);
  expect((await world.sendPhoto(token, selfie)).status).toBe(202);
}

const text = new TextEncoder().encode("Dear booth, this is a letter and not a photo.".repeat(50));
const svg = new TextEncoder().encode(
  `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><circle r="99"/></svg>`,
);
/** A header that says HEIC, and nothing behind it that a decoder could read. */
const heic = Uint8Array.from([
  0,
  0,
  0,
  24,
  ...new TextEncoder().encode("ftypheic\0\0\0\0mif1heic"),
  ...new Uint8Array(500),
]);
const megapixels60 = new Uint8Array(
  await sharp({ create: { width: 10_000, height: 6_000, channels: 3, background: "#888" } })
    .jpeg()
    .toBuffer(),
);
const tiny = new Uint8Array(
  await sharp({ create: { width: 100, height: 900, channels: 3, background: "#888" } })
    .png()
    .toBuffer(),
);
const gif = new TextEncoder().encode(`GIF89a${"\x00".repeat(2000)}`);

const refused: [string, Uint8Array, number, string][] = [
  ["a text file named .jpg", text, 415, "not_an_image"],
  ["an SVG", svg, 415, "not_an_image"],
  ["a GIF", gif, 415, "not_an_image"],
  ["a HEIC that cannot be read", heic, 415, "not_an_image"],
  ["an empty part", new Uint8Array(), 415, "not_an_image"],
  ["one byte", Uint8Array.of(0xff), 415, "not_an_image"],
  ["a truncated JPEG", selfie.subarray(0, selfie.length / 2), 422, "bad_image"],
  ["a JPEG's first bytes and noise", Uint8Array.of(0xff, 0xd8, 0xff, ...text.subarray(0, 999)), 422, "bad_image"],
  ["a 60-megapixel image", megapixels60, 422, "bad_image"],
  ["a tiny one", tiny, 422, "bad_image"],
];

for (const [what, bytes, status, code] of refused) {
  test(`${what}: ${status} ${code}, and the guest may try again`, async () => {
    const token = atCamera();
    const answer = await world.sendPhoto(token, bytes);
    expect([answer.status, answer.body.error]).toEqual([status, code]);
    expect(answer.body.message).toMatch(/^[A-Z].{15,}\.$/);
    await stillWaits(token);
  });
}

test("the log joins a request with the job that it made, and the answer names the request", async () => {
  const token = atCamera();
  const { headers } = await world.sendPhoto(token, selfie);
  const request = headers.get("x-request-id") ?? "none";
  const line = await world.api?.said(request);
  expect(line).toMatchObject({ message: "a photo was accepted", request, job: jobsOf(token)[0].id });
});

test("with a queue ahead the chat names the same minutes as the kiosk", async () => {
  for (let guest = 9001; guest < 9009; guest++) visitInQueue(db, guest, Date.now());
  const { body } = await world.sendPhoto(atCamera(), selfie);
  const told = speak("en").photo.takenQueued(Math.round(body.eta_seconds / 60));
  await world.sim.until(
    () => world.sim.calls.some(({ target, params }) => target === "telegram:sendMessage" && params.text === told),
    told,
  );
});

test("20 MB with its length told: 413 before it is read", async () => {
  const token = atCamera();
  const bytes = new Uint8Array(20 * 1024 * 1024);
  bytes.set(selfie);
  const answer = await world.sendPhoto(token, bytes);
  expect([answer.status, answer.body.error]).toEqual([413, "too_large"]);
  await stillWaits(token);
});

test("40 MB: still our own 413", async () => {
  const token = atCamera();
  const answer = await world.sendPhoto(token, new Uint8Array(40 * 1024 * 1024));
  expect([answer.status, answer.body.error]).toEqual([413, "too_large"]);
  await stillWaits(token);
});

test("20 MB in pieces of untold length: 413 all the same", async () => {
  const token = atCamera();
  const boundary = "----pieces";
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  let left = 20;
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(new TextEncoder().encode(head)),
    pull(stream) {
      if (left-- > 0) return stream.enqueue(new Uint8Array(1024 * 1024));
      stream.enqueue(new TextEncoder().encode(`\r\n--${boundary}--\r\n`));
      stream.close();
    },
  });
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  const answer = await world.call(`/session/${token}/photo`, { method: "POST", body, headers });
  expect([answer.status, answer.body.error]).toEqual([413, "too_large"]);
  await stillWaits(token);
});

test("a photo of exactly 15 MB is taken, one byte more is not", async () => {
  const token = atCamera();
  const bytes = new Uint8Array(15 * 1024 * 1024 + 1);
  bytes.set(selfie);
  expect((await world.sendPhoto(token, bytes)).status).toBe(413);
  expect((await world.sendPhoto(token, bytes.subarray(0, -1))).status).toBe(202);
});

test("an upload that breaks off in the middle leaves the visit as it was", async () => {
  const token = atCamera();
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  const closed = new Promise((done) => socket.once("close", done));
  socket.write(
    `POST /session/${token}/photo HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000\r\n\r\n--b\r\nContent-Disposition: form-data; name="photo"; filename="a"\r\n\r\n`,
    () => socket.destroy(),
  );
  await closed;
  await stillWaits(token);
});

test("a body that is no form, another type, no part of that name, a text part: each is told what is wrong", async () => {
  const token = atCamera();
  const path = `/session/${token}/photo`;
  const send = (body: RequestInit["body"], type?: string) =>
    world.call(path, { method: "POST", body, ...(type ? { headers: { "content-type": type } } : {}) });
  const raw = await send(Uint8Array.from(selfie), "image/jpeg");
  expect([raw.status, raw.body.error]).toEqual([415, "not_multipart"]);
  const noBoundary = await send(Uint8Array.from(selfie), "multipart/form-data");
  expect([noBoundary.status, noBoundary.body.error]).toEqual([422, "invalid"]);
  const noise = await send(Uint8Array.from(selfie), "multipart/form-data; boundary=x");
  expect([noise.status, noise.body.error]).toEqual([422, "invalid"]);
  const other = new FormData();
  other.append("picture", new Blob([Uint8Array.from(selfie)]), "a.jpg");
  const words = new FormData();
  words.append("photo", "me");
  for (const form of [other, words, new FormData()]) {
    const answer = await send(form);
    expect([answer.status, answer.body.error, Object.keys(answer.body.fields ?? {})]).toEqual([
      422,
      "invalid",
      ["photo"],
    ]);
  }
  await stillWaits(token);
});

test("what is stored is upright, without metadata, within bounds, and for the service alone", async () => {
  const token = atCamera();
  const sent = fixture("selfie-exif6.jpg");
  expect((await sharp(sent).metadata()).orientation).toBe(6);
  const withGps = new Uint8Array(
    await sharp(sent)
      .keepMetadata()
      .withExifMerge({ IFD0: { Make: "SpyPhone" }, IFD3: { GPSLatitude: "41/1 18/1 0/1", GPSLatitudeRef: "N" } })
      .toBuffer(),
  );
  expect((await world.sendPhoto(token, withGps)).status).toBe(202);
  const [name = ""] = filesOf(token);
  const stored = readFileSync(join(world.dataDir, "sessions", token, name));
  const meta = await sharp(stored).metadata();
  expect([meta.format, meta.orientation, meta.exif, meta.icc, meta.xmp]).toEqual([
    "jpeg",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(stored.includes("SpyPhone")).toBe(false);
  const raw = await sharp(sent).metadata();
  expect([meta.width < meta.height, raw.width < raw.height]).toEqual([true, false]);
  // The same portrait sent upright must look the same.
  const small = (image: Uint8Array) =>
    sharp(image).rotate().resize(16, 16, { fit: "fill" }).greyscale().raw().toBuffer();
  const [a, b] = await Promise.all([small(stored), small(selfie)]);
  const off = a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;
  expect(off).toBeLessThan(8);
  const modes = Bun.spawnSync(["find", join(world.dataDir), "-perm", "/077"]).stdout.toString();
  expect(modes).toBe("");
});

test("PNG with transparency, WebP and a 48-megapixel JPEG are photos too", async () => {
  const half = await sharp(selfie).resize(600).toBuffer();
  const png = await sharp(half).ensureAlpha(0.5).png().toBuffer();
  const webp = await sharp(half).webp().toBuffer();
  const large = await sharp({ create: { width: 8_000, height: 6_000, channels: 3, background: "#a85" } })
    .jpeg()
    .toBuffer();
  for (const bytes of [png, webp, large]) {
    const token = atCamera();
    expect((await world.sendPhoto(token, new Uint8Array(bytes))).status).toBe(202);
    const [name = ""] = filesOf(token);
    const meta = await sharp(join(world.dataDir, "sessions", token, name)).metadata();
    expect([meta.format, meta.hasAlpha, Math.max(meta.width, meta.height) <= 2048]).toEqual(["jpeg", false, true]);
  }
});

test("the log names the job and nothing of the guest", () => {
  const { output } = world.api ?? { output: "" };
  expect(output).toContain("a photo was accepted");
  const secrets = [...world.rows("SELECT token FROM sessions").map((r) => r.token), "Ann", world.sim.token];
  expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
  // An upload that broke off is not our failure.
  expect(world.api?.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
