/** The disk: may we write there, may nobody else read, is there room; and who may read the keys. */
import { existsSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../shared/config.ts";
import { databasePath } from "../../shared/db.ts";
import { describe } from "../../shared/errors.ts";
import { backupsDir, debugDir, prepareFolders, sessionsDir, writeWhole } from "../../shared/files.ts";
import { about, type Finding } from "./finding.ts";

const MEGABYTE = 1024 * 1024;
/** A day of photos and sheets of a busy booth. */
const ENOUGH_BYTES = 2048 * MEGABYTE;
/** Below this the database itself is in danger. */
const LEAST_BYTES = 256 * MEGABYTE;

export function checkDisk({ DATA_DIR }: Pick<Config, "DATA_DIR">): Finding[] {
  const { ok, fail } = about("folders");
  const probe = join(DATA_DIR, ".doctor");
  // Before prepareFolders, which mends what it may.
  const loose = openToOthers(DATA_DIR);
  try {
    prepareFolders(DATA_DIR);
    writeWhole(probe, new Uint8Array(4096));
    rmSync(probe);
  } catch (error) {
    return [
      fail(
        `DATA_DIR (${DATA_DIR}) cannot be written by this user: ${describe(error)}`,
        "give this user the folder, or make room",
      ),
    ];
  }
  const still = openToOthers(DATA_DIR);
  const folders =
    still.length > 0
      ? fail(`other users can read ${still.join(", ")}`, `chmod -R go= ${DATA_DIR}`)
      : ok(`DATA_DIR can be written, and by nobody else read${loose.length > 0 ? " (mended just now)" : ""}`);
  return [folders, checkSpace(DATA_DIR)];
}

/** Folders and databases under DATA_DIR that others may enter or read. A folder that is closed hides what is in it. */
function openToOthers(dataDir: string): string[] {
  if (process.platform === "win32") return [];
  return [dataDir, sessionsDir(dataDir), debugDir(dataDir), backupsDir(dataDir), databasePath(dataDir)].filter(
    (path, i) =>
      existsSync(path) && (statSync(path).mode & 0o077) !== 0 && (i === 0 || (statSync(dataDir).mode & 0o077) !== 0),
  );
}

/** Where the settings stand, tokens and keys among them. */
const SETTINGS_FILES = ["/etc/sticker-booth/env", ".env"];

export function checkSecrets(files: readonly string[] = SETTINGS_FILES): Finding[] {
  const { ok, warn } = about("secrets");
  const there = files.filter((path) => existsSync(path));
  if (there.length === 0 || process.platform === "win32") return [];
  const open = there.filter((path) => (statSync(path).mode & 0o007) !== 0);
  return open.length > 0
    ? open.map((path) => warn(`other users can read the keys in ${path}`, `chmod o= ${path}`))
    : [ok(`${there.join(" and ")} cannot be read by other users`)];
}

function checkSpace(dataDir: string): Finding {
  const { ok, warn, fail } = about("disk");
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const text = `${Math.floor(free / MEGABYTE)} MB free`;
  if (free < LEAST_BYTES) return fail(text, "make room: old logs, app.db.replaced-* files, other programs' data");
  if (free < ENOUGH_BYTES) return warn(text, "enough for today; make room before a long event");
  return ok(text);
}
