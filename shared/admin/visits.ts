/** Guests' visits: the list, and how many of them came how far. */
import type { Database } from "bun:sqlite";
import { startOfDay } from "../budget.ts";
import { conditions } from "../conditions.ts";
import { IS_OPEN, type Lang, openStatuses, type SessionStatus } from "../status.ts";
import type { Zone } from "./today.ts";

export const VISITS_PAGE = 50;

export type VisitRow = {
  number: number;
  /** Enough of the token to find its lines in a log, too little to use it. */
  token: string;
  status: SessionStatus;
  kiosk: string | null;
  lang: string;
  name: string | null;
  template: string | null;
  problem: string | null;
  job: number | null;
  created_at: number;
  updated_at: number;
};

/** The newest first, a page at a time; page on with the last one's number as `before`. */
export function listVisits(
  db: Database,
  { before, status, lang = "en" }: { before?: number; status?: SessionStatus; lang?: Lang } = {},
): VisitRow[] {
  const among = status && setOf(status);
  // The plus keeps SQLite at the few visits of such a set, which then are sorted, rather than at all in their order.
  const number = among && among !== ENDED ? "+s.rowid" : "s.rowid";
  const { where, values } = conditions([
    [`s.status = ? AND ${among}`, status],
    [`${number} < ?`, before],
  ]);
  return db
    .query(
      `SELECT s.rowid AS number, substr(s.token, 1, 8) AS token, s.status, s.kiosk, s.lang, u.first_name AS name,
         coalesce(t.title_${lang}, s.template_id) AS template, s.problem,
         (SELECT max(j.id) FROM jobs j WHERE j.session_token = s.token) AS job, s.created_at, s.updated_at
       FROM sessions s LEFT JOIN users u ON u.id = s.user_id LEFT JOIN templates t ON t.id = s.template_id
       ${where} ORDER BY ${number} DESC LIMIT ${VISITS_PAGE}`,
    )
    .all(...values) as VisitRow[];
}

/** SQLite uses an index of some statuses where it reads the index's own condition. */
const ENDED = "s.status IN ('done', 'failed', 'expired', 'blocked')";
const OPEN = `s.${IS_OPEN}`;
/** As many as packs in the making. */
const WITH_PACK = "s.token IN (SELECT session_token FROM jobs WHERE status IN ('queued', 'running', 'delivering'))";

function setOf(status: SessionStatus): string {
  if (status === "photo_taken") return WITH_PACK;
  return (openStatuses as readonly SessionStatus[]).includes(status) ? OPEN : ENDED;
}

export const funnelStages = ["started", "linked", "consented", "outfit", "photo", "delivered"] as const;
export type FunnelStage = (typeof funnelStages)[number];
export type Funnel = { since: number; stages: { stage: FunnelStage; visits: number }[] };

/**
 * How many visits came how far since the event's day began, by what happened to them and not by how they stand: an
 * expired one counts as far as it came, and a retake or a retry counts nobody twice.
 */
export function funnelOf(db: Database, config: Zone, now: number): Funnel {
  const since = startOfDay(now, config);
  const moves = db
    .query("SELECT before, after, sum(visits) AS n FROM visit_moves WHERE quarter >= ? GROUP BY before, after")
    .all(since) as { before: string; after: string; n: number }[];
  const count = (before: string, after: string) =>
    moves.find((move) => move.before === before && move.after === after)?.n ?? 0;
  const visits: Record<FunnelStage, number> = {
    started: count("", "created"),
    linked: count("created", "linked"),
    consented: count("linked", "consented"),
    outfit: count("consented", "template_chosen"),
    photo: count("template_chosen", "photo_taken"),
    delivered: count("photo_taken", "done"),
  };
  return { since, stages: funnelStages.map((stage) => ({ stage, visits: visits[stage] })) };
}

/** Visits that ended before a photo, by how far they were and why. */
export function dropouts(
  db: Database,
  config: Zone,
  now: number,
): { before: string; reason: string; visits: number }[] {
  return db
    .query(
      `SELECT before, iif(reason = '', after, reason) AS reason, sum(visits) AS visits FROM visit_moves
       WHERE quarter >= ? AND after IN ('expired', 'blocked') GROUP BY 1, 2 ORDER BY visits DESC`,
    )
    .all(startOfDay(now, config)) as { before: string; reason: string; visits: number }[];
}
