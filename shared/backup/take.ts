/** Making a backup: copied while both processes write, proven, packed, proven again, and only then given its name. */
import {
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { databasePath } from "../db.ts";
import { backupsDir, prepareFolders, syncFolder } from "../files.ts";
import { copyDatabase, provenFacts } from "./database.ts";
import { BackupError, type Manifest, measure, packFile, unpackFile } from "./file.ts";
import { BACKUPS_KEPT, backupName, listBackups } from "./list.ts";

export type Backup = { path: string; name: string; packedBytes: number; manifest: Manifest; removed: string[] };

const workPattern = /^\.app-\d{8}T\d{6}Z\.work$/;
/** A work folder whose owner is unknown is somebody's crash after this. */
const STRAY_AFTER_MS = 3_600_000;
const MAX_SECONDS_AHEAD = 60;

/**
 * Backs up `DATA_DIR/app.db` into `DATA_DIR/backups/` and keeps the newest 14.
 * @param afterwards runs between the finished backup and the pruning (the copy off site); its error is thrown after pruning
 * @throws BackupError, or the disk's own error; then the older backups are untouched and nothing new has a backup's name
 */
export async function takeBackup(
  dataDir: string,
  now: number,
  afterwards: (made: Pick<Backup, "path" | "name">) => Promise<void> = async () => {},
): Promise<Backup> {
  const live = databasePath(dataDir);
  if (!existsSync(live)) throw new BackupError(`There is no database to back up at ${live}: check DATA_DIR.`);
  prepareFolders(dataDir);
  giveToOwner(dataDir, backupsDir(dataDir));
  removeStrays(dataDir, now);
  const { name, folder } = reserve(dataDir, now);
  const path = join(backupsDir(dataDir), name);
  let made: Omit<Backup, "removed">;
  try {
    const copy = join(folder, "copy.db");
    const packed = join(folder, "packed.gz");
    copyDatabase(live, copy);
    const facts = {
      format: "sticker-booth-backup/1" as const,
      name,
      made_at: new Date(now).toISOString(),
      ...(await measure(copy)),
      ...provenFacts(copy),
    };
    const manifest = await packFile(copy, packed, facts);
    rmSync(copy);
    await verifyBackup(packed, join(folder, "again.db"));
    giveToOwner(dataDir, packed);
    publish(packed, path);
    made = { path, name, packedBytes: statSync(path).size, manifest };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  let removed: string[] = [];
  try {
    await afterwards(made);
  } finally {
    removed = prune(dataDir, made.name);
  }
  return { ...made, removed };
}

/**
 * Unpacks a backup into the new file `to` and proves it: gzip's checksums, SHA-256, SQLite's integrity check, schema and
 * row counts as they were when it was made.
 * @throws BackupError
 */
export async function verifyBackup(path: string, to: string): Promise<Manifest> {
  const manifest = await unpackFile(path, to);
  const facts = provenFacts(to);
  const same =
    facts.schema_version === manifest.schema_version &&
    facts.schema_sha256 === manifest.schema_sha256 &&
    JSON.stringify(facts.rows) === JSON.stringify(manifest.rows);
  if (!same) throw new BackupError("The backup's rows or schema are not those that were counted: use another one.");
  return manifest;
}

/** Of two backups in one second the later takes the next free one; making its folder is what claims the name. */
function reserve(dataDir: string, now: number): { name: string; folder: string } {
  for (let ahead = 0; ahead <= MAX_SECONDS_AHEAD; ahead++) {
    const name = backupName(now + ahead * 1000);
    const folder = join(backupsDir(dataDir), `.${name.replace(".db.gz", ".work")}`);
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if ((error as { code?: string }).code === "EEXIST") continue;
      throw error;
    }
    try {
      const owner = openSync(join(folder, "owner"), "wx", 0o600);
      writeSync(owner, String(process.pid));
      closeSync(owner);
      if (!existsSync(join(backupsDir(dataDir), name))) return { name, folder };
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
    rmSync(folder, { recursive: true, force: true });
  }
  throw new BackupError("There are backups for each of the next seconds: is this machine's clock right?");
}

/** Gives the file its name, never over another one; the folder is synced, so that the name outlasts a power cut. */
function publish(packed: string, path: string) {
  try {
    linkSync(packed, path);
  } catch (error) {
    if ((error as { code?: string }).code === "EEXIST") throw error;
    renameSync(packed, path); // a file system without hard links
  }
  syncFolder(join(path, ".."));
}

/** Run by root, a script must not leave files that the booth's own user cannot read. */
export function giveToOwner(dataDir: string, path: string) {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  chownSync(path, uid, gid);
}

/** What a killed backup left behind. */
function removeStrays(dataDir: string, now: number) {
  for (const name of readdirSync(backupsDir(dataDir)).filter((n) => workPattern.test(n))) {
    const folder = join(backupsDir(dataDir), name);
    if (isStray(folder, now)) rmSync(folder, { recursive: true, force: true });
  }
}

function isStray(folder: string, now: number): boolean {
  try {
    const pid = Number(readFileSync(join(folder, "owner"), "utf8"));
    if (pid > 0) {
      process.kill(pid, 0);
      return false;
    }
  } catch (error) {
    if ((error as { code?: string }).code === "ESRCH") return true;
  }
  return existsSync(folder) && now - statSync(folder).mtimeMs > STRAY_AFTER_MS;
}

/** The one just made stays, though a clock that was ahead may have dated all others later. @returns the names that went */
function prune(dataDir: string, made: string): string[] {
  const old = listBackups(dataDir)
    .filter((name) => name !== made)
    .slice(BACKUPS_KEPT - 1);
  for (const name of old) rmSync(join(backupsDir(dataDir), name));
  if (old.length > 0) syncFolder(backupsDir(dataDir));
  return old;
}
