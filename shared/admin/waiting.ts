/** What a pack waits for that no slot works on, and which of those waits mean that something is failing. */
import { type BudgetConfig, endOfDay } from "../budget.ts";
import type { WaitsFor } from "../texts/operators/types.ts";
import type { ActiveJob, Now } from "./now.ts";

export type Waiting = {
  for: WaitsFor | "budget" | "slot";
  /** The try that comes next, or that is being made; counted from 1. */
  attempt: number;
  /** When it comes; null: now, or as soon as there is room. */
  nextAt: number | null;
};

/** A call to Telegram that creates a set is over in a second or two; after this it hangs. */
const HANGING_MS = 15_000;
/** Telegram's servers learn of a new set one after another: a page that does not show it at once is usual. */
const USUAL_DELIVERY_MS = 10_000;
const VAIN_LOOKS = 2;

type Moment = Pick<Now, "at"> & { budget: Pick<Now["budget"], "held"> };

/** @returns null while a slot is well at work on it */
export function waitingOf(job: ActiveJob, { at, budget }: Moment, config: BudgetConfig): Waiting | null {
  const nextAt = job.status !== "running" && job.not_before > at ? job.not_before : null;
  if (job.status === "queued" && budget.held)
    return { for: "budget", attempt: job.attempt + 1, nextAt: endOfDay(at, config) };
  const what = troubleOf(job, at);
  if (what === "telegram") {
    const tries = job.status === "delivering" ? job.strikes : job.telegram_tries;
    return { for: what, attempt: tries + 1, nextAt };
  }
  if (what === "artist") return { for: what, attempt: job.rounds + 1, nextAt };
  if (what === "retry") return { for: what, attempt: job.status === "running" ? job.attempt : job.attempt + 1, nextAt };
  return job.status === "queued" ? { for: "slot", attempt: job.attempt + 1, nextAt } : null;
}

/** Whom the pack's last try failed at; null when it did not fail. */
function troubleOf(job: ActiveJob, at: number): WaitsFor | null {
  const { status, step, strikes, rounds, telegram_tries, updated_at } = job;
  if (status === "delivering") return strikes > 0 ? "telegram" : null;
  if (step === "pack" && telegram_tries > 0) return "telegram";
  if (step === "pack" && status === "running" && at - updated_at > HANGING_MS) return "telegram";
  if (rounds > 0 && step === "draw") return "artist";
  // A claim counts as a strike until its worker ends it in its own words: the first one of a running job is none.
  return strikes > (status === "running" ? 1 : 0) ? "retry" : null;
}

/** Does this wait mean that something fails, which no operator may read as green? */
export function isFailing(job: ActiveJob, waiting: Waiting | null, at: number): boolean {
  if (!waiting || waiting.for === "budget" || waiting.for === "slot") return false;
  if (job.status !== "delivering") return true;
  return job.strikes >= VAIN_LOOKS && at - job.updated_at > USUAL_DELIVERY_MS;
}
