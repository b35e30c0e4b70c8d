import { recall } from "./store.js";

/** @import { Session, Template } from "./types.js" */
/** @import { Lang } from "./texts.js" */

const ANSWER_TIMEOUT_MS = 10_000;
const BEAT_TIMEOUT_MS = 4000;
const UPLOAD_SILENCE_TIMEOUT_MS = 30_000;
const LONGEST_SESSION_MS = 3_600_000;

/**
 * A call that did not succeed. `code` is the server's, or `offline` when no answer came (cut, refused, too slow),
 * or `server` for an answer that makes no sense.
 */
export class ApiError extends Error {
  /**
   * @param {string} code
   * @param {number} status HTTP status, 0 without an answer
   * @param {number} [retryAfterS]
   */
  constructor(code, status, retryAfterS = 0) {
    super(`the api answered ${code} (${status})`);
    this.code = code;
    this.status = status;
    this.retryAfterS = retryAfterS;
  }
}

/** @returns {Record<string, string>} */
function keyHeader() {
  const key = recall("local", "key");
  return key ? { "x-kiosk-key": key } : {};
}

/**
 * @param {number} status
 * @param {string} body
 * @param {string | null} retryAfter
 */
function refusal(status, body, retryAfter) {
  let code = "server";
  try {
    const parsed = JSON.parse(body);
    if (typeof parsed?.error === "string") code = parsed.error;
  } catch {
    // A proxy's HTML page, most likely: the status says enough.
  }
  return new ApiError(code, status, Math.min(Math.max(Number(retryAfter) || 0, 0), 3600));
}

/**
 * @param {string} path
 * @param {{method?: string, json?: unknown, signal?: AbortSignal, keepalive?: boolean, timeoutMs?: number}} [options]
 * @returns {Promise<Response>}
 * @throws {ApiError} and, when `signal` fires, the AbortError itself
 */
async function call(path, options = {}) {
  const { method = "GET", json, signal, keepalive = false, timeoutMs = ANSWER_TIMEOUT_MS } = options;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  const relay = () => stop.abort();
  signal?.addEventListener("abort", relay, { once: true });
  try {
    signal?.throwIfAborted();
    const body = json === undefined ? undefined : JSON.stringify(json);
    const headers = { ...keyHeader(), ...(body === undefined ? {} : { "content-type": "application/json" }) };
    const answer = await fetch(path, { method, headers, body, keepalive, cache: "no-store", signal: stop.signal });
    if (!answer.ok) throw refusal(answer.status, await answer.text(), answer.headers.get("retry-after"));
    // The body is read here, so that the timeout covers it too.
    return new Response(await answer.blob(), { headers: answer.headers });
  } catch (error) {
    if (signal?.aborted || error instanceof ApiError) throw error;
    throw new ApiError("offline", 0);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", relay);
  }
}

/**
 * @param {Promise<Response>} answer
 * @param {AbortSignal} signal
 * @returns {Promise<Session>}
 */
async function session(answer, signal) {
  const given = await answer;
  const body = await given.json().catch(() => null);
  // Reading takes time too, and the guest may leave meanwhile.
  signal.throwIfAborted();
  if (typeof body?.token !== "string" || typeof body.status !== "string") throw new ApiError("server", 200);
  const left = Date.parse(body.expires_at) - Date.parse(given.headers.get("date") ?? "");
  return { ...body, left_ms: Number.isFinite(left) ? Math.min(Math.max(left, 0), LONGEST_SESSION_MS) : null };
}

/** @param {string} token */
const at = (token) => `/session/${encodeURIComponent(token)}`;

export const api = {
  /** @param {string} kiosk @param {Lang} lang @param {AbortSignal} signal */
  open: (kiosk, lang, signal) => session(call("/session", { method: "POST", json: { kiosk, lang }, signal }), signal),

  /** @param {string} token @param {AbortSignal} signal */
  look: (token, signal) => session(call(at(token), { signal }), signal),

  /** @param {string} token @param {AbortSignal} signal */
  qr: async (token, signal) => {
    const svg = await (await call(`${at(token)}/qr.svg`, { signal })).blob();
    signal.throwIfAborted();
    return svg;
  },

  /**
   * @param {Lang} lang
   * @param {AbortSignal} [signal]
   * @returns {Promise<Template[]>}
   */
  templates: async (lang, signal) => {
    const list = await (await call(`/templates?lang=${lang}`, { signal })).json().catch(() => null);
    signal?.throwIfAborted();
    if (!Array.isArray(list)) throw new ApiError("server", 200);
    return list;
  },

  /** @param {string} token @param {string} id @param {AbortSignal} signal */
  choose: (token, id, signal) =>
    session(call(`${at(token)}/template`, { method: "POST", json: { template_id: id }, signal }), signal),

  /** Outlives the page: it is what a closing tab says last. @param {string} token */
  expire: (token) => call(`${at(token)}/expire`, { method: "POST", keepalive: true }),

  send,

  /**
   * The kiosk's sign of life; the top of shared/kiosks.ts has its fields.
   * @param {Record<string, string | number | boolean | null>} state
   * @returns {Promise<{maintenance: boolean, look: string | null}>}
   */
  beat: async (state) => {
    const answer = await call("/kiosk/heartbeat", { method: "POST", json: state, timeoutMs: BEAT_TIMEOUT_MS });
    const body = await answer.json().catch(() => null);
    if (typeof body?.maintenance !== "boolean") throw new ApiError("server", 200);
    return { maintenance: body.maintenance, look: typeof body.look === "string" ? body.look : null };
  },

  /** How the event looks, unchecked. @returns {Promise<unknown>} */
  config: async () => (await call("/kiosk/config")).json().catch(() => null),
};

/**
 * Uploads the photo. XMLHttpRequest, because fetch cannot tell how much has been sent.
 * @param {string} token
 * @param {Blob} photo
 * @param {(share: number) => void} onProgress 0…1
 * @param {AbortSignal} signal
 * @returns {Promise<Session>}
 */
function send(token, photo, onProgress, signal) {
  /** @type {Promise<Response>} */
  const answer = new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append("photo", photo, "photo.jpg");
    // A slow network may take minutes; only silence is a failure.
    let silence = setTimeout(() => request.abort(), UPLOAD_SILENCE_TIMEOUT_MS);
    const stop = () => request.abort();
    const settle = () => {
      clearTimeout(silence);
      signal.removeEventListener("abort", stop);
    };
    request.open("POST", `${at(token)}/photo`);
    for (const [name, value] of Object.entries(keyHeader())) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      clearTimeout(silence);
      silence = setTimeout(() => request.abort(), UPLOAD_SILENCE_TIMEOUT_MS);
      if (event.lengthComputable && event.total > 0) onProgress(event.loaded / event.total);
    };
    request.onloadend = () => {
      settle();
      if (signal.aborted) reject(signal.reason);
      else if (request.status === 0) reject(new ApiError("offline", 0));
      else if (request.status >= 300)
        reject(refusal(request.status, request.responseText, request.getResponseHeader("retry-after")));
      else resolve(new Response(request.responseText));
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) {
      settle();
      reject(signal.reason);
    } else request.send(form);
  });
  return session(answer, signal);
}
