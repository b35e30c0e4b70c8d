/** A job that took one worker after the other down: another would fare no better. */
import { inWords } from "../shared/admin/jobs.ts";
import { alertOperators } from "../shared/alerts.ts";
import { type Job, MAX_STRIKES } from "../shared/jobs.ts";
import { failJob } from "../shared/outcomes.ts";
import { team } from "../shared/texts/operators/index.ts";
import type { BotContext } from "./context.ts";

/** Ends it, if nobody else has; its guest and the operators are told. */
export function giveUpWorkers({ db, config, log, now }: BotContext, job: Job, actor: string) {
  if (!failJob(db, job, "worker_died", actor, now())) return;
  log.error({ job: job.id }, "a job that takes its workers down was given up");
  alertOperators(db, config, {
    cause: "failed:worker_died",
    text: team(config.TEAM_LANG).alerts.workersDown(inWords(db, job, config.TEAM_LANG), MAX_STRIKES),
    job: job.id,
    now: now(),
  });
}
