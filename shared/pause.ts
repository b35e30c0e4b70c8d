/** The pause that an operator orders: no new visits, running packs finish, leads go on. */
import type { Database } from "bun:sqlite";
import { audit } from "./audit.ts";
import { transact } from "./db.ts";
import { dropSetting, type Maintenance, maintenance, putSetting } from "./settings.ts";

export const MAX_REASON_LENGTH = 200;

/** @returns whether it changed: pausing a paused booth for the same reason, or for none that is given, does not */
export function pauseBooth(db: Database, reason: string | null, actor: string, now: number): boolean {
  return transact(db, () => {
    const before = maintenance(db);
    if (before && (reason === null || before.reason === reason)) return false;
    const after: Maintenance = { reason, since: before?.since ?? now, by: actor };
    putSetting(db, "maintenance", after, now);
    audit(db, { actor, action: "pause", before: before ?? { open: true }, after, now });
    return true;
  });
}

/** @returns whether it was paused */
export function openBooth(db: Database, actor: string, now: number): boolean {
  return transact(db, () => {
    const before = maintenance(db);
    if (!before) return false;
    dropSetting(db, "maintenance");
    audit(db, { actor, action: "resume", before, after: { open: true }, now });
    return true;
  });
}
