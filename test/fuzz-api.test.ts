/** Whatever is sent to the api: never a 500, never silence, errors in the contract's form, and nothing grows by it. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { takeLead } from "../shared/leads/intake.ts";
import { visitAtCamera } from "./fresh.ts";
import { attack, grown } from "./fuzz-judge.ts";
import { json, openApi } from "./fuzz-server.ts";
import { anything, FUZZ_MS, jsonText, near, text } from "./fuzz-tools.ts";

setDefaultTimeout(FUZZ_MS);

const { app, db, asked, counted, holdings, judged, now, close } = openApi();
afterAll(close);

const lead = { name: "Aziz", contact: "@aziz", locale: "uz", event_type: "wedding", guests: 20, utm: { source: "x" } };
const outfit = {
  title_ru: "Повар",
  title_uz: "Oshpaz",
  title_en: "Chef",
  prompt: "a tall white hat",
  colours: ["#ffffff"],
  enabled: true,
  version: 1,
};
/** What each route likes to read. */
const liked: Record<string, Record<string, unknown>> = {
  "/session": { kiosk: "one", lang: "en" },
  "/session/:token/template": { template_id: "chef" },
  "/leads": { request_id: crypto.randomUUID(), ...lead },
  "/kiosk/heartbeat": { kiosk: "one", version: "1", screen: "start", camera: "ok", battery: 0.5, charging: true },
  "/admin/api/settings": { PACK_LIMIT: 3, DAILY_BUDGET_USD: 5, SESSION_TTL_MINUTES: 10, DIGEST_HOUR: 9 },
  "/admin/api/budget": { usd: 5 },
  "/admin/api/maintenance": { on: false, reason: "tea" },
  "/admin/api/leads/:number/status": { status: "won", seen: "new" },
  "/admin/api/templates": { id: "cook", ...outfit },
  "/admin/api/templates/:id": outfit,
  "/admin/api/templates/order": { ids: ["chef"] },
  "/admin/api/branding": {
    name: "Booth",
    welcome_en: "Hello",
    paper: "#ffffff",
    ink: "#000000",
    pin: "1234",
    version: 1,
  },
  "/admin/api/tryouts": { template_id: "chef", prompt: "a hat", photo: "AAAA" },
};
const all = Object.assign({}, ...Object.values(liked)) as Record<string, unknown>;
/** Stands for a visit that waits for its photo. */
const VISIT = "a visit";

test("every route takes any JSON, and what is nearly JSON", async () => {
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
  expect(Object.keys(liked).filter((path) => !routes.some((route) => route.path === path))).toEqual([]);
  const parameter = fc.oneof(fc.constantFrom(VISIT, "1", "astronaut", "-1", "999999999999999999999"), text);
  const call = fc
    .constantFrom(...routes)
    .chain((route) =>
      fc.tuple(fc.constant(route), parameter, fc.oneof(jsonText(liked[route.path] ?? all), jsonText(all))),
    );
  await attack(
    fc.asyncProperty(call, async ([{ method, path }, given, body]) => {
      const value = given === VISIT ? openVisit() : given;
      const filled = path.replace(/:[^/]+/g, () => encodeURIComponent(value.toWellFormed()) || "x").replace("*", "x");
      await judged(method, filled, json(body));
    }),
    2500,
  );
});

let token = "";
let guest = 7000;
/** Its time never runs out: whoever looks at an overdue visit closes it, a row in `history`, also when refused. */
function openVisit(): string {
  const stay = db.query("UPDATE sessions SET expires_at = ? WHERE token = ? AND status = 'template_chosen'");
  const never = Date.parse("2100-01-01");
  if (stay.run(never, token).changes === 0) {
    token = visitAtCamera(db, ++guest, now());
    stay.run(never, token);
  }
  return token;
}

test("every address of every kind is answered, also with wild queries", async () => {
  const routes = app.routes.map(({ path }) => path);
  const query = fc.dictionary(fc.constantFrom("lang", "status", "before", "days", "limit", "q", "x"), text);
  const part = fc.oneof(text, fc.constantFrom("..", ".", "%", "%zz", "%ff", "a".repeat(3000)));
  const path = fc.oneof(
    fc.tuple(fc.constantFrom(...routes), part).map(([route, value]) => route.replace(/:[^/]+|\*/g, encoded(value))),
    fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.map(encoded).join("/")}`),
  );
  const method = fc.constantFrom("GET", "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS");
  await attack(
    fc.asyncProperty(method, path, query, async (verb, where, asked) => {
      await judged(verb, `${where}?${new URLSearchParams(asked)}`);
    }),
    1500,
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
  await attack(
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
    600,
  );
});

test("a request near a good one is stored whole or refused, each stored one once", async () => {
  let stored = counted("leads");
  await attack(
    fc.asyncProperty(near({ ...lead, visitor_ip: "198.51.100.7" }), anything, async (body, comment) => {
      const sent = { request_id: crypto.randomUUID(), comment, ...body };
      const { status } = await judged("POST", "/leads", json(JSON.stringify(sent)));
      expect([200, 201, 415, 422, 429]).toContain(status);
      const isRobot = "website" in sent && sent.website;
      if (status === 201 && !isRobot) stored += 1;
      expect(counted("leads")).toBe(stored);
    }),
    400,
  );
});

test("whoever guesses at a secret is refused, and fills the tables of the locked out no further than callers are many", async () => {
  const callers = ["198.51.100.1", "198.51.100.2", "2001:db8::3", "x".repeat(500)];
  const began = now();
  const before = holdings();
  const door = fc.constantFrom("/leads", "/admin", "/admin/api/overview", "/admin/api/settings");
  const guess = fc.string({ maxLength: 80 }).map((s) => s.replace(/[^\x20-\x7e]/g, "").trim());
  await attack(
    fc.asyncProperty(door, fc.constantFrom(...callers), guess, jsonText(all), async (path, caller, wild, body) => {
      const { status } = await asked("POST", path, {
        body,
        headers: {
          "content-type": "application/json",
          "x-forwarded-for": caller,
          "x-stickers-leads-secret": wild,
          authorization: `Basic ${btoa(wild)}`,
        },
      });
      expect(status).toBe(401);
    }),
    600,
  );
  const { lockouts = 0, alerts = 0, notices = 0, settings = 0, ...others } = grown(before, holdings());
  expect(others).toEqual({});
  const doors = 2;
  expect(lockouts).toBeLessThanOrEqual(doors * callers.length);
  expect(alerts).toBeLessThanOrEqual(doors);
  // The operators hear of each door at most once an hour.
  expect(notices).toBeLessThanOrEqual(doors * Math.ceil((now() - began) / 3_600_000));
  // In which language they were told.
  expect(settings).toBeLessThanOrEqual(1);
});
