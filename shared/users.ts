/** Guests: only what the booth needs to speak to them, and how to forget them. */
import type { Database } from "bun:sqlite";
import { type Lang, langs } from "./status.ts";

export type User = { id: number; first_name: string; lang: Lang; unreachable_at: number | null };

const NAME_LENGTH = 128;

/** A guest as Telegram describes them in an update. */
export type TelegramUser = { id: number; first_name: string; language_code?: string };

/** Telegram's language codes as ours: `uz-Latn` and the like too; others read Russian or English. */
export function langFrom(code: string | undefined): Lang {
  const base = code?.toLowerCase().split(/[-_]/)[0] ?? "";
  if ((langs as readonly string[]).includes(base)) return base as Lang;
  return ["be", "kk", "ky", "tg", "uk", "hy", "az", "tk"].includes(base) || base === "" ? "ru" : "en";
}

/** Remembers a guest who wrote to the bot; a language they chose themselves stays. Writing makes them reachable again. */
export function seeUser(db: Database, user: TelegramUser, now: number): User {
  return db
    .query(
      `INSERT INTO users (id, first_name, lang, created_at, seen_at) VALUES (?1, ?2, ?3, ?4, ?4)
       ON CONFLICT (id) DO UPDATE SET first_name = ?2, seen_at = ?4, unreachable_at = NULL,
         lang = CASE WHEN lang_chosen = 1 OR ?5 THEN lang ELSE ?3 END
       RETURNING id, first_name, lang, unreachable_at`,
    )
    .get(
      user.id,
      user.first_name.slice(0, NAME_LENGTH),
      langFrom(user.language_code),
      now,
      user.language_code === undefined,
    ) as User;
}

export const userById = (db: Database, id: number) =>
  db.query("SELECT id, first_name, lang, unreachable_at FROM users WHERE id = ?").get(id) as User | null;

/** The guest's own choice of language; their open visits follow it, and so does the kiosk they stand at. */
export function chooseLang(db: Database, id: number, lang: Lang, now: number) {
  db.query("UPDATE users SET lang = ?, lang_chosen = 1 WHERE id = ?").run(lang, id);
  db.query(
    "UPDATE sessions SET lang = ?, updated_at = ? WHERE user_id = ? AND status IN ('linked', 'consented', 'template_chosen')",
  ).run(lang, now, id);
}

/** For a guest whose phone names no language; one they chose themselves stays. @returns the guest as they are now */
export function adoptLang(db: Database, user: User, lang: Lang): User {
  const adopted = db.query("UPDATE users SET lang = ? WHERE id = ? AND lang_chosen = 0").run(lang, user.id).changes > 0;
  return adopted ? { ...user, lang } : user;
}

/** Telegram says that this chat cannot be written to: blocked, deactivated or never started. */
export function markUnreachable(db: Database, id: number, now: number) {
  db.query("UPDATE users SET unreachable_at = coalesce(unreachable_at, ?) WHERE id = ?").run(now, id);
}
