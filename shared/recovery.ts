/** Jobs whose workers died: taken back, and given to another. */
import type { Database } from "bun:sqlite";
import { held, type Job, LEASE_MS, MAX_STRIKES } from "./jobs.ts";
import { packOf } from "./packs.ts";
import { jobMachine, move } from "./status.ts";

export type Owners = {
  /** Has the process of this owner ended? */
  isGone(owner: string): boolean;
  /** Does a worker of this very process walk the job at this moment? Its lease then only looks out of date: the clock was set, or the process stood still. */
  isHeld(job: Job): boolean;
};

/**
 * Takes jobs back from workers that died: their lease ran out (or reaches further than a lease can), or their process ended.
 * @returns the jobs that go to another worker; and of those that have struck too often the ones whose pack Telegram was
 * asked for, and may have, which go to the delivery, and the hopeless ones
 */
export function recoverJobs(
  db: Database,
  { isGone, isHeld }: Owners,
  now: number,
): { requeued: Job[]; asked: Job[]; hopeless: Job[] } {
  const running = db.query("SELECT * FROM jobs WHERE status = 'running'").all() as Job[];
  const isOver = (leftMs: number) => leftMs <= 0 || leftMs > 2 * LEASE_MS;
  const isLost = (job: Job) =>
    isOver((job.lease_until ?? 0) - now) ? !isHeld(job) : job.owner !== null && isGone(job.owner);
  const lost = running.filter(isLost);
  const requeued: Job[] = [];
  const asked: Job[] = [];
  const hopeless: Job[] = [];
  for (const job of lost) {
    const isTooOften = job.strikes >= MAX_STRIKES;
    if (isTooOften && packOf(db, job.id) === null) {
      hopeless.push(job);
      continue;
    }
    const moved = move(db, jobMachine, job.id, "running", isTooOften ? "delivering" : "queued", {
      now,
      actor: "clock",
      reason: "worker_died",
      guard: held(job),
      set: { owner: null, lease_until: null, not_before: now, ...(isTooOften && { strikes: 0 }) },
    });
    if (moved) (isTooOften ? asked : requeued).push(job);
  }
  return { requeued, asked, hopeless };
}
