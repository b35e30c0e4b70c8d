/** `/admin/api/settings` and `/admin/api/budget`: what operators may change while the booth runs. No secret is ever sent. */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { budgetSaid, tellChat, userOnPage, usualBudgetSaid } from "../../shared/admin/said.ts";
import { budgetOf, MAX_BUDGET_USD, setTodaysBudget } from "../../shared/budget.ts";
import { type Config, schema } from "../../shared/config.ts";
import { transact } from "../../shared/db.ts";
import {
  type Overridable,
  overridable,
  overrides,
  overridesVersion,
  type SettingsChange,
  saveOverrides,
} from "../../shared/overrides.ts";
import { Refusal, type Say } from "../../shared/refusal.ts";
import type { Setting } from "../../shared/setting.ts";
import type { ApiContext } from "../context.ts";
import { json } from "../json.ts";
import type { AdminDoor } from "./door.ts";
import { rule } from "./lang.ts";
import { budgetView } from "./overview.ts";

/** Its bounds are those of `setTodaysBudget`, for the chat too. */
const todaysBudget = Type.Object(
  {
    usd: Type.Union([Type.Number(), Type.Null()], {
      ...rule((t) => t.dollars(MAX_BUDGET_USD)),
    }),
  },
  { additionalProperties: true },
);

export function settingsRoutes(context: ApiContext, door: AdminDoor) {
  const { db, config, now, log } = context;

  return new Elysia({ name: "admin-settings", normalize: false })
    .get("/admin/api/settings", () => settingsView())
    .put(
      "/admin/api/settings",
      ({ body, request }) => {
        const change = changeIn(body as Record<string, unknown>);
        const changed = save(change, door.actorOf(request));
        if (changed) log.info({ settings: Object.keys(change.values) }, "an operator changed settings");
        return { ...settingsView(), changed };
      },
      { parse: json },
    )
    .post(
      "/admin/api/budget",
      ({ body, request }) => {
        const changed = raise(body.usd, door.actorOf(request));
        if (changed) log.info({ usd: body.usd }, "an operator changed today's budget");
        return { ...budgetView(budgetOf(db, config, now()), config), changed };
      },
      { parse: json, body: todaysBudget },
    );

  /** The chat hears of money in the same moment. */
  function save(change: Pick<SettingsChange, "values" | "version">, actor: string): boolean {
    return transact(db, () => {
      const before = config.DAILY_BUDGET_USD;
      const changed = saveOverrides(db, config, { ...change, actor, now: now() });
      if (config.DAILY_BUDGET_USD !== before) tellChat(db, config, usualBudgetSaid(config, userOnPage(config)), now());
      return changed;
    });
  }

  function raise(usd: number | null, actor: string): boolean {
    return transact(db, () => {
      const changed = setTodaysBudget(db, config, { usd, actor, now: now() });
      const said = () => budgetSaid(budgetOf(db, config, now()), config, userOnPage(config));
      if (changed) tellChat(db, config, said(), now());
      return changed;
    });
  }

  function settingsView() {
    const own = overrides(db);
    return {
      version: overridesVersion(db),
      /** What may be changed here; `own` tells whether an operator did. */
      settings: overridable.map((name) => {
        const rule: Setting = schema.properties[name];
        return {
          name,
          description: rule.description,
          value: config[name],
          own: own[name] !== undefined,
          minimum: rule.minimum as number,
          maximum: rule.maximum as number,
          whole: rule.type === "integer",
        };
      }),
      /** What the environment says and only a restart changes; of secrets only whether they are set. */
      fixed: fixedSettings(config),
    };
  }
}

/** @throws AppError `invalid` when the body names what cannot be changed here */
function changeIn(body: Record<string, unknown>): Pick<SettingsChange, "values" | "version"> {
  const { version, ...values } = body;
  // A map: the names are the caller's, and an object would take `__proto__` for something else and lose that fault.
  const said = new Map<string, Say>();
  for (const [name, value] of Object.entries(values)) {
    if (!(overridable as readonly string[]).includes(name)) said.set(name, (t) => t.fixedSetting);
    else if (typeof value !== "number" && value !== null) said.set(name, (t) => t.settingNumber);
  }
  const faults = Object.fromEntries(said);
  if (version !== undefined && !Number.isInteger(version)) faults.version = (t) => t.version.settings;
  if (Object.keys(faults).length > 0) throw new Refusal("invalid", (t) => t.badSettings, { sayFields: faults });
  return { values: values as Partial<Record<Overridable, number | null>>, version: version as number | undefined };
}

function fixedSettings(config: Config) {
  const live: readonly string[] = overridable;
  return Object.entries(schema.properties)
    .filter(([name]) => !live.includes(name))
    .map(([name, rule]: [string, Setting]) => {
      const value = config[name as keyof Config];
      const shown = value === undefined ? null : String(value);
      return rule.secret
        ? { name, description: rule.description, secret: true, set: shown !== null }
        : { name, description: rule.description, value: shown };
    });
}
