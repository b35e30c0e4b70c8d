/**
 * The settings: one schema, read once from the environment, every fault named at once and in plain words.
 * `.env.example` is generated from it (`bun run env`), so this file is where a setting is born.
 */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { AppError } from "./errors.ts";
import { faultOf, type ProviderName, providerNames, providersIn, type Setting, shown, typed } from "./setting.ts";
import type { Lang } from "./status.ts";

export const EX_CONFIG = 78;

export { type ProviderName, providerNames };

const text = (description: string, more: object = {}) =>
  Type.String({ minLength: 1, maxLength: 500, description, ...more });
const secret = (description: string, more: object = {}) => text(description, { secret: true, ...more });
const whole = (description: string, minimum: number, maximum: number, value: number) =>
  Type.Integer({ description, minimum, maximum, default: value });
const origin = (description: string, more: object = {}) => text(description, { origin: true, ...more });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

/** A Telegram chat: a group's id is negative. */
const chat = (description: string) => Type.Integer({ description, minimum: -(2 ** 52), maximum: 2 ** 52 });

export const schema = Type.Object({
  BOT_TOKEN: secret("Telegram bot token, from @BotFather", {
    pattern: "^[0-9]{3,}:[A-Za-z0-9_-]{20,}$",
    hint: "digits, a colon and the secret, as @BotFather gives it",
  }),
  ADMIN_CHAT_ID: chat("Operators' chat: alerts and admin commands"),
  LEADS_CHAT_ID: optional(chat("Sales group; without it leads wait in the outbox")),
  BOT_USERNAME: optional(
    text("The bot's @name without @; learned from Telegram when empty", {
      pattern: "^[A-Za-z][A-Za-z0-9_]{3,31}$",
      hint: "letters, digits and _",
    }),
  ),

  DATA_DIR: text("Folder of the database, photos and backups", { default: "./data" }),
  HOST: text("Address the api listens on", { default: "127.0.0.1" }),
  PORT: whole("Port the api listens on", 0, 65535, 8000),
  PUBLIC_URL: optional(origin("The booth's public origin; http://HOST:PORT when empty")),

  ADMIN_USER: optional(text("User of /admin; without user and password /admin answers 404")),
  ADMIN_PASSWORD: optional(secret("Password of /admin", { minLength: 8, hint: "8 characters or more" })),
  KIOSK_KEY: optional(secret("When set, kiosks must present it: open the kiosk once with #key=…")),

  LEADS_SECRET: optional(
    secret("Shared secret of POST /leads; without it the endpoint answers 404", {
      minLength: 16,
      hint: "16 characters or more",
    }),
  ),
  LEADS_IP_SALT: optional(
    secret("Salt of the visitor-IP HMAC; generated once when empty", { minLength: 16, hint: "16 characters or more" }),
  ),
  LEADS_RETENTION_DAYS: whole("Contact data of leads is erased after this many days", 1, 3650, 365),
  LEADS_REMIND_MINUTES: whole("A lead nobody took is pinged after this", 1, 10080, 30),
  DIGEST_HOUR: whole("Local hour of the daily digest", 0, 23, 9),
  TZ_NAME: text("Time zone of reminders, digest and statistics", { default: "Asia/Tashkent", zone: true }),
  TEAM_LANG: Type.Union(
    ["en", "ru", "uz"].map((l) => Type.Literal(l)),
    {
      description: "Language of the operators' and the sales group's chats, and the admin page's first: en, ru or uz",
      default: "en",
    },
  ),
  DAY_STARTS_HOUR: whole(
    "Local hour at which a day of statistics and limits begins, so that a party past midnight is one day",
    0,
    23,
    6,
  ),

  PACK_LIMIT: whole("Packs per guest per day; 0 = no limit", 0, 1000, 3),
  PHOTO_TTL_HOURS: whole("Photos, sheets and stickers are removed from disk after this", 1, 720, 24),
  SESSION_TTL_MINUTES: whole("A visit with no progress expires after this", 1, 240, 10),
  WORKER_SLOTS: whole("Sticker packs drawn at once", 1, 16, 2),
  STICKERS_PER_PACK: Type.Union(
    [4, 6, 9, 12, 16].map((n) => Type.Literal(n)),
    { description: "Stickers asked for on one sheet: 4, 6, 9, 12 or 16", default: 9 },
  ),
  DAILY_BUDGET_USD: Type.Number({
    description: "AI spending a day at which jobs wait; 0 = no limit",
    minimum: 0,
    maximum: 100000,
    default: 0,
  }),

  AI_PROVIDERS: text("Order of providers: gemini, openai, offline (the built-in artist)", {
    default: "gemini,openai",
    providers: true,
  }),
  GEMINI_API_KEY: optional(secret("Gemini key; the provider is skipped without it")),
  OPENAI_API_KEY: optional(secret("OpenAI key; the provider is skipped without it")),
  GEMINI_IMAGE_MODEL: text("Gemini model that draws", { default: "gemini-nano-banana-2.1" }),
  GEMINI_VISION_MODEL: text("Gemini model that looks", { default: "gemini-3.8-flash" }),
  OPENAI_IMAGE_MODEL: text("OpenAI model that draws", { default: "gpt-image-2.6-sunburst" }),
  OPENAI_VISION_MODEL: text("OpenAI model that looks", { default: "gpt-5.4-mini" }),

  TELEGRAM_API_ROOT: origin("Where the Bot API is", { default: "https://api.telegram.org" }),
  TELEGRAM_WEB_ROOT: origin("Where deep links and pack pages are", { default: "https://t.me" }),
  GEMINI_BASE_URL: optional(origin("Another address of Gemini, for tests and the demo")),
  OPENAI_BASE_URL: optional(origin("Another address of OpenAI, for tests and the demo")),

  BACKUP_S3_BUCKET: optional(text("Bucket of an S3-compatible store for a copy of each backup off site")),
  BACKUP_S3_KEY_ID: optional(secret("Access key id of that store")),
  BACKUP_S3_SECRET: optional(secret("Secret access key of that store")),
  BACKUP_S3_ENDPOINT: optional(origin("Address of that store; Amazon's own when empty")),
  BACKUP_S3_REGION: optional(text("Region of that store, where it has regions")),
  BACKUP_S3_PREFIX: text("What the copies' names begin with there", { default: "sticker-booth/" }),

  LOG_LEVEL: Type.Union(
    ["debug", "info", "warn", "error"].map((l) => Type.Literal(l)),
    { description: "Least level that is logged", default: "info" },
  ),
});

type Raw = Static<typeof schema>;
/** The settings as the code reads them: names are those of the environment. */
export type Config = Omit<Raw, "AI_PROVIDERS" | "PUBLIC_URL" | "STICKERS_PER_PACK" | "TEAM_LANG"> & {
  AI_PROVIDERS: ProviderName[];
  PUBLIC_URL: string;
  STICKERS_PER_PACK: number;
  TEAM_LANG: Lang;
};

const settings = Object.entries(schema.properties) as [keyof Raw, Setting][];
const isRequired = (name: string) => (schema.required as string[]).includes(name);

type Env = Record<string, string | undefined>;

/**
 * Reads the settings from an environment.
 * @throws AppError `config`, with a sentence for each faulty setting in `fields`; it never holds a secret's value
 */
export function readConfig(env: Env): Config {
  const { values, faults } = readValues(env, settings);
  if (Boolean(values.ADMIN_USER) !== Boolean(values.ADMIN_PASSWORD)) {
    faults[values.ADMIN_USER ? "ADMIN_PASSWORD" : "ADMIN_USER"] ??=
      "is missing: /admin needs both a user and a password, or neither";
  }
  refuse(faults);
  const raw = values as Raw;
  return {
    ...raw,
    PUBLIC_URL: trimSlash(
      raw.PUBLIC_URL ?? `http://${raw.HOST.includes(":") ? `[${raw.HOST}]` : raw.HOST}:${raw.PORT}`,
    ),
    TELEGRAM_API_ROOT: trimSlash(raw.TELEGRAM_API_ROOT),
    TELEGRAM_WEB_ROOT: trimSlash(raw.TELEGRAM_WEB_ROOT),
    STICKERS_PER_PACK: Number(raw.STICKERS_PER_PACK),
    TEAM_LANG: raw.TEAM_LANG as Lang,
    AI_PROVIDERS: providersIn(raw.AI_PROVIDERS),
  };
}

/**
 * Some of the settings, for a tool that works without the rest: a backup needs no bot.
 * @throws AppError `config`, as `readConfig`
 */
export function readSome<K extends keyof Raw>(env: Env, names: readonly K[]): Pick<Raw, K> {
  const wanted = settings.filter(([name]) => (names as readonly string[]).includes(name));
  const { values, faults } = readValues(env, wanted);
  refuse(faults);
  return values as Pick<Raw, K>;
}

function readValues(env: Env, wanted: [keyof Raw, Setting][]) {
  const faults: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  for (const [name, setting] of wanted) {
    const given = env[name]?.trim();
    const value = given ? typed(setting, given) : setting.default;
    if (value === undefined) {
      if (!isRequired(name)) continue;
      faults[name] = `is required: ${lower(setting.description)}`;
      continue;
    }
    const fault = faultOf(setting, value);
    if (fault) faults[name] = setting.secret ? fault : `is "${shown(String(given ?? value))}", but ${fault}`;
    values[name] = value;
  }
  const s3 = ["BACKUP_S3_BUCKET", "BACKUP_S3_KEY_ID", "BACKUP_S3_SECRET"] as const;
  if (s3.some((name) => values[name])) {
    for (const name of s3) {
      if (values[name] || !wanted.some(([known]) => known === name)) continue;
      faults[name] ??= "is missing: the copy off site needs a bucket, a key id and a secret, or none of them";
    }
  }
  return { values, faults };
}

function refuse(faults: Record<string, string>) {
  if (Object.keys(faults).length === 0) return;
  throw new AppError("config", "The settings have faults; nothing was started.", { fields: faults });
}

const trimSlash = (url: string) => url.replace(/\/+$/, "");
const lower = (sentence = "") => sentence.charAt(0).toLowerCase() + sentence.slice(1);

/** Reads the process's settings, or lists what is wrong on standard error and ends with EX_CONFIG. For `main.ts` alone. */
export const configOrExit = (env: Env = Bun.env): Config => orExit(() => readConfig(env));

/** As `configOrExit`, for the tools that need only some of the settings. */
export const someOrExit = <K extends keyof Raw>(names: readonly K[]): Pick<Raw, K> =>
  orExit(() => readSome(Bun.env, names));

function orExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError && error.fields)) throw error;
    const lines = Object.entries(error.fields).map(([name, fault]) => `  ${name} ${fault}`);
    console.error(`${error.message}\n${lines.join("\n")}\nSee .env.example for every setting.`);
    process.exit(EX_CONFIG);
  }
}

/** The text of `.env.example`. */
export function envExample(): string {
  const blocks = settings.map(([name, setting]) => {
    const required = isRequired(name) && setting.default === undefined;
    const value = setting.default ?? "";
    return `# ${setting.description}${required ? " (required)" : ""}\n${required ? "" : "#"}${name}=${value}`;
  });
  return `# Settings of the sticker booth. Generated by \`bun run env\` from shared/config.ts: edit it there.\n\n${blocks.join("\n\n")}\n`;
}
