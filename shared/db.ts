/** Opening the one database file, and the one way to write several rows at once. */
import { Database } from "bun:sqlite";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "./errors.ts";
import { migrations } from "./migrations/index.ts";

/** How long a writer waits for another one; it blocks this process's event loop, so transactions are kept short. */
const BUSY_TIMEOUT_MS = 5000;
/** Copying the WAL back costs two fsyncs and holds up the process whose commit meets it: seldom, at 16 MB, not at 4. */
const CHECKPOINT_PAGES = 4_000;
/** Four times as many: whoever opens the file with this leaves copying to the other process, as long as there is one. */
export const SELDOM_CHECKPOINT_PAGES = 16_000;

export const databasePath = (dataDir: string) => join(dataDir, "app.db");

/**
 * Opens `app.db` under `dataDir`, creating and migrating it as needed. Safe when both processes do so at once.
 * @param checkpointPages after how many pages in the WAL a commit of this connection copies them back
 * @throws AppError `data_dir` when the folder cannot be written, `schema_newer` when the file is ahead of this code
 */
export function openDb(dataDir: string, checkpointPages = CHECKPOINT_PAGES): Database {
  let db: Database;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    chmodSync(dataDir, 0o700);
    db = new Database(databasePath(dataDir), { create: true, readwrite: true, strict: true });
    configure(db);
    db.run(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
  } catch (cause) {
    throw new AppError(
      "data_dir",
      `The database under DATA_DIR (${dataDir}) cannot be opened for writing: check that the folder exists, belongs to this user and has space.`,
      { cause },
    );
  }
  migrate(db, migrations);
  return db;
}

/** Opens an existing database for reading only: doctor, backup check. */
export function openReadOnly(path: string): Database {
  const db = new Database(path, { readonly: true, strict: true });
  db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}

function configure(db: Database) {
  db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // Changing to WAL needs the file for itself for a moment and does not wait for the busy timeout.
  for (let tries = 1; ; tries++) {
    try {
      db.run("PRAGMA journal_mode = WAL");
      break;
    } catch (error) {
      if (tries === 50 || !isBusy(error)) throw error;
      Bun.sleepSync(20 * tries);
    }
  }
  // FULL: a 201 or 202 promises that the row outlives a power cut.
  db.run("PRAGMA synchronous = FULL");
  // What is erased is overwritten: a guest's name does not live on in free pages.
  db.run("PRAGMA secure_delete = ON");
  db.run("PRAGMA foreign_keys = ON");
  db.run("PRAGMA temp_store = MEMORY");
}

export const schemaVersion = (db: Database) =>
  (db.query("PRAGMA user_version").get() as { user_version: number }).user_version;

export type Migration = { version: number; name: string; sql: string };

/**
 * Brings the schema up, one transaction a step. The write lock is taken before the version is read, so of two
 * processes one does the work and the other finds it done.
 * @throws AppError `schema_newer`, `migration_failed`
 */
export function migrate(db: Database, steps: readonly Migration[]) {
  const newest = steps.at(-1)?.version ?? 0;
  const found = schemaVersion(db);
  if (found > newest) {
    throw new AppError(
      "schema_newer",
      `The database has schema version ${found}, this program knows up to ${newest}: start the newer release, or restore a backup made by this one.`,
    );
  }
  for (const step of steps) {
    try {
      transact(db, () => {
        if (schemaVersion(db) >= step.version) return;
        db.run(step.sql);
        db.run(`PRAGMA user_version = ${step.version}`);
      });
    } catch (cause) {
      // Also when only the COMMIT fails, for want of space.
      throw new AppError(
        "migration_failed",
        `Migration ${step.name} failed and was rolled back; the database is as it was.`,
        { cause },
      );
    }
  }
}

/** A transaction holds SQLite's only write lock: nothing in it may wait, so a promise is refused by type and at run time. */
type Sync<T> = T extends PromiseLike<unknown> ? never : T;

/**
 * Runs `work` under the write lock (`BEGIN IMMEDIATE`), all of it or nothing. Inside another `transact` it joins that one.
 * @throws whatever `work` throws, after rolling back
 */
export function transact<T>(db: Database, work: () => Sync<T>): T {
  if (db.inTransaction) return work();
  db.run("BEGIN IMMEDIATE");
  try {
    const result = work();
    if (typeof (result as { then?: unknown } | null | undefined)?.then === "function") {
      throw new TypeError("a transaction was given async work: it would commit before the work is done");
    }
    db.run("COMMIT");
    return result;
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK");
    throw error;
  }
}

/** Somebody else held the write lock for longer than the busy timeout. */
export function isBusy(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}

/** The disk or SQLite's limits are exhausted. */
export function isFull(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  return code === "SQLITE_FULL" || code === "ENOSPC" || code === "EDQUOT" || code.startsWith("SQLITE_IOERR_WRITE");
}
