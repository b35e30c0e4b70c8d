/** Kiosks as operators keep them: one that was put away leaves the list. */
import type { Database } from "bun:sqlite";
import { audit } from "../audit.ts";
import { transact } from "../db.ts";
import { allKiosks, forgetKiosk } from "../kiosks.ts";
import { iso } from "../time.ts";

/** @returns whether it was there */
export function removeKiosk(db: Database, id: string, { actor, now }: { actor: string; now: number }): boolean {
  return transact(db, () => {
    const kiosk = allKiosks(db).find((known) => known.id === id);
    if (!kiosk || !forgetKiosk(db, id)) return false;
    const before = { last_seen_at: iso(kiosk.seen_at), screen: kiosk.screen, camera: kiosk.camera };
    audit(db, { actor, action: "kiosk removed", target: id, before, now });
    return true;
  });
}
