import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { branding, brandingPictures, contrast, saveBranding } from "../shared/branding.ts";
import { pictureNamed, readPicture, storePicture, sweepPictures } from "../shared/pictures.ts";
import { admin, openBooth, TEST_MS } from "./admin-world.ts";
import { freshDb, NOON } from "./fresh.ts";
import { fixture, type World } from "./world.ts";

const KEY = { "x-kiosk-key": "a-kiosk-key" };
const logo = Buffer.from(fixture("selfie.jpg")).toString("base64");
let world: World;
beforeAll(async () => {
  world = await openBooth({ bot: false, env: { KIOSK_KEY: "a-kiosk-key" } });
}, TEST_MS);
afterAll(() => world[Symbol.asyncDispose]());

const config = async () => (await world.call("/kiosk/config", { headers: KEY })).body;
const look = async () => (await world.post("/kiosk/heartbeat", { kiosk: "hall" }, KEY)).body.look;

test("a kiosk asks how to look with its key, and hears by the heartbeat when to ask again", async () => {
  expect((await world.call("/kiosk/config")).body.error).toBe("kiosk_key");
  const before = await config();
  expect(before).toMatchObject({ name: null, colours: null, logo_url: null, pin: null });
  expect(await look()).toBe(before.look);
  const saved = await admin(world, "PUT branding", {
    name: "Anna & Timur",
    welcome_ru: "Добро пожаловать!",
    paper: "#FFFFFF",
    ink: "#222222",
    accent: "#a02050",
    logo,
    pin: "2468",
    version: 0,
  });
  expect([saved.status, saved.body.changed, saved.body.pin_set]).toEqual([200, true, true]);
  const after = await config();
  expect(after).toMatchObject({
    name: "Anna & Timur",
    welcome: { ru: "Добро пожаловать!", uz: null, en: null },
    colours: { paper: "#ffffff", ink: "#222222", accent: "#a02050" },
  });
  expect(after.logo_url).toMatch(/^\/outfit-pictures\/[0-9a-f]{32}\.webp$/);
  expect(after.pin.sha256).toBe(createHash("sha256").update(`${after.pin.salt}2468`).digest("hex"));
  expect(after.look).not.toBe(before.look);
  expect(await look()).toBe(after.look);
  expect((await world.call(after.logo_url)).status).toBe(200);
  const [entry] = (await admin(world, "GET audit")).body.entries;
  expect([entry.action, entry.after.pin]).toEqual(["kiosks' look", "set"]);
  expect(JSON.stringify(entry)).not.toContain(after.pin.sha256);
});

test("an unchanged save changes nothing, the second of two is told, null takes away", async () => {
  const { version } = (await admin(world, "GET branding")).body;
  const same = await admin(world, "PUT branding", { name: "Anna & Timur", pin: "2468", logo, version });
  expect([same.body.changed, same.body.version]).toEqual([false, version]);
  expect((await admin(world, "PUT branding", { name: "Party", version })).body.changed).toBe(true);
  expect((await admin(world, "PUT branding", { name: "Ball", version })).body.error).toBe("conflict");
  const none = await admin(world, "PUT branding", {
    name: "",
    paper: null,
    ink: null,
    accent: null,
    logo: null,
    pin: null,
  });
  expect(none.body).toMatchObject({ name: null, colours: null, logo_url: null, pin_set: false });
});

test("colours that guests could not read are refused, and so is what breaks a rule", async () => {
  for (const [body, fields] of [
    [{ paper: "#ffffff", ink: "#aaaaaa", accent: "#a02050" }, ["ink"]],
    [{ paper: "#ffffff", ink: "#222222", accent: "#ffcc00" }, ["accent"]],
    [{ paper: "#ffffff", ink: "#222222" }, ["accent"]],
    [{ paper: "white", ink: "#222222", accent: "#a02050" }, ["paper"]],
    [{ name: "x".repeat(41), pin: "12a4" }, ["name", "pin"]],
    [{ background: "AAAA" }, ["background"]],
  ] as const) {
    const answer = await admin(world, "PUT branding", body);
    expect([answer.status, Object.keys(answer.body.fields).sort()]).toEqual([422, [...fields]]);
  }
  expect((await config()).colours).toBeNull();
});

test("a save that takes its time over a picture leaves the words that another one wrote meanwhile", async () => {
  const slow = admin(world, "PUT branding", { background: logo, welcome_en: "Welcome!" });
  const quick = await admin(world, "PUT branding", { welcome_uz: "Xush kelibsiz!" });
  expect([(await slow).body.changed, quick.body.changed]).toEqual([true, true]);
  expect((await config()).welcome).toMatchObject({ en: "Welcome!", uz: "Xush kelibsiz!" });
});

test("contrast is WCAG's", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(contrast("#c9245f", "#c9245f")).toBe(1);
});

test("pictures that nothing shows any more go after a day, the others stay", async () => {
  using fresh = freshDb();
  const { db } = fresh;
  const picture = await readPicture(logo, "logo");
  const stray = { name: `${"0".repeat(32)}.webp`, bytes: picture.bytes };
  saveBranding(db, { logo: picture }, "operator:1", NOON);
  storePicture(db, stray, NOON);
  sweepPictures(db, brandingPictures(db), NOON + 1000);
  expect(pictureNamed(db, stray.name)).not.toBeNull();
  sweepPictures(db, brandingPictures(db), NOON + 2 * 86_400_000);
  expect([pictureNamed(db, stray.name), branding(db).logo]).toEqual([null, `/outfit-pictures/${picture.name}`]);
  expect(pictureNamed(db, picture.name)).not.toBeNull();
});
