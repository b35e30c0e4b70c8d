/** What lists hold, over a full database. How SQLite finds it is asked in admin-plans.test.ts, how long it takes by `bun run bench`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { JOBS, LEADS, SESSIONS, seed } from "./admin-seed.ts";
import { AUTH, admin, openBooth, TEST_MS } from "./admin-world.ts";
import { withDb } from "./leads-world.ts";
import type { World } from "./world.ts";
import { EVENING_HOUR, evening } from "./zones.ts";

const HOUR_MS = 3_600_000;

describe("lists over a full database", () => {
  const zone = evening();
  let world: World;
  beforeAll(async () => {
    const thisHour = new Date().setUTCMinutes(0, 0, 0);
    world = await openBooth({ bot: false, env: { DAY_STARTS_HOUR: "0", TZ_NAME: zone } });
    withDb(world, (db) => db.run(seed(thisHour - EVENING_HOUR * HOUR_MS)));
  }, TEST_MS);
  afterAll(() => world[Symbol.asyncDispose]());

  test("pages follow each other without a gap or a repeat", async () => {
    for (const [list, rows, key] of [
      ["jobs?status=failed", "jobs", "id"],
      ["sessions?status=blocked", "sessions", "number"],
      ["leads?status=won", "leads", "number"],
      ["audit?", "entries", "id"],
    ] as const) {
      const first = (await admin(world, `GET ${list}`)).body;
      const second = (await admin(world, `GET ${list}&before=${first.next_before}`)).body;
      const keys = [...first[rows], ...second[rows]].map((row) => row[key]);
      expect(keys.length).toBe(100);
      expect(keys).toEqual([...new Set(keys)].sort((a, b) => b - a));
    }
  });

  test("the day's figures count what happened", async () => {
    const { body } = await admin(world, "GET overview");
    expect(body).toMatchObject({ timezone: zone, lang: "en" });
    expect(body.today).toMatchObject({ visits: SESSIONS, guests: 4000, median_seconds: 40 });
    expect(body.today.packs + body.today.failed).toBe(JOBS);
    const { funnel } = (await admin(world, "GET sessions")).body;
    expect(funnel.stages.map((s: { visits: number }) => s.visits)).toEqual(Array(6).fill(SESSIONS));
    const costs = (await admin(world, "GET costs?days=2")).body;
    expect(costs.total.usd).toBeCloseTo(JOBS * 3 * 0.02);
    expect(costs.total.by_provider.gemini).toBeCloseTo(JOBS * 2 * 0.02);
  });

  test("the table of leads is whole, and no cell of it is a formula", async () => {
    const response = await fetch(`${world.url}/admin/api/leads.csv`, { headers: { authorization: AUTH } });
    const text = await response.text();
    expect(response.headers.get("content-disposition")).toContain("leads.csv");
    const lines = text.trimEnd().split("\r\n");
    expect(lines.length).toBe(LEADS + 1);
    expect(lines[1]).toContain(`"'=cmd|calc","'+998 90 ${LEADS}"`);
    expect(text).not.toMatch(/(^|,|\n)"?[=+\-@]/);
  });

  test("a list that is asked for wrongly says what is wrong", async () => {
    for (const [list, field] of [
      ["jobs?status=lost", "status"],
      ["jobs?before=-1", "before"],
      ["jobs?before=1e3", "before"],
      [`jobs?search=${"x".repeat(65)}`, "search"],
      ["sessions?status=x", "status"],
      ["leads?status='--", "status"],
      ["costs?days=0", "days"],
      ["costs?days=1000", "days"],
      ["audit?before=x", "before"],
    ] as const) {
      const { status, body } = await admin(world, `GET ${list}`);
      expect([list, status, Object.keys(body.fields ?? {})]).toEqual([list, 422, [field]]);
    }
  });
});
