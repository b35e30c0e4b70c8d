import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { AUTH, admin, openBooth, TEST_MS } from "./admin-world.ts";
import { withDb } from "./leads-world.ts";
import type { World } from "./world.ts";

const JOBS = 5000;
const SESSIONS = 20_000;
const LEADS = 10_000;
const LIMIT_MS = 50;
/** A busy machine may be slow a few times; a slow list is slow each time. */
const ROUNDS = 25;

/** A busy day: every fourth visit ends in a pack, some fail, all since this morning. */
const seed = (day: number) => `
  INSERT INTO users (id, first_name, lang, created_at, seen_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) SELECT i, 'Guest ' || i, 'ru', ${day}, ${day} FROM n;
  INSERT INTO sessions (token, status, kiosk, lang, user_id, template_id, problem, created_at, updated_at, expires_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${SESSIONS})
    SELECT printf('seeded-session-token-%08d', i), CASE i % 4 WHEN 0 THEN iif(i % 40 = 0, 'failed', 'done') WHEN 1 THEN 'expired' WHEN 2 THEN 'expired' ELSE 'blocked' END,
      'hall-' || (i % 3), 'ru', 1 + i % 4000, 'chef', 'timeout', ${day} + i * 1000, ${day} + i * 1000, ${day} FROM n;
  INSERT INTO history (machine, subject, before, after, actor, reason, at)
    SELECT 'sessions', s.token, m.before, m.after, 'kiosk', NULL, s.created_at FROM sessions s,
      (SELECT NULL AS before, 'created' AS after, 0 AS k UNION ALL SELECT 'created', 'linked', 1 UNION ALL SELECT 'linked', 'consented', 2
       UNION ALL SELECT 'consented', 'template_chosen', 3 UNION ALL SELECT 'template_chosen', 'photo_taken', 4 UNION ALL SELECT 'photo_taken', 'done', 5) m
    ORDER BY s.rowid, m.k;
  INSERT INTO jobs (session_token, user_id, template_id, lang, status, problem, selfie, sheet_by, created_at, updated_at, started_at, finished_at)
    SELECT token, user_id, 'chef', 'ru', status, iif(status = 'failed', 'bad_sheet', NULL), 'selfie.jpg', 'gemini', created_at, updated_at, created_at + 500, created_at + 40000
    FROM sessions WHERE status IN ('done', 'failed');
  INSERT INTO history (machine, subject, before, after, actor, at)
    SELECT 'jobs', CAST(j.id AS TEXT), m.before, m.after, 'worker', j.created_at FROM jobs j,
      (SELECT NULL AS before, 'queued' AS after UNION ALL SELECT 'queued', 'running' UNION ALL SELECT 'running', 'delivering') m;
  INSERT INTO steps (job_id, attempt, name, outcome, at, ms)
    SELECT j.id, 1, m.name, 'ok', j.created_at, 900 FROM jobs j, (SELECT 'selfie' AS name UNION ALL SELECT 'draw' UNION ALL SELECT 'check' UNION ALL SELECT 'cut') m;
  INSERT INTO ai_usage (job_id, provider, model, purpose, outcome, input_tokens, output_tokens, images, usd, ms, at)
    SELECT j.id, m.provider, 'model', m.purpose, 'ok', 100, 100, 1, 0.02, 900, j.created_at FROM jobs j,
      (SELECT 'gemini' AS provider, 'selfie' AS purpose UNION ALL SELECT 'gemini', 'draw' UNION ALL SELECT 'openai', 'sheet') m;
  INSERT INTO packs (job_id, user_id, name, title, stickers, decided_at, created_at)
    SELECT id, user_id, 'booth_' || id || '_x_by_bot', 'Pack', 9, created_at, created_at FROM jobs WHERE status = 'done';
  INSERT INTO leads (request_id, status, name, contact, comment, locale, source, status_at, queued_at, published_at, next_publish_at, created_at, updated_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${LEADS})
    SELECT 'request-' || i, CASE i % 5 WHEN 0 THEN 'new' WHEN 1 THEN 'in_progress' WHEN 2 THEN 'won' WHEN 3 THEN 'lost' ELSE 'spam' END,
      '=cmd|calc', '+998 90 ' || i, '<img src=x onerror=alert(1)>', 'ru', 'insta', ${day}, ${day}, ${day}, ${day}, ${day}, ${day} FROM n;
  INSERT INTO audit_log (at, actor, action, target, before, after)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT ${day} + i, 'admin:operator', 'pause', '', '{"open":true}', '{}' FROM n;
  INSERT INTO kiosks (id, camera, first_at, seen_at) VALUES ('hall-1', 'ok', ${day}, ${day});
`;

describe("lists over a full database", () => {
  let world: World;
  beforeAll(async () => {
    world = await openBooth({ bot: false, env: { DAY_STARTS_HOUR: "0", TZ_NAME: "UTC" } });
    withDb(world, (db) => db.run(seed(new Date().setUTCHours(0, 0, 0, 0))));
  }, TEST_MS);
  afterAll(() => world[Symbol.asyncDispose]());

  const lists = [
    "overview",
    "jobs",
    "jobs?status=done",
    "jobs?status=failed&before=2500",
    "jobs?search=Guest%2012",
    "jobs/2500",
    "sessions",
    "sessions?before=10000",
    "sessions?status=blocked",
    "leads",
    "leads?status=won",
    "leads?status=new&before=5000",
    "costs",
    "costs?days=92",
    "audit",
    "audit?before=1000",
    "kiosks",
    "templates",
    "settings",
  ];

  test(
    `each answers within ${LIMIT_MS} ms at its best of ${ROUNDS}`,
    async () => {
      const slow: string[] = [];
      for (const list of lists) {
        const times: number[] = [];
        for (let i = 0; i < ROUNDS && !times.some((ms) => ms <= LIMIT_MS); i++) {
          const started = performance.now();
          const { status } = await admin(world, `GET ${list}`);
          times.push(performance.now() - started);
          expect([list, status]).toEqual([list, 200]);
        }
        const best = Math.min(...times);
        if (best > LIMIT_MS) slow.push(`${list}: ${best.toFixed(0)} ms`);
      }
      expect(slow).toEqual([]);
    },
    TEST_MS,
  );

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
    expect(body).toMatchObject({ timezone: "UTC", lang: "en" });
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
