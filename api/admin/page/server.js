// Calls to the booth. The browser adds the password by itself.

/** What the server refused, with its sentence and the fields to blame. */
export class Refusal extends Error {
  constructor(status, { error = "network", message = "The booth does not answer.", fields } = {}) {
    super(message);
    this.status = status;
    this.code = error;
    this.fields = fields;
  }
}

const TIMEOUT_MS = 15_000;
/** A picture over a hall's network. */
const UPLOAD_TIMEOUT_MS = 120_000;

async function call(method, path, body) {
  let response;
  const limitMs = body?.picture || body?.photo ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS;
  try {
    response = await fetch(`/admin/api/${path}`, {
      method,
      cache: "no-store",
      signal: AbortSignal.timeout(limitMs),
      ...(method === "GET"
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body ?? {}) }),
    });
  } catch {
    throw new Refusal(0, { message: "The booth does not answer. Is this device online, and is the server up?" });
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(response.status, answer);
  return answer;
}

export const get = (path) => call("GET", path);
export const post = (path, body) => call("POST", path, body);
export const put = (path, body) => call("PUT", path, body);
export const remove = (path) => call("DELETE", path);
