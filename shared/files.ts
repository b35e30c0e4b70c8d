/** Guests' files on disk: where they lie, how they are written whole or not at all, and how they leave. */
import {
  chmodSync,
  closeSync,
  type Dirent,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Clocks that are set a little all the time are no news. */
const SLACK_MS = 60_000;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

export const sessionsDir = (dataDir: string) => join(dataDir, "sessions");
export const debugDir = (dataDir: string) => join(dataDir, "debug_sheets");
export const backupsDir = (dataDir: string) => join(dataDir, "backups");
export const sessionDir = (dataDir: string, token: string) => join(sessionsDir(dataDir), token);

/** Makes the folders under DATA_DIR, readable by this user alone. @throws when they cannot be written */
export function prepareFolders(dataDir: string) {
  process.umask(0o077);
  for (const folder of [dataDir, sessionsDir(dataDir), debugDir(dataDir), backupsDir(dataDir)]) {
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    chmodSync(folder, PRIVATE_FOLDER);
  }
}

const UNWRITABLE = new Set(["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR", "EISDIR", "EEXIST", "EIO"]);

/** Did the file system refuse: no right, read-only, something else in the way? */
export const isUnwritable = (error: unknown) =>
  error instanceof Error && UNWRITABLE.has(String((error as { code?: unknown }).code));

/** Writes a file that is there whole after a power cut, or not at all: temporary name, fsync, rename, fsync of the folder. */
export function writeWhole(path: string, bytes: Uint8Array) {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const temporary = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  try {
    const file = openSync(temporary, "wx", PRIVATE_FILE);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(folder);
}

/** Makes renames and removals in a folder outlast a power cut. */
export function syncFolder(folder: string) {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** The file's bytes, or null when it is gone (the TTL took it, or the guest did). */
export async function readIfThere(path: string): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw error;
  }
}

/** Bytes this user may still write beside the data, or null when the folder does not tell. */
export function diskFree(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

export function removeFile(path: string) {
  rmSync(path, { force: true });
}

/** Everything of a visit, at the guest's word. @returns how many files went */
export function removeSessionFiles(dataDir: string, token: string): number {
  const folder = sessionDir(dataDir, token);
  const count = existsSync(folder) ? readdirSync(folder).length : 0;
  rmSync(folder, { recursive: true, force: true });
  return count;
}

/**
 * Removes files that were written longer ago than `ttlMs`, and folders that became empty.
 * @returns the tokens whose folders lost files, and the count
 */
export function sweepFiles(dataDir: string, ttlMs: number, now: number): { files: number; tokens: string[] } {
  // Gone in between: its guest erased it, or it was renamed into place.
  const isYoung = (path: string) => (writtenAt(path, now) ?? now) >= now - ttlMs;
  const sweep = (folder: string): number =>
    readdirSync(folder, { withFileTypes: true }).reduce((count, entry) => count + sweepOne(folder, entry), 0);
  const sweepOne = (folder: string, entry: Dirent): number => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const removed = sweep(path);
      // An empty folder that is new may be about to receive its first file.
      if (readdirSync(path).length === 0 && !isYoung(path)) rmdirSync(path);
      return removed;
    }
    if (isYoung(path)) return 0;
    rmSync(path, { force: true });
    return 1;
  };
  const visits = readdirSync(sessionsDir(dataDir), { withFileTypes: true }).map((entry) => ({
    entry,
    removed: sweepOne(sessionsDir(dataDir), entry),
  }));
  return {
    files: visits.reduce((sum, { removed }) => sum + removed, sweep(debugDir(dataDir))),
    tokens: visits.filter(({ entry, removed }) => entry.isDirectory() && removed > 0).map(({ entry }) => entry.name),
  };
}

/** Null when it has gone. What bears a time that has not come yet, because the clock was set back, counts as of now. */
function writtenAt(path: string, now: number): number | null {
  const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
  if (at === null || at <= now + SLACK_MS) return at;
  utimesSync(path, now / 1000, now / 1000);
  return now;
}

const debugName = (jobId: number) => `job-${jobId}-`;

/**
 * Keeps a rejected sheet for the operators' eyes; the TTL takes it like everything else. A job that is tried again counts
 * its draws anew, so the attempt tells them apart.
 */
export function keepDebugSheet(
  dataDir: string,
  { id, attempt, draws }: { id: number; attempt: number; draws: number },
  sheet: Uint8Array,
) {
  writeWhole(join(debugDir(dataDir), `${debugName(id)}attempt-${attempt}-draw-${draws}.img`), sheet);
}

/** @returns how many went */
export function removeDebugSheets(dataDir: string, jobId: number): number {
  const mine = readdirSync(debugDir(dataDir)).filter((name) => name.startsWith(debugName(jobId)));
  for (const name of mine) rmSync(join(debugDir(dataDir), name), { force: true });
  return mine.length;
}
