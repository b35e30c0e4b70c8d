/** What the AI cost: by the event's day, by provider and by purpose, and for one pack. Dollars. */
import type { Database } from "bun:sqlite";
import { beginningOf, startOfDay } from "../budget.ts";
import { addDays, eventDay } from "../time.ts";
import type { Purpose } from "../usage.ts";
import type { Zone } from "./today.ts";

const DAY_MS = 86_400_000;
export const MAX_DAYS = 92;

export type CostRow = {
  provider: string;
  purpose: Purpose;
  calls: number;
  failed: number;
  images: number;
  usd: number;
};
export type DayCosts = { day: string; usd: number; packs: number; perPack: number | null; rows: CostRow[] };
export type Costs = {
  days: DayCosts[];
  total: {
    usd: number;
    packs: number;
    perPack: number | null;
    byProvider: Record<string, number>;
    byPurpose: Record<string, number>;
  };
};

/** The last `count` days of the event, oldest first, today included. */
export function costsOf(db: Database, config: Zone, count: number, now: number): Costs {
  const today = eventDay(now, config);
  const days = Array.from({ length: count }, (_, i): DayCosts => {
    const day = addDays(today, i - count + 1);
    const from = day === today ? startOfDay(now, config) : beginningOf(day, config);
    const until = day === today ? now + DAY_MS : beginningOf(addDays(day, 1), config);
    const rows = db
      .query(
        `SELECT provider, purpose, count(*) AS calls, sum(outcome <> 'ok') AS failed, sum(images) AS images, sum(usd) AS usd
         FROM ai_usage WHERE at >= ? AND at < ? GROUP BY provider, purpose ORDER BY usd DESC, provider, purpose`,
      )
      .all(from, until) as CostRow[];
    const { packs } = db
      .query(
        // The plus keeps SQLite off the index of statuses, which would be read whole for each day.
        "SELECT count(*) AS packs FROM jobs WHERE finished_at >= ? AND finished_at < ? AND +status = 'done'",
      )
      .get(from, until) as { packs: number };
    const usd = sum(rows);
    return { day, usd, packs, perPack: packs === 0 ? null : usd / packs, rows };
  });
  const rows = days.flatMap((day) => day.rows);
  const packs = days.reduce((n, day) => n + day.packs, 0);
  const usd = sum(rows);
  return {
    days,
    total: {
      usd,
      packs,
      perPack: packs === 0 ? null : usd / packs,
      byProvider: grouped(rows, ({ provider }) => provider),
      byPurpose: grouped(rows, ({ purpose }) => purpose),
    },
  };
}

const sum = (rows: readonly CostRow[]) => rows.reduce((usd, row) => usd + row.usd, 0);

function grouped(rows: readonly CostRow[], key: (row: CostRow) => string): Record<string, number> {
  const groups: Record<string, number> = {};
  for (const row of rows) groups[key(row)] = (groups[key(row)] ?? 0) + row.usd;
  return groups;
}
