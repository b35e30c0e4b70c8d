/** Visits to the kiosk: one row from Start to the photo, moved by the kiosk and by the guest's phone. */

import type { Database } from "bun:sqlite";
import { randomBytes } from "node:crypto";
import { transact } from "./db.ts";
import { enqueueJob } from "./jobs.ts";
import { closeQuestions, forgetQuestion } from "./questions.ts";
import { relaxed } from "./relaxed.ts";
import { begin, IS_OPEN, type Lang, move, openStatuses, type SessionStatus, sessionMachine } from "./status.ts";
import type { User } from "./users.ts";

/** 144 bits: it is the only key to a visit, and fits Telegram's start parameter and callback data. */
const TOKEN_BYTES = 18;
export const tokenPattern = /^[A-Za-z0-9_-]{22,48}$/;

export type Session = {
  token: string;
  status: SessionStatus;
  kiosk: string | null;
  lang: Lang;
  user_id: number | null;
  template_id: string | null;
  problem: string | null;
  photo_sha256: string | null;
  photo_answer: string | null;
  created_at: number;
  updated_at: number;
  expires_at: number;
};

export type Ttl = { SESSION_TTL_MINUTES: number };
const ttlMs = (ttl: Ttl) => ttl.SESSION_TTL_MINUTES * 60_000;

export function createSession(
  db: Database,
  options: { kiosk: string | null; lang: Lang; ttl: Ttl; now: number },
): Session {
  const { kiosk, lang, now } = options;
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  // A power cut that takes the visit takes the tablet that shows it.
  return relaxed(db, () => {
    db.query(
      "INSERT INTO sessions (token, status, kiosk, lang, created_at, updated_at, expires_at) VALUES (?, 'created', ?, ?, ?, ?, ?)",
    ).run(token, kiosk, lang, now, now, now + ttlMs(options.ttl));
    begin(db, sessionMachine, token, "created", { now, actor: "kiosk" });
    return sessionRow(db, token) as Session;
  });
}

const sessionRow = (db: Database, token: string) =>
  db.query("SELECT * FROM sessions WHERE token = ?").get(token) as Session | null;

/** The visit as it stands; one whose time is over is expired first, so nobody ever acts on a stale one. */
export function findSession(db: Database, token: string, now: number): Session | null {
  const session = sessionRow(db, token);
  if (!session || !isOverdue(session, now)) return session;
  expireSession(db, token, "timeout", "clock", now);
  return sessionRow(db, token);
}

export const isOpen = (s: Session) => (openStatuses as readonly SessionStatus[]).includes(s.status);
const isOverdue = (s: Session, now: number) => isOpen(s) && s.expires_at <= now;

export type ExpiryProblem = "reset" | "timeout" | "declined";

/** Ends an open visit; one past its photo, or ended already, is left as it is. @returns whether it ended now */
export function expireSession(
  db: Database,
  token: string,
  problem: ExpiryProblem,
  actor: string,
  now: number,
): boolean {
  return transact(db, () => {
    const set = { problem };
    if (!move(db, sessionMachine, token, openStatuses, "expired", { now, actor, reason: problem, set })) return false;
    closeQuestions(db, token, problem, now);
    return true;
  });
}

/** Ends every open visit whose time is over. @returns how many */
export function expireOverdue(db: Database, now: number): number {
  const due = db.query(`SELECT token FROM sessions WHERE ${IS_OPEN} AND expires_at <= ? LIMIT 200`).all(now) as {
    token: string;
  }[];
  if (due.length === 0) return 0;
  return transact(db, () => due.filter(({ token }) => expireSession(db, token, "timeout", "clock", now)).length);
}

export type LinkResult = "linked" | "again" | "used" | "over" | "unknown";

/**
 * Ties a visit to the guest who opened its link. The guest's other open visits end: one person stands at one kiosk.
 * @returns `again` when this guest holds it already, `used` when another does, `over` when it has ended
 */
export function linkSession(db: Database, token: string, user: User, ttl: Ttl, now: number): LinkResult {
  return transact(db, () => {
    const session = findSession(db, token, now);
    if (!session) return "unknown";
    if (session.user_id !== null && session.user_id !== user.id) return "used";
    if (session.user_id === user.id)
      return session.status === "expired" || session.status === "blocked" ? "over" : "again";
    if (session.status !== "created") return "over";
    for (const other of openSessionsOf(db, user.id)) expireSession(db, other.token, "reset", `guest:${user.id}`, now);
    move(db, sessionMachine, token, "created", "linked", {
      now,
      actor: `guest:${user.id}`,
      set: { user_id: user.id, lang: user.lang, expires_at: now + ttlMs(ttl) },
    });
    return "linked";
  });
}

export type ConsentResult = "agreed" | "declined" | "again" | "over" | "unknown";

/**
 * The guest's answer about photo processing; other questions of this visit lose their buttons.
 * @param pressed the message whose button it was: its caller rewrites that one
 * @returns `again` when it was given before, `unknown` when it is not their visit
 */
export function answerConsent(
  db: Database,
  token: string,
  userId: number,
  agreed: boolean,
  ttl: Ttl,
  now: number,
  pressed?: number,
): ConsentResult {
  return transact(db, () => {
    const session = findSession(db, token, now);
    if (!session || session.user_id !== userId) return "unknown";
    if (session.status === "expired" || session.status === "blocked")
      return session.problem === "declined" && !agreed ? "again" : "over";
    const actor = `guest:${userId}`;
    if (pressed !== undefined) forgetQuestion(db, userId, pressed);
    if (!agreed) return expireSession(db, token, "declined", actor, now) ? "declined" : "again";
    const set = { expires_at: now + ttlMs(ttl) };
    if (!move(db, sessionMachine, token, "linked", "consented", { now, actor, set })) return "again";
    closeQuestions(db, token, "agreed", now);
    return "agreed";
  });
}

/** Chooses an outfit, or another one before the photo. @returns false when the visit is not at that point */
export function chooseTemplate(db: Database, token: string, templateId: string, ttl: Ttl, now: number): boolean {
  const set = { template_id: templateId, problem: null, expires_at: now + ttlMs(ttl) };
  return transact(db, () => {
    if (move(db, sessionMachine, token, "consented", "template_chosen", { now, actor: "kiosk", set })) return true;
    return (
      db
        .query(
          "UPDATE sessions SET template_id = ?, expires_at = ?, updated_at = ? WHERE token = ? AND status = 'template_chosen'",
        )
        .run(templateId, set.expires_at, now, token).changes > 0
    );
  });
}

/** The guest has had today's packs: the visit ends here. */
export function blockSession(db: Database, token: string, now: number): boolean {
  return transact(db, () => {
    const set = { problem: "pack_limit" };
    const by = { now, actor: "clock", reason: "pack_limit", set };
    if (!move(db, sessionMachine, token, openStatuses, "blocked", by)) return false;
    closeQuestions(db, token, "reset", now);
    return true;
  });
}

export type PhotoIn = { token: string; sha256: string; file: string; actor: string; now: number };

/**
 * Takes a photo: the visit moves to `photo_taken` and its job is queued, together or not at all.
 * @returns the job's id, or null when the visit is not at that point (any more)
 */
export function takePhoto(db: Database, photo: PhotoIn): number | null {
  return transact(db, () => {
    const { token, now, actor } = photo;
    const moved = move(db, sessionMachine, token, "template_chosen", "photo_taken", {
      now,
      actor,
      set: { photo_sha256: photo.sha256, photo_answer: null, problem: null },
    });
    if (!moved) return null;
    return enqueueJob(db, sessionRow(db, token) as Session, photo.file, actor, now);
  });
}

/** Keeps the answer that a photo's sender got: a repeat of the same photo gets the same one. */
export function keepPhotoAnswer(db: Database, token: string, answer: string) {
  db.query("UPDATE sessions SET photo_answer = ? WHERE token = ?").run(answer, token);
}

/** Sends the visit back to the camera: the selfie cannot be used. The guest gets the full time again. */
export function askRetake(db: Database, token: string, problem: string, ttl: Ttl, now: number): boolean {
  return move(db, sessionMachine, token, "photo_taken", "template_chosen", {
    now,
    actor: "worker",
    reason: problem,
    set: { problem, expires_at: now + ttlMs(ttl) },
  });
}

export function endSession(
  db: Database,
  token: string,
  to: "done" | "failed",
  problem: string | null,
  actor: string,
  now: number,
): boolean {
  return move(db, sessionMachine, token, "photo_taken", to, {
    now,
    actor,
    reason: problem ?? undefined,
    set: { problem },
  });
}

export const openSessionsOf = (db: Database, userId: number) =>
  db.query(`SELECT * FROM sessions WHERE user_id = ? AND ${IS_OPEN} ORDER BY rowid DESC`).all(userId) as Session[];

/** The visit that was begun last, whatever the clock said then. */
export const latestSessionOf = (db: Database, userId: number) =>
  db.query("SELECT * FROM sessions WHERE user_id = ? ORDER BY rowid DESC LIMIT 1").get(userId) as Session | null;
