/** A request of somebody who wants the booth: its row, and the moves that the sales people make with it. */
import type { Database } from "bun:sqlite";
import { conditions } from "../conditions.ts";
import { transact } from "../db.ts";
import { type Lang, type LeadStatus, leadMachine, move } from "../status.ts";

export const eventTypes = ["wedding", "birthday", "corporate", "other"] as const;
export type EventType = (typeof eventTypes)[number];

export type Lead = {
  number: number;
  request_id: string;
  status: LeadStatus;
  /** Null once the retention has erased it; so are the other contact data. */
  name: string | null;
  contact: string | null;
  city: string | null;
  comment: string | null;
  page: string | null;
  /** JSON `{name: value}` */
  utm: string | null;
  event_type: EventType | null;
  event_date: string | null;
  guests: number | null;
  locale: Lang;
  source: string;
  status_at: number;
  status_by: string | null;
  taken_at: number | null;
  reminders: number;
  erased_at: number | null;
  version: number;
  queued_at: number;
  published_at: number | null;
  /** Its first card's, however often another one is asked for. */
  first_published_at: number | null;
  next_publish_at: number;
  publish_failures: number;
  created_at: number;
  updated_at: number;
};

export const leadStatuses = Object.keys(leadMachine.moves) as LeadStatus[];

/** What a person does with a lead, by the status that it leads to. */
export const leadActions = { take: "in_progress", won: "won", lost: "lost", spam: "spam", reopen: "new" } as const;
export type LeadAction = keyof typeof leadActions;

export const leadByNumber = (db: Database, number: number) =>
  db.query("SELECT * FROM leads WHERE number = ?").get(number) as Lead | null;

/** Leads, newest first; page on with the last one's number as `before`. */
export function listLeads(
  db: Database,
  { status, before, limit }: { status?: LeadStatus; before?: number; limit: number },
): Lead[] {
  const { where, values } = conditions([
    ["status = ?", status],
    ["number < ?", before],
  ]);
  return db.query(`SELECT * FROM leads ${where} ORDER BY number DESC LIMIT ?`).all(...values, limit) as Lead[];
}

/** An erased lead is nobody's to call any more. */
const OPEN = "status IN ('new', 'in_progress') AND erased_at IS NULL";

/** Leads somebody still has to do something about: the new ones, then those in progress, each the oldest first. */
export const openLeads = (db: Database, limit: number) =>
  db.query(`SELECT * FROM leads WHERE ${OPEN} ORDER BY status = 'in_progress', number LIMIT ?`).all(limit) as Lead[];

/** How many there are of those. */
export function countOpen(db: Database): Record<"new" | "in_progress", number> {
  const rows = db.query(`SELECT status, count(*) AS n FROM leads WHERE ${OPEN} GROUP BY status`).all() as {
    status: LeadStatus;
    n: number;
  }[];
  const of = (status: LeadStatus) => rows.find((row) => row.status === status)?.n ?? 0;
  return { new: of("new"), in_progress: of("in_progress") };
}

export type LeadMove = {
  to: LeadStatus;
  /** For the history: `operator:<id> <name>`, `admin:<user>`. */
  actor: string;
  /** As people read it on the card. */
  by: string;
  /** The statuses in which the person saw the lead; any from which the machine allows the move when left out. */
  seen?: readonly LeadStatus[];
  now: number;
};

/**
 * Moves a lead and makes its cards stale.
 * @returns `moved`, and the lead as it stands then: when it did not move, somebody else was first; null when there is none
 */
export function moveLead(
  db: Database,
  number: number,
  { to, actor, by, seen, now }: LeadMove,
): { moved: boolean; lead: Lead } | null {
  return transact(db, () => {
    const lead = leadByNumber(db, number);
    if (!lead) return null;
    const from = leadStatuses.filter((s) => leadMachine.moves[s].includes(to) && (seen?.includes(s) ?? true));
    const moved = move(db, leadMachine, number, from, to, {
      now,
      actor,
      set: {
        status_at: now,
        status_by: by,
        version: lead.version + 1,
        // Whoever closes a new lead at once has taken it too.
        ...(to !== "new" && to !== "spam" && lead.taken_at === null ? { taken_at: now } : {}),
        ...(to === "new" ? { reminders: 0, remind_at: null } : {}),
      },
    });
    return { moved, lead: moved ? (leadByNumber(db, number) as Lead) : lead };
  });
}
