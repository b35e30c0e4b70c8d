/** Where backups lie, how they are named, and how old the newest one is. A file has such a name only once it was proven. */
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { backupsDir } from "../files.ts";

export const backupPattern = /^app-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db\.gz$/;

export const BACKUPS_KEPT = 14;
/** A daily backup and two hours of grace. */
export const BACKUP_MAX_AGE_MS = 26 * 3_600_000;

/** How to make one, to be said after "run". On a server Bun stands on nobody's PATH, and the settings are the service's. */
export const BACKUP_COMMAND = "`booth backup` on the server, `bun run backup` elsewhere";

/** A backup's name from its instant; `atMs` counts in whole seconds. */
export function backupName(atMs: number): string {
  return `app-${new Date(atMs).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z.db.gz`;
}

/** The instant in a backup's name, in milliseconds since 1970, or null for any other name. */
export function backupTime(path: string): number | null {
  const parts = backupPattern.exec(basename(path));
  if (!parts) return null;
  const [, year, month, day, hour, minute, second] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) || null;
}

/** Backups by name, which is by time, newest first. A half-written one has another name. */
export function listBackups(dataDir: string): string[] {
  try {
    return readdirSync(backupsDir(dataDir))
      .filter((name) => backupPattern.test(name))
      .sort()
      .reverse();
  } catch {
    return [];
  }
}

/** When a backup was made: as its name says, or earlier when the file itself is older than its name. */
export function backupMadeAt(path: string): number {
  const { mtimeMs } = statSync(path);
  return Math.min(backupTime(path) ?? mtimeMs, mtimeMs);
}

/** When the newest backup was made, in milliseconds since 1970, or null when there is none. */
export function lastBackupAt(dataDir: string): number | null {
  const [newest] = listBackups(dataDir);
  return newest ? backupMadeAt(join(backupsDir(dataDir), newest)) : null;
}
