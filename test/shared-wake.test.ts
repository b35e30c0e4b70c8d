/** Waking by commits of another connection: with the kernel's signs, without them, and with signs that come too soon. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { databasePath } from "../shared/db.ts";
import { onForeignCommit, type Watching } from "../shared/wake.ts";
import { freshDb } from "./fresh.ts";

/** Two connections of one database, and who is woken by the second one's commits. */
function pair(watching?: Watching) {
  const fresh = freshDb();
  const other = new Database(databasePath(fresh.dataDir));
  const first = Promise.withResolvers<void>();
  let woken = 0;
  const end = onForeignCommit(
    fresh.db,
    () => {
      woken++;
      first.resolve();
    },
    watching,
  );
  return {
    ...fresh,
    other,
    first: first.promise,
    woken: () => woken,
    [Symbol.dispose]() {
      end();
      other.close();
      fresh[Symbol.dispose]();
    },
  };
}

test("a commit of another connection wakes, one's own does not", async () => {
  using both = pair();
  both.db.run("INSERT INTO settings VALUES ('own', '1', 0)");
  both.other.run("INSERT INTO settings VALUES ('other', '1', 0)");
  await both.first;
  expect(both.woken()).toBe(1);
});

test("where folders cannot be watched, it is looked for", async () => {
  using both = pair(() => null);
  both.other.run("INSERT INTO settings VALUES ('other', '1', 0)");
  await both.first;
});

test("a watch that says nothing is not waited for", async () => {
  using both = pair(() => () => {});
  both.other.run("INSERT INTO settings VALUES ('other', '1', 0)");
  await both.first;
});

test("a sign that comes before the commit stands is not the last look", async () => {
  let sign = () => {};
  using both = pair((_, call) => {
    sign = call;
    return () => {};
  });
  both.other.run("BEGIN IMMEDIATE");
  both.other.run("INSERT INTO settings VALUES ('other', '1', 0)");
  sign();
  expect(both.woken()).toBe(0);
  both.other.run("COMMIT");
  await both.first;
});

test("many commits together wake once, and the last of them is not missed", async () => {
  using both = pair();
  const count = both.db.query("SELECT count(*) AS n FROM settings");
  for (let i = 0; i < 20; i++) both.other.run(`INSERT INTO settings VALUES ('other-${i}', '1', 0)`);
  await both.first;
  expect(count.get()).toEqual({ n: 20 });
  expect(both.woken()).toBe(1);
});

test.if(process.platform === "linux")("watching opens none of the database's files", () => {
  const open = (dataDir: string) =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(`${dataDir}/app.db`);
      } catch {
        return false;
      }
    }).length;
  using fresh = freshDb();
  const before = open(fresh.dataDir);
  expect(before).toBeGreaterThan(0);
  const end = onForeignCommit(fresh.db, () => {});
  expect(open(fresh.dataDir)).toBe(before);
  end();
  expect(open(fresh.dataDir)).toBe(before);
});
