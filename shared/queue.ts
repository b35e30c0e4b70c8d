/** The queue as it looks from outside: places, times, counts. Moving it is jobs.ts. */
import type { Database } from "bun:sqlite";
import type { Job } from "./jobs.ts";
import { median } from "./median.ts";
import type { Session } from "./sessions.ts";
import type { JobStatus } from "./status.ts";

export type Place = {
  /** Jobs ahead of the visit's one, itself included: 1 is next; 0 once it runs. */
  position: number;
  /** Whole seconds until its pack is likely there; once it runs they count down. */
  etaSeconds: number;
};

/** Where a visit's photo stands in the queue; null when it has none there. @param slots how many packs are made at once */
export function placeOf(db: Database, visit: Pick<Session, "token" | "updated_at">, slots: number, now: number) {
  const job = db
    .query("SELECT id, status, started_at FROM jobs WHERE session_token = ? AND status <> 'cancelled'")
    .get(visit.token) as Pick<Job, "id" | "status" | "started_at"> | null;
  if (job?.status === "running" || job?.status === "delivering") {
    // An operator's retry moves the visit anew; its job began long before.
    const began = Math.max(job.started_at ?? 0, visit.updated_at);
    return place(0, usualJobMs(db) - (now - began));
  }
  if (job?.status !== "queued") return null;
  const { ahead } = db.query("SELECT count(*) AS ahead FROM jobs WHERE status = 'queued' AND id <= ?").get(job.id) as {
    ahead: number;
  };
  return place(ahead, usualJobMs(db) * (1 + Math.ceil(ahead / slots)));
}

const place = (position: number, leftMs: number): Place => ({
  position,
  etaSeconds: Math.max(1, Math.round(leftMs / 1000)),
});

const USUAL_JOB_MS = 45_000;

/**
 * How long a pack took lately, from claim to end, in milliseconds: the median of the last twenty. Those that an operator
 * tried again lay about in between, which no guest has to expect.
 */
export function usualJobMs(db: Database): number {
  const recent = db
    .query(
      `SELECT finished_at - started_at AS ms FROM jobs WHERE status = 'done' AND started_at IS NOT NULL
         AND NOT ${triedAgain("jobs")} ORDER BY id DESC LIMIT 20`,
    )
    .all() as { ms: number }[];
  return median(recent.map(({ ms }) => ms)) ?? USUAL_JOB_MS;
}

/** SQL: did an operator try this job again after it had failed? The first claim alone tells that of nearly all. */
export const triedAgain = (table: string) =>
  `(${table}.attempt > 1 AND EXISTS (SELECT 1 FROM history WHERE machine = 'jobs'
     AND subject = CAST(${table}.id AS TEXT) AND before = 'failed'))`;

export function countJobs(db: Database): Record<JobStatus, number> {
  const counts = { queued: 0, running: 0, delivering: 0, done: 0, failed: 0, cancelled: 0 };
  const rows = db.query("SELECT status, count(*) AS n FROM jobs GROUP BY status").all() as {
    status: JobStatus;
    n: number;
  }[];
  for (const row of rows) counts[row.status] = row.n;
  return counts;
}

/** Packs of a guest that were made or are being made since an instant. */
export const packsSince = (db: Database, userId: number, since: number) =>
  (
    db
      .query(
        "SELECT count(*) AS n FROM jobs WHERE user_id = ? AND created_at >= ? AND status NOT IN ('failed', 'cancelled')",
      )
      .get(userId, since) as { n: number }
  ).n;
