/** What both processes remember beside the rows: single values by name, as JSON. */

import type { Database } from "bun:sqlite";
import { randomBytes } from "node:crypto";
import { transact } from "./db.ts";

export function getSetting<T>(db: Database, name: string): T | null {
  const row = db.query("SELECT value FROM settings WHERE name = ?").get(name) as { value: string } | null;
  return row ? (JSON.parse(row.value) as T) : null;
}

/** @returns whether the value changed */
export function putSetting(db: Database, name: string, value: unknown, now: number): boolean {
  const { changes } = db
    .query(
      `INSERT INTO settings (name, value, updated_at) VALUES (?1, ?2, ?3)
       ON CONFLICT (name) DO UPDATE SET value = ?2, updated_at = ?3 WHERE value <> ?2`,
    )
    .run(name, JSON.stringify(value), now);
  return changes > 0;
}

export function dropSetting(db: Database, name: string): boolean {
  return db.query("DELETE FROM settings WHERE name = ?").run(name).changes > 0;
}

/** A random secret made once, the same for both processes from then on. */
export function secretOnce(db: Database, name: string, now: number): string {
  return transact(db, () => {
    const known = getSetting<string>(db, name);
    if (known) return known;
    const made = randomBytes(32).toString("base64url");
    putSetting(db, name, made, now);
    return made;
  });
}

export type BotIdentity = { id: number; username: string };

/** The bot's @name: as configured, or as Telegram last told the bot. */
export function botUsername(db: Database, configured: string | undefined): string | null {
  return configured ?? getSetting<BotIdentity>(db, "bot")?.username ?? null;
}

export type Maintenance = { reason: string | null; since: number; by: string };

/** The pause that an operator ordered, or null while the booth is open. Read before every guarded action. */
export const maintenance = (db: Database) => getSetting<Maintenance>(db, "maintenance");
