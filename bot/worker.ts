/** A worker slot: claims a job, walks its steps, and hands it to the delivery. Several run side by side. */
import { inWords } from "../shared/admin/jobs.ts";
import { alertOperators } from "../shared/alerts.ts";
import { isHeld } from "../shared/budget.ts";
import { removeLeftovers } from "../shared/erase.ts";
import { describe } from "../shared/errors.ts";
import {
  claimJob,
  handToDelivery,
  hasWork,
  type Job,
  jobById,
  LEASE_MS,
  LeaseLost,
  noteStep,
  renewLease,
  requeueJob,
} from "../shared/jobs.ts";
import type { StepContext } from "../shared/loop.ts";
import { type FailProblem, refuseSelfie } from "../shared/outcomes.ts";
import { packOf } from "../shared/packs.ts";
import { processOwner } from "../shared/process.ts";
import { team } from "../shared/texts/operators/index.ts";
import type { BotContext } from "./context.ts";
import { failPack } from "./failing.ts";
import { createPack } from "./packing.ts";
import type { Artists } from "./studio/artists.ts";
import { type Bench, type Left, steps } from "./studio/steps.ts";

/** Pauses after a round in which every artist failed; when they are used up the guest is told. About a minute and a half. */
const ROUND_PAUSES_MS = [3_000, 7_000, 15_000, 30_000, 30_000];
/** A step that throws is our bug: the job gets another chance, and after a few the recovery gives it up. */
const BUG_PAUSE_MS = 5_000;
const MAX_BUGS = 3;
const REASON_LENGTH = 200;

/** What the slots of this process walk now: owner and attempt. */
const atWork = new Set<string>();
const workOf = ({ id, owner, attempt }: Job) => `${id} ${owner} ${attempt}`;

/** Does a slot of this process walk the job right now? */
export const isAtWork = (job: Job) => atWork.has(workOf(job));

export async function workOnce(
  context: BotContext,
  artists: Artists,
  slot: number,
  loop: StepContext,
): Promise<"again" | undefined> {
  const { db, config, now, log } = context;
  if (!hasWork(db, now()) || isHeld(db, config, now())) return;
  const job = claimJob(db, `${processOwner}/${slot}`, now());
  if (!job) return;
  log.info({ job: job.id, attempt: job.attempt }, "a job was claimed");
  atWork.add(workOf(job));
  const lost = new AbortController();
  const renewal = setInterval(() => {
    try {
      renewLease(db, job, now());
      loop.beat();
    } catch (error) {
      if (error instanceof LeaseLost) lost.abort(error);
      else log.warn({ job: job.id, err: error }, "a lease could not be renewed");
    }
  }, LEASE_MS / 3);
  try {
    await walk({ context, artists, signal: AbortSignal.any([loop.signal, lost.signal]), stopping: loop.signal }, job);
  } catch (error) {
    leave(context, job, error, loop.signal.aborted);
  } finally {
    clearInterval(renewal);
    atWork.delete(workOf(job));
    context.wake();
  }
  return "again";
}

/** Goes through the steps that are not done yet, over and over while one sends the job back. */
async function walk(bench: Bench, claimed: Job) {
  let job = claimed;
  for (;;) {
    const step = steps.find((s) => !s.done(job));
    const name = step?.name ?? "pack";
    const at = bench.context.now();
    const started = performance.now();
    const left = step ? await step.run(bench, job) : await createPack(bench, job);
    noteStep(bench.context.db, job, { name, outcome: outcomeOf(left), at, ms: performance.now() - started });
    bench.signal.throwIfAborted();
    if (left.kind !== "kept") return end(bench.context, job, left);
    job = left.job;
    if (!step) return deliver(bench.context, job);
  }
}

/** As the job's story tells it. What another side said is foreign text, and bounded. */
function outcomeOf(left: Left): string {
  if (left.kind === "kept") return left.outcome;
  if (left.kind === "pause") return left.reason.slice(0, REASON_LENGTH);
  const reason = left.kind === "fail" && left.reason ? `: ${left.reason}` : "";
  return `${left.problem}${reason}`.slice(0, REASON_LENGTH);
}

function deliver({ db, now, log }: BotContext, job: Job) {
  handToDelivery(db, job, now());
  log.info({ job: job.id, ms: now() - (job.started_at ?? now()) }, "a pack was created");
}

function end(context: BotContext, job: Job, left: Exclude<Left, { kind: "kept" }>) {
  const { db, config, log, now } = context;
  if (left.kind === "retake") {
    refuseSelfie(db, job, left.problem, config, now());
    return log.info({ job: job.id, problem: left.problem }, "a selfie was sent back");
  }
  if (left.kind === "fail") return fail(context, job, left.problem, left.reason);
  if (left.untilMs !== undefined) return requeueJob(db, job, { untilMs: left.untilMs, reason: left.reason }, now());
  const pauseMs = ROUND_PAUSES_MS[job.rounds];
  if (pauseMs === undefined) return fail(context, job, "providers_down");
  requeueJob(db, job, { untilMs: now() + pauseMs, reason: left.reason, round: true }, now());
  log.warn({ job: job.id, pauseMs, reason: left.reason }, "a job waits for the artists");
}

function fail(context: BotContext, job: Job, problem: FailProblem, reason?: string) {
  if (!failPack(context, job, { problem, reason, actor: job.owner ?? "worker", hand: "worker" }))
    throw new LeaseLost(job);
}

/** The walk was cut short: by a stop, a lost lease, or a bug. */
function leave(context: BotContext, job: Job, error: unknown, stopping: boolean) {
  const { db, config, log, now } = context;
  const current = jobById(db, job.id);
  if (error instanceof LeaseLost || current?.owner !== job.owner || current?.attempt !== job.attempt) {
    removeLeftovers(db, config.DATA_DIR, job, now());
    // After it: whoever acts on this line finds nothing left.
    return log.warn({ job: job.id, attempt: job.attempt }, "the lease was lost; nothing more was written");
  }
  if (stopping) {
    requeueJob(db, current, { untilMs: now(), reason: "stopped" }, now());
    return log.info({ job: job.id }, "a job was given back");
  }
  log.error({ job: job.id, err: error }, "a step threw");
  alertOperators(db, config, {
    cause: `bug:${describe(error).slice(0, 60)}`,
    text: team(config.TEAM_LANG).alerts.metError(inWords(db, job, config.TEAM_LANG), describe(error)),
    now: now(),
  });
  if (current.strikes >= MAX_BUGS) {
    // Telegram may have made the set all the same: the delivery asks.
    if (packOf(db, job.id) !== null) return handToDelivery(db, job, now());
    return fail(context, current, "worker_died");
  }
  // The strike stays: a job that breaks every worker ends.
  requeueJob(db, current, { untilMs: now() + BUG_PAUSE_MS, reason: "error", keepStrike: true }, now());
}
