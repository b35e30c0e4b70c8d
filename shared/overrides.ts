/**
 * Settings that an operator may change while the booth runs. They lie in the database and win over the environment;
 * both processes read them at each use, through the view that `effective` makes once at the start.
 */
import type { Database } from "bun:sqlite";
import { audit } from "./audit.ts";
import { type Config, schema } from "./config.ts";
import { transact } from "./db.ts";
import { adminChat } from "./operators.ts";
import { Refusal, type Say } from "./refusal.ts";
import { faultOf, type Setting } from "./setting.ts";
import { dropSetting, getSetting, putSetting } from "./settings.ts";
import type { RefusalTexts } from "./texts/operators/types.ts";

/** Those whose change in the middle of an event breaks nothing: no file, loop or half-made pack depends on them. */
export const overridable = [
  "PACK_LIMIT",
  "DAILY_BUDGET_USD",
  "SESSION_TTL_MINUTES",
  "LEADS_REMIND_MINUTES",
  "DIGEST_HOUR",
] as const;
export type Overridable = (typeof overridable)[number];
export type Overrides = Partial<Record<Overridable, number>>;

const NAME = "overrides";
const ruleOf = (name: Overridable): Setting => schema.properties[name];

/** What operators have set; a value that today's rules do not allow any more is left out. */
export function overrides(db: Database): Overrides {
  const stored = getSetting<Overrides>(db, NAME) ?? {};
  const known = overridable.filter(
    (name) => stored[name] !== undefined && faultOf(ruleOf(name), stored[name]) === null,
  );
  return Object.fromEntries(known.map((name) => [name, stored[name]]));
}

/** The settings as they hold now, at each reading: give this view to whoever reads settings. */
export function effective(db: Database, config: Config): Config {
  const live = { ...config };
  for (const name of overridable) {
    Object.defineProperty(live, name, { enumerable: true, get: () => overrides(db)[name] ?? config[name] });
  }
  Object.defineProperty(live, "ADMIN_CHAT_ID", { enumerable: true, get: () => adminChat(db, config.ADMIN_CHAT_ID) });
  return live;
}

/** Changes with each save; a form sends it back, so that the second of two operators is told. */
export const overridesVersion = (db: Database) => getSetting<number>(db, `${NAME}_version`) ?? 0;

export type SettingsChange = {
  /** null: back to the environment's value. */
  values: Partial<Record<Overridable, number | null>>;
  /** As the form saw it; absent: whatever it is. */
  version?: number;
  actor: string;
  now: number;
};

/**
 * Stores what operators set. A save that changes nothing writes nothing.
 * @param config the live view of the settings: the audit log tells what held before and what holds now
 * @returns whether something changed
 * @throws AppError `invalid` with the faulty fields, `conflict` when somebody saved meanwhile
 */
export function saveOverrides(db: Database, config: Pick<Config, Overridable>, change: SettingsChange): boolean {
  const faults: Record<string, Say> = {};
  for (const [name, value] of Object.entries(change.values)) {
    const rule = ruleOf(name as Overridable);
    if (value !== null && faultOf(rule, value)) faults[name] = (t) => bounds(rule, t);
  }
  if (Object.keys(faults).length > 0) throw new Refusal("invalid", (t) => t.badSettings, { sayFields: faults });
  return transact(db, () => {
    const before = overrides(db);
    const after: Overrides = { ...before };
    for (const name of overridable) {
      const value = change.values[name];
      if (value === null) delete after[name];
      // What holds already, from wherever it comes, is no change.
      else if (value !== undefined && value !== config[name]) after[name] = value;
    }
    const changed = overridable.filter((name) => before[name] !== after[name]);
    if (changed.length === 0) return false;
    if (change.version !== undefined && change.version !== overridesVersion(db))
      throw new Refusal("conflict", (t) => t.settingsChanged);
    const holding = () => Object.fromEntries(changed.map((name) => [name, config[name]]));
    const held = holding();
    if (Object.keys(after).length === 0) dropSetting(db, NAME);
    else putSetting(db, NAME, after, change.now);
    putSetting(db, `${NAME}_version`, overridesVersion(db) + 1, change.now);
    audit(db, { ...change, action: "settings", before: held, after: holding() });
    return true;
  });
}

/** All that may be changed at run time are numbers within bounds. */
const bounds = ({ type, minimum, maximum }: Setting, texts: RefusalTexts) =>
  type === "integer" ? texts.wholeNumber(minimum, maximum) : texts.number(minimum, maximum);
