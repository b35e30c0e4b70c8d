import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import sharp from "sharp";
import { admin, openBooth, TEST_MS } from "./admin-world.ts";
import { store, withDb } from "./leads-world.ts";
import { fixture, type Json, type World } from "./world.ts";

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const titles = { title_ru: "Пират", title_uz: "Qaroqchi", title_en: "Pirate" };
const pirate = { id: "pirate", ...titles, prompt: "a pirate coat", colours: ["#AA2211"] };

let world: World;
beforeAll(async () => {
  world = await openBooth({ bot: false });
}, TEST_MS);
afterAll(() => world[Symbol.asyncDispose]());

const trail = async (): Promise<Json[]> => (await admin(world, "GET audit")).body.entries;
const cards = async (): Promise<string[]> =>
  (await world.call("/templates?lang=en")).body.map((card: { title: string }) => card.title);

describe("outfits", () => {
  test("one is added with a picture that is made small, has no metadata, and can be kept for ever", async () => {
    const { status, body } = await admin(world, "POST templates", {
      ...pirate,
      picture: base64(fixture("selfie.jpg")),
    });
    expect([status, body.id, body.colours, body.enabled]).toEqual([201, "pirate", ["#aa2211"], true]);
    expect(await cards()).toContain("Pirate");
    const response = await fetch(world.url + body.image_url);
    expect(response.headers.get("content-type")).toBe("image/webp");
    expect(response.headers.get("cache-control")).toContain("immutable");
    const picture = await sharp(await response.arrayBuffer()).metadata();
    expect(Math.max(picture.width, picture.height)).toBeLessThanOrEqual(800);
    expect(picture.exif).toBeUndefined();
    expect((await trail())[0]).toMatchObject({ action: "outfit added", target: "pirate", actor: "admin:operator" });
  });

  test("a picture that cannot be used is blamed, and nothing is saved", async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;
    const broken = [
      "not base64 at all!",
      base64(new TextEncoder().encode("text")),
      base64(new TextEncoder().encode(svg)),
      base64(fixture("selfie.jpg").subarray(0, 9000)),
      base64(
        new Uint8Array(
          await sharp({ create: { width: 20, height: 20, channels: 3, background: "red" } })
            .png()
            .toBuffer(),
        ),
      ),
    ];
    for (const picture of broken) {
      const { status, body } = await admin(world, "POST templates", { ...pirate, id: "ghost", picture });
      expect([status, Object.keys(body.fields)]).toEqual([422, ["picture"]]);
    }
    const { status } = await admin(world, "PUT templates/pirate", { title_en: "Lost", picture: broken[3] });
    expect(status).toBe(422);
    expect(world.rows("SELECT id FROM templates WHERE id = 'ghost' OR title_en = 'Lost'")).toEqual([]);
    const huge = await admin(world, "POST templates", {
      ...pirate,
      id: "ghost",
      picture: "A".repeat(15 * 1024 * 1024),
    });
    expect([huge.status, huge.body.error]).toEqual([413, "too_large"]);
  });

  test("each faulty field is named", async () => {
    const { status, body } = await admin(world, "POST templates", {
      id: "No Such Id",
      title_ru: "\u200b\u2800 ",
      title_uz: "x".repeat(41),
      prompt: "",
      colours: ["red"],
      enabled: "yes",
    });
    expect(status).toBe(422);
    expect(Object.keys(body.fields).sort()).toEqual([
      "colours",
      "enabled",
      "id",
      "prompt",
      "title_en",
      "title_ru",
      "title_uz",
    ]);
    expect((await admin(world, "POST templates", pirate)).body.error).toBe("conflict");
    expect((await admin(world, "PUT templates/nobody", { title_en: "X" })).status).toBe(404);
  });

  test("a save that changes nothing writes nothing", async () => {
    const before = await trail();
    const { body } = await admin(world, "PUT templates/pirate", { ...titles, prompt: "a pirate coat", version: 1 });
    expect([body.changed, body.version]).toEqual([false, 1]);
    expect(await trail()).toEqual(before);
  });

  test("of two who save the same version the second is told; what changed is in the log", async () => {
    const first = await admin(world, "PUT templates/pirate", { title_en: "Corsair", version: 1 });
    const second = await admin(world, "PUT templates/pirate", { title_en: "Buccaneer", version: 1 });
    expect([first.status, first.body.version, second.status, second.body.error]).toEqual([200, 2, 409, "conflict"]);
    expect((await trail())[0]).toMatchObject({ before: { title_en: "Pirate" }, after: { title_en: "Corsair" } });
  });

  test("order, off and on, and away", async () => {
    const ids = (await admin(world, "GET templates")).body.templates.map((t: { id: string }) => t.id);
    await admin(world, "POST templates/order", { ids: [...ids].reverse() });
    expect((await cards())[0]).toBe("Corsair");
    expect((await admin(world, "POST templates/order", { ids: ids.slice(1) })).status).toBe(409);
    await admin(world, "PUT templates/pirate", { enabled: false });
    expect(await cards()).not.toContain("Corsair");
    expect((await admin(world, "DELETE templates/pirate")).body.deleted).toBe("pirate");
    expect((await admin(world, "DELETE templates/pirate")).status).toBe(404);
    expect((await trail())[0]).toMatchObject({ action: "outfit deleted", before: { title_en: "Corsair" } });
  });

  test("the last outfit stays on", async () => {
    const ids = (await admin(world, "GET templates")).body.templates.map((t: { id: string }) => t.id);
    for (const id of ids.slice(1))
      expect((await admin(world, `PUT templates/${id}`, { enabled: false })).status).toBe(200);
    expect((await admin(world, `PUT templates/${ids[0]}`, { enabled: false })).body.error).toBe("conflict");
    expect((await admin(world, `DELETE templates/${ids[0]}`)).body.error).toBe("conflict");
    for (const id of ids) await admin(world, `PUT templates/${id}`, { enabled: true });
  });
});

describe("settings", () => {
  test("hold at once in both processes, are logged, and go back to the environment's", async () => {
    const { body } = await admin(world, "GET settings");
    const saved = await admin(world, "PUT settings", { PACK_LIMIT: 9, DAILY_BUDGET_USD: 2.5, version: body.version });
    expect([saved.status, saved.body.changed]).toEqual([200, true]);
    expect((await trail())[0]).toMatchObject({
      action: "settings",
      before: { PACK_LIMIT: 3, DAILY_BUDGET_USD: 0 },
      after: { PACK_LIMIT: 9, DAILY_BUDGET_USD: 2.5 },
    });
    expect((await admin(world, "GET overview")).body.budget.limit_usd).toBe(2.5);
    const late = await admin(world, "PUT settings", { PACK_LIMIT: 4, version: body.version });
    expect([late.status, late.body.error]).toEqual([409, "conflict"]);
    const same = await admin(world, "PUT settings", { PACK_LIMIT: 9 });
    expect(same.body.changed).toBe(false);
    await admin(world, "PUT settings", { PACK_LIMIT: null, DAILY_BUDGET_USD: null });
    const after = (await admin(world, "GET settings")).body.settings;
    expect(after.every((s: { own: boolean }) => !s.own)).toBe(true);
  });

  test("what breaks a rule is named and nothing is saved", async () => {
    const { status, body } = await admin(world, "PUT settings", {
      PACK_LIMIT: -1,
      DIGEST_HOUR: 4.5,
      SESSION_TTL_MINUTES: 5,
    });
    expect([status, Object.keys(body.fields).sort()]).toEqual([422, ["DIGEST_HOUR", "PACK_LIMIT"]]);
    for (const wrong of [{ BOT_TOKEN: "1:x" }, { PACK_LIMIT: "5" }, { PACK_LIMIT: true }, { DATA_DIR: null }])
      expect((await admin(world, "PUT settings", wrong)).status).toBe(422);
    // As JSON may have it: a name like any other, and no setting.
    const odd = await admin(world, "PUT settings", JSON.parse('{"PACK_LIMIT":5,"__proto__":0}'));
    expect([odd.status, JSON.stringify(odd.body.fields)]).toEqual([
      422,
      '{"__proto__":"cannot be changed while the booth runs"}',
    ]);
    expect(world.rows("SELECT * FROM settings WHERE name = 'overrides'")).toEqual([]);
  });

  test("no secret is ever sent", async () => {
    const pages = ["settings", "overview", "audit", "jobs", "kiosks"];
    const sent = await Promise.all(pages.map(async (path) => JSON.stringify((await admin(world, `GET ${path}`)).body)));
    for (const secret of [world.sim.token, "test-gemini-key", "test-openai-key", "correct horse"])
      expect(sent.join("\n")).not.toContain(secret);
    const { fixed } = (await admin(world, "GET settings")).body;
    expect(fixed.find((s: { name: string }) => s.name === "GEMINI_API_KEY")).toEqual({
      name: "GEMINI_API_KEY",
      description: expect.any(String),
      secret: true,
      set: true,
    });
  });
});

test("a lead's status is set once, by the machine's rules, and logged", async () => {
  const number = withDb(world, (db) => store(db));
  const set = (status: string) => admin(world, `POST leads/${number}/status`, { status });
  expect((await set("won")).body).toMatchObject({ status: "won", status_by: "operator" });
  const before = await trail();
  expect(before[0]).toMatchObject({ action: "lead", target: `lead ${number}`, before: { status: "new" } });
  expect((await set("won")).status).toBe(200);
  expect(await trail()).toEqual(before);
  expect((await set("lost")).body.error).toBe("wrong_status");
  expect((await set("new")).body.status).toBe("new");
  expect((await set("eaten")).status).toBe(422);
  expect((await admin(world, "POST leads/999999/status", { status: "won" })).status).toBe(404);
});
