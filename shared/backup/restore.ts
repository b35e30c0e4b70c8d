/** Bringing a backup back: proven first, the replaced database kept aside, never under a running process. */
import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { databasePath } from "../db.ts";
import { syncFolder } from "../files.ts";
import { migrations } from "../migrations/index.ts";
import { refuseSwapped, withUnpacked } from "./check.ts";
import { provenFacts, takeAlone } from "./database.ts";
import { BackupError, type Manifest } from "./file.ts";
import { giveToOwner } from "./take.ts";

const newestSchema = migrations.at(-1)?.version ?? 0;

export type Restored = { manifest: Manifest; aside: string | null };

/**
 * Replaces `DATA_DIR/app.db` by a backup. The replaced file stays as `app.db.replaced-<UTC time>`.
 * @throws BackupError; until the backup is proven and nobody holds the database nothing is changed
 */
export async function restoreBackup(dataDir: string, path: string, now: number): Promise<Restored> {
  const live = databasePath(dataDir);
  // Asked again under a lock below; here it saves unpacking, and finds who holds no lock at this moment.
  const holders = holdersOf(live);
  if (holders.length > 0) throw held(live, holders);
  let aside: string | null = null;
  const manifest = await withUnpacked(dataDir, path, (copy, found) => {
    refuseSwapped(path, found);
    if (found.schema_version > newestSchema)
      throw new BackupError(
        `The backup has schema version ${found.schema_version}, this release knows up to ${newestSchema}: restore it with the release that made it, or a newer one.`,
      );
    giveToOwner(dataDir, copy);
    aside = swap(live, copy, now);
  });
  const facts = provenFacts(live);
  if (JSON.stringify(facts.rows) !== JSON.stringify(manifest.rows) || facts.schema_sha256 !== manifest.schema_sha256)
    throw new BackupError(`The restored database is not the backup's; the replaced one is ${aside ?? "not there"}.`);
  return { manifest, aside };
}

/** Puts `copy` in the database's place; there is no moment without one, in which a starting process would make an empty one. */
function swap(live: string, copy: string, now: number): string | null {
  if (!existsSync(live)) {
    renameSync(copy, live);
    syncFolder(join(live, ".."));
    return null;
  }
  const aside = `${live}.replaced-${new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
  const hasWal = existsSync(`${live}-wal`);
  // A damaged database cannot fold its WAL in, and SQLite may drop it in the attempt: it is kept beside its file.
  if (hasWal) linkSync(`${live}-wal`, `${aside}-wal`);
  const lock = takeAlone(live);
  if (hasWal && lock !== "unreadable") rmSync(`${aside}-wal`);
  if (lock === "held") throw held(live, holdersOf(live));
  try {
    for (const tail of ["-wal", "-shm"]) rmSync(live + tail, { force: true });
    linkSync(live, aside);
    renameSync(copy, live);
    syncFolder(join(live, ".."));
  } finally {
    if (lock !== "unreadable") lock.close(false);
  }
  const late = holdersOf(aside);
  if (late.length > 0)
    throw new BackupError(
      `The backup is in place, but ${names(late)} started meanwhile and still uses the replaced file: restart it.`,
    );
  return aside;
}

function held(live: string, holders: Holder[]) {
  const who = holders.length > 0 ? names(holders) : "another process";
  return new BackupError(
    `${live} is in use by ${who}: stop it first (systemctl stop sticker-api sticker-bot). Nothing was changed.`,
  );
}

type Holder = { pid: number; command: string };
const names = (holders: Holder[]) => holders.map(({ pid, command }) => `${command} (process ${pid})`).join(", ");

/**
 * Processes that have the database, its WAL or its index open, as /proc tells; also those that hold no lock at this
 * moment. Elsewhere than on Linux, or for other users' processes without root, only the lock speaks.
 */
export function holdersOf(live: string): Holder[] {
  const files = new Set([live, `${live}-wal`, `${live}-shm`].filter(existsSync).map(fileId));
  if (files.size === 0 || !existsSync("/proc/self/fd")) return [];
  const found: Holder[] = [];
  for (const entry of readdirSync("/proc")) {
    const pid = Number(entry);
    if (pid > 0 && pid !== process.pid && openFiles(pid).some((id) => files.has(id)))
      found.push({ pid, command: commandOf(pid) });
  }
  return found;
}

const fileId = (path: string) => {
  const { dev, ino } = statSync(path);
  return `${dev}:${ino}`;
};

function openFiles(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [fileId(`/proc/${pid}/fd/${fd}`)];
      } catch {
        return [];
      }
    });
  } catch {
    return []; // it ended, or is another user's
  }
}

const COMMAND_LENGTH = 80;

/** As it was started, such as `bun api/main.ts`. */
function commandOf(pid: number): string {
  try {
    const [program = "", ...words] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
    return [basename(program), ...words].join(" ").slice(0, COMMAND_LENGTH);
  } catch {
    return "a process";
  }
}
