import { describe, expect, test } from "bun:test";
import { watchStates } from "../shared/admin/states.ts";
import { alertOperators, tellTogether } from "../shared/alerts.ts";
import { budgetOf, isHeld, setTodaysBudget } from "../shared/budget.ts";
import { openDb } from "../shared/db.ts";
import { eraseGuest } from "../shared/erase.ts";
import { claimJob } from "../shared/jobs.ts";
import { noteUsage } from "../shared/usage.ts";
import { admin, openBooth, TEST_MS } from "./admin-world.ts";
import { freshConfig, freshDb, NOON, visitInQueue } from "./fresh.ts";
import { textsIn, withDb } from "./leads-world.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const config = freshConfig({ DAILY_BUDGET_USD: "10" });
const spend = (db: Parameters<typeof noteUsage>[0], usd: number, at: number) =>
  noteUsage(db, {
    job_id: null,
    provider: "gemini",
    model: "m",
    purpose: "draw",
    outcome: "ok",
    reason: null,
    input_tokens: 0,
    output_tokens: 0,
    images: 1,
    usd,
    ms: 1,
    at,
  });
const said = (db: ReturnType<typeof freshDb>["db"]) =>
  (db.query("SELECT payload FROM notices ORDER BY id").all() as { payload: string }[]).map(
    ({ payload }) => JSON.parse(payload).text as string,
  );

describe("the day's budget", () => {
  test("holds when it is reached, for this day alone", () => {
    using fresh = freshDb();
    spend(fresh.db, 9.99, NOON);
    expect(isHeld(fresh.db, config, NOON)).toBe(false);
    spend(fresh.db, 0.01, NOON);
    expect(isHeld(fresh.db, config, NOON)).toBe(true);
    expect(isHeld(fresh.db, config, NOON + DAY)).toBe(false);
    expect(isHeld(fresh.db, freshConfig(), NOON)).toBe(false);
  });

  test("an evening past midnight is one day, by DAY_STARTS_HOUR", () => {
    using fresh = freshDb();
    // 23:30 and 02:30 in Tashkent; at 06:00 the next day begins.
    const evening = Date.parse("2026-06-15T18:30:00Z");
    spend(fresh.db, 6, evening);
    spend(fresh.db, 5, evening + 180 * MINUTE);
    expect(budgetOf(fresh.db, config, evening + 200 * MINUTE)).toMatchObject({
      spent: 11,
      held: true,
      day: "2026-06-15",
    });
    expect(budgetOf(fresh.db, config, evening + 391 * MINUTE)).toMatchObject({
      spent: 0,
      held: false,
      day: "2026-06-16",
    });
  });

  test("an operator's word for today lifts it, changes nothing twice, and ends with the day", () => {
    using fresh = freshDb();
    spend(fresh.db, 12, NOON);
    const raise = (usd: number | null) =>
      setTodaysBudget(fresh.db, config, { usd, actor: "operator:1 Ann", now: NOON });
    expect([raise(20), raise(20)]).toEqual([true, false]);
    expect(budgetOf(fresh.db, config, NOON)).toMatchObject({ limit: 20, held: false, raisedBy: "operator:1 Ann" });
    expect(budgetOf(fresh.db, config, NOON + DAY).limit).toBe(10);
    expect([raise(null), raise(null)]).toEqual([true, false]);
    expect(budgetOf(fresh.db, config, NOON)).toMatchObject({ limit: 0, held: false, raisedBy: "operator:1 Ann" });
    // What the settings say is no raise: they hold again.
    expect([raise(10), raise(10)]).toEqual([true, false]);
    expect(budgetOf(fresh.db, config, NOON)).toMatchObject({ limit: 10, held: true, raisedBy: null });
    expect(fresh.db.query("SELECT before, after FROM audit_log ORDER BY id").all()).toEqual([
      { before: "10", after: "20" },
      { before: "20", after: "null" },
      { before: "null", after: "10" },
    ]);
  });

  test("nothing, less and too much are refused with a sentence", () => {
    using fresh = freshDb();
    for (const usd of [0, -1, Number.NaN, 100_001]) {
      const set = () => setTodaysBudget(fresh.db, config, { usd, actor: "operator:1 Ann", now: NOON });
      expect(set).toThrow(usd === 0 ? "To stop spending pause the booth" : "cannot be set");
    }
    expect(fresh.db.query("SELECT * FROM audit_log").all()).toEqual([]);
  });
});

test(
  "a used-up budget holds the queue; each mark is told once; a raise lets it go on",
  async () => {
    // One drawing costs about five cents.
    await using world = await openBooth({ env: { DAILY_BUDGET_USD: "0.06" } });
    const heard = (pattern: RegExp) =>
      textsIn(world, world.sim.operatorsChatId).filter((text) => pattern.test(text)).length;
    const hears = (pattern: RegExp) =>
      world.sim.until(() => heard(pattern) > 0, String(pattern), { timeoutMs: 20_000 });
    const first = await world.visit(7001);
    await world.sendPhoto(first, world.selfie());
    await world.reaches(first, "done");
    await hears(/9\d % of today's AI budget/);
    const second = await world.visit(7002);
    await world.sendPhoto(second, world.selfie());
    await world.reaches(second, "done");
    await hears(/AI budget of \$0.06 is used up/);

    const third = await world.visit(7003);
    await world.sendPhoto(third, world.selfie());
    const { body } = await admin(world, "GET overview");
    expect(body.verdict).toMatchObject({ level: "red", what: expect.stringContaining("is used up") });
    expect(body.queue).toMatchObject({ queued: 1, running: 0 });

    // Nothing is not "no limit": whoever means to stop is told how.
    world.sim.operatorSays(world.sim.operatorsChatId, 7801, "/budget 0");
    await hears(/To stop spending use \/pause/);
    expect(world.rows("SELECT status FROM jobs WHERE id = 3")).toEqual([{ status: "queued" }]);

    const raised = await admin(world, "POST budget", { usd: 5 });
    expect(raised.body).toMatchObject({ limit_usd: 5, held: false, changed: true });
    await world.reaches(third, "done");
    await hears(/There is money for today again/);
    expect([heard(/% of today's AI budget/), heard(/is used up/)]).toEqual([1, 1]);
  },
  TEST_MS,
);

test(
  "the page and the chat set today's budget in the same way",
  async () => {
    await using world = await openBooth({ env: { DAILY_BUDGET_USD: "10" } });
    const chat = world.sim.operatorsChatId;
    const texts = () => textsIn(world, chat);
    const says = async (text: string) => {
      const before = texts().length;
      world.sim.operatorSays(chat, 7801, text, { name: "Ann" });
      return world.sim.until(() => texts()[before + 1], `an answer to ${text}`, { timeoutMs: 20_000 });
    };
    /** What holds then, and what the log says of how it came about. */
    const holds = async () => {
      const { limit_usd, usual_usd, held, raised_by } = (await admin(world, "GET overview")).body.budget;
      const logged = world.rows("SELECT before, after FROM audit_log WHERE action = 'budget' ORDER BY id");
      withDb(world, (db) => db.run("DELETE FROM audit_log; DELETE FROM settings WHERE name = 'budget_today'"));
      return { limit_usd, usual_usd, held, raised: raised_by !== null, logged };
    };
    for (const [text, usd, then] of [
      ["/budget 20", 20, { limit_usd: 20, raised: true, logged: [{ before: "10", after: "20" }] }],
      ["/budget off", null, { limit_usd: 0, raised: true, logged: [{ before: "10", after: "null" }] }],
      ["/budget 10", 10, { limit_usd: 10, raised: false, logged: [] }],
      ["/budget 0", 0, { limit_usd: 10, raised: false, logged: [] }],
      ["/budget 999999", 999_999, { limit_usd: 10, raised: false, logged: [] }],
    ] as const) {
      await says(text);
      const byChat = await holds();
      const before = texts().length;
      const { status, body } = await admin(world, "POST budget", { usd });
      // The chat is told what the page changed, at a group's pace: that must not be taken for the next answer.
      if (body.changed) await world.sim.until(() => texts()[before], "what the page changed");
      expect([text, status]).toEqual([text, usd === 0 || usd === 999_999 ? 422 : 200]);
      if (status === 422) expect(Object.keys(body.fields)).toEqual(["usd"]);
      const byPage = await holds();
      expect([text, byChat]).toEqual([text, { usual_usd: 10, held: false, ...then, logged: [...then.logged] }]);
      expect([text, byPage]).toEqual([text, byChat]);
    }
    // Less than a cent is nothing, too.
    expect((await admin(world, "POST budget", { usd: 0.009 })).status).toBe(422);
    expect(await says("/budget off")).toMatch(
      /^💵 No limit for today\..*Set for today by Ann\. Tomorrow the usual \$10\.00/,
    );
    expect(await says("/budget")).toBe("AI today: $0.00 spent, no limit.");
    expect(await says("/budget 10")).toContain("This is the usual limit again.");
    expect(await says("/budget lots")).toContain("means no limit today");
  },
  TEST_MS,
);

describe("alerts", () => {
  const failed = (job: number, now: number) => ({ cause: "failed:bad_sheet", text: `Pack ${job} failed.`, job, now });

  test("what the other process counts right before the telling is told too", () => {
    using fresh = freshDb();
    const { db } = fresh;
    using other = openDb(fresh.dataDir);
    alertOperators(db, config, failed(1, NOON));
    alertOperators(db, config, failed(2, NOON + MINUTE));
    const { run } = db;
    db.run = (sql, ...rest) => {
      if (sql === "BEGIN IMMEDIATE") {
        db.run = run;
        alertOperators(other, config, failed(3, NOON + 2 * MINUTE));
      }
      return run.call(db, sql, ...rest);
    };
    tellTogether(db, config, NOON + 11 * MINUTE);
    expect(said(db)[1]).toContain("2 more of the same since then. Packs: 2, 3.");
  });

  test("half a character, left by a cut, is not sent", () => {
    using fresh = freshDb();
    alertOperators(fresh.db, config, { ...failed(1, NOON), text: "A pack of \ud83d" });
    expect(said(fresh.db)).toEqual(["⚠️ A pack of \ufffd"]);
  });

  test("more of the same is told together, and an all-clear ends it", () => {
    using fresh = freshDb();
    const { db } = fresh;
    expect(alertOperators(db, config, failed(1, NOON))).toBe(true);
    expect(alertOperators(db, config, failed(2, NOON + MINUTE))).toBe(false);
    expect(alertOperators(db, config, failed(3, NOON + 2 * MINUTE))).toBe(false);
    tellTogether(db, config, NOON + 3 * MINUTE);
    expect(said(db).length).toBe(1);
    tellTogether(db, config, NOON + 10 * MINUTE);
    tellTogether(db, config, NOON + 11 * MINUTE);
    expect(said(db)[1]).toContain("2 more of the same since then. Packs: 2, 3. The latest: Pack 3 failed.");

    const { jobId } = visitInQueue(db, 7001, NOON);
    claimJob(db, "me", NOON + 12 * MINUTE);
    tellTogether(db, config, NOON + 13 * MINUTE);
    expect(said(db).length).toBe(2);
    db.query("UPDATE jobs SET status = 'done', finished_at = ? WHERE id = ?").run(NOON + 14 * MINUTE, jobId);
    tellTogether(db, config, NOON + 15 * MINUTE);
    tellTogether(db, config, NOON + 16 * MINUTE);
    expect(said(db).slice(2)).toEqual([expect.stringContaining("✅ Packs come out again")]);
    expect(db.query("SELECT * FROM alerts").all()).toEqual([]);
  });

  test("a state is told when it begins and when it ends, and not each time it flickers", () => {
    using fresh = freshDb();
    const { db } = fresh;
    const silent = { cause: "kiosk:hall:silent", text: "Kiosk hall is silent.", ending: "Kiosk hall is back." };
    const look = (on: boolean, minutes: number) => watchStates(db, config, on ? [silent] : [], NOON + minutes * MINUTE);
    expect([look(true, 0), look(true, 1), look(false, 2), look(false, 3)]).toEqual([true, false, true, false]);
    expect([look(true, 4), look(false, 5), look(true, 6)]).toEqual([false, false, false]);
    expect(said(db)).toEqual(["⚠️ Kiosk hall is silent.", "✅ Kiosk hall is back."]);
    // Still so after a calm while: it is no flicker.
    expect([look(true, 13), look(false, 14)]).toEqual([true, true]);
    expect(said(db).length).toBe(4);
  });

  test("a guest who is erased leaves no name in what is kept to be told together", () => {
    using fresh = freshDb();
    const { db } = fresh;
    visitInQueue(db, 7001, NOON);
    for (const minute of [0, 1])
      alertOperators(db, config, {
        cause: "failed:bad_sheet",
        text: "Pack 1 (Ann, Chef) failed.",
        now: NOON + minute * MINUTE,
      });
    eraseGuest(db, fresh.dataDir, 7001, false, NOON + 2 * MINUTE);
    tellTogether(db, config, NOON + 11 * MINUTE);
    expect(said(db).at(-1)).toContain("Pack 1 (a guest, Chef) failed.");
  });

  test("what others wrote cannot be markup in the chat", () => {
    using fresh = freshDb();
    alertOperators(fresh.db, config, { cause: "x", text: "<b>Ann</b> & co", now: NOON });
    expect(said(fresh.db)).toEqual(["⚠️ &lt;b&gt;Ann&lt;/b&gt; &amp; co"]);
  });
});
