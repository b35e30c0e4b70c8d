import type { LandingSettings } from "./settings.ts";

const LOOPBACK = ["127.0.0.1", "::1"];
const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|[\da-f]*:[\da-f:.]{1,44})$/i;
const WINDOW_MS = 10 * 60_000;
const PER_VISITOR = 5;
/** For requests whose address is unknown: one such visitor must not use up the turn of all others. */
const PER_UNKNOWN = 60;
const VISITORS_MAX = 10_000;

/**
 * The visitor's address: the peer's own, or, behind trusted proxies, the rightmost hop of `X-Forwarded-For` that is
 * not one of them. Whatever stands further left was written by the visitor. `undefined` when it cannot be known.
 */
export function visitorAddress(
  request: Request,
  peer: string | undefined,
  settings: LandingSettings,
): string | undefined {
  const trusted = [...LOOPBACK, ...(settings.trustedProxies ?? [])];
  const forwarded = request.headers.get("x-forwarded-for")?.split(",") ?? [];
  let address = plain(peer);
  while (address && trusted.includes(address) && forwarded.length > 0) {
    const hop = plain(forwarded.pop());
    if (!hop) break;
    address = hop;
  }
  return address;
}

function plain(text: string | undefined): string | undefined {
  const address = text
    ?.trim()
    .replace(/^::ffff:(?=\d+\.)/i, "")
    .toLowerCase();
  return address && ADDRESS.test(address) ? address : undefined;
}

/**
 * True when a form was posted by a page of another site. Browsers say so themselves; what sends neither header is
 * no browser, and the form carries no cookie that could be misused.
 */
export function isCrossSite(request: Request): boolean {
  const fetchSite = request.headers.get("sec-fetch-site");
  if (fetchSite) return fetchSite !== "same-origin" && fetchSite !== "none";
  const origin = request.headers.get("origin");
  if (!origin) return false;
  const hosts = [request.headers.get("host"), new URL(request.url).host];
  return !URL.canParse(origin) || !hosts.includes(new URL(origin).host);
}

/** Counts new requests per visitor in memory; repeats of one `request_id` are one. Bounded, the oldest visitor goes first. */
export class VisitorLimit {
  readonly #visits = new Map<string, { id: string; atMs: number }[]>();

  /** Seconds to wait before this request may be sent; 0 when it may be sent now, and then it is counted. */
  take(address: string | undefined, id: string, nowMs: number): number {
    const key = address ? network(address) : "unknown";
    // What a clock that ran ahead has noted is of no time at all, once it has been set right.
    const recent = (this.#visits.get(key) ?? []).filter(
      (visit) => visit.atMs > nowMs - WINDOW_MS && visit.atMs <= nowMs,
    );
    if (recent.some((visit) => visit.id === id)) return 0;
    const oldest = recent[0];
    if (oldest && recent.length >= (address ? PER_VISITOR : PER_UNKNOWN))
      return Math.max(1, Math.ceil((oldest.atMs + WINDOW_MS - nowMs) / 1000));
    this.#visits.delete(key);
    this.#visits.set(key, [...recent, { id, atMs: nowMs }]);
    const first = this.#visits.keys().next().value;
    if (this.#visits.size > VISITORS_MAX && first !== undefined) this.#visits.delete(first);
    return 0;
  }
}

/** An IPv6 visitor owns a whole /64, so that is what is counted. */
function network(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail === undefined ? [] : tail.split(":").filter(Boolean);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(zeros).fill("0"), ...right].slice(0, 4).join(":");
}
