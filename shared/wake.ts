/**
 * Waking without a call between the processes. SQLite's `data_version` changes when another connection has committed,
 * and asking for it costs microseconds. When to ask, Linux tells by a watch on the data folder (the folder alone: nobody
 * opens the database's files); elsewhere, and where the watch turns out to be deaf, it is asked all the time. The loops'
 * own intervals stay as the floor.
 */
import type { Database } from "bun:sqlite";
import { watch } from "node:fs";
import { dirname } from "node:path";

/** Without a watch: half of this is the usual delay. */
const LOOK_EVERY_MS = 75;
/** With one: for the commit whose fsync took longer than the looks after its sign. */
const LOOK_SELDOM_MS = 500;
/** The sign comes with the first page that is written, the commit stands after its fsync: it is looked for meanwhile. */
const LOOK_AGAIN_MS = [0, 1, 2, 4, 8, 16, 32, 64, 128];
/** A commit without any sign for so long before it: the watch is deaf (some network and container file systems). */
const DEAF_MS = 5_000;
/** In a stream of commits a waking may come this often: each is a round of every loop. */
const WAKE_EVERY_MS = 40;

/** Calls `sign` at each change in a folder. @returns what ends it; null where that cannot be had */
export type Watching = (folder: string, sign: () => void) => (() => void) | null;

/** Calls `woken` soon after each commit of another connection. @returns a function that ends it */
export function onForeignCommit(db: Database, woken: () => void, watching: Watching = watchFolder): () => void {
  const version = db.query("PRAGMA data_version");
  const look = () => (version.get() as { data_version: number }).data_version;
  let seen = look();
  let wokenAt = Number.NEGATIVE_INFINITY;
  let signAt = performance.now();
  let waking: Timer | undefined;
  let looking: Timer | undefined;

  /** @returns whether there was a commit */
  function check(): boolean {
    try {
      const found = look();
      if (found === seen) return false;
      seen = found;
    } catch {
      // A database that does not answer now wakes nobody; an error here would end the process.
      return false;
    }
    waking ??= setTimeout(wake, Math.max(0, wokenAt + WAKE_EVERY_MS - performance.now()));
    return true;
  }

  function wake() {
    waking = undefined;
    wokenAt = performance.now();
    woken();
  }

  function lookAgain(times: number) {
    const pauseMs = LOOK_AGAIN_MS[times];
    if (pauseMs !== undefined && !check()) looking = setTimeout(lookAgain, pauseMs, times + 1);
  }

  const unwatch = watching(dirname(db.filename), () => {
    signAt = performance.now();
    clearTimeout(looking);
    lookAgain(0);
  });
  let floor = setInterval(unwatch ? seldom : check, unwatch ? LOOK_SELDOM_MS : LOOK_EVERY_MS);

  function seldom() {
    if (!check() || performance.now() - signAt < DEAF_MS) return;
    clearInterval(floor);
    floor = setInterval(check, LOOK_EVERY_MS);
  }

  return () => {
    unwatch?.();
    clearInterval(floor);
    for (const timer of [waking, looking]) clearTimeout(timer);
  };
}

/** Not on systems whose watch of a folder opens the files in it: closing such a descriptor would drop SQLite's locks. */
function watchFolder(folder: string, sign: () => void): (() => void) | null {
  if (process.platform !== "linux") return null;
  try {
    const watcher = watch(folder, { persistent: false }, sign);
    // It may break later, as when the folder is moved away: the seldom looks notice.
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    return null;
  }
}
