/** Telegram repeats an update until it knows that we got it; this is how we know that we did. */
import type { Database } from "bun:sqlite";
import { transact } from "./db.ts";

/** Runs `work` for an update once ever: its writes and the mark are one transaction. @returns whether it ran */
export function handleOnce(db: Database, updateId: number, now: number, work: () => void): boolean {
  return transact(db, () => {
    const fresh =
      db.query("INSERT INTO updates (id, at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING").run(updateId, now).changes > 0;
    if (fresh) work();
    return fresh;
  });
}

/** Telegram keeps an update for 24 hours; older marks serve nothing. */
export const sweepUpdates = (db: Database, before: number) =>
  db.query("DELETE FROM updates WHERE at < ?").run(before).changes;
