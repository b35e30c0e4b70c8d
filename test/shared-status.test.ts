/** Status machines: every move by the table and no other, histories, races; and whoever repeats the tables says the same. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSession, openSessionsOf } from "../shared/sessions.ts";
import { historyOf, type Machine, machines, move, openStatuses, sessionMachine } from "../shared/status.ts";
import { freshDb, NOON, ttl, visitInQueue } from "./fresh.ts";

const by = { now: NOON, actor: "test" };
const names = (m: Machine<string>) => Object.keys(m.moves);

/** Puts a row of the machine's table at a status, past every rule. @returns its key */
function rowAt(db: ReturnType<typeof freshDb>["db"], m: Machine<string>, status: string): string | number {
  if (m.table === "sessions") {
    const { token } = createSession(db, { kiosk: null, lang: "ru", ttl, now: NOON });
    db.query("UPDATE sessions SET status = ? WHERE token = ?").run(status, token);
    return token;
  }
  const { jobId } = visitInQueue(db, Math.floor(Math.random() * 1e9) + 1);
  db.query("UPDATE jobs SET status = ? WHERE id = ?").run(status, jobId);
  return jobId;
}

for (const m of machines as readonly Machine<string>[]) {
  // The rows of leads are made in their own tests; their table of moves is held against SQL and diagrams here too.
  if (m.table === "leads") continue;
  for (const from of names(m)) {
    for (const to of names(m)) {
      const allowed = m.moves[from]?.includes(to) ?? false;
      test(`${m.table}: ${from} → ${to} is ${allowed ? "made, with its history" : "refused, and nothing is written"}`, () => {
        using fresh = freshDb();
        const { db } = fresh;
        const key = rowAt(db, m, from);
        const before = historyOf(db, m, key).length;
        const status = () => db.query(`SELECT status FROM ${m.table} WHERE ${m.key} = ?`).get(key);
        if (!allowed) {
          expect(() => move(db, m, key, from, to, by)).toThrow(RangeError);
          expect(status()).toEqual({ status: from });
          expect(historyOf(db, m, key)).toHaveLength(before);
          return;
        }
        expect(move(db, m, key, from, to, { ...by, reason: "why" })).toBe(true);
        expect(status()).toEqual({ status: to });
        expect(historyOf(db, m, key).at(-1)).toEqual({
          before: from,
          after: to,
          actor: "test",
          reason: "why",
          at: NOON,
        });
        // The second of two who saw the same status loses, and learns it by the answer.
        expect(move(db, m, key, from, to, by)).toBe(from === to);
      });
    }
  }

  test(`${m.table}: a row that is not there moves nowhere`, () => {
    using fresh = freshDb();
    const [from = "", [to = ""] = []] = Object.entries(m.moves)[0] ?? [];
    expect(move(fresh.db, m, m.table === "jobs" ? 999 : "no-such-token", from, to, by)).toBe(false);
  });
}

test("a guard that does not hold stops a move, NULL included", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const { token } = createSession(db, { kiosk: null, lang: "ru", ttl, now: NOON });
  const go = (kiosk: string | null) =>
    move(db, sessionMachine, token, "created", "linked", { ...by, guard: { kiosk } });
  expect(go("another")).toBe(false);
  expect(historyOf(db, sessionMachine, token)).toHaveLength(1);
  expect(go(null)).toBe(true);
});

test("of several allowed sources the row's own is written to the history", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const { token } = createSession(db, { kiosk: null, lang: "ru", ttl, now: NOON });
  expect(move(db, sessionMachine, token, openStatuses, "expired", by)).toBe(true);
  expect(historyOf(db, sessionMachine, token).map((h) => [h.before, h.after])).toEqual([
    [null, "created"],
    ["created", "expired"],
  ]);
});

test("a move whose history cannot be written is not made", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const { token } = createSession(db, { kiosk: null, lang: "ru", ttl, now: NOON });
  db.run("CREATE TRIGGER no_history BEFORE INSERT ON history BEGIN SELECT raise(ABORT, 'full'); END");
  expect(() => move(db, sessionMachine, token, "created", "linked", by)).toThrow("full");
  expect(db.query("SELECT status FROM sessions").get()).toEqual({ status: "created" });
  expect(db.inTransaction).toBe(false);
});

test("the SQL CHECK lists name exactly the statuses of the tables", () => {
  using fresh = freshDb();
  for (const m of machines as readonly Machine<string>[]) {
    const row = fresh.db.query("SELECT sql FROM sqlite_master WHERE name = ?").get(m.table) as { sql: string } | null;
    if (!row) continue;
    const list = /CHECK \(status IN\s*\(([^)]+)\)/.exec(row.sql)?.[1] ?? "";
    expect([...list.matchAll(/'(\w+)'/g)].map((match) => match[1] ?? "").sort()).toEqual(names(m).sort());
  }
});

test("open statuses in SQL are those of the table", () => {
  using fresh = freshDb();
  const { db } = fresh;
  for (const status of names(sessionMachine)) {
    const key = rowAt(db, sessionMachine, status);
    db.query("INSERT OR IGNORE INTO users (id, created_at, seen_at) VALUES (1, 0, 0)").run();
    db.query("UPDATE sessions SET user_id = 1 WHERE token = ?").run(key);
  }
  const open = openSessionsOf(db, 1).map((s) => s.status);
  expect(open.sort()).toEqual([...openStatuses].sort());
  // What is open is what may still expire.
  expect(
    names(sessionMachine)
      .filter((s) => sessionMachine.moves[s as "created"].includes("expired"))
      .sort(),
  ).toEqual([...openStatuses].sort());
});

const architecture = join(import.meta.dir, "../ARCHITECTURE.md");

for (const m of machines as readonly Machine<string>[]) {
  test(`ARCHITECTURE.md draws the moves of ${m.table}`, () => {
    expect(existsSync(architecture)).toBe(true);
    const section = readFileSync(architecture, "utf8")
      .split(/^#+ /m)
      .find((part) => part.startsWith(`${m.table}\n`));
    const diagram = /```mermaid\s+stateDiagram-v2\n([\s\S]*?)```/.exec(section ?? "")?.[1] ?? "";
    const drawn = [...diagram.matchAll(/^\s*(\w+) --> (\w+)/gm)].map(([, from, to]) => `${from} → ${to}`);
    const table = Object.entries(m.moves).flatMap(([from, tos]) => tos.map((to) => `${from} → ${to}`));
    expect(drawn.sort()).toEqual(table.sort());
  });
}
