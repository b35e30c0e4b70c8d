/** Jobs whose workers died: taken back, and given to another. */
import type { Database } from "bun:sqlite";
import { held, type Job, LEASE_MS, MAX_STRIKES } from "./jobs.ts";
import { jobMachine, move } from "./status.ts";

export type Owners = {
  /** Has the process of this owner ended? */
  isGone(owner: string): boolean;
  /** Does a worker of this very process walk the job at this moment? Its lease then only looks out of date: the clock was set, or the process stood still. */
  isHeld(job: Job): boolean;
};

/**
 * Takes jobs back from workers that died: their lease ran out (or reaches further than a lease can), or their process ended.
 * @returns the jobs that go to another worker, and those that have struck too often
 */
export function recoverJobs(
  db: Database,
  { isGone, isHeld }: Owners,
  now: number,
): { requeued: Job[]; hopeless: Job[] } {
  const running = db.query("SELECT * FROM jobs WHERE status = 'running'").all() as Job[];
  const isOver = (leftMs: number) => leftMs <= 0 || leftMs > 2 * LEASE_MS;
  const isLost = (job: Job) =>
    isOver((job.lease_until ?? 0) - now) ? !isHeld(job) : job.owner !== null && isGone(job.owner);
  const lost = running.filter(isLost);
  const requeued: Job[] = [];
  const hopeless: Job[] = [];
  for (const job of lost) {
    if (job.strikes >= MAX_STRIKES) {
      hopeless.push(job);
      continue;
    }
    const set = { owner: null, lease_until: null, not_before: now };
    const moved = move(db, jobMachine, job.id, "running", "queued", {
      now,
      actor: "clock",
      reason: "worker_died",
      guard: held(job),
      set,
    });
    if (moved) requeued.push(job);
  }
  return { requeued, hopeless };
}
