/**
 * Locking out callers who guess at a secret. Held in the database, so that a restart forgives nobody; the caller is
 * known by an HMAC of the address. One `scope` for each secret: `leads`, `admin`.
 */
import type { Database } from "bun:sqlite";
import { transact } from "./db.ts";

export const MAX_WRONG = 5;
/** How long a lock holds; wrong attempts further apart than this do not add up. */
export const LOCKOUT_MS = 15 * 60_000;

export type Lockout = {
  /** For how long may this caller not come in at all, whatever it presents? Milliseconds; 0: it may. */
  lockedForMs(caller: string, now: number): number;
  /** As `lockedForMs`, when it does not matter for how long. */
  isLocked(caller: string, now: number): boolean;
  /** Counts a wrong attempt. @returns whether it was the one that locked the caller out */
  wrong(caller: string, now: number): boolean;
};

/**
 * @param mark makes a caller's address unreadable before it is stored, see addresses.ts
 * @param tell stores what operators shall hear of a caller who is locked out, in the same transaction
 */
export function createLockout(
  db: Database,
  scope: string,
  mark: (address: string) => string,
  tell: (now: number) => void,
): Lockout {
  const lockedForMs: Lockout["lockedForMs"] = (caller, now) => {
    const row = db.query("SELECT locked_until FROM lockouts WHERE scope = ? AND caller = ?").get(scope, mark(caller));
    const leftMs = ((row as { locked_until: number } | null)?.locked_until ?? 0) - now;
    // Longer than any lock: the clock was ahead when this one was made.
    return leftMs > LOCKOUT_MS ? 0 : Math.max(0, leftMs);
  };
  return {
    lockedForMs,
    isLocked: (caller, now) => lockedForMs(caller, now) > 0,
    wrong(caller, now) {
      return transact(db, () => {
        const { wrong } = db
          .query(
            `INSERT INTO lockouts (scope, caller, wrong, last_at) VALUES (?1, ?2, 1, ?3)
             ON CONFLICT (scope, caller) DO UPDATE SET wrong = iif(last_at > ?4, wrong, 0) + 1, last_at = ?3
             RETURNING wrong`,
          )
          .get(scope, mark(caller), now, now - LOCKOUT_MS) as { wrong: number };
        if (wrong < MAX_WRONG) return false;
        db.query("UPDATE lockouts SET wrong = 0, locked_until = ?3 WHERE scope = ?1 AND caller = ?2").run(
          scope,
          mark(caller),
          now + LOCKOUT_MS,
        );
        tell(now);
        return true;
      });
    },
  };
}

/** Forgets callers whose attempts no longer count. */
export const sweepLockouts = (db: Database, now: number) =>
  db.query("DELETE FROM lockouts WHERE locked_until <= ?1 AND last_at <= ?1 - ?2").run(now, LOCKOUT_MS).changes;
