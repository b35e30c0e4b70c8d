// Calls to the booth. The browser adds the password by itself.
import { asked, say } from "./lang.js";

/** What the server refused, with its sentence and the fields to blame. */
export class Refusal extends Error {
  /**
   * @param {number} status 0: nobody answered
   * @param {{error?: string, message?: string, fields?: Record<string, string>}} answer
   */
  constructor(status, { error = "network", message = say("server.silent"), fields = {} } = {}) {
    super(message);
    this.status = status;
    this.code = error;
    this.fields = fields;
  }
}

const TIMEOUT_MS = 15_000;
/** A picture over a hall's network. */
const UPLOAD_TIMEOUT_MS = 120_000;

/**
 * @param {string} method
 * @param {string} path
 * @param {Record<string, unknown>} [body]
 */
async function call(method, path, body = {}) {
  let response;
  const hasPicture = ["picture", "photo", "logo", "background"].some((name) => body[name]);
  const change = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  try {
    response = await fetch(address(path), {
      method,
      cache: "no-store",
      signal: AbortSignal.timeout(hasPicture ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS),
      ...(method === "GET" ? {} : change),
    });
  } catch {
    throw new Refusal(0, { message: say("server.unreachable") });
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(response.status, answer);
  return answer;
}

/** With the language that sentences are wanted in. @param {string} path below /admin/api/ */
export function address(path) {
  const lang = asked();
  return `/admin/api/${path}${lang ? `${path.includes("?") ? "&" : "?"}lang=${lang}` : ""}`;
}

/**
 * @template {keyof import("./answers.ts").Answers} P
 * @param {P} name of the answer, for its type
 * @param {string} [path] when it differs from the name
 * @returns {Promise<import("./answers.ts").Answers[P]>}
 */
export const get = (name, path = name) => call("GET", path);
/** @param {string} path @param {Record<string, unknown>} [body] */
export const post = (path, body) => call("POST", path, body);
/** @param {string} path @param {Record<string, unknown>} body */
export const put = (path, body) => call("PUT", path, body);
/** @param {string} path */
export const remove = (path) => call("DELETE", path);
