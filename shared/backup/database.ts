/** What a backup asks of databases: a consistent copy, the truth about one, and a comparison with the living one. */
import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { openReadOnly, schemaVersion } from "../db.ts";
import { BackupError, type Manifest } from "./file.ts";

/** Rows of these are never deleted (personal data in them is blanked instead), so they only grow; a pack's goes with another try. */
const GROWING = ["sessions", "jobs", "history", "steps", "ai_usage", "audit_log", "leads"];

export type Facts = Pick<Manifest, "schema_version" | "schema_sha256" | "rows">;

/**
 * Copies the living database while others write. `VACUUM INTO` reads one snapshot of the WAL: every commit before it is
 * in, no writer waits for it.
 * @returns what is in the copy
 */
export function copyDatabase(from: string, to: string): Facts {
  const db = openReadOnly(from);
  try {
    const before = rowCounts(db);
    // The copy is packed and thrown away; only the packed file has to outlast a power cut. Syncing here would hold up writers.
    db.run("PRAGMA synchronous = OFF");
    db.query("VACUUM INTO ?").run(to);
    const copied = factsOf(to);
    const lost = shrunk(before, copied.rows);
    if (lost.length > 0)
      throw new BackupError(`The copy lacks rows that were committed before it: ${lost.join(", ")}.`);
    return copied;
  } finally {
    db.close(false);
  }
}

/** The facts of an unpacked or living database. @throws BackupError when SQLite finds it damaged */
export function provenFacts(path: string): Facts {
  const db = openReadOnly(path);
  try {
    const faults = integrityFaults(db);
    if (faults.length > 0) throw new BackupError(`The database is damaged: ${faults.join("; ")}.`);
    return factsOfOpen(db);
  } finally {
    db.close(false);
  }
}

export function factsOf(path: string): Facts {
  const db = openReadOnly(path);
  try {
    return factsOfOpen(db);
  } finally {
    db.close(false);
  }
}

function factsOfOpen(db: Database): Facts {
  return { schema_version: schemaVersion(db), schema_sha256: schemaHash(db), rows: rowCounts(db) };
}

const MAX_FAULTS = 5;

/** What SQLite finds wrong with pages, indexes and references; empty when all is well. */
export function integrityFaults(db: Database): string[] {
  try {
    const pages = db.query(`PRAGMA integrity_check(${MAX_FAULTS})`).all() as { integrity_check: string }[];
    const references = db.query("PRAGMA foreign_key_check").all() as { table: string; parent: string }[];
    return [
      ...pages.map((row) => row.integrity_check).filter((text) => text !== "ok"),
      ...references.slice(0, MAX_FAULTS).map(({ table, parent }) => `a row of ${table} points at no row of ${parent}`),
    ];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function schemaHash(db: Database): string {
  const parts = db
    .query("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name")
    .values();
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function rowCounts(db: Database): Record<string, number> {
  const tables = db
    .query("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all() as { name: string }[];
  const count = ({ name }: { name: string }) =>
    (db.query(`SELECT count(*) AS n FROM "${name.replaceAll('"', '""')}"`).get() as { n: number }).n;
  return Object.fromEntries(tables.map((table) => [table.name, count(table)]));
}

/** Tables of which no row may vanish that have fewer in `later` than in `earlier`, each as `jobs 3 of 5`. */
export function shrunk(earlier: Record<string, number>, later: Record<string, number>): string[] {
  return GROWING.filter((table) => (later[table] ?? 0) < (earlier[table] ?? 0)).map(
    (table) => `${table} ${later[table] ?? 0} of ${earlier[table]}`,
  );
}

/**
 * Holds an unpacked backup against the living database. The living one may have more rows, and in tables that are swept
 * fewer; what was counted once and only grows must still be there, and the history must be the same one.
 * @returns faults, empty when the backup is one of this database
 */
export function compareWithLive(copy: string, live: string): string[] {
  const db = openReadOnly(live);
  try {
    const now = factsOfOpen(db);
    const then = factsOf(copy);
    if (then.schema_version > now.schema_version)
      return [`the backup's schema ${then.schema_version} is newer than the living database's ${now.schema_version}`];
    // An update migrates the living one; older backups keep the schema of their day.
    if (then.schema_version === now.schema_version && then.schema_sha256 !== now.schema_sha256)
      return [`the schemas differ although both have version ${now.schema_version}`];
    const fewer = shrunk(then.rows, now.rows).map(
      (what) => `the living database has lost rows (${what}): see “The database is damaged” in docs/RUNBOOK.md`,
    );
    const foreign = foreignHistory(db, copy);
    return foreign > 0 ? [...fewer, `${foreign} entries of its history are not in the living database's`] : fewer;
  } finally {
    db.close(false);
  }
}

function foreignHistory(db: Database, copy: string): number {
  db.query("ATTACH ? AS copy").run(copy);
  const { n } = db
    .query(
      `SELECT count(*) AS n FROM copy.history AS old LEFT JOIN main.history AS now
         ON now.id = old.id AND now.at = old.at AND now.subject = old.subject AND now.after = old.after
       WHERE now.id IS NULL`,
    )
    .get() as { n: number };
  return n;
}

/**
 * Takes the database for this process alone: no other may have it open, and its WAL is folded into the file.
 * In WAL mode every connection holds a shared lock while it lives, so the attempt itself finds them, on any system.
 * @returns the connection that holds the lock, `"held"` when somebody has it open, `"unreadable"` when it is no sound database
 */
export function takeAlone(path: string): Database | "held" | "unreadable" {
  let db: Database | undefined;
  try {
    db = new Database(path, { readwrite: true, create: false, strict: true });
    db.run("PRAGMA busy_timeout = 0");
    db.run("PRAGMA locking_mode = EXCLUSIVE");
    db.run("BEGIN EXCLUSIVE");
    db.run("COMMIT");
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    db.run("PRAGMA journal_mode = DELETE");
    db.run("BEGIN EXCLUSIVE");
    return db;
  } catch (error) {
    db?.close(false);
    return String((error as { code?: string }).code).startsWith("SQLITE_BUSY") ? "held" : "unreadable";
  }
}
