/** Storing a request: once per `request_id` whatever races, and not too many of one visitor. */
import type { Database } from "bun:sqlite";
import { getSetting, putSetting } from "../settings.ts";
import { begin, type Lang, leadMachine } from "../status.ts";
import type { EventType } from "./lead.ts";

export const FLOOD_WINDOW_MS = 10 * 60_000;
/** New requests of one visitor in that time. */
export const VISITOR_LIMIT = 5;
/** When the form's server does not say who the visitor is, all of its visitors count as one; that one may do more. */
export const CALLER_LIMIT = 60;
const FLOOD_ALERT_EVERY_MS = 3_600_000;
const FLOOD_ALERT = "leads_flood_alert_at";

export type NewLead = {
  request_id: string;
  name: string;
  contact: string;
  event_type?: EventType;
  event_date?: string;
  guests?: number;
  city?: string;
  comment?: string;
  locale: Lang;
  page?: string;
  utm?: Record<string, string>;
};

/** Whose request it is: a mark that is no address, and how many new ones it may make in `FLOOD_WINDOW_MS`. */
export type Visitor = { mark: string; limit: number };

export type Taken =
  | { kind: "stored" | "known"; number: number }
  /** `alert`: the operators have not been told in the last hour. */
  | { kind: "flood"; retryAfterS: number; alert: boolean };

/** Stores a request, or finds it known or its visitor too fast. Call it in a transaction. */
export function takeLead(db: Database, lead: NewLead, visitor: Visitor, now: number): Taken {
  const requestId = lead.request_id.toLowerCase();
  const known = db.query("SELECT number FROM leads WHERE request_id = ?").get(requestId);
  if (known) return { kind: "known", number: (known as { number: number }).number };
  const waitMs = floodWaitMs(db, visitor, now);
  if (waitMs > 0) return { kind: "flood", retryAfterS: Math.ceil(waitMs / 1000), alert: alertIsDue(db, now) };
  const { number } = db
    .query(
      `INSERT INTO leads (request_id, status, name, contact, city, comment, page, utm, event_type, event_date, guests,
         locale, source, status_at, queued_at, next_publish_at, created_at, updated_at)
       VALUES (?, 'new', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?13, ?13, ?13, ?13, ?13) RETURNING number`,
    )
    .get(
      requestId,
      lead.name,
      lead.contact,
      lead.city || null,
      lead.comment || null,
      lead.page || null,
      lead.utm && Object.keys(lead.utm).length > 0 ? JSON.stringify(lead.utm) : null,
      lead.event_type ?? null,
      lead.event_date ?? null,
      lead.guests ?? null,
      lead.locale,
      sourceOf(lead.utm),
      now,
    ) as { number: number };
  begin(db, leadMachine, number, "new", { now, actor: "landing" });
  db.query("INSERT INTO lead_visits (visitor, at) VALUES (?, ?)").run(visitor.mark, now);
  return { kind: "stored", number };
}

/** The number that a request would get now: the answer for a robot whose request is not kept. */
export const nextLeadNumber = (db: Database) =>
  (db.query("SELECT coalesce(max(number), 0) + 1 AS next FROM leads").get() as { next: number }).next;

/** @returns 0, or the milliseconds until this visitor may make another request */
function floodWaitMs(db: Database, { mark, limit }: Visitor, now: number): number {
  const oldest = db
    .query("SELECT at FROM lead_visits WHERE visitor = ? AND at > ? AND at <= ? ORDER BY at DESC LIMIT 1 OFFSET ?")
    .get(mark, now - FLOOD_WINDOW_MS, now, limit - 1) as { at: number } | null;
  return oldest ? Math.max(1, oldest.at + FLOOD_WINDOW_MS - now) : 0;
}

function alertIsDue(db: Database, now: number): boolean {
  const last = getSetting<number>(db, FLOOD_ALERT);
  if (last !== null && now - last < FLOOD_ALERT_EVERY_MS && last <= now) return false;
  return putSetting(db, FLOOD_ALERT, now, now);
}

/** Forgets visitors whose requests no longer count. */
export const sweepVisits = (db: Database, now: number) =>
  db.query("DELETE FROM lead_visits WHERE at <= ?").run(now - FLOOD_WINDOW_MS).changes;

/** The campaign's source as a plain word, which says nothing of a person and can stay when the rest is erased. */
function sourceOf(utm: Record<string, string> | undefined): string {
  const given = (utm?.source ?? utm?.utm_source ?? "").trim().toLowerCase();
  if (given === "") return "direct";
  return /^\p{L}[\p{L}\p{N}._-]{0,39}$/u.test(given) ? given : "other";
}
