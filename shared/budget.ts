/** The day's money for AI. Once it is spent the queue waits: no slot claims a job until the next day, or an operator's word. */
import type { Database } from "bun:sqlite";
import { audit } from "./audit.ts";
import type { Config } from "./config.ts";
import { transact } from "./db.ts";
import { Refusal } from "./refusal.ts";
import { dropSetting, getSetting, putSetting } from "./settings.ts";
import { addDays, dayStart, eventDay, instantOf } from "./time.ts";
import { spentSince } from "./usage.ts";

export type BudgetConfig = Pick<Config, "DAILY_BUDGET_USD" | "TZ_NAME" | "DAY_STARTS_HOUR">;

/** Another limit for one day, by an operator's word; null: none that day. */
type Raise = { day: string; usd: number | null; by: string };
const RAISE = "budget_today";
/** Operators hear of it at this share. */
export const BUDGET_WARNING = 0.8;
export const MAX_BUDGET_USD = 100_000;
const CENT_USD = 0.01;

export type Budget = {
  /** Dollars; 0 = no limit. */
  limit: number;
  spent: number;
  /** Spent of the limit; 0 without one. */
  share: number;
  /** Jobs wait. */
  held: boolean;
  /** Whose word holds for today instead of the setting. */
  raisedBy: string | null;
  day: string;
};

export function budgetOf(db: Database, config: BudgetConfig, now: number): Budget {
  const day = eventDay(now, config);
  const stored = getSetting<Raise>(db, RAISE);
  const raise = stored?.day === day ? stored : null;
  const limit = raise ? (raise.usd ?? 0) : config.DAILY_BUDGET_USD;
  const spent = spentSince(db, startOfDay(now, config));
  const share = limit === 0 ? 0 : spent / limit;
  return { limit, spent, share, held: limit > 0 && spent >= limit, raisedBy: raise?.by ?? null, day };
}

/** Do jobs wait for money? Asked before each claim. */
export const isHeld = (db: Database, config: BudgetConfig, now: number) =>
  (config.DAILY_BUDGET_USD > 0 || getSetting(db, RAISE) !== null) && budgetOf(db, config, now).held;

export type TodaysBudget = {
  /** More than 0. null: no limit today. What the setting says: the setting again. */
  usd: number | null;
  actor: string;
  now: number;
};

/**
 * Sets today's limit, whatever the setting says. Zero means "no limit" in the settings alone: here, in the middle of an
 * evening, it could as well mean "spend nothing more", so it is refused.
 * @returns whether it changed
 * @throws Refusal `invalid`
 */
export function setTodaysBudget(db: Database, config: BudgetConfig, { usd, actor, now }: TodaysBudget): boolean {
  if (usd !== null && usd >= 0 && usd < CENT_USD)
    throw new Refusal("invalid", (t) => t.budgetOfNothing, { sayFields: { usd: (t) => t.moreThanNothing } });
  if (usd !== null && !(usd > 0 && usd <= MAX_BUDGET_USD))
    throw new Refusal("invalid", (t) => t.badBudget, { sayFields: { usd: (t) => t.dollars(MAX_BUDGET_USD) } });
  return transact(db, () => {
    const limitNow = () => budgetOf(db, config, now).limit || null;
    const before = limitNow();
    if (before === usd) return false;
    const day = eventDay(now, config);
    if (usd === (config.DAILY_BUDGET_USD || null)) dropSetting(db, RAISE);
    else putSetting(db, RAISE, { day, usd, by: actor } satisfies Raise, now);
    audit(db, { actor, action: "budget", target: day, before, after: limitNow(), now });
    return true;
  });
}

/** A day begins on a quarter of an hour in every zone, so one answer serves for all instants of that quarter. */
const QUARTER_MS = 900_000;
let known = { key: "", start: 0 };

/** As `dayStart`, kept for a quarter of an hour: it is asked before each claim. */
export function startOfDay(now: number, config: BudgetConfig): number {
  const key = `${Math.floor(now / QUARTER_MS)} ${config.DAY_STARTS_HOUR} ${config.TZ_NAME}`;
  if (known.key !== key) known = { key, start: dayStart(now, config) };
  return known.start;
}

/** When the event's day ends, and with it what was said for today. */
export const endOfDay = (now: number, config: BudgetConfig) => beginningOf(addDays(eventDay(now, config), 1), config);

const beginnings = new Map<string, number>();
const DAYS_REMEMBERED = 500;

/** The instant at which an event's day begins, remembered: a page of three months asks for ninety of them. */
export function beginningOf(day: string, { DAY_STARTS_HOUR, TZ_NAME }: BudgetConfig): number {
  const key = `${day} ${DAY_STARTS_HOUR} ${TZ_NAME}`;
  const known = beginnings.get(key) ?? instantOf(day, DAY_STARTS_HOUR, TZ_NAME);
  if (beginnings.size >= DAYS_REMEMBERED) beginnings.clear();
  beginnings.set(key, known);
  return known;
}
