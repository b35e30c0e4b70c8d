/** Where backups lie and how old the newest good one is. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { backupsDir } from "./files.ts";

export const backupPattern = /^app-\d{8}T\d{6}Z\.db\.gz$/;

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

/** When the newest backup was finished, in milliseconds since 1970, or null when there is none. */
export function lastBackupAt(dataDir: string): number | null {
  const [newest] = listBackups(dataDir);
  return newest ? statSync(join(backupsDir(dataDir), newest)).mtimeMs : null;
}
