import type { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPace } from "../bot/pace.ts";
import { addressMarks, networkOf } from "../shared/addresses.ts";
import { openDb } from "../shared/db.ts";
import { groupCommit } from "../shared/group-commit.ts";
import { FLOOD_WINDOW_MS, takeLead } from "../shared/leads/intake.ts";
import { createLockout, LOCKOUT_MS, MAX_WRONG, sweepLockouts } from "../shared/lockout.ts";

let folder: string;
let db: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "guards-"));
  db = openDb(folder);
  // Nothing here outlives the test.
  db.run("PRAGMA synchronous = OFF");
});
afterEach(() => {
  db.close(false);
  rmSync(folder, { recursive: true });
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  [" 203.0.113.7 ", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:DB8:0001:0002::1", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["::1", "0:0:0:0"],
  ["unknown", "unknown"],
])("the network of %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test("marks hide the address, stay over a restart, and differ with the salt", () => {
  const mark = addressMarks(db, {}, 1)("203.0.113.7");
  expect(mark).not.toContain("203");
  expect(addressMarks(db, {}, 2)("203.0.113.7")).toBe(mark);
  expect(addressMarks(db, { LEADS_IP_SALT: "another salt of sixteen" }, 3)("203.0.113.7")).not.toBe(mark);
});

test("a lockout: counts per caller and secret, holds for its time, forgets what lies far apart", () => {
  const leads = createLockout(
    db,
    "leads",
    (address) => address,
    () => {},
  );
  const admin = createLockout(
    db,
    "admin",
    (address) => address,
    () => {},
  );
  for (let i = 1; i < MAX_WRONG; i++) expect(leads.wrong("a", i)).toBe(false);
  expect(leads.isLocked("a", MAX_WRONG)).toBe(false);
  expect(leads.wrong("a", MAX_WRONG)).toBe(true);
  const until = MAX_WRONG + LOCKOUT_MS;
  expect([leads.isLocked("a", until - 1), leads.isLocked("a", until)]).toEqual([true, false]);
  expect([leads.isLocked("b", until - 1), admin.isLocked("a", until - 1)]).toEqual([false, false]);
  // After the lock a caller begins anew.
  expect(leads.wrong("a", until)).toBe(false);

  for (let i = 0; i < 2 * MAX_WRONG; i++) expect(leads.wrong("slow", i * LOCKOUT_MS)).toBe(false);
  const later = 3 * MAX_WRONG * LOCKOUT_MS;
  expect(sweepLockouts(db, later)).toBe(2);
});

test("a caller is locked out in the moment in which the operators' message is stored, or not at all", () => {
  let mayTell = false;
  const heard: number[] = [];
  const lockout = createLockout(
    db,
    "told",
    (address) => address,
    (now) => {
      if (!mayTell) throw new Error("as if the process had died here");
      heard.push(now);
    },
  );
  for (let i = 1; i < MAX_WRONG; i++) lockout.wrong("a", i);
  expect(() => lockout.wrong("a", MAX_WRONG)).toThrow("as if the process had died here");
  expect(lockout.isLocked("a", MAX_WRONG)).toBe(false);
  mayTell = true;
  expect(lockout.wrong("a", MAX_WRONG)).toBe(true);
  expect(heard).toEqual([MAX_WRONG]);
});

test("the flood limit is a sliding window", () => {
  const take = (at: number) => {
    const lead = { request_id: crypto.randomUUID(), name: "A", contact: "abc", locale: "ru" } as const;
    return takeLead(db, lead, { mark: "visitor", limit: 5 }, at);
  };
  for (let i = 0; i < 5; i++) expect(take(1000 * i).kind).toBe("stored");
  expect(take(5000)).toEqual({ kind: "flood", retryAfterS: 595, alert: true });
  expect(take(6000)).toEqual({ kind: "flood", retryAfterS: 594, alert: false });
  expect(take(FLOOD_WINDOW_MS).kind).toBe("stored");
  expect(take(FLOOD_WINDOW_MS + 1).kind).toBe("flood");
  const hour = 3_600_000;
  for (let i = 0; i < 5; i++) take(hour + 5000);
  expect(take(hour + 5000)).toMatchObject({ kind: "flood", alert: true });
});

test("a group commit: settled after the commit, one fault is one piece's, and later pieces go on", async () => {
  db.run("CREATE TABLE pieces (n INTEGER PRIMARY KEY)");
  const commit = groupCommit(db);
  const put = (n: number) =>
    commit(() => {
      db.query("INSERT INTO pieces VALUES (?)").run(n);
      return n;
    });
  const other = openDb(folder);
  const seen = (n: number) => other.query("SELECT 1 FROM pieces WHERE n = ?").get(n) !== null;
  const results = await Promise.allSettled(
    [1, 2, 2, 3, ...Array.from({ length: 200 }, (_, i) => 10 + i)].map((n) =>
      put(n).then((value) => {
        if (!seen(value)) throw new Error(`${value} was answered before its commit`);
        return value;
      }),
    ),
  );
  expect(results.slice(0, 4).map((r) => r.status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(results.slice(4).filter((r) => r.status === "rejected")).toEqual([]);
  expect(await put(4)).toBe(4);
  other.close(false);
});

test("work that would wait inside a group commit is refused", async () => {
  const commit = groupCommit(db) as (work: () => unknown) => Promise<unknown>;
  await expect(commit(async () => 1)).rejects.toThrow("async work");
});

test("the pace: a short burst, then one a second, and 20 a minute in a group", () => {
  let now = 0;
  const pace = createPace(() => now);
  const sentAt: number[] = [];
  while (sentAt.length < 45) {
    const waitMs = pace.waitMs(-1);
    if (waitMs === 0) {
      pace.remember(-1, 0);
      sentAt.push(now);
    } else now += waitMs;
  }
  expect(sentAt.slice(0, 3)).toEqual([0, 0, 0]);
  for (let i = 3; i < sentAt.length; i++) expect((sentAt[i] ?? 0) - (sentAt[i - 3] ?? 0)).toBeGreaterThan(1000);
  for (let i = 20; i < sentAt.length; i++) expect((sentAt[i] ?? 0) - (sentAt[i - 20] ?? 0)).toBeGreaterThan(60_000);
  expect(pace.waitMs(-2)).toBe(0);
});

test("the pace: a 429 holds the group for as long as it asks, whatever was sent, and no other chat", async () => {
  let now = 0;
  const pace = createPace(() => now);
  const call = (chat_id: number, method: "sendMessage" | "sendChatAction", retry_after: number) => {
    const refused = { ok: false, error_code: 429, description: "Too Many Requests", parameters: { retry_after } };
    return pace.transformer(async () => refused as never, method, { chat_id } as never, undefined as never);
  };
  await call(-1, "sendMessage", 60);
  await call(-1, "sendMessage", 5);
  await call(-3, "sendChatAction", 60);
  await call(-4, "sendMessage", 1_000_000);
  expect([-1, -2, -3, -4].map(pace.waitMs)).toEqual([60_000, 0, 0, 86_400_000]);
  now = 60_000;
  expect(pace.waitMs(-1)).toBe(0);
});
