/** Every change that operators can make is in the audit log: who, what, before and after, and as a sentence. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { auditDetails, auditWords, type Detail } from "../shared/admin/audit-words.ts";
import { noteKiosk } from "../shared/kiosks.ts";
import { admin, adminRoutesOf, openBooth, TEST_MS, USER } from "./admin-world.ts";
import { freshDb } from "./fresh.ts";
import { store, withDb } from "./leads-world.ts";
import { fixture, type Json, type World } from "./world.ts";

const picture = () => Buffer.from(fixture("selfie.jpg")).toString("base64");
const words = { title_ru: "Кот", title_uz: "Mushuk", title_en: "Cat", prompt: "a cat's costume" };

/**
 * One change for each route of `/admin/api` that changes something, in this order: what is asked, and what the log then
 * says. A route that is missing here fails the first test.
 */
type Change = { ask: string; body?: unknown; before: unknown; after: unknown; words: string; details?: Detail[] };
const changes: Record<string, Change> = {
  "POST /admin/api/maintenance": {
    ask: "POST maintenance",
    body: { on: true, reason: "rain" },
    before: { open: true },
    after: expect.objectContaining({ reason: "rain" }),
    words: "The booth was paused: rain.",
  },
  "POST /admin/api/budget": {
    ask: "POST budget",
    body: { usd: 20 },
    before: 10,
    after: 20,
    words: "Today's AI budget was changed from $10.00 to $20.00.",
  },
  "PUT /admin/api/settings": {
    ask: "PUT settings",
    body: { PACK_LIMIT: 5 },
    before: { PACK_LIMIT: 3 },
    after: { PACK_LIMIT: 5 },
    words: "Settings were changed: PACK_LIMIT from 3 to 5.",
  },
  "POST /admin/api/templates": {
    ask: "POST templates",
    body: { id: "cat", ...words },
    before: null,
    after: expect.objectContaining({ title_en: "Cat" }),
    words: "The outfit “cat” was added.",
    details: [
      { name: "Russian title", before: null, after: "Кот" },
      { name: "Uzbek title", before: null, after: "Mushuk" },
      { name: "English title", before: null, after: "Cat" },
      { name: "prompt", before: null, after: words.prompt },
    ],
  },
  "PUT /admin/api/templates/:id": {
    ask: "PUT templates/cat",
    body: { title_en: "Kitten", prompt: "a kitten" },
    before: { title_en: "Cat", prompt: words.prompt },
    after: { title_en: "Kitten", prompt: "a kitten" },
    words: "The outfit “cat” was changed: English title, prompt.",
    details: [
      { name: "English title", before: "Cat", after: "Kitten" },
      { name: "prompt", before: words.prompt, after: "a kitten" },
    ],
  },
  "POST /admin/api/templates/order": {
    ask: "POST templates/order",
    body: () => ({ ids: outfitIds().reverse() }),
    before: expect.arrayContaining(["cat", "chef"]),
    after: expect.arrayContaining(["cat", "chef"]),
    words: "The outfits were put into another order.",
    details: [
      { name: "", before: expect.stringMatching(/chef.+, cat$/), after: expect.stringMatching(/^cat, .+chef/) },
    ],
  },
  "POST /admin/api/tryouts": {
    ask: "POST tryouts",
    body: () => ({ template_id: "cat", photo: picture() }),
    before: null,
    after: { prompt: "a kitten" },
    words: "The outfit “cat” was tried on a photo.",
    details: [{ name: "prompt", before: null, after: "a kitten" }],
  },
  "DELETE /admin/api/templates/:id": {
    ask: "DELETE templates/cat",
    before: expect.objectContaining({ title_en: "Kitten" }),
    after: null,
    words: "The outfit “cat” was deleted.",
    details: [
      { name: "Russian title", before: "Кот", after: null },
      { name: "Uzbek title", before: "Mushuk", after: null },
      { name: "English title", before: "Kitten", after: null },
      { name: "prompt", before: "a kitten", after: null },
    ],
  },
  "PUT /admin/api/branding": {
    ask: "PUT branding",
    body: { name: "Anna & Timur", pin: "1234" },
    before: expect.objectContaining({ name: null, pin: null }),
    after: expect.objectContaining({ name: "Anna & Timur", pin: "set" }),
    words: "The kiosks' look was changed: the event's name, PIN.",
    details: [
      { name: "the event's name", before: null, after: "Anna & Timur" },
      { name: "PIN", before: null, after: "set" },
    ],
  },
  "POST /admin/api/leads/:number/status": {
    ask: "POST leads/1/status",
    body: { status: "in_progress" },
    before: { status: "new" },
    after: { status: "in_progress" },
    words: "Lead 1 was changed from new to in progress.",
  },
  "DELETE /admin/api/kiosks/:id": {
    ask: "DELETE kiosks/hall",
    before: expect.objectContaining({ screen: "start" }),
    after: null,
    words: "Kiosk hall was taken off the list.",
  },
  "POST /admin/api/jobs/:id/retry": {
    ask: "POST jobs/1/retry",
    before: { status: "failed", problem: "bad_sheet" },
    after: { status: "queued" },
    words: "Pack 1 was given another try.",
  },
  "POST /admin/api/jobs/:id/cancel": {
    ask: "POST jobs/1/cancel",
    before: { status: "queued" },
    after: { status: "cancelled" },
    words: "Pack 1 was stopped.",
  },
};

let world: World;
beforeAll(async () => {
  world = await openBooth({ env: { DAILY_BUDGET_USD: "10" } });
  const token = await world.visit(7001);
  world.sim.models.sheet = { usable: false, problem: "distorted", stickers: [] };
  await world.sendPhoto(token, world.selfie());
  await world.reaches(token, "failed");
  await world.bot?.end();
  withDb(world, (db) => {
    store(db);
    noteKiosk(db, { kiosk: "hall", screen: "start" }, Date.now());
  });
}, TEST_MS);
afterAll(() => world[Symbol.asyncDispose]());

const outfitIds = (): string[] => world.rows("SELECT id FROM templates ORDER BY position").map(({ id }: Json) => id);
const newest = async (): Promise<Json> => (await admin(world, "GET audit")).body.entries[0] ?? { id: 0 };

test("no route that changes something is left out of this file", () => {
  using fresh = freshDb();
  const mutating = adminRoutesOf(fresh.db)
    .filter(({ method }) => method !== "GET" && method !== "HEAD")
    .map(({ method, path }) => `${method} ${path}`);
  expect(mutating.sort()).toEqual(Object.keys(changes).sort());
});

test(
  "each leaves one entry with who, what, before, after and its sentence, and none when it is said again",
  async () => {
    for (const [route, { ask, body, before, after, words: sentence, details = [] }] of Object.entries(changes)) {
      const last = await newest();
      const given = typeof body === "function" ? body() : body;
      const { status } = await admin(world, ask, given);
      expect([route, status < 300]).toEqual([route, true]);
      const { entries } = (await admin(world, "GET audit")).body;
      const fresh = entries.filter((entry: Json) => entry.id > last.id);
      expect([route, fresh.map((entry: Json) => entry.words)]).toEqual([route, [sentence]]);
      expect([route, fresh[0].who, fresh[0].details]).toEqual([route, USER, details]);
      expect([route, fresh[0].actor, fresh[0].before, fresh[0].after]).toEqual([route, `admin:${USER}`, before, after]);
      // A try-out is drawn anew each time, and is a change each time.
      if (route.endsWith("/tryouts")) continue;
      await admin(world, ask, given);
      expect([route, (await newest()).id]).toEqual([route, fresh[0].id]);
    }
  },
  TEST_MS,
);

test("a setting that is given back tells what holds then, and one that holds already is no change", async () => {
  await admin(world, "PUT settings", { PACK_LIMIT: null });
  expect(await newest()).toMatchObject({
    before: { PACK_LIMIT: 5 },
    after: { PACK_LIMIT: 3 },
    words: "Settings were changed: PACK_LIMIT from 5 to 3.",
  });
  const { id } = await newest();
  const { body } = await admin(world, "PUT settings", { PACK_LIMIT: 3, DIGEST_HOUR: 9 });
  expect([body.changed, (await newest()).id]).toEqual([false, id]);
});

test("another PIN is a change of the PIN, and tells nothing of it", async () => {
  await admin(world, "PUT branding", { pin: "5678" });
  const { words, details, before, after } = await newest();
  expect([words, details]).toEqual(["The kiosks' look was changed: PIN.", []]);
  expect([before.pin, after.pin]).toEqual(["set", "set anew"]);
});

test("an entry of another release stands for itself", () => {
  const plain = { action: "party", target: "hall", before: null, after: "x" };
  expect(auditWords(plain, "en")).toBe("party hall");
  expect(auditDetails(plain, "en")).toEqual([{ name: "", before: null, after: "x" }]);
  const changed = (action: string, before: object, after: object) =>
    auditDetails({ action, target: "", before, after }, "en").map((one) => [one.name, one.before, one.after]);
  const [outfit, look] = ["outfit changed", "kiosks' look"];
  expect(changed(outfit, { colours: "[]" }, { colours: '["red","#fff"]' })).toEqual([["colours", null, "red, #fff"]]);
  expect(changed(look, { colours: null }, { colours: { paper: "#fff", ink: "#000" } })).toEqual([
    ["colours", null, "#fff, #000"],
  ]);
  expect(changed(look, { pin: "set", logo: null }, { pin: null, logo: "a.png" })).toEqual([
    ["PIN", "set", null],
    ["logo", null, "set"],
  ]);
  // Another picture is named, and no more can be said of it.
  expect(changed(look, { pin: "set" }, { pin: "set anew" })).toEqual([]);
  expect(changed(look, { logo: "a.png" }, { logo: "b.png" })).toEqual([]);
  expect(changed(outfit, { enabled: 1 }, { enabled: 0 })).toEqual([]);
  expect(changed(outfit, { enabled: 1, prompt: "a" }, { enabled: 0, prompt: "b" })).toEqual([
    ["on the kiosk", "shown", "hidden"],
    ["prompt", "a", "b"],
  ]);
  expect(
    auditWords({ action: "settings", target: "", before: { PACK_LIMIT: null }, after: { PACK_LIMIT: 5 } }, "en"),
  ).toBe("Settings were changed: PACK_LIMIT from the server's value to 5.");
  const odd = ["__proto__", null, 7, "x", '["', [], { toString: 1 }, [{ toString: 1 }], { colours: "[" }] as const;
  for (const action of ["pause", "lead", "outfit changed", "kiosks' look", "budget", "settings", "party"])
    for (const value of [...odd, { status: odd[6] }, { [odd[0]]: 1, constructor: 2, toString: 3 }]) {
      for (const entry of [
        { action, target: "", before: value, after: value },
        { action, target: "", before: null, after: value },
      ]) {
        expect(auditWords(entry, "en")).not.toContain("native code");
        for (const { name } of auditDetails(entry, "en")) expect(name).toBeString();
      }
    }
});
