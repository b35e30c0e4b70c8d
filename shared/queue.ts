/** The queue as it looks from outside: places, times, counts. Moving it is jobs.ts. */
import type { Database } from "bun:sqlite";
import type { Job } from "./jobs.ts";
import { median } from "./median.ts";
import type { JobStatus } from "./status.ts";

/** Jobs ahead of this visit's one, itself included: 1 is next. 0 once it runs, null when it has none waiting. */
export function queuePosition(db: Database, token: string): number | null {
  const job = db
    .query("SELECT id, status FROM jobs WHERE session_token = ? AND status <> 'cancelled'")
    .get(token) as Pick<Job, "id" | "status"> | null;
  if (!job) return null;
  if (job.status === "running" || job.status === "delivering") return 0;
  if (job.status !== "queued") return null;
  const { ahead } = db.query("SELECT count(*) AS ahead FROM jobs WHERE status = 'queued' AND id <= ?").get(job.id) as {
    ahead: number;
  };
  return ahead;
}

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
