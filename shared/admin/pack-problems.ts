/** What is wrong with the packs in the making: who waits long, and for what that fails. */
import type { BudgetConfig } from "../budget.ts";
import type { Lang } from "../status.ts";
import { team } from "../texts/operators/index.ts";
import type { WaitsFor } from "../texts/operators/types.ts";
import type { ActiveJob, Now } from "./now.ts";
import type { Problem } from "./problems.ts";
import { isFailing, type Waiting, waitingOf } from "./waiting.ts";
import { age, minutes } from "./words.ts";

const MINUTE_MS = 60_000;
const QUEUE_AMBER_MS = 3 * MINUTE_MS;
const QUEUE_RED_MS = 6 * MINUTE_MS;
/** A pack takes about a minute. What has taken longer than this is told in the chat too. */
const SLOW_MS = 3 * MINUTE_MS;

export function packProblems(now: Now, config: BudgetConfig, lang: Lang): Problem[] {
  const jobs = now.jobs.map((job) => ({ job, waiting: waitingOf(job, now, config) }));
  const failing = jobs.filter(({ job, waiting }) => isFailing(job, waiting, now.at));
  const slow = jobs
    .filter((entry) => !failing.includes(entry) && entry.job.status !== "queued")
    .filter(({ job }) => now.at - job.created_at >= SLOW_MS);
  return [
    ...(["telegram", "artist", "retry"] as const).flatMap((what) =>
      waitsFor(
        what,
        failing.filter(({ waiting }) => waiting?.for === what),
        now.at,
        lang,
      ),
    ),
    ...queue(now, lang),
    ...slowOnes(
      slow.map(({ job }) => job),
      now.at,
      lang,
    ),
  ];
}

type Entry = { job: ActiveJob; waiting: Waiting | null };

function waitsFor(what: WaitsFor, entries: Entry[], at: number, lang: Lang): Problem[] {
  const [first] = entries;
  if (!first) return [];
  const { job, waiting } = first;
  const named = { pack: job.id, guest: nameOf(job, lang), tries: triesOf(waiting, at, lang) };
  const { ending, ...told } = team(lang).booth.waiting(what, entries.length, named);
  const long = at - job.created_at >= SLOW_MS;
  return [{ cause: `waiting:${what}`, level: "amber", ...told, ...(long ? { ending } : {}) }];
}

/** `attempt 3, next in 8 s` */
export function triesOf(waiting: Waiting | null, at: number, lang: Lang): string {
  const nextAt = waiting?.nextAt ?? null;
  return team(lang).booth.tries(waiting?.attempt ?? 1, nextAt === null ? null : age(Math.max(1000, nextAt - at), lang));
}

function queue({ oldestQueuedMs, counts, budget }: Now, lang: Lang): Problem[] {
  if (budget.held || oldestQueuedMs === null || oldestQueuedMs < QUEUE_AMBER_MS) return [];
  const red = oldestQueuedMs >= QUEUE_RED_MS;
  const { ending, ...told } = team(lang).booth.queue(counts.queued, minutes(oldestQueuedMs, lang));
  return [{ cause: "queue", level: red ? "red" : "amber", ...told, ...(red ? { ending } : {}) }];
}

function slowOnes(jobs: ActiveJob[], at: number, lang: Lang): Problem[] {
  const [first] = jobs;
  if (!first) return [];
  const named = { pack: first.id, guest: nameOf(first, lang), age: minutes(at - first.created_at, lang) };
  const { what, todo } = team(lang).booth.slow(jobs.length, named);
  return [{ cause: "slow", level: "amber", what, todo }];
}

const nameOf = ({ name }: ActiveJob, lang: Lang) => name ?? team(lang).booth.guest;
