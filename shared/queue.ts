/** The queue as it looks from outside: places, times, counts. Moving it is jobs.ts. */
import type { Database } from "bun:sqlite";
import type { Job } from "./jobs.ts";
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

/** How long a pack took lately, from claim to end, in milliseconds: the median of the last twenty. */
export function usualJobMs(db: Database): number {
  const recent = db
    .query(
      "SELECT finished_at - started_at AS ms FROM jobs WHERE status = 'done' AND started_at IS NOT NULL ORDER BY id DESC LIMIT 20",
    )
    .all() as { ms: number }[];
  if (recent.length === 0) return USUAL_JOB_MS;
  const sorted = recent.map((r) => r.ms).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

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
