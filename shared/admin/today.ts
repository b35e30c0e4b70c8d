/** The event's day in figures. A pack counts once, when it reached its guest, however often it was tried. */
import type { Database } from "bun:sqlite";
import { startOfDay } from "../budget.ts";
import type { Config } from "../config.ts";
import { median } from "../median.ts";
import { triedAgain } from "../queue.ts";
import { eventDay } from "../time.ts";
import { isRetake } from "./words.ts";

const HOUR_MS = 3_600_000;

export type Zone = Pick<Config, "TZ_NAME" | "DAY_STARTS_HOUR" | "DAILY_BUDGET_USD">;

export type Today = {
  day: string;
  /** When the day began. */
  since: number;
  packs: number;
  /** Who got them. */
  served: number;
  /** Packs that are given up as things stand: a later retry takes one away again. */
  failed: number;
  cancelled: number;
  /** Selfies that were sent back to the camera. */
  retakes: number;
  visits: number;
  guests: number;
  /** From the photo to the guest's link, packs that an operator tried again left out; null without any. */
  medianSeconds: number | null;
  /** Hours of the day from its beginning to now. */
  hours: { at: number; packs: number; failed: number; medianSeconds: number | null }[];
};

type Ended = {
  status: "done" | "failed" | "cancelled";
  problem: string | null;
  /** The guest; once erased, their visit. */
  guest: number | string;
  at: number;
  ms: number;
  /** An operator tried it again: how long that took says nothing of what a guest has to expect. */
  again: number;
};

export function todayOf(db: Database, config: Zone, now: number): Today {
  const since = startOfDay(now, config);
  const ended = db
    .query(
      `SELECT status, problem, coalesce(user_id, session_token) AS guest, finished_at AS at, finished_at - created_at AS ms, ${triedAgain("jobs")} AS again
       FROM jobs WHERE finished_at >= ? AND finished_at IS NOT NULL`,
    )
    .all(since) as Ended[];
  const count = { done: 0, failed: 0, cancelled: 0, retakes: 0 };
  const hours = Array.from({ length: Math.floor(Math.max(0, now - since) / HOUR_MS) + 1 }, (_, hour) => ({
    at: since + hour * HOUR_MS,
    times: [] as number[],
    packs: 0,
    failed: 0,
  }));
  const served = new Set(ended.filter(({ status }) => status === "done").map(({ guest }) => guest)).size;
  for (const { status, problem, at, ms, again } of ended) {
    count[status === "cancelled" && isRetake(problem) ? "retakes" : status]++;
    const hour = hours[Math.floor((at - since) / HOUR_MS)];
    if (status === "failed" && hour) hour.failed++;
    if (status !== "done" || !hour) continue;
    hour.packs++;
    if (!again) hour.times.push(ms);
  }
  const { visits, guests } = db
    .query("SELECT count(*) AS visits, count(DISTINCT user_id) AS guests FROM sessions WHERE created_at >= ?")
    .get(since) as { visits: number; guests: number };
  return {
    day: eventDay(now, config),
    since,
    packs: count.done,
    served,
    failed: count.failed,
    cancelled: count.cancelled,
    retakes: count.retakes,
    visits,
    guests,
    medianSeconds: medianSeconds(hours.flatMap(({ times }) => times)),
    hours: hours.map(({ at, times, packs, failed }) => ({
      at,
      packs,
      failed,
      medianSeconds: medianSeconds(times),
    })),
  };
}

function medianSeconds(times: number[]): number | null {
  const ms = median(times);
  return ms === null ? null : Math.round(ms / 1000);
}
