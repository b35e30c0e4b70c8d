/** The audit log as operators read it, and how many leads are where. */
import type { Database } from "bun:sqlite";
import { conditions } from "../conditions.ts";
import { leadStatuses } from "../leads/lead.ts";
import type { LeadStatus } from "../status.ts";

export const TRAIL_PAGE = 50;

export type TrailRow = {
  id: number;
  at: number;
  actor: string;
  action: string;
  target: string;
  /** JSON, or null. */
  before: string | null;
  after: string | null;
};

/** The newest first, a page at a time; page on with the last one's id as `before`. */
export function listTrail(db: Database, before?: number): TrailRow[] {
  const { where, values } = conditions([["id < ?", before]]);
  return db
    .query(
      `SELECT id, at, actor, action, target, before, after FROM audit_log ${where} ORDER BY id DESC LIMIT ${TRAIL_PAGE}`,
    )
    .all(...values) as TrailRow[];
}

/** All leads by status, read from the index alone. */
export function leadCounts(db: Database): Record<LeadStatus, number> {
  const rows = db.query("SELECT status, count(*) AS n FROM leads GROUP BY status").all() as {
    status: LeadStatus;
    n: number;
  }[];
  const counts = Object.fromEntries(leadStatuses.map((status) => [status, 0])) as Record<LeadStatus, number>;
  for (const { status, n } of rows) counts[status] = n;
  return counts;
}
