/** Errors of the product: a code for machines, a sentence for people, a cause for logs. */

/** Every code, with the HTTP status it has where it meets HTTP. */
export const httpStatuses = {
  bad_request: 400,
  unauthorized: 401,
  kiosk_key: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  wrong_status: 409,
  pack_limit: 409,
  conflict: 409,
  too_large: 413,
  not_json: 415,
  not_multipart: 415,
  not_an_image: 415,
  bad_image: 422,
  invalid: 422,
  too_many: 429,
  internal: 500,
  maintenance: 503,
  not_ready: 503,
  busy: 503,
  disk_full: 503,
  storage: 503,
  // never meet HTTP: the process does not start
  config: 500,
  data_dir: 500,
  schema_newer: 500,
  migration_failed: 500,
} as const;
export type ErrorCode = keyof typeof httpStatuses;

export class AppError extends Error {
  /** Faulty fields by name, each with its own sentence. */
  readonly fields?: Record<string, string>;
  readonly retryAfterS?: number;
  /** Methods that the address does take. */
  readonly allow?: readonly string[];
  constructor(
    readonly code: ErrorCode,
    message: string,
    details: { cause?: unknown; fields?: Record<string, string>; retryAfterS?: number; allow?: readonly string[] } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = "AppError";
    this.fields = details.fields;
    this.retryAfterS = details.retryAfterS;
    this.allow = details.allow;
  }
  get status() {
    return httpStatuses[this.code];
  }
}

/** The bot's token stands in every URL it calls, so any foreign error text may hold it. */
const SECRETS: [RegExp, string][] = [
  [/\d{3,}:[A-Za-z0-9_-]{20,}/g, "<bot token>"],
  [/\bAIza[A-Za-z0-9_-]{10,}/g, "<key>"],
  [/\bsk-[A-Za-z0-9_-]{8,}/g, "<key>"],
  // A visit's token is its only key, and names its folder; eight signs of it tell which visit it was.
  [/(\bsessions?\/[A-Za-z0-9_-]{8})[A-Za-z0-9_-]{8,}/g, "$1…"],
  [/([?&](?:key|token|secret)=)[^&\s"']+/gi, "$1<secret>"],
];
const MESSAGE_LENGTH = 300;

/** The text of any thrown thing, short and without secrets: fit for a log line or the operators' chat. */
export function describe(error: unknown): string {
  const text =
    error instanceof Error
      ? `${error.name === "Error" || error instanceof AppError ? "" : `${error.name}: `}${error.message}`
      : String(error);
  return redact(text).slice(0, MESSAGE_LENGTH);
}

export function redact(text: string): string {
  return SECRETS.reduce((t, [pattern, mark]) => t.replace(pattern, mark), text);
}
