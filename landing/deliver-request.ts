/**
 * Delivers one request of the sales form: to the server (`POST /leads`) first, else straight into the sales
 * group. One file without imports, on web standards alone, so that any site (a server action, an edge
 * function, Node, Bun) can take it as it is.
 */

const DEFAULT_TIMEOUT_MS = 5000;
const DEFAULT_TELEGRAM_ROOT = "https://api.telegram.org";
/** The longest text `sendMessage` takes; counted here in UTF-16 units, which is never more than Telegram counts. */
const TELEGRAM_TEXT_MAX = 4096;
/** An answer longer than this is none of ours and is not read to its end. */
const ANSWER_MAX_BYTES = 16_384;
const RETRY_AFTER_DEFAULT_SECONDS = 60;
const RETRY_AFTER_MAX_SECONDS = 86_400;
/** Answers by which the server itself refuses this request. Sending it around them would bypass a limit or hide a bug. */
const REFUSALS = [413, 415, 422, 429];
const LINE_MAX = 500;

/** One request, as `POST /leads` takes it. `visitor_ip` and `website` never reach Telegram. */
export type LeadRequest = {
  request_id: string;
  name: string;
  contact: string;
  event_type?: "wedding" | "birthday" | "corporate" | "other";
  /** `YYYY-MM-DD` */
  event_date?: string;
  guests?: number;
  city?: string;
  comment?: string;
  locale: "ru" | "uz" | "en";
  page?: string;
  utm?: Record<string, string>;
  visitor_ip?: string;
  website?: string;
};

export type DeliverOptions = {
  /** Full URL of `POST /leads`; without it the request goes straight to Telegram. */
  endpoint?: string;
  /** Sent as `X-Stickers-Leads-Secret`. */
  secret?: string;
  botToken?: string;
  /** The sales group. Without it, or without `botToken`, there is no fallback. */
  chatId?: string | number;
  /** Deadline of the server's answer, its body included; the message to Telegram has the same time once more. */
  timeoutMs?: number;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  telegramRoot?: string;
  /** The message's words in the sales group's language; English when left out. */
  words?: FallbackWords;
};

/** The message's lines, in this order; the comment follows them. */
const SHOWN = ["name", "contact", "event_type", "event_date", "guests", "city", "locale", "page", "utm"] as const;
const ENGLISH = {
  head: "Request from the site, not in the database: handle by hand",
  note: (why: string) => `Why: ${why}. If a card with the same request_id is in this group, both are one request.`,
  why: {
    unset: "no server is set",
    late: "the server did not answer in time",
    broken: "the connection to the server failed",
    unreadable: "the server's answer was not readable",
  },
  answered: (status: number) => `the server answered ${status}`,
  labels: ["Name", "Contact", "Event", "Date", "Guests", "City", "Language", "Page", "UTM"],
  comment: "Comment",
};
export type FallbackWords = typeof ENGLISH;
/** Why the server did not take a request; a number is the status of its answer. */
type Why = keyof FallbackWords["why"] | number;

/**
 * Where the request went. `reason` is a sentence for logs, free of secrets and of what the visitor typed.
 * `status`, `retryAfterSeconds` (429) and `fields` (422) are there when the server itself refused.
 */
export type Delivery =
  | { via: "server"; number: number; duplicate: boolean }
  | { via: "telegram" }
  | { via: "none"; reason: string; status?: number; retryAfterSeconds?: number; fields?: string[] };

type Answer =
  | { kind: "stored"; number: number; duplicate: boolean }
  | { kind: "refused"; status: number; retryAfterSeconds?: number; fields?: string[] }
  | { kind: "unavailable"; why: Why };

/**
 * Delivers `request`; never throws.
 *
 * - The server's 200 or 201 with `{number, duplicate}` ends it.
 * - 429, 422, 413 and 415 end it too, as `none`: the server is well and does not want this request.
 * - Anything else (timeout, broken connection, 5xx, 401, 404, a redirect, any answer that is not the
 *   contract's) sends the message to Telegram.
 * - A 2xx that is not the contract's JSON leaves open whether the request was stored. It is asked once more
 *   within the same deadline, which cannot store it twice (the server knows it by `request_id`); if that is
 *   no clearer, the message goes out: a request seen twice can be told by its id, a lost one by nothing.
 * - A filled honeypot is never sent to Telegram.
 */
export async function deliverRequest(request: LeadRequest, options: DeliverOptions): Promise<Delivery> {
  const answer = options.endpoint
    ? await askServer(request, options.endpoint, options)
    : { kind: "unavailable" as const, why: "unset" as const };
  if (answer.kind === "stored") return { via: "server", number: answer.number, duplicate: answer.duplicate };
  if (answer.kind === "refused") {
    const { kind: _, ...details } = answer;
    return { via: "none", reason: `the server refused the request with ${answer.status}`, ...details };
  }
  const why = inWords(answer.why, ENGLISH);
  if (request.website) return { via: "none", reason: `${why}; the honeypot was filled` };
  const failure = await sendToTelegram(fallbackText(request, answer.why, options.words ?? ENGLISH), options);
  return failure ? { via: "none", reason: `${why}; ${failure}` } : { via: "telegram" };
}

async function askServer(request: LeadRequest, endpoint: string, options: DeliverOptions): Promise<Answer> {
  const init = {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Stickers-Leads-Secret": options.secret ?? "" },
    body: JSON.stringify(request),
    // Followed redirects would carry the secret to wherever they point.
    redirect: "manual" as const,
  };
  let refusal: number | undefined;
  const ask = async (signal: AbortSignal): Promise<Answer> => {
    const response = await (options.fetch ?? fetch)(endpoint, { ...init, signal });
    if (REFUSALS.includes(response.status)) refusal = response.status;
    return readAnswer(response);
  };
  const answer = await withDeadline<Answer>(options.timeoutMs, {
    work: async (signal) => {
      const first = await ask(signal);
      return first.kind === "unavailable" && first.why === "unreadable" ? ask(signal) : first;
    },
    late: { kind: "unavailable", why: "late" },
    broken: { kind: "unavailable", why: "broken" },
  });
  // A refusal stands even if the rest of its answer never came.
  return answer.kind === "unavailable" && refusal ? { kind: "refused", status: refusal } : answer;
}

async function readAnswer(response: Response): Promise<Answer> {
  const { status } = response;
  if (status === 429)
    return { kind: "refused", status, retryAfterSeconds: retryAfter(response.headers.get("retry-after")) };
  if (REFUSALS.includes(status)) return { kind: "refused", status, fields: fieldNames(await readJson(response)) };
  if (!response.ok) return { kind: "unavailable", why: status };
  const { number, duplicate } = asRecord(await readJson(response));
  const clear = typeof number === "number" && Number.isSafeInteger(number) && number > 0;
  if (clear && typeof duplicate === "boolean") return { kind: "stored", number, duplicate };
  return { kind: "unavailable", why: "unreadable" };
}

/** Sends `text` to the sales group. Gives the reason when that failed, `null` when the message stands there. */
async function sendToTelegram(text: string, options: DeliverOptions): Promise<string | null> {
  const { botToken, chatId } = options;
  if (!botToken || !chatId) return "the fallback to Telegram is not set up";
  const url = `${options.telegramRoot ?? DEFAULT_TELEGRAM_ROOT}/bot${botToken}/sendMessage`;
  const send = async (chat: string | number, signal: AbortSignal) => {
    // No parse_mode: nothing that a visitor typed can be markup.
    const body = JSON.stringify({ chat_id: chat, text, link_preview_options: { is_disabled: true } });
    const headers = { "Content-Type": "application/json" };
    const init = { method: "POST", headers, body, redirect: "manual" as const, signal };
    const response = await (options.fetch ?? fetch)(url, init);
    const answer = asRecord(await readJson(response));
    const movedTo = asRecord(answer.parameters).migrate_to_chat_id;
    return { ok: response.ok && answer.ok === true, status: response.status, movedTo };
  };
  return withDeadline<string | null>(options.timeoutMs, {
    work: async (signal) => {
      let result = await send(chatId, signal);
      const { movedTo } = result;
      // A group that became a supergroup refuses the message and says where it went.
      if (!result.ok && (typeof movedTo === "number" || typeof movedTo === "string"))
        result = await send(movedTo, signal);
      return result.ok ? null : `Telegram did not take the message (${result.status})`;
    },
    late: "Telegram did not answer in time",
    broken: "the connection to Telegram failed",
  });
}

const inWords = (why: Why, words: FallbackWords) => (typeof why === "number" ? words.answered(why) : words.why[why]);

/** The message for the group: plain text, every field of the request, at most 4096 long; the comment comes last and gives way. */
function fallbackText(request: LeadRequest, why: Why, words: FallbackWords): string {
  const utm = Object.entries(request.utm ?? {}).map(([key, value]) => `${key}=${value}`);
  const given = { ...request, utm: utm.join(", ") };
  const lines = SHOWN.map((field, i) => {
    const value = cut(oneLine(String(given[field] ?? "")), LINE_MAX);
    return value && `${words.labels[i]}: ${value}`;
  });
  if (request.comment) lines.push(`${words.comment}:`, request.comment);
  const id = cut(oneLine(String(request.request_id)), LINE_MAX);
  const head = [`⚠️ ${words.head}`, words.note(inWords(why, words)), "", `request_id: ${id}`];
  return cut([...head, ...lines.filter(Boolean)].join("\n"), TELEGRAM_TEXT_MAX);
}

/** Line breaks and direction marks in a field must not forge or reorder the lines around it. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu, " ");

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Runs `work` and gives up after `timeoutMs`, whether or not what it waits for listens to the signal. */
async function withDeadline<T>(
  timeoutMs: number | undefined,
  { work, late, broken }: { work: (signal: AbortSignal) => Promise<T>; late: T; broken: T },
): Promise<T> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), timeoutMs && timeoutMs > 0 ? timeoutMs : DEFAULT_TIMEOUT_MS);
  });
  try {
    // The error's own text is dropped: it may quote the URL with the token, or the header with the secret.
    return await Promise.race([work(controller.signal).catch(() => broken), deadline]);
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

/** The body as JSON, or `null` when it is none, or too long to be one of ours. A broken connection throws. */
async function readJson(response: Response): Promise<unknown> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    bytes += part.value.byteLength;
    if (bytes > ANSWER_MAX_BYTES) return null;
    text += decoder.decode(part.value, { stream: true });
  }
  try {
    return JSON.parse(text + decoder.decode());
  } catch {
    return null;
  }
}

/** Names of the faulty fields, whether they came as a list of names, a list of objects or an object. */
function fieldNames(answer: unknown): string[] {
  const { fields } = asRecord(answer);
  if (!Array.isArray(fields)) return Object.keys(asRecord(fields));
  return fields
    .map((field) => (typeof field === "string" ? field : asRecord(field).field))
    .filter((name): name is string => typeof name === "string");
}

/** Seconds to wait, from a number of seconds or an HTTP date, between 1 second and a day. */
function retryAfter(header: string | null): number {
  if (!header) return RETRY_AFTER_DEFAULT_SECONDS;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  if (Number.isNaN(seconds)) return RETRY_AFTER_DEFAULT_SECONDS;
  return Math.min(Math.max(seconds, 1), RETRY_AFTER_MAX_SECONDS);
}

const asRecord = (value: unknown) =>
  (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
