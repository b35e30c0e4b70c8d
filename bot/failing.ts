/** How a job comes to nothing for everybody: it fails, and its guest and the operators are told, all in one moment or not at all. */
import { inWords } from "../shared/admin/jobs.ts";
import { reasonInWords, wordsOf } from "../shared/admin/words.ts";
import { alertOperators } from "../shared/alerts.ts";
import { transact } from "../shared/db.ts";
import type { Hand, Job } from "../shared/jobs.ts";
import { type FailProblem, failJob } from "../shared/outcomes.ts";
import { team } from "../shared/texts/operators/index.ts";
import type { BotContext } from "./context.ts";

const REASON_LENGTH = 200;
/** The guest's matter; everything else is the operators'. */
const notTold: readonly FailProblem[] = ["refused", "photo_gone", "cancelled"];

export type Failure = {
  problem: FailProblem;
  /** What another side said of it. */
  reason?: string;
  actor: string;
  /** Only as long as the job is in it. */
  hand?: Hand;
};

/** @returns whether it failed now; false: it had ended already, or was another's */
export function failPack(context: BotContext, job: Job, { problem, reason, actor, hand }: Failure): boolean {
  const { db, log, now } = context;
  const failed = transact(db, () => {
    if (!failJob(db, job, problem, actor, now(), hand)) return false;
    if (!notTold.includes(problem)) tellOperators(context, job, problem, reason);
    return true;
  });
  if (failed) log.warn({ job: job.id, problem }, "a job failed");
  return failed;
}

function tellOperators({ db, config, now }: BotContext, job: Job, problem: FailProblem, reason?: string) {
  const lang = config.TEAM_LANG;
  const { what, todo } = wordsOf(problem, lang);
  const why = reason ? reasonInWords(reason, lang).slice(0, REASON_LENGTH) : null;
  alertOperators(db, config, {
    cause: `failed:${problem}`,
    text: team(lang).alerts.failed(inWords(db, job, lang), what, why, todo),
    job: job.id,
    now: now(),
  });
}
