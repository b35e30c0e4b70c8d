/** Whatever is sent to the api: never a 500, never silence, errors in the contract's form, and nothing grows by it. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { takeLead } from "../shared/leads/intake.ts";
import { visitAtCamera } from "./fresh.ts";
import { json, openApi } from "./fuzz-server.ts";
import { anything, FUZZ_MS, jsonText, near, runs, text } from "./fuzz-tools.ts";

setDefaultTimeout(FUZZ_MS);

const { app, db, counted, judged, now, close } = openApi();
afterAll(close);

const lead = { name: "Aziz", contact: "@aziz", locale: "uz", event_type: "wedding", guests: 20, utm: { source: "x" } };

/** Fields that any of the bodies may have. */
const known = {
  request_id: crypto.randomUUID(),
  kiosk: "one",
  lang: "en",
  template_id: "chef",
  on: false,
  reason: "tea",
  status: "won",
  title_ru: "Повар",
  title_uz: "Oshpaz",
  title_en: "Chef",
  prompt: "a tall white hat",
  colours: ["#ffffff"],
  enabled: true,
  position: 1,
  version: 1,
  values: { PACK_LIMIT: 3 },
  ids: ["chef"],
  ...lead,
};

test("every route takes any JSON, and what is nearly JSON", async () => {
  const token = visitAtCamera(db, 7001, now());
  takeLead(
    db,
    { request_id: crypto.randomUUID(), name: "A", contact: "@aaa", locale: "uz" },
    { mark: "m", limit: 5 },
    now(),
  );
  const routes = app.routes
    .map(({ method, path }) => ({ method, path }))
    .filter(({ method, path }) => method !== "GET" && !path.endsWith("/photo"));
  expect(routes.length).toBeGreaterThan(5);
  const parameter = fc.oneof(fc.constantFrom(token, "1", "chef", "-1", "999999999999999999999"), text);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...routes), parameter, jsonText(known), async ({ method, path }, value, body) => {
      const filled = path.replace(/:[^/]+/g, () => encodeURIComponent(value.toWellFormed()) || "x").replace("*", "x");
      await judged(method, filled, json(body));
    }),
    runs(2500),
  );
});

test("every address of every kind is answered, also with wild queries", async () => {
  const routes = app.routes.map(({ path }) => path);
  const query = fc.dictionary(fc.constantFrom("lang", "status", "before", "days", "limit", "q", "x"), text);
  const part = fc.oneof(text, fc.constantFrom("..", ".", "%", "%zz", "%ff", "a".repeat(3000)));
  const path = fc.oneof(
    fc.tuple(fc.constantFrom(...routes), part).map(([route, value]) => route.replace(/:[^/]+|\*/g, encoded(value))),
    fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.map(encoded).join("/")}`),
  );
  const method = fc.constantFrom("GET", "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS");
  await fc.assert(
    fc.asyncProperty(method, path, query, async (verb, where, asked) => {
      await judged(verb, `${where}?${new URLSearchParams(asked)}`);
    }),
    runs(1500),
  );
});

const encoded = (value: string) => (/^[\w.%]*$/.test(value) ? value : encodeURIComponent(value.toWellFormed()));

test("wrong types, wild headers and broken lengths", async () => {
  const type = fc.constantFrom(
    "application/json",
    "text/plain",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "",
    "a/b;;=",
  );
  const path = fc.constantFrom("/session", "/leads", "/session/x/photo", "/session/x/expire", "/admin/api/maintenance");
  const value = fc.string({ maxLength: 100 }).map((s) => s.replace(/[^\x20-\x7e]/g, "").trim());
  await fc.assert(
    fc.asyncProperty(path, type, value, fc.uint8Array({ maxLength: 300 }), async (where, kind, wild, bytes) => {
      const more = {
        "x-forwarded-for": wild,
        cookie: wild,
        "x-kiosk-key": wild,
        "accept-language": wild,
        origin: wild,
      };
      await judged("POST", where, { body: Uint8Array.from(bytes), headers: { ...more, "content-type": kind } });
    }),
    runs(600),
  );
});

test("a request near a good one is stored whole or refused, each stored one once", async () => {
  let stored = counted("leads");
  await fc.assert(
    fc.asyncProperty(near({ ...lead, visitor_ip: "198.51.100.7" }), anything, async (body, comment) => {
      const sent = { request_id: crypto.randomUUID(), comment, ...body };
      const { status } = await judged("POST", "/leads", json(JSON.stringify(sent)));
      expect([200, 201, 415, 422, 429]).toContain(status);
      const isRobot = "website" in sent && sent.website;
      if (status === 201 && !isRobot) stored += 1;
      expect(counted("leads")).toBe(stored);
    }),
    runs(400),
  );
});
