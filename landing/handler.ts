import { type Delivery, deliverRequest, type LeadRequest } from "./deliver-request.ts";
import { type Faults, FIELD_NAMES, type FormState, newForm, readForm, validateForm } from "./form.ts";
import { missingPage, type Notice, pageHeaders, requestPage, thanksPage } from "./page.ts";
import { DEFAULT_TIME_ZONE, type LandingSettings } from "./settings.ts";
import { isLocale, type Locale, preferredLocale, TEXTS } from "./texts/index.ts";
import { isCrossSite, VisitorLimit, visitorAddress } from "./visitor.ts";

/** More than any browser can send: the fields' `maxlength`, nine bytes of percent signs for a letter, and the campaign. */
const BODY_MAX_BYTES = 131_072;
const DELIVERED_MAX = 1000;
const FORM_TYPE = "application/x-www-form-urlencoded";

/** What a host may hand in besides the settings; the defaults are the real things. */
export type LandingHooks = {
  /** One line for the log; carries no name, contact or address. */
  log?: (event: { msg: string; request_id?: string; via?: string; reason?: string }) => void;
  nowMs?: () => number;
};

/**
 * The landing as one function from a web `Request` to a `Response`; runs wherever those exist.
 * `peerIp` is the address of the connection's other end as the host knows it, never a header's word.
 *
 * Routes: `GET /` (to the visitor's language), `GET|POST /{ru|uz|en}`, `GET /{ru|uz|en}/thanks?n=`.
 * Statuses of a post: 303 when delivered; else the form again, filled as it was, with 403 (from another site),
 * 413, 415, 422 (a field is wrong), 429 with `Retry-After`, or 503 (no route took it).
 */
export function createLanding(settings: LandingSettings, hooks: LandingHooks = {}) {
  const { log = () => {}, nowMs = Date.now } = hooks;
  const limit = new VisitorLimit();
  const delivered = new Map<string, Promise<Delivery>>();
  const today = () => dayIn(settings.timeZone ?? DEFAULT_TIME_ZONE, nowMs());

  /** One delivery per `request_id`: a double click or a reload joins the one on its way, or gets its result. */
  function deliverOnce(request: LeadRequest): Promise<Delivery> {
    const known = delivered.get(request.request_id);
    if (known) return known;
    const delivery = deliverRequest(request, settings).then((result) => {
      if (result.via === "none") delivered.delete(request.request_id);
      const reason = result.via === "none" ? result.reason : undefined;
      log({ msg: "request", request_id: request.request_id, via: result.via, reason });
      return result;
    });
    delivered.set(request.request_id, delivery);
    const oldest = delivered.keys().next().value;
    if (delivered.size > DELIVERED_MAX && oldest !== undefined) delivered.delete(oldest);
    return delivery;
  }

  async function submit(request: Request, url: URL, locale: Locale, peerIp?: string): Promise<Response> {
    const texts = TEXTS[locale];
    const page = async (status: number, form: FormState, notice: Notice, headers: Record<string, string> = {}) =>
      respond(status, requestPage({ locale, url, form, notice, settings, today: today() }).text, headers);

    if (isCrossSite(request)) return page(403, newForm(url), { message: texts.crossSite });
    if (!request.headers.get("content-type")?.toLowerCase().startsWith(FORM_TYPE))
      return page(415, newForm(url), { message: texts.notAForm });
    const body = await readBounded(request);
    if (body === null) return page(413, newForm(url), { message: texts.tooLarge });

    const { state, website, locale: chosen = locale } = readForm(new URLSearchParams(body));
    const { request: lead, faults } = validateForm(state, chosen, today());
    if (Object.keys(faults).length > 0) return page(422, state, { faults });
    const address = visitorAddress(request, peerIp, settings);
    const waitSeconds = limit.take(address, lead.request_id, nowMs());
    const wait = (seconds: number) =>
      page(429, state, { message: texts.wait(Math.ceil(seconds / 60)) }, { "Retry-After": String(seconds) });
    if (waitSeconds > 0) return wait(waitSeconds);

    // A robot goes the same way and meets the same answers. The server gives it a number and keeps nothing.
    const result = website
      ? await deliverRequest({ ...lead, visitor_ip: address, website }, settings)
      : await deliverOnce({ ...lead, visitor_ip: address });
    if (result.via === "server") return seeOther(`/${locale}/thanks?n=${result.number}`);
    if (result.via === "telegram" || (website && !result.status)) return seeOther(`/${locale}/thanks`);
    if (result.status === 429) return wait(result.retryAfterSeconds ?? 60);
    const refused = FIELD_NAMES.filter((field) => result.fields?.includes(field));
    const refusals: Faults = Object.fromEntries(refused.map((field) => [field, field]));
    if (refused.length > 0) return page(422, state, { faults: refusals });
    return page(503, state, { message: result.status ? texts.refused : texts.failed });
  }

  return async function landing(request: Request, peerIp?: string): Promise<Response> {
    const url = new URL(request.url);
    const [, first, second, ...rest] = url.pathname.replace(/\/$/, "").split("/");
    const reads = request.method === "GET" || request.method === "HEAD";
    const browserLocale = preferredLocale(request.headers.get("accept-language"));
    if (first === undefined && reads) return seeOther(`/${browserLocale}${url.search}`, { Vary: "Accept-Language" });
    if (!isLocale(first) || rest.length > 0 || (second !== undefined && second !== "thanks"))
      return respond(404, missingPage({ locale: isLocale(first) ? first : browserLocale, settings }).text);
    if (!reads && !(request.method === "POST" && second === undefined))
      return respond(405, "", { Allow: second === undefined ? "GET, HEAD, POST" : "GET, HEAD" });
    if (!reads) return submit(request, url, first, peerIp);
    const page = second
      ? thanksPage({ locale: first, url, number: leadNumber(url), settings })
      : requestPage({ locale: first, url, form: newForm(url), notice: {}, settings, today: today() });
    return respond(200, request.method === "HEAD" ? "" : page.text);
  };
}

async function respond(status: number, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return new Response(body, { status, headers: { ...(await pageHeaders()), ...headers } });
}

function seeOther(location: string, headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 303, headers: { Location: location, "Cache-Control": "no-store", ...headers } });
}

/** The date in a time zone, as `YYYY-MM-DD`. */
function dayIn(timeZone: string, atMs: number): string {
  const format = new Intl.DateTimeFormat("en", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
}

/** The number on the thanks page; only digits are shown, whoever wrote the link. */
function leadNumber(url: URL): number | undefined {
  const text = url.searchParams.get("n") ?? "";
  return /^[1-9]\d{0,11}$/.test(text) ? Number(text) : undefined;
}

/** The body as text, or `null` as soon as it grows past the bound, whatever `Content-Length` claims. */
async function readBounded(request: Request): Promise<string | null> {
  if (Number(request.headers.get("content-length")) > BODY_MAX_BYTES) return null;
  const reader = request.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    bytes += part.value.byteLength;
    if (bytes > BODY_MAX_BYTES) {
      await reader?.cancel();
      return null;
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}
