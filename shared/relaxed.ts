/**
 * Commits that promise nothing to anybody. A power cut may take the last of them, never one without those after it, and
 * a crashed process takes none: the file system has them. What stands after a power cut is what stood a moment earlier,
 * so only what is found again from there belongs here: a claim (the job waits again), a lease, a sign of life.
 */
import type { Database } from "bun:sqlite";
import { transact } from "./db.ts";

/** SQLite's number for it. */
const NORMAL = 1;

/**
 * Like `transact`, without waiting for the disk (`synchronous=NORMAL` in WAL). The next durable commit of either process
 * takes it along. Inside another transaction it joins that one, and waits as that one does.
 * @throws whatever `work` throws, after rolling back
 */
export function relaxed<T>(db: Database, work: () => T extends PromiseLike<unknown> ? never : T): T {
  const { synchronous } = db.query("PRAGMA synchronous").get() as { synchronous: number };
  // It cannot be changed inside a transaction, and who has less already is not given more.
  if (db.inTransaction || synchronous <= NORMAL) return transact(db, work);
  db.run("PRAGMA synchronous = NORMAL");
  try {
    return transact(db, work);
  } finally {
    db.run(`PRAGMA synchronous = ${synchronous}`);
  }
}
