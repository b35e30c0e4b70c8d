/**
 * The queue of packs to make. A claim is one conditional UPDATE; it bumps `attempt`, and every later write of that
 * claim names owner and attempt, so a worker that lost its lease can no longer change anything.
 */
import type { Database, SQLQueryBindings } from "bun:sqlite";
import { relaxed } from "./relaxed.ts";
import type { Session } from "./sessions.ts";
import { begin, type JobStatus, jobMachine, type Lang, move, recordMove } from "./status.ts";

export const LEASE_MS = 30_000;
/** A job that took so many workers down with it is not given to another; counted at the claim. */
export const MAX_STRIKES = 5;

export type Job = {
  id: number;
  session_token: string;
  user_id: number | null;
  template_id: string;
  lang: Lang;
  status: JobStatus;
  attempt: number;
  strikes: number;
  owner: string | null;
  lease_until: number | null;
  not_before: number;
  rounds: number;
  problem: string | null;
  selfie: string;
  selfie_check: string | null;
  draws: number;
  key_colour: string | null;
  sheet: string | null;
  sheet_by: string | null;
  sheet_check: string | null;
  stickers: string | null;
  created_at: number;
  updated_at: number;
  started_at: number | null;
  finished_at: number | null;
};

/** Puts a visit's photo into the queue. Call it in the transaction that moves the visit. @returns the job's id */
export function enqueueJob(db: Database, session: Session, selfie: string, actor: string, now: number): number {
  const { id } = db
    .query(
      `INSERT INTO jobs (session_token, user_id, template_id, lang, status, selfie, created_at, updated_at)
       VALUES (?, ?, ?, ?, 'queued', ?, ?, ?) RETURNING id`,
    )
    .get(session.token, session.user_id, session.template_id, session.lang, selfie, now, now) as { id: number };
  begin(db, jobMachine, id, "queued", { now, actor });
  return id;
}

export const jobById = (db: Database, id: number) => db.query("SELECT * FROM jobs WHERE id = ?").get(id) as Job | null;

/**
 * Takes the oldest job that may start. One statement picks and takes, so two slots never get the same one.
 * @returns the claimed job, or null when there is nothing to do
 */
export function claimJob(db: Database, owner: string, now: number): Job | null {
  return relaxed(db, () => {
    const job = db
      .query(
        `UPDATE jobs SET status = 'running', owner = ?1, lease_until = ?2, attempt = attempt + 1, strikes = strikes + 1,
           started_at = coalesce(started_at, ?3), updated_at = ?3
         WHERE id = (SELECT id FROM jobs WHERE status = 'queued' AND not_before <= ?3 ORDER BY id LIMIT 1) AND status = 'queued'
         RETURNING *`,
      )
      .get(owner, now + LEASE_MS, now) as Job | null;
    if (job) recordMove(db, jobMachine, job.id, "queued", "running", { now, actor: owner });
    return job;
  });
}

/** Is anything waiting that may start now? Cheap, and takes no lock: a slot asks this before it claims. */
export const hasWork = (db: Database, now: number) =>
  db.query("SELECT 1 FROM jobs WHERE status = 'queued' AND not_before <= ? LIMIT 1").get(now) !== null;

/** What a write of this claim, and of no other, may find in the row. */
export const held = (job: Job) => ({ owner: job.owner, attempt: job.attempt });

/** The lease was lost: another worker has the job, or an operator ended it. Whoever holds it stops at once. */
export class LeaseLost extends Error {
  constructor(job: Job) {
    super(`job ${job.id} is no longer held by attempt ${job.attempt}`);
    this.name = "LeaseLost";
  }
}

/** Asked before a file is touched or an artist is paid: no condition of a statement stands before that. @throws LeaseLost */
export function assertHeld(db: Database, job: Job) {
  const now = jobById(db, job.id);
  if (now?.owner !== job.owner || now?.attempt !== job.attempt) throw new LeaseLost(job);
}

/** Is the job still on its way, whoever has it? What comes for another one, of an erased guest say, is not kept. */
export const isOnItsWay = (db: Database, id: number): boolean =>
  db.query("SELECT 1 FROM jobs WHERE id = ? AND status IN ('queued', 'running') AND user_id IS NOT NULL").get(id) !==
  null;

/** @throws LeaseLost */
export function renewLease(db: Database, job: Job, now: number) {
  relaxed(db, () => write(db, job, { lease_until: now + LEASE_MS }));
}

/** Stores what a finished step left behind. @returns the job as it is now @throws LeaseLost */
export function keepResult(
  db: Database,
  job: Job,
  result: Partial<
    Pick<Job, "selfie_check" | "draws" | "key_colour" | "sheet" | "sheet_by" | "sheet_check" | "stickers" | "rounds">
  >,
  now: number,
): Job {
  write(db, job, { ...result, updated_at: now });
  return { ...job, ...result };
}

function write(db: Database, job: Job, values: Record<string, SQLQueryBindings>) {
  const columns = Object.keys(values).map((c) => `${c} = ?`);
  const { changes } = db
    .query(
      `UPDATE jobs SET ${columns.join(", ")} WHERE id = ? AND owner = ? AND attempt = ? AND status IN ('running', 'delivering')`,
    )
    .run(...Object.values(values), job.id, job.owner, job.attempt);
  if (changes === 0) throw new LeaseLost(job);
}

export type Pause = {
  untilMs: number;
  reason: string;
  /** Every artist failed in this round. */
  round?: boolean;
  /** The worker met a bug: like a crash, it counts against the job. */
  keepStrike?: boolean;
};

/** Gives a job back in the worker's own words: a pause or a stop, not a crash. @throws LeaseLost */
export function requeueJob(db: Database, job: Job, pause: Pause, now: number) {
  const moved = move(db, jobMachine, job.id, "running", "queued", {
    now,
    actor: job.owner ?? "worker",
    reason: pause.reason,
    guard: held(job),
    set: {
      owner: null,
      lease_until: null,
      not_before: Math.round(pause.untilMs),
      strikes: pause.keepStrike ? job.strikes : 0,
      rounds: job.rounds + (pause.round ? 1 : 0),
    },
  });
  if (!moved) throw new LeaseLost(job);
}

/** The set exists: from here on the job waits for its page and the guest. @throws LeaseLost */
export function handToDelivery(db: Database, job: Job, now: number) {
  const moved = relaxed(db, () =>
    move(db, jobMachine, job.id, "running", "delivering", {
      now,
      actor: job.owner ?? "worker",
      guard: held(job),
      set: { owner: null, lease_until: null, not_before: now, strikes: 0 },
    }),
  );
  if (!moved) throw new LeaseLost(job);
}

export type JobEnd = "done" | "failed" | "cancelled";
/** Who may end a job only as long as it is theirs: the worker that holds it, or the delivery of this very try. */
export type Hand = "worker" | "delivery";

/** Ends a job: in the hand that has it, or, without one, wherever it is. @returns whether it ended now */
export function endJob(
  db: Database,
  job: Job,
  to: JobEnd,
  options: { problem?: string; actor: string; now: number; hand?: Hand },
): boolean {
  const { hand } = options;
  const from: Record<Hand | "any", JobStatus[]> = {
    worker: ["running"],
    delivery: ["delivering"],
    any: ["queued", "running", "delivering"],
  };
  const guard = { worker: held(job), delivery: { attempt: job.attempt }, any: {} };
  return move(db, jobMachine, job.id, from[hand ?? "any"], to, {
    now: options.now,
    actor: options.actor,
    reason: options.problem,
    guard: guard[hand ?? "any"],
    set: {
      owner: null,
      lease_until: null,
      problem: options.problem ?? null,
      finished_at: options.now,
      ...(to === "done" ? { strikes: 0 } : {}),
    },
  });
}

/** Jobs in delivery in the order of their next look, ids in `except` left out. */
export const nextDeliveries = (db: Database, limit: number, except: readonly number[]) =>
  db
    .query(
      `SELECT * FROM jobs WHERE status = 'delivering' AND id NOT IN (SELECT value FROM json_each(?))
       ORDER BY not_before, id LIMIT ?`,
    )
    .all(JSON.stringify(except), limit) as Job[];

/** Looks again later. In delivery `strikes` counts the tries that were in vain: a first good look at the page is none. */
export function postponeDelivery(db: Database, { id, attempt }: Job, untilMs: number) {
  db.query(
    `UPDATE jobs SET not_before = ?, strikes = strikes + NOT EXISTS
       (SELECT 1 FROM packs WHERE job_id = jobs.id AND page_seen > 0 AND visible_at IS NULL)
     WHERE id = ? AND attempt = ? AND status = 'delivering'`,
  ).run(Math.round(untilMs), id, attempt);
}

/** Does a living job of this visit draw from this file? */
export const selfieInUse = (db: Database, token: string, file: string) =>
  db.query("SELECT 1 FROM jobs WHERE session_token = ? AND selfie = ? AND status <> 'cancelled'").get(token, file) !==
  null;

/** The TTL took files of this visit: the rows of its jobs say since when. */
export function noteFilesRemoved(db: Database, token: string, now: number) {
  db.query("UPDATE jobs SET files_removed_at = coalesce(files_removed_at, ?) WHERE session_token = ?").run(now, token);
}

/** A finished step with its length in milliseconds. */
export function noteStep(
  db: Database,
  job: Pick<Job, "id" | "attempt">,
  step: { name: string; outcome: string; at: number; ms: number },
) {
  relaxed(db, () => {
    db.query("INSERT INTO steps (job_id, attempt, name, outcome, at, ms) VALUES (?, ?, ?, ?, ?, ?)").run(
      job.id,
      job.attempt,
      step.name,
      step.outcome,
      step.at,
      Math.round(step.ms),
    );
  });
}
