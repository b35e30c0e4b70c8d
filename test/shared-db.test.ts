/** The database: transactions, migrations, two processes at once, what it says when it cannot be opened. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databasePath, isBusy, migrate, openDb, schemaVersion, transact } from "../shared/db.ts";
import { AppError } from "../shared/errors.ts";
import { migrations } from "../shared/migrations/index.ts";
import { handleOnce } from "../shared/updates.ts";
import { freshDb, freshFolder } from "./fresh.ts";

const codeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
  return "nothing was thrown";
};

test("a transaction is refused a promise, and what it wrote before is taken back", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const late = async () => {
    db.run("INSERT INTO settings VALUES ('late', '1', 0)");
  };
  expect(() => transact(db, late as unknown as () => number)).toThrow(TypeError);
  expect(db.query("SELECT * FROM settings WHERE name = 'late'").get()).toBeNull();
  expect(db.inTransaction).toBe(false);
});

test("a thenable that is no Promise is refused too", () => {
  using fresh = freshDb();
  const thenable = () => ({ ["then" as string]: () => {} });
  expect(() => transact(fresh.db, thenable)).toThrow(TypeError);
});

test("an inner transaction joins the outer one: its error takes everything back", () => {
  using fresh = freshDb();
  const { db } = fresh;
  expect(() =>
    transact(db, () => {
      db.run("INSERT INTO settings VALUES ('outer', '1', 0)");
      transact(db, () => {
        db.run("INSERT INTO settings VALUES ('inner', '1', 0)");
        throw new Error("no");
      });
    }),
  ).toThrow("no");
  expect(db.query("SELECT name FROM settings WHERE name IN ('outer', 'inner')").all()).toEqual([]);
});

test("an update's work and its mark are one: work that failed is done again", () => {
  using fresh = freshDb();
  const { db } = fresh;
  let runs = 0;
  const work = () => {
    runs++;
    if (runs === 1) throw new Error("cut short");
  };
  expect(() => handleOnce(db, 5, 0, work)).toThrow("cut short");
  expect(handleOnce(db, 5, 0, work)).toBe(true);
  expect(handleOnce(db, 5, 0, work)).toBe(false);
  expect(runs).toBe(2);
});

test("a fresh file has every migration, the pragmas, and is nobody else's to read", () => {
  using folder = freshFolder();
  const dataDir = join(folder.path, "deep", "data");
  const db = openDb(dataDir);
  const pragma = (name: string) => Object.values(db.query(`PRAGMA ${name}`).get() as object)[0];
  expect(schemaVersion(db)).toBe(migrations.at(-1)?.version ?? 0);
  expect(migrations.map((m) => m.version)).toEqual(migrations.map((_, i) => i + 1));
  expect([pragma("journal_mode"), pragma("busy_timeout"), pragma("foreign_keys"), pragma("synchronous")]).toEqual([
    "wal",
    5000,
    1,
    2,
  ]);
  expect(pragma("integrity_check")).toBe("ok");
  expect(statSync(dataDir).mode & 0o077).toBe(0);
  db.close();
});

test("two processes that start at once both find the schema whole, and each migration ran once", async () => {
  using folder = freshFolder();
  const script = `
    import { openDb, schemaVersion } from ${JSON.stringify(join(import.meta.dir, "../shared/db.ts"))};
    const db = openDb(${JSON.stringify(folder.path)});
    console.log(schemaVersion(db), db.query("SELECT count(*) AS n FROM templates").get().n);`;
  const starts = Array.from({ length: 4 }, () => Bun.spawn([process.execPath, "-e", script], { stderr: "pipe" }));
  const said = await Promise.all(
    starts.map(async (p) => (await new Response(p.stdout).text()) + (await new Response(p.stderr).text())),
  );
  expect(said).toEqual(Array.from({ length: 4 }, () => `${migrations.at(-1)?.version} 8\n`));
});

test("a file from a newer release is refused in words that say what to do, and is left as it is", () => {
  using folder = freshFolder();
  openDb(folder.path).close();
  const ahead = new Database(databasePath(folder.path));
  ahead.run("PRAGMA user_version = 999");
  ahead.close();
  expect(codeOf(() => openDb(folder.path))).toBe("schema_newer");
  expect(() => openDb(folder.path)).toThrow(/schema version 999.*newer release/);
  const after = new Database(databasePath(folder.path));
  expect(schemaVersion(after)).toBe(999);
  after.close();
});

test("a migration that fails half-way is rolled back, those before it stay", () => {
  const db = new Database(":memory:", { strict: true });
  const steps = [
    { version: 1, name: "001-good", sql: "CREATE TABLE a (x); INSERT INTO a VALUES (1);" },
    { version: 2, name: "002-bad", sql: "CREATE TABLE b (x); INSERT INTO nowhere VALUES (1);" },
  ];
  expect(codeOf(() => migrate(db, steps))).toBe("migration_failed");
  expect(schemaVersion(db)).toBe(1);
  expect(db.query("SELECT name FROM sqlite_master").all()).toEqual([{ name: "a" }]);
  migrate(db, [steps[0] as (typeof steps)[0], { version: 2, name: "002-mended", sql: "CREATE TABLE b (x)" }]);
  expect(schemaVersion(db)).toBe(2);
});

test("a data folder that cannot be written is named", () => {
  using folder = freshFolder();
  const file = join(folder.path, "file");
  writeFileSync(file, "in the way");
  expect(codeOf(() => openDb(join(file, "data")))).toBe("data_dir");
  const taken = join(folder.path, "taken");
  mkdirSync(join(taken, "app.db"), { recursive: true });
  expect(codeOf(() => openDb(taken))).toBe("data_dir");
  chmodSync(taken, 0o700);
});

test("a file that is no database is refused, not overwritten", () => {
  using folder = freshFolder();
  const text = "this is somebody's letter, not a database\n".repeat(100);
  writeFileSync(databasePath(folder.path), text);
  expect(() => openDb(folder.path)).toThrow(AppError);
  expect(statSync(databasePath(folder.path)).size).toBe(text.length);
});

test("a lock of another writer shows as busy", () => {
  using fresh = freshDb();
  const other = new Database(databasePath(fresh.dataDir));
  other.run("BEGIN IMMEDIATE");
  fresh.db.run("PRAGMA busy_timeout = 0");
  let found: unknown;
  try {
    transact(fresh.db, () => 1);
  } catch (error) {
    found = error;
  }
  expect(isBusy(found)).toBe(true);
  other.run("ROLLBACK");
  expect(transact(fresh.db, () => 1)).toBe(1);
  other.close();
});
