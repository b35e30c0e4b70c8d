/** Is there a backup that could be restored today, and is it one of this database? */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { databasePath } from "../db.ts";
import { backupsDir, prepareFolders } from "../files.ts";
import { compareWithLive } from "./database.ts";
import { BackupError, type Manifest } from "./file.ts";
import { BACKUP_COMMAND, BACKUP_MAX_AGE_MS, backupMadeAt, backupTime, listBackups } from "./list.ts";
import { verifyBackup } from "./take.ts";

/** A clock that was ahead when a backup was made would keep that one the newest for as long. */
const CLOCK_GRACE_MS = 5 * 60_000;

export type BackupCheck = {
  path: string;
  manifest: Manifest | null;
  ageMs: number;
  /** Whether there was a living database to compare with. */
  compared: boolean;
  /** Each a sentence; none means that this backup is good. */
  faults: string[];
};

/** The named backup (a path, or a name in `backups/`), or the newest. @throws BackupError when there is none */
export function findBackup(dataDir: string, wanted?: string): string {
  if (!wanted) {
    const [newest] = listBackups(dataDir);
    if (!newest) throw new BackupError(`There is no backup in ${backupsDir(dataDir)}: run ${BACKUP_COMMAND}.`);
    return join(backupsDir(dataDir), newest);
  }
  const found = [wanted, join(backupsDir(dataDir), wanted)].find((path) => existsSync(path));
  if (!found)
    throw new BackupError(`There is no backup ${wanted}: name a file, or one of those in ${backupsDir(dataDir)}.`);
  return found;
}

/** Unpacks and proves a backup, compares it with the living database, and looks at its age. @throws BackupError when there is none */
export async function checkBackup(dataDir: string, now: number, wanted?: string): Promise<BackupCheck> {
  const path = findBackup(dataDir, wanted);
  const live = databasePath(dataDir);
  const ageMs = Math.max(0, now - backupMadeAt(path));
  const check: BackupCheck = { path, manifest: null, ageMs, compared: existsSync(live), faults: [] };
  const ahead = (backupTime(path) ?? 0) - now;
  if (ahead > CLOCK_GRACE_MS) check.faults.push("It is dated in the future: set the clock and remove it.");
  if (ageMs > BACKUP_MAX_AGE_MS) check.faults.push(`It is older than 26 hours: run ${BACKUP_COMMAND}.`);
  try {
    check.manifest = await withUnpacked(dataDir, path, (copy, manifest) => {
      refuseSwapped(path, manifest);
      if (check.compared) check.faults.push(...compareWithLive(copy, live).map(sentence));
    });
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    check.faults.push(error.message);
  }
  return check;
}

/** @throws BackupError when a backup stands under the name of another one */
export function refuseSwapped(path: string, manifest: Manifest) {
  if (backupTime(path) !== null && basename(path) !== manifest.name)
    throw new BackupError(
      `This file is the backup ${manifest.name} under another one's name: give it its own name back.`,
    );
}

/** Unpacks and proves a backup in a folder of its own under `backups/`, which is gone afterwards. */
export async function withUnpacked(
  dataDir: string,
  path: string,
  work: (copy: string, manifest: Manifest) => void,
): Promise<Manifest> {
  prepareFolders(dataDir);
  const folder = mkdtempSync(join(backupsDir(dataDir), ".check-"));
  try {
    const copy = join(folder, "copy.db");
    const manifest = await verifyBackup(path, copy);
    work(copy, manifest);
    return manifest;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
