import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { AUTH, admin, adminRoutesOf, basic, openBooth, PASSWORD, TEST_MS, USER } from "./admin-world.ts";
import { freshDb } from "./fresh.ts";
import { World } from "./world.ts";

/** Every address under /admin, with the method it takes. */
const routes = [
  "GET /admin",
  "GET /admin/",
  "GET /admin/page.js",
  "GET /admin/api/overview",
  "GET /admin/api/jobs",
  "GET /admin/api/jobs/1",
  "GET /admin/api/jobs/1/files/sheet-1-1.png",
  "POST /admin/api/jobs/1/retry",
  "POST /admin/api/jobs/1/cancel",
  "POST /admin/api/maintenance",
  "POST /admin/api/budget",
  "GET /admin/api/settings",
  "PUT /admin/api/settings",
  "GET /admin/api/templates",
  "POST /admin/api/templates",
  "PUT /admin/api/templates/chef",
  "DELETE /admin/api/templates/chef",
  "POST /admin/api/tryouts",
  "GET /admin/api/branding",
  "PUT /admin/api/branding",
  "POST /admin/api/templates/order",
  "GET /admin/api/tryouts/1",
  "GET /admin/api/tryouts/1/files/sheet.png",
  "GET /admin/api/leads",
  "GET /admin/api/leads.csv",
  "POST /admin/api/leads/1/status",
  "GET /admin/api/costs",
  "GET /admin/api/audit",
  "GET /admin/api/sessions",
  "GET /admin/api/kiosks",
  "DELETE /admin/api/kiosks/hall",
  "GET /admin/nothing/here",
];
test("no route is left out of this file", () => {
  using fresh = freshDb();
  const missing = adminRoutesOf(fresh.db).filter(({ method, path }) => {
    const pattern = new RegExp(`^${method} ${path.replace(/:[^/]+/g, "[^/]+").replace(/\*$/, ".+")}$`);
    return !routes.some((route) => pattern.test(route));
  });
  expect(missing).toEqual([]);
});

const changes = routes.filter((route) => !route.startsWith("GET"));

describe("the door of /admin", () => {
  let world: World;
  beforeAll(async () => {
    world = await openBooth({ bot: false });
  }, TEST_MS);
  afterAll(() => world[Symbol.asyncDispose]());

  const knock = (route: string, headers: Record<string, string> = {}, body?: string) => {
    const [method = "", path = ""] = route.split(" ");
    return world.call(path, { method, headers, body });
  };

  test("nothing opens without credentials, and the browser is told to ask for them", async () => {
    for (const route of routes) {
      const { status, body, headers } = await knock(route);
      expect([route, status, body.error]).toEqual([route, 401, "unauthorized"]);
      expect(headers.get("www-authenticate")).toContain("Basic realm=");
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });

  test("with credentials no route says 401, and none fails", async () => {
    for (const route of routes) {
      const json: Record<string, string> = route.startsWith("GET") ? {} : { "content-type": "application/json" };
      const { status } = await knock(
        route,
        { authorization: AUTH, ...json },
        route.startsWith("GET") ? undefined : "{}",
      );
      expect([route, status < 500 && status !== 401 && status !== 403]).toEqual([route, true]);
    }
  });

  test("a change that another site could have sent is refused, whatever its form, before it is read", async () => {
    const own = new URL(world.url).origin;
    const entries = () => world.rows("SELECT count(*) AS n FROM audit_log")[0].n;
    const before = entries();
    const foreign: [Record<string, string>, number][] = [
      [{ "content-type": "application/x-www-form-urlencoded", origin: "https://evil.example" }, 403],
      [{ "content-type": "application/json", origin: "https://evil.example" }, 403],
      [{ "content-type": "application/json", origin: "null" }, 403],
      [{ "content-type": "application/json", "sec-fetch-site": "cross-site", origin: own }, 403],
      [{ "content-type": "application/json", "sec-fetch-site": "same-site" }, 403],
      [{ "content-type": "text/plain", origin: own }, 415],
      [{ "content-type": "application/x-www-form-urlencoded", origin: own }, 415],
      [{ "content-type": "multipart/form-data; boundary=x" }, 415],
    ];
    for (const route of changes) {
      for (const [headers, expected] of foreign) {
        const { status } = await knock(route, { authorization: AUTH, ...headers }, "on=true");
        expect([route, headers, status]).toEqual([route, headers, expected]);
      }
    }
    expect((await knock("GET /health")).body.maintenance).toBe(false);
    expect(entries()).toBe(before);
  });

  test("a change at the booth's public address passes, though a proxy changed the host", async () => {
    const answer = await admin(
      world,
      "POST maintenance",
      { on: false },
      { origin: "http://127.0.0.1:1", host: "inside" },
    );
    expect(answer.status).toBe(200);
  });

  test("the page's own policy lets nothing run but its own files", async () => {
    const { status, headers } = await knock("GET /admin", { authorization: AUTH });
    expect(status).toBe(200);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
  });

  test("too large a body is refused by what it says of itself", async () => {
    const big = JSON.stringify({ reason: "x".repeat(70_000) });
    const { status } = await knock(
      "POST /admin/api/maintenance",
      { authorization: AUTH, "content-type": "application/json" },
      big,
    );
    expect(status).toBe(413);
  });

  test("other ways to write the address open nothing", async () => {
    for (const path of ["/%61dmin/api/overview", "//admin/api/overview", "/admin/../admin/api/overview", "/ADMIN"]) {
      const { status } = await world.call(path);
      expect([path, status === 401 || status === 404]).toEqual([path, true]);
    }
  });
});

test(
  "five wrong passwords lock an address out, the right one included, across a restart; others come in",
  async () => {
    await using world = await openBooth({ bot: false });
    const from = (address: string, authorization: string) =>
      world.call("/admin/api/overview", { headers: { authorization, "x-forwarded-for": address } });
    for (const wrong of [basic(USER, "x"), basic("x", PASSWORD), basic(USER, ""), basic("", ""), basic(USER, "y")])
      expect((await from("203.0.113.5", wrong)).status).toBe(401);
    const locked = await from("203.0.113.5", AUTH);
    expect([locked.status, locked.body.message]).toEqual([
      401,
      "Too many wrong passwords came from this address. Wait 15 minutes.",
    ]);
    const waitS = Number(locked.headers.get("retry-after"));
    expect([waitS > 14 * 60, waitS <= 15 * 60]).toEqual([true, true]);
    expect((await from("203.0.113.6", AUTH)).status).toBe(200);
    expect((await from("203.0.113.6", basic(USER, "x"))).headers.get("retry-after")).toBeNull();
    await world.api?.end();
    await world.startApi();
    expect((await from("203.0.113.5", AUTH)).status).toBe(401);
    const alerts = world.rows("SELECT payload FROM notices WHERE once LIKE 'alert:lockout:admin:%'");
    expect(alerts.length).toBe(1);
    expect(JSON.stringify(world.rows("SELECT * FROM lockouts"))).not.toContain("203.0.113");
  },
  TEST_MS,
);

test(
  "asking without a password counts as no guess",
  async () => {
    await using world = await openBooth({ bot: false });
    for (let i = 0; i < 10; i++) expect((await world.call("/admin")).status).toBe(401);
    expect((await admin(world, "GET overview")).status).toBe(200);
  },
  TEST_MS,
);

test(
  "without a user and a password there is no admin",
  async () => {
    await using world = await World.open({ bot: false });
    for (const route of routes) {
      const [method = "", path = ""] = route.split(" ");
      expect([route, (await world.call(path, { method, headers: { authorization: AUTH } })).status]).toEqual([
        route,
        404,
      ]);
    }
  },
  TEST_MS,
);
