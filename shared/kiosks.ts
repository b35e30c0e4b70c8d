/**
 * Kiosks' signs of life.
 *
 *     POST /kiosk/heartbeat      header X-Kiosk-Key when KIOSK_KEY is set; every 4.5 s while the page lives
 *     {"kiosk": "hall-1",        as in POST /session
 *      "version": "0.1.0",       of the page that is shown, up to 40 characters
 *      "screen": "start",        the screen that a guest sees now, a word
 *      "camera": "ok",           `ok`, `off`, `starting` are well; any other word is a trouble: `blocked`, `busy`,
 *                                `missing`, `frozen`, `black`, `error`
 *      "battery": 0.87,          0 to 1
 *      "charging": true,
 *      "wake_lock": true}        false: the screen may fall asleep
 *     → 200 {"maintenance": false, "look": "k3J…"}   `look` changes when GET /kiosk/config would answer anew
 *
 * All but `kiosk` may be absent or null: what a browser does not tell is not known.
 */
import type { Database } from "bun:sqlite";
import { relaxed } from "./relaxed.ts";

export type KioskBeat = {
  kiosk: string;
  version?: string | null;
  screen?: string | null;
  camera?: string | null;
  battery?: number | null;
  charging?: boolean | null;
  wake_lock?: boolean | null;
};

export type Kiosk = {
  id: string;
  version: string | null;
  screen: string | null;
  camera: string | null;
  battery: number | null;
  charging: number | null;
  wake_lock: number | null;
  first_at: number;
  seen_at: number;
};

/** Silent for longer than this while an event is on: operators are told. */
export const KIOSK_SILENT_MS = 60_000;
/** An event is on while the booth is open and somebody began a visit within this time. */
export const EVENT_MS = 2 * 3_600_000;
/** More kiosks than any event has; a stranger who invents names pushes out the longest silent ones. */
const MAX_KIOSKS = 50;
const WELL_CAMERAS: readonly (string | null)[] = ["ok", "off", "starting", null];
const LOW_BATTERY = 0.2;

/** Keeps a kiosk's sign of life. */
export function noteKiosk(db: Database, beat: KioskBeat, now: number) {
  const flag = (value: boolean | null | undefined) => (typeof value === "boolean" ? Number(value) : null);
  relaxed(db, () => {
    db.query(
      `INSERT INTO kiosks (id, version, screen, camera, battery, charging, wake_lock, first_at, seen_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)
       ON CONFLICT (id) DO UPDATE SET version = ?2, screen = ?3, camera = ?4, battery = ?5, charging = ?6, wake_lock = ?7, seen_at = ?8`,
    ).run(
      beat.kiosk,
      beat.version ?? null,
      beat.screen ?? null,
      beat.camera ?? null,
      beat.battery ?? null,
      flag(beat.charging),
      flag(beat.wake_lock),
      now,
    );
    db.query("DELETE FROM kiosks WHERE id NOT IN (SELECT id FROM kiosks ORDER BY seen_at DESC, id LIMIT ?)").run(
      MAX_KIOSKS,
    );
  });
}

export const allKiosks = (db: Database) => db.query("SELECT * FROM kiosks ORDER BY id").all() as Kiosk[];

/** Takes a kiosk off the list, because it was put away. @returns whether it was there */
export const forgetKiosk = (db: Database, id: string) =>
  db.query("DELETE FROM kiosks WHERE id = ?").run(id).changes > 0;

/** Did somebody begin a visit lately? */
export const eventIsOn = (db: Database, now: number) =>
  db.query("SELECT 1 FROM sessions WHERE created_at > ? LIMIT 1").get(now - EVENT_MS) !== null;

export const isSilent = (kiosk: Kiosk, now: number) => now - kiosk.seen_at > KIOSK_SILENT_MS;
export const hasCameraTrouble = (kiosk: Kiosk) => !WELL_CAMERAS.includes(kiosk.camera);
export const isLow = (kiosk: Kiosk) => kiosk.battery !== null && kiosk.battery < LOW_BATTERY && kiosk.charging !== 1;
