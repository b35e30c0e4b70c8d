/** Signs of life of the bot's loops, for `/health`, the admin page and `doctor`. */
import type { Database } from "bun:sqlite";
import { describe } from "./errors.ts";
import type { Loop } from "./loop.ts";

/** A healthy loop writes this seldom: each write is an fsync. */
const WRITE_EVERY_MS = 5_000;
/** A loop is late when it missed three rounds and this much. */
const LATE_AFTER_MS = 30_000;

/** A loop's listener that stores its heartbeats, good ones at most every five seconds. */
export function heartbeats(db: Database, now: () => number = Date.now) {
  const written = new Map<string, number>();
  return {
    ok(loop: Pick<Loop, "name" | "everyMs">) {
      const at = now();
      if (at - (written.get(loop.name) ?? Number.NEGATIVE_INFINITY) < WRITE_EVERY_MS) return;
      beat(db, loop.name, loop.everyMs, at);
      written.set(loop.name, at);
    },
    failed(loop: Pick<Loop, "name" | "everyMs" | "failures">, error: unknown) {
      written.delete(loop.name);
      db.query(
        `INSERT INTO heartbeats (loop, every_ms, last_error_at, last_error, failures) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (loop) DO UPDATE SET every_ms = ?2, last_error_at = ?3, last_error = ?4, failures = ?5`,
      ).run(loop.name, loop.everyMs, now(), describe(error), loop.failures);
    },
  };
}

export function beat(db: Database, loop: string, everyMs: number, at: number) {
  db.query(
    `INSERT INTO heartbeats (loop, every_ms, last_ok_at) VALUES (?1, ?2, ?3)
     ON CONFLICT (loop) DO UPDATE SET every_ms = ?2, last_ok_at = ?3, failures = 0`,
  ).run(loop, everyMs, at);
}

/** Forgets loops that no longer exist, such as slots beyond a lowered WORKER_SLOTS. */
export function keepHeartbeats(db: Database, loops: readonly string[]) {
  db.query("DELETE FROM heartbeats WHERE loop NOT IN (SELECT value FROM json_each(?))").run(JSON.stringify(loops));
}

export type Heartbeat = {
  loop: string;
  every_ms: number;
  last_ok_at: number | null;
  last_error_at: number | null;
  last_error: string | null;
  failures: number;
};

export const allHeartbeats = (db: Database) => db.query("SELECT * FROM heartbeats ORDER BY loop").all() as Heartbeat[];

export function isLate(h: Heartbeat, now: number): boolean {
  return h.failures > 0 || h.last_ok_at === null || now - h.last_ok_at > Math.max(3 * h.every_ms, LATE_AFTER_MS);
}
