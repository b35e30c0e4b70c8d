/** Figures of the sales desk. Spam counts nowhere but in its own line. */
import type { Database } from "bun:sqlite";
import { median } from "../median.ts";
import type { LeadStatus } from "../status.ts";
import { addDays, instantOf, localTime } from "../time.ts";
import { leadStatuses } from "./lead.ts";

const DAY_MS = 86_400_000;
const SOURCES_SHOWN = 10;

export type Span = { leads: number; won: number };

export type LeadFigures = {
  byStatus: Record<LeadStatus, number>;
  /** Won of those that ended as won or lost; null when none has. */
  conversion: number | null;
  /** From the request to the first take; null when none was taken. */
  medianTakeMs: number | null;
  bySource: { source: string; leads: number; won: number }[];
  /** From Monday to now, the same stretch of last week, and all of last week. */
  weeks: { current: Span; lastByNow: Span; last: Span };
};

export function leadFigures(db: Database, zone: string, now: number): LeadFigures {
  const byStatus = countByStatus(db);
  const ended = byStatus.won + byStatus.lost;
  const monday = mondayOf(localTime(now, zone).date);
  const start = instantOf(monday, 0, zone);
  const lastStart = instantOf(addDays(monday, -7), 0, zone);
  return {
    byStatus,
    conversion: ended === 0 ? null : byStatus.won / ended,
    medianTakeMs: medianTake(db),
    bySource: db
      .query(
        `SELECT source, count(*) AS leads, sum(status = 'won') AS won FROM leads WHERE status <> 'spam'
         GROUP BY source ORDER BY leads DESC, source LIMIT ?`,
      )
      .all(SOURCES_SHOWN) as LeadFigures["bySource"],
    weeks: {
      current: span(db, start, now + 1),
      lastByNow: span(db, lastStart, lastStart + (now - start) + 1),
      last: span(db, lastStart, start),
    },
  };
}

export function countByStatus(db: Database, since = 0, until = Number.MAX_SAFE_INTEGER): Record<LeadStatus, number> {
  const rows = db
    .query("SELECT status, count(*) AS n FROM leads WHERE created_at >= ? AND created_at < ? GROUP BY status")
    .all(since, until) as { status: LeadStatus; n: number }[];
  const counts = Object.fromEntries(leadStatuses.map((status) => [status, 0])) as Record<LeadStatus, number>;
  for (const { status, n } of rows) counts[status] = n;
  return counts;
}

/** Requests that came in a stretch of time, and how many of them are won by now. */
function span(db: Database, from: number, until: number): Span {
  const { new: fresh, in_progress, won, lost } = countByStatus(db, from, until);
  return { leads: fresh + in_progress + won + lost, won };
}

function medianTake(db: Database): number | null {
  const takes = db
    .query("SELECT taken_at - created_at AS ms FROM leads WHERE taken_at IS NOT NULL AND status <> 'spam'")
    .all() as { ms: number }[];
  return median(takes.map(({ ms }) => ms));
}

/** The Monday on or before a date. */
function mondayOf(date: string): string {
  const weekday = (new Date(Date.parse(`${date}T00:00:00Z`)).getUTCDay() + 6) % 7;
  return new Date(Date.parse(`${date}T00:00:00Z`) - weekday * DAY_MS).toISOString().slice(0, 10);
}
