/** Whatever is sent to the api: never a 500, never silence, errors in the contract's form, and nothing grows by it. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import sharp from "sharp";
import { goodCalls, lead, likedBy, likedByAll, likedRoutes } from "./fuzz-calls.ts";
import { attack, grown } from "./fuzz-judge.ts";
import { json, openApi } from "./fuzz-server.ts";
import { anything, FUZZ_MS, jsonText, near, text } from "./fuzz-tools.ts";

setDefaultTimeout(FUZZ_MS);

const { app, db, dataDir, asked, counted, holdings, judged, now, close } = openApi();
afterAll(close);

const selfie = await sharp(join(import.meta.dir, "fixtures/selfie.jpg"))
  .resize(140)
  .jpeg()
  .toBuffer();
const calls = goodCalls({ db, dataDir, now }, selfie.toString("base64"));

const routes = app.routes
  .map(({ method, path }) => ({ method, path, name: `${method} ${path}` }))
  // What takes a photo is fuzz-uploads.test.ts's.
  .filter(({ method, path }) => method !== "GET" && !path.endsWith("/photo"));

test("every route that takes JSON has a call that it likes", () => {
  expect(routes.map(({ name }) => name).sort()).toEqual([...likedRoutes].sort());
});

/** Stand for a visit that waits for its photo, and for what the route's good call is about. */
const [VISIT, LIVE] = ["a visit", "live"];
const CALLS = 480;
/**
 * So many of a route's calls at least have to be good ones: only then is what each of them leaves behind above what the
 * judge allows a run. Usual are 55 to 85 of a hundred.
 */
const GOOD = 0.45;

test.each(routes)("$name takes any JSON, and what is nearly JSON", async ({ method, path, name }) => {
  const good = likedBy(name) ?? {};
  const others = fc.oneof(fc.constantFrom(VISIT, "1", "astronaut", "-1", "999999999999999999999"), text);
  const parameter = fc.oneof({ weight: 8, arbitrary: fc.constant(LIVE) }, { weight: 1, arbitrary: others });
  const body = fc.oneof(
    { weight: 6, arbitrary: fc.constant(JSON.stringify(good)) },
    { weight: 3, arbitrary: jsonText(good) },
    { weight: 1, arbitrary: jsonText(likedByAll) },
  );
  let [all, done] = [0, 0];
  await attack(
    fc.asyncProperty(parameter, body, async (given, sent) => {
      const live = calls.make(name);
      const value = given === LIVE ? live : given === VISIT ? calls.openVisit() : given;
      const where = path.replace(/:[^/]+/g, () => encodeURIComponent(value.toWellFormed()) || "x").replace("*", "x");
      const { status } = await judged(method, where, json(calls.filled(name, sent)));
      all += 1;
      if (status < 300) done += 1;
    }),
    CALLS,
  );
  expect(done / all).toBeGreaterThan(GOOD);
});

test("every address of every kind is answered, also with wild queries", async () => {
  const paths = app.routes.map(({ path }) => path);
  const query = fc.dictionary(fc.constantFrom("lang", "status", "before", "days", "limit", "q", "x"), text);
  const part = fc.oneof(text, fc.constantFrom("..", ".", "%", "%zz", "%ff", "a".repeat(3000)));
  const path = fc.oneof(
    fc.tuple(fc.constantFrom(...paths), part).map(([route, value]) => route.replace(/:[^/]+|\*/g, encoded(value))),
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
    fc.asyncProperty(
      door,
      fc.constantFrom(...callers),
      guess,
      jsonText(likedByAll),
      async (path, caller, wild, body) => {
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
      },
    ),
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
