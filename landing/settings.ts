import type { FallbackWords } from "./deliver-request.ts";
import { TEAM_WORDS } from "./texts/team.ts";

/** Everything the page and its server side need; made by `readSettings` from the environment. */
export type LandingSettings = {
  /** Full URL of `POST /leads`; without it requests go straight to Telegram. */
  endpoint?: string;
  secret?: string;
  botToken?: string;
  chatId?: string;
  /** As shown, e.g. `+998 90 123-45-67`. At least one of `phone` and `telegram` is there. */
  phone?: string;
  /** A public name without `@`. */
  telegram?: string;
  telegramRoot?: string;
  /** Addresses of proxies whose `X-Forwarded-For` is believed; loopback always is. */
  trustedProxies?: string[];
  /** Where the booth works; its date decides which days are over. `DEFAULT_TIME_ZONE` when left out. */
  timeZone?: string;
  /** What the sales group reads when a request goes straight to Telegram; English when left out. */
  words?: FallbackWords;
  /** Deadline of each of the two routes. */
  timeoutMs?: number;
};

type Environment = Record<string, string | undefined>;
type Outcome = { settings: LandingSettings; host: string; port: number; faults: string[]; warnings: string[] };

export const DEFAULT_TIME_ZONE = "Asia/Tashkent";
const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 8002;
const PORT_MAX = 65_535;

/**
 * Reads and checks all settings at once. `faults` are sentences for the operator, and with any of them the form
 * must not start; `warnings` are what works but was perhaps not meant. Neither ever quotes a secret.
 */
export function readSettings(env: Environment): Outcome {
  const faults: string[] = [];
  const warnings: string[] = [];
  /** The trimmed value of `name`; one that breaks the rule becomes a fault. */
  const read = (name: string, rule: (value: string) => boolean, sentence: string): string | undefined => {
    const value = env[name]?.trim() || undefined;
    if (value && !rule(value)) faults.push(`${name} ${sentence}`);
    return value;
  };
  const host = read("LANDING_HOST", (value) => !/\s/.test(value), "must be an address or a host name.");
  const port = read(
    "LANDING_PORT",
    (value) => /^\d+$/.test(value) && Number(value) <= PORT_MAX,
    `must be a port number, 0 to ${PORT_MAX}.`,
  );
  const endpoint = read(
    "LEADS_ENDPOINT",
    isWebUrl,
    "must be the full URL of POST /leads, such as https://booth.example/leads.",
  );
  const secret = read(
    "LEADS_SECRET",
    (value) => /^[\x21-\x7e]+$/.test(value),
    "must be visible ASCII characters: it travels in a header.",
  );
  const botToken = read(
    "BOT_TOKEN",
    (value) => /^\d+:[\w-]+$/.test(value),
    "must look like 123456:letters, as BotFather gives it.",
  );
  const chatId = read(
    "LEADS_CHAT_ID",
    (value) => /^(-?\d+|@\w+)$/.test(value),
    "must be the number of a chat, or @name of a public group.",
  );
  const phone = read(
    "LANDING_PHONE",
    isPhone,
    "must be a phone number with its country code, such as +998 90 123-45-67.",
  );
  const telegram = read(
    "LANDING_TELEGRAM",
    (value) => telegramName(value) !== null,
    "must be @name or https://t.me/name.",
  );
  const telegramRoot = read("TELEGRAM_API_ROOT", isWebUrl, "must be a URL, such as https://api.telegram.org.");
  const trustedProxies = read(
    "LANDING_TRUSTED_PROXIES",
    (value) => /^[\da-f:., ]+$/i.test(value),
    "must be addresses, separated by commas.",
  );

  const teamLang = read("TEAM_LANG", (value) => /^(en|ru|uz)$/.test(value), "must be en, ru or uz.");
  const timeZone = read("TZ_NAME", isTimeZone, "must be a time zone, such as Asia/Tashkent.");

  if (endpoint && !secret)
    faults.push("LEADS_SECRET is missing: the server at LEADS_ENDPOINT takes no request without it.");
  if (!endpoint && !(botToken && chatId))
    faults.push(
      "No request could be delivered: set LEADS_ENDPOINT and LEADS_SECRET, or BOT_TOKEN and LEADS_CHAT_ID, best all four.",
    );
  if (!phone && !telegram)
    faults.push(
      "LANDING_PHONE or LANDING_TELEGRAM is missing: a visitor whose request fails needs another way to reach you.",
    );
  if (endpoint && !(botToken && chatId))
    warnings.push("No fallback: without BOT_TOKEN and LEADS_CHAT_ID a request is refused while the server is away.");
  if (!endpoint) warnings.push("No LEADS_ENDPOINT: every request goes straight to Telegram and into no database.");
  if (endpoint && isOpenHttp(endpoint))
    warnings.push(
      "LEADS_ENDPOINT is plain http: outside a private network, contacts and the secret can be read on the way.",
    );

  const settings: LandingSettings = {
    endpoint,
    secret,
    botToken,
    chatId,
    phone,
    telegram: telegram ? (telegramName(telegram) ?? undefined) : undefined,
    telegramRoot: telegramRoot?.replace(/\/+$/, ""),
    trustedProxies: trustedProxies?.split(/[, ]+/).filter(Boolean),
    timeZone,
    words: teamLang === "ru" || teamLang === "uz" ? TEAM_WORDS[teamLang] : undefined,
  };
  return { settings, host: host ?? DEFAULT_HOST, port: port ? Number(port) : DEFAULT_PORT, faults, warnings };
}

function isWebUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && !url.username && !url.password;
}

function isOpenHttp(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return url.protocol === "http:" && !/^(localhost|127\.|\[::1\]$)/.test(url.hostname);
}

function isPhone(value: string): boolean {
  return /^\+?[\d ()-]{5,30}$/.test(value) && value.replace(/\D/g, "").length >= 5;
}

function isTimeZone(value: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: value }));
  } catch {
    return false;
  }
}

/** The public name in `@name`, `name`, `t.me/name` or `https://t.me/name`. */
function telegramName(value: string): string | null {
  return /^(?:(?:https?:\/\/)?t\.me\/|@)?([a-z]\w{3,31})\/?$/i.exec(value)?.[1] ?? null;
}
