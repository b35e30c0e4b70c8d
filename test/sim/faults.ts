/** Faults by request: which calls, how often, and what happens to them instead of (or before) the usual answer. */
import type { Call, Json, JsonObject } from "./types.ts";

/** Outcomes that a model's provider has for itself; which words carry them differs by provider. */
export type ProviderOutcome =
  | "refused" // the picture or the prompt is against the rules
  | "blocked" // Gemini: stopped at the prompt; OpenAI: the same as refused
  | "no_image" // an answer in words only
  | "wrong_mime" // a JPEG that calls itself a PNG
  | "bad_json" // a vision answer that is no JSON
  | "overloaded" // 503
  | "rate_limited" // 429 with Retry-After
  | "bad_key" // 400 or 401
  | "forbidden" // 403
  | "unknown_model" // 404
  | "opaque_only"; // OpenAI: this model cannot draw a transparent background

export type FaultAction =
  | { status: number; body?: Json; headers?: Record<string, string> }
  /** An HTML page where JSON was due; 502 unless said otherwise. */
  | { html: string; status?: number }
  /** No answer until the caller gives up. */
  | { hang: true }
  /** The connection breaks before an answer. */
  | { reset: true }
  /** Late, then as usual. */
  | { delayMs: number }
  /** The usual work is done, but the caller never learns. */
  | { executeThenLose: "reset" | "502" | "hang" }
  /** The usual answer, broken off in the middle. */
  | { truncate: true }
  /** `page` only: as if the set were not there yet. */
  | { missing: true }
  /** Providers only. */
  | { outcome: ProviderOutcome }
  /** Vision only: this JSON instead of the usual verdict. */
  | { answer: Json }
  /** Images only: these bytes as base64. */
  | { imageBase64: string };

export type Fault = {
  /** `telegram:sendMessage`, `gemini:image`, `page` …; `*` stands for anything, as in `telegram:*`. */
  target: string;
  /** How many calls; 1 unless said otherwise. `Infinity` (over HTTP: -1) until `clearFaults`. */
  times?: number;
  /** How many matching calls pass before the first fault. */
  skip?: number;
  /** Which calls: those whose parameters contain this, or for which it says true. */
  when?: JsonObject | ((params: JsonObject) => boolean);
  do: FaultAction;
};

type Armed = Fault & { left: number; toSkip: number; met: number; call?: Call; cancel(): void };
/** An armed fault: how many calls it has met so far and which one last, and a way to call off the rest of it. */
export type FaultTold = { readonly met: number; readonly call?: Call; cancel(): void };

/** A point at which the next matching call stands still until released; one that nobody has come to is gone then. */
export type Hold = { reached: Promise<Call>; release(): void };
type HeldPoint = { target: string; when?: Fault["when"]; stop(call: Call): Promise<void> };

export class Faults {
  private armed: Armed[] = [];
  private held: HeldPoint[] = [];

  add(fault: Fault): FaultTold {
    const times = fault.times ?? 1;
    const left = times < 0 ? Number.POSITIVE_INFINITY : times;
    const armed: Armed = {
      ...fault,
      left,
      toSkip: fault.skip ?? 0,
      met: 0,
      cancel: () => {
        armed.left = 0;
      },
    };
    this.armed.push(armed);
    return armed;
  }

  /** Faults that have not been used up. */
  get active(): Fault[] {
    return this.armed.filter((fault) => fault.left > 0);
  }

  clear(): void {
    this.armed = [];
  }

  /** What happens to this call; undefined for nothing unusual. Earlier faults go first. */
  take(call: Call): FaultAction | undefined {
    for (const fault of this.armed) {
      if (fault.left <= 0 || !hits(fault, call)) continue;
      if (fault.toSkip > 0) {
        fault.toSkip -= 1;
        continue;
      }
      fault.left -= 1;
      fault.met += 1;
      fault.call = call;
      return fault.do;
    }
    return undefined;
  }

  /** Stops the next matching call until `release`; `reached` tells when it stands there. */
  hold(target: string, when?: Fault["when"]): Hold {
    const reached = Promise.withResolvers<Call>();
    const released = Promise.withResolvers<void>();
    const forget = () => {
      this.held = this.held.filter((other) => other !== point);
    };
    const point: HeldPoint = {
      target,
      when,
      stop: (call) => {
        forget();
        reached.resolve(call);
        return released.promise;
      },
    };
    this.held.push(point);
    const release = () => {
      forget();
      released.resolve();
    };
    return { reached: reached.promise, release };
  }

  async pass(call: Call): Promise<void> {
    await this.held.find((point) => hits(point, call))?.stop(call);
  }
}

function hits({ target, when }: { target: string; when?: Fault["when"] }, call: Call): boolean {
  if (!targetFits(target, call.target)) return false;
  if (typeof when === "function") return when(call.params);
  return when === undefined || contains(call.params, when);
}

/** `gemini:vision` stands for both kinds of verdict. */
function targetFits(wanted: string, actual: string): boolean {
  const [system, what] = wanted.split(":");
  const [ofSystem, ofWhat] = actual.split(":");
  if (system !== "*" && system !== ofSystem) return false;
  if (what === undefined || what === "*") return true;
  return what === ofWhat || (what === "vision" && (ofWhat === "selfie" || ofWhat === "sheet"));
}

function contains(value: Json | undefined, part: Json | undefined): boolean {
  if (typeof part !== "object" || part === null) return value === part || String(value) === String(part);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(part).every(([key, wanted]) => contains((value as JsonObject)[key], wanted as Json));
}

/** Answers that need no knowledge of what was asked; undefined for the others. */
export function bluntAnswer(action: FaultAction, signal: AbortSignal): Response | Promise<Response> | undefined {
  if ("status" in action && !("html" in action)) {
    const { status, body, headers } = action;
    const text = typeof body === "string" ? body : JSON.stringify(body ?? { ok: false, error_code: status });
    const type = typeof body === "string" ? "text/html" : "application/json";
    return new Response(text, { status, headers: { "content-type": type, ...headers } });
  }
  if ("html" in action)
    return new Response(action.html, { status: action.status ?? 502, headers: { "content-type": "text/html" } });
  if ("hang" in action) return silence(signal);
  if ("reset" in action) return brokenConnection();
  return undefined;
}

/** What the caller sees after its call was carried out. */
export function lostAnswer(how: "reset" | "502" | "hang", signal: AbortSignal): Response | Promise<Response> {
  if (how === "reset") return brokenConnection();
  if (how === "hang") return silence(signal);
  const page = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";
  return new Response(page, { status: 502, headers: { "content-type": "text/html" } });
}

/** The first half of an answer's body under its usual status. */
export async function truncated(answer: Response): Promise<Response> {
  const text = await answer.text();
  const headers = { "content-type": answer.headers.get("content-type") ?? "application/json" };
  return new Response(text.slice(0, Math.floor(text.length / 2)), { status: answer.status, headers });
}

/** Bun closes the connection without a word when the body of an answer fails. */
function brokenConnection(): Response {
  return new Response(new ReadableStream({ start: (controller) => controller.error(undefined) }));
}

function silence(signal: AbortSignal): Promise<Response> {
  return new Promise((resolve) => {
    const end = () => resolve(new Response(null, { status: 499 }));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
