/**
 * Waking without a call between the processes: SQLite's `data_version` changes when another connection has
 * committed, and asking for it costs microseconds. The loops' own intervals stay as the floor.
 */
import type { Database } from "bun:sqlite";

/** Half of this is the usual delay; at 25 ms a bare timer alone would cost as much as the looking. */
const LOOK_EVERY_MS = 75;

/** Calls `woken` soon after each commit of another connection. @returns a function that ends it */
export function onForeignCommit(db: Database, woken: () => void, everyMs = LOOK_EVERY_MS): () => void {
  const version = db.query("PRAGMA data_version");
  const look = () => (version.get() as { data_version: number }).data_version;
  let seen = look();
  const timer = setInterval(() => {
    try {
      const found = look();
      if (found === seen) return;
      seen = found;
    } catch {
      // A database that does not answer now wakes nobody; an error here would end the process.
      return;
    }
    woken();
  }, everyMs);
  return () => clearInterval(timer);
}
