import { expect, test } from "bun:test";
import { nowOf } from "../shared/admin/now.ts";
import { problemsOf } from "../shared/admin/problems.ts";
import { allKiosks, noteKiosk } from "../shared/kiosks.ts";
import { pauseBooth } from "../shared/pause.ts";
import { createSession } from "../shared/sessions.ts";
import { langs } from "../shared/status.ts";
import { admin, openBooth, TEST_MS } from "./admin-world.ts";
import { freshConfig, freshDb, NOON, ttl } from "./fresh.ts";

const causes = (fresh: ReturnType<typeof freshDb>, now: number) => {
  const config = { ...freshConfig({ AI_PROVIDERS: "offline" }), DATA_DIR: fresh.dataDir };
  return problemsOf(nowOf(fresh.db, config, now), config)
    .map(({ cause }) => cause)
    .filter((cause) => cause.startsWith("kiosk"));
};

test("a silent kiosk is a problem during an event, and only then", () => {
  using fresh = freshDb();
  const { db } = fresh;
  noteKiosk(db, { kiosk: "hall" }, NOON);
  expect(causes(fresh, NOON + 120_000)).toEqual([]);
  createSession(db, { kiosk: "hall", lang: "en", ttl, now: NOON });
  expect(causes(fresh, NOON + 60_000)).toEqual([]);
  expect(causes(fresh, NOON + 60_001)).toEqual(["kiosk:hall:silent"]);
  pauseBooth(db, null, "operator:1", NOON + 61_000);
  expect(causes(fresh, NOON + 62_000)).toEqual([]);
});

test("all of several kiosks silent at once are one problem: the network's", () => {
  using fresh = freshDb();
  const { db } = fresh;
  createSession(db, { kiosk: "a", lang: "en", ttl, now: NOON });
  for (const kiosk of ["a", "b", "c"]) noteKiosk(db, { kiosk }, NOON);
  expect(causes(fresh, NOON + 61_000)).toEqual(["kiosks:silent"]);
  noteKiosk(db, { kiosk: "b" }, NOON + 61_000);
  expect(causes(fresh, NOON + 61_000)).toEqual(["kiosk:a:silent", "kiosk:c:silent"]);
});

test("one trouble of more than three kiosks is one problem, on the page too, in each language", () => {
  using fresh = freshDb();
  const { db } = fresh;
  createSession(db, { kiosk: "a", lang: "en", ttl, now: NOON });
  const ids = Array.from({ length: 8 }, (_, i) => `hall-${i + 1}`);
  for (const kiosk of ids) noteKiosk(db, { kiosk, camera: "ok", battery: 0.1, charging: false }, NOON);
  for (const kiosk of ids.slice(0, 3)) noteKiosk(db, { kiosk, camera: "frozen", battery: 0.1 }, NOON);
  expect(causes(fresh, NOON)).toEqual([...ids.slice(0, 3).map((id) => `kiosk:${id}:camera`), "kiosks:battery"]);
  for (const kiosk of ids.slice(3)) noteKiosk(db, { kiosk, wake_lock: false }, NOON);
  expect(causes(fresh, NOON)).toEqual([...ids.slice(0, 3).map((id) => `kiosk:${id}:camera`), "kiosks:awake"]);
  for (const kiosk of ids.slice(0, 7)) noteKiosk(db, { kiosk, camera: "black" }, NOON);
  const config = { ...freshConfig({ AI_PROVIDERS: "offline" }), DATA_DIR: fresh.dataDir };
  const said = langs.map((lang) => problemsOf(nowOf(db, config, NOON), config, lang)[1]?.what);
  expect(said).toEqual([
    "Без картинки с камеры остались 7 киосков: hall-1, hall-2, hall-3, hall-4, hall-5 и ещё 2.",
    "7 ta kiosk kameradan tasvir olmayapti: hall-1, hall-2, hall-3, hall-4, hall-5 va yana 2 ta.",
    "7 kiosks have no picture from their cameras: hall-1, hall-2, hall-3, hall-4, hall-5 and 2 more.",
  ]);
});

test("camera, battery and sleep are told as the kiosk tells them", () => {
  using fresh = freshDb();
  const { db } = fresh;
  createSession(db, { kiosk: "a", lang: "en", ttl, now: NOON });
  noteKiosk(db, { kiosk: "a", camera: "frozen" }, NOON);
  noteKiosk(db, { kiosk: "b", camera: "ok", battery: 0.1, charging: false }, NOON);
  noteKiosk(db, { kiosk: "c", camera: "starting", battery: 0.1, charging: true, wake_lock: false }, NOON);
  noteKiosk(db, { kiosk: "d", camera: "off", battery: null, wake_lock: true }, NOON);
  expect(causes(fresh, NOON)).toEqual(["kiosk:a:camera", "kiosk:b:battery", "kiosk:c:awake"]);
});

test("somebody who invents kiosks does not fill the database", () => {
  using fresh = freshDb();
  for (let i = 0; i < 120; i++) noteKiosk(fresh.db, { kiosk: `k-${i}` }, NOON + i);
  const kept = allKiosks(fresh.db);
  expect(kept.length).toBe(50);
  expect(kept.some(({ id }) => id === "k-119")).toBe(true);
});

test(
  "the heartbeat over HTTP: guarded by the kiosk's key, bounded, seen by operators, removable",
  async () => {
    await using world = await openBooth({ bot: false, env: { KIOSK_KEY: "a-kiosk-key" } });
    const key = { "x-kiosk-key": "a-kiosk-key" };
    expect((await world.post("/kiosk/heartbeat", { kiosk: "hall" })).body.error).toBe("kiosk_key");
    const beat = {
      kiosk: "hall",
      version: "0.1.0",
      screen: "start",
      camera: "ok",
      battery: 0.5,
      charging: false,
      wake_lock: true,
    };
    const { status, body } = await world.post("/kiosk/heartbeat", beat, key);
    expect([status, body.maintenance]).toEqual([200, false]);
    for (const [name, value] of Object.entries({
      kiosk: "no blanks",
      version: "x".repeat(41),
      screen: "<script>",
      camera: 7,
      battery: 87,
      charging: "yes",
    })) {
      const answer = await world.post("/kiosk/heartbeat", { ...beat, [name]: value }, key);
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, [name]]);
    }
    const { kiosks } = (await admin(world, "GET kiosks")).body;
    expect(kiosks).toMatchObject([{ id: "hall", screen: "start", battery: 0.5, wake_lock: true, silent: false }]);
    await admin(world, "POST maintenance", { on: true });
    expect((await world.post("/kiosk/heartbeat", beat, key)).body.maintenance).toBe(true);
    expect((await admin(world, "DELETE kiosks/hall")).body.removed).toBe(true);
    expect((await admin(world, "GET kiosks")).body.kiosks).toEqual([]);
  },
  TEST_MS,
);
