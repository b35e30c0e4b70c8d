/** A folder and a database of a test's own, gone with `using`. */
import type { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, readConfig } from "../shared/config.ts";
import { openDb } from "../shared/db.ts";
import { prepareFolders } from "../shared/files.ts";
import { createLog, type Log } from "../shared/log.ts";
import { answerConsent, chooseTemplate, createSession, linkSession, takePhoto } from "../shared/sessions.ts";
import { seeUser } from "../shared/users.ts";

export const ttl = { SESSION_TTL_MINUTES: 10 };
/** A day in 2026, in milliseconds: tests that give their own time start here. */
export const NOON = Date.parse("2026-06-15T07:00:00Z");

export type Folder = Disposable & { path: string };

export function freshFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "booth-unit-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export type Fresh = Disposable & { db: Database; dataDir: string };

export function freshDb(): Fresh {
  const folder = freshFolder();
  prepareFolders(folder.path);
  const db = openDb(folder.path);
  return {
    db,
    dataDir: folder.path,
    [Symbol.dispose]() {
      db.close(false);
      folder[Symbol.dispose]();
    },
  };
}

export const TOKEN = "7100000001:unit-test-token-not-a-real-one";

export const freshConfig = (env: Record<string, string> = {}): Config =>
  readConfig({ BOT_TOKEN: TOKEN, ADMIN_CHAT_ID: "-100500", BOT_USERNAME: "unit_booth_bot", ...env });

/** A log whose lines a test may read. */
export function freshLog(level = "debug"): { log: Log; lines: string[] } {
  const lines: string[] = [];
  return { lines, log: createLog("test", level, { write: (line) => lines.push(line) }) };
}

/** A visit that has come as far as its outfit, of this guest. @returns its token */
export function visitAtCamera(db: Database, guest: number, now = NOON): string {
  const { token } = createSession(db, { kiosk: "test", lang: "en", ttl, now });
  const user = seeUser(db, { id: guest, first_name: "Ann", language_code: "en" }, now);
  linkSession(db, token, user, ttl, now);
  answerConsent(db, token, guest, true, ttl, now);
  chooseTemplate(db, token, "chef", ttl, now);
  return token;
}

/** A visit whose photo is in the queue. */
export function visitInQueue(db: Database, guest: number, now = NOON): { token: string; jobId: number } {
  const token = visitAtCamera(db, guest, now);
  const jobId = takePhoto(db, { token, sha256: `sha-${guest}-${now}`, file: "selfie.jpg", actor: "kiosk", now });
  if (jobId === null) throw new Error("the photo was not taken");
  return { token, jobId };
}
