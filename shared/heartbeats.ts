/** Signs of life of the bot's loops, for `/health`, the admin page and `doctor`. */
import type { Database } from "bun:sqlite";
import type { Loop } from "./loop.ts";
import { inPlainWords } from "./plain-words.ts";
import { relaxed } from "./relaxed.ts";

/** The heartbeat that the bot leaves at each answered getUpdates. */
export const POLL = "poll";

/** Healthy loops write this seldom. */
const WRITE_EVERY_MS = 5_000;
/** A loop is late when it missed three rounds and this much. */
const LATE_AFTER_MS = 30_000;

/** A loop's listener that stores its heartbeats: good ones of all loops together, in one write every five seconds. */
export function heartbeats(db: Database, now: () => number = Date.now) {
  const marks = new Map<string, { everyMs: number; at: number }>();
  const known = new Set<string>();
  let writtenAt = Number.NEGATIVE_INFINITY;
  return {
    ok({ name, everyMs }: Pick<Loop, "name" | "everyMs">) {
      marks.set(name, { everyMs, at: now() });
      const agoMs = now() - writtenAt;
      // A clock that was set back must not silence the marks until it has caught up.
      if (known.has(name) && agoMs >= 0 && agoMs < WRITE_EVERY_MS) return;
      known.add(name);
      writtenAt = now();
      relaxed(db, () => {
        for (const [loop, { everyMs: ms, at }] of marks) beat(db, loop, ms, at);
      });
      marks.clear();
    },
    failed(loop: Pick<Loop, "name" | "everyMs" | "failures">, error: unknown) {
      marks.delete(loop.name);
      // Its recovery is news: written at once.
      known.delete(loop.name);
      db.query(
        `INSERT INTO heartbeats (loop, every_ms, last_error_at, last_error, failures) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (loop) DO UPDATE SET every_ms = ?2, last_error_at = ?3, last_error = ?4, failures = ?5`,
      ).run(loop.name, loop.everyMs, now(), inPlainWords(error), loop.failures);
    },
  };
}

export function beat(db: Database, loop: string, everyMs: number, at: number) {
  const query = db.query(
    `INSERT INTO heartbeats (loop, every_ms, last_ok_at) VALUES (?1, ?2, ?3)
     ON CONFLICT (loop) DO UPDATE SET every_ms = ?2, last_ok_at = ?3, failures = 0`,
  );
  relaxed(db, () => {
    query.run(loop, everyMs, at);
  });
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

/** When any loop was last seen at work, by the clock of then; null when none ever was. */
export const lastBeat = (db: Database) =>
  (db.query("SELECT max(last_ok_at) AS at FROM heartbeats").get() as { at: number | null }).at;

export function isLate(h: Heartbeat, now: number): boolean {
  return h.failures > 0 || h.last_ok_at === null || now - h.last_ok_at > Math.max(3 * h.every_ms, LATE_AFTER_MS);
}
