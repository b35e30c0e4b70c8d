/**
 * Lists stay quick however full the database is: every statement behind them finds its rows by an index. Asked of SQLite's
 * own plans, which are the same on every machine; milliseconds are measured by `bun run bench`.
 */
import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { createApp } from "../api/app.ts";
import { lists, seed } from "./admin-seed.ts";
import { AUTH, adminContext, TEST_MS } from "./admin-world.ts";
import { freshDb } from "./fresh.ts";

/** Tables with a row for each outfit, kiosk, loop or open wish: read whole. */
const SMALL = /^SCAN (templates|kiosks|heartbeats|chat_photos|json_each)\b/;
/** Indexes of a few rows (what is open, what waits), and the one that counts leads by status. */
const FEW = /USING (COVERING )?INDEX (sessions_open|leads_outbox|notices_waiting|leads_open)\b/;
/** A first page: from the newest row down, no condition that could pass over any, until the page is full. */
const firstPage = (outer: string) => !outer.includes("WHERE") && /ORDER BY [\w.]+ DESC LIMIT/.test(outer);
/** The search by a name: SQLite folds the case of ASCII alone, so all names are looked at, and nothing else of a guest. */
const NAMES = "SELECT id, first_name AS name FROM users";

/** A statement without what stands in its parentheses. */
function outerOf(sql: string): string {
  const inner = sql.replace(/\([^()]*\)/g, "");
  return inner === sql ? sql : outerOf(inner);
}

/** What of a plan reads a whole table, or sorts more than a handful of rows. */
function faults(sql: string, plan: string[]): string[] {
  const outer = outerOf(sql);
  const handful =
    plan.some((step) => FEW.test(step) || step.startsWith("LIST SUBQUERY")) || /status IN \('queued'/.test(sql);
  const grouped = outer.includes("GROUP BY") || sql.includes("count(DISTINCT");
  return plan.filter((step) => {
    if (step.startsWith("USE TEMP B-TREE")) return !grouped && !handful && !SMALL.test(plan[0] ?? "");
    if (!step.startsWith("SCAN") || SMALL.test(step) || FEW.test(step)) return false;
    return !(firstPage(outer) || sql === NAMES);
  });
}

/** The database, telling of every statement that only reads. */
function overheard(db: Database, hear: (sql: string) => void): Database {
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (name !== "query") return value.bind(target);
      return (sql: string) => {
        if (/^\s*(SELECT|WITH)/.test(sql)) hear(sql.replace(/\s+/g, " ").trim());
        return target.query(sql);
      };
    },
  });
}

const planOf = (db: Database, sql: string) =>
  (db.query(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]).map(({ detail }) => detail);

test(
  "every list finds its rows by an index",
  async () => {
    using fresh = freshDb();
    fresh.db.run(seed(Date.now() - 3_600_000));
    const statements = new Map<string, string>();
    let list = "";
    const db = overheard(fresh.db, (sql) => statements.set(sql, statements.get(sql) ?? list));
    const app = createApp(adminContext(db, { DATA_DIR: fresh.dataDir }));
    for (list of [...lists, "leads.csv"]) {
      const request = new Request(`http://localhost/admin/api/${list}`, { headers: { authorization: AUTH } });
      const answer = await app.handle(request);
      expect([list, answer.status]).toEqual([list, 200]);
      await answer.text();
    }
    expect(statements.size).toBeGreaterThan(30);
    const found = [...statements].flatMap(([sql, by]) => {
      const wrong = faults(sql, planOf(fresh.db, sql));
      return wrong.length > 0 ? [`${by}: ${wrong.join(", ")}: ${sql}`] : [];
    });
    expect(found).toEqual([]);
  },
  TEST_MS,
);

test("the judge itself: a filter that no index serves and an order that has to be made are found", () => {
  using fresh = freshDb();
  const judged = (sql: string) => faults(sql, planOf(fresh.db, sql));
  expect(judged("SELECT * FROM sessions WHERE (?1 IS NULL OR status = ?1) ORDER BY rowid DESC LIMIT 50")).toEqual([
    "SCAN sessions",
  ]);
  expect(judged("SELECT * FROM jobs WHERE user_id = 1 ORDER BY problem LIMIT 50")).toEqual([
    "USE TEMP B-TREE FOR ORDER BY",
  ]);
  expect(judged("SELECT * FROM audit_log ORDER BY id DESC LIMIT 50")).toEqual([]);
  expect(judged("SELECT * FROM audit_log ORDER BY at DESC LIMIT 50")).not.toEqual([]);
});
