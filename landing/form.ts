import type { LeadRequest } from "./deliver-request.ts";
import type { FieldName, Locale } from "./texts/index.ts";
import { isLocale } from "./texts/index.ts";

/** What the visitor typed and what the form carries, as text: exactly what a page shows again when something failed. */
export type FormState = {
  requestId: string;
  page: string;
  /** Campaign parameters under the names that they have in the address, such as `utm_source`. */
  utm: Record<string, string>;
  fields: Record<FieldName, string>;
};

export const EVENT_TYPES = ["wedding", "birthday", "corporate", "other"] as const;
export const FIELD_NAMES: FieldName[] = ["name", "contact", "event_type", "event_date", "guests", "city", "comment"];

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const UTM_KEY = /^utm_[a-z_]{1,30}$/;
const UTM_PREFIX = /^utm_/;
const UTM_MAX = 10;
const UTM_VALUE_MAX = 200;
const PAGE_MAX = 500;
const NAME_MAX = 100;
const CONTACT_MIN = 3;
const CONTACT_MAX = 120;
const CONTACT_DIGITS_MIN = 5;
const CITY_MAX = 100;
const COMMENT_MAX = 2000;
const GUESTS_MAX = 100_000;

/** A form as it opens: with its own `request_id`, the page it stands on, and the campaign that led to it. */
export function newForm(url: URL): FormState {
  const fields = Object.fromEntries(FIELD_NAMES.map((name) => [name, ""])) as FormState["fields"];
  const page = `${url.host}${url.pathname}`.slice(0, PAGE_MAX);
  return { requestId: crypto.randomUUID(), page, utm: readUtm(url.searchParams), fields };
}

/** Reads a posted form. A missing or broken `request_id` is replaced: no visitor could mend it. */
export function readForm(posted: URLSearchParams): { state: FormState; isHoneypotFilled: boolean; locale?: Locale } {
  const requestId = posted.get("request_id") ?? "";
  const locale = posted.get("locale") ?? undefined;
  const state: FormState = {
    requestId: UUID.test(requestId) ? requestId.toLowerCase() : crypto.randomUUID(),
    page: clean(posted.get("page")).slice(0, PAGE_MAX),
    utm: readUtm(posted),
    fields: Object.fromEntries(FIELD_NAMES.map((name) => [name, clean(posted.get(name))])) as FormState["fields"],
  };
  return { state, isHoneypotFilled: Boolean(posted.get("website")), locale: isLocale(locale) ? locale : undefined };
}

/** Checks a form by the rules of `POST /leads`. Lengths are counted in characters, so that an emoji is one. */
export function validateForm(state: FormState, locale: Locale): { request: LeadRequest; faulty: FieldName[] } {
  const { name, contact, event_type, event_date, guests, city, comment } = state.fields;
  const guestCount = guests.replace(/[\s\u00a0]/g, "");
  const rules: Record<FieldName, boolean> = {
    name: isLength(name, 1, NAME_MAX),
    contact: isLength(contact, CONTACT_MIN, CONTACT_MAX) && isReachable(contact),
    event_type: event_type === "" || isEventType(event_type),
    event_date: event_date === "" || isCalendarDay(event_date),
    guests:
      guests === "" || (/^\d{1,6}$/.test(guestCount) && Number(guestCount) >= 1 && Number(guestCount) <= GUESTS_MAX),
    city: isLength(city, 0, CITY_MAX),
    comment: isLength(comment, 0, COMMENT_MAX),
  };
  const request: LeadRequest = {
    request_id: state.requestId,
    name,
    contact,
    event_type: isEventType(event_type) ? event_type : undefined,
    event_date: event_date || undefined,
    guests: guestCount ? Number(guestCount) : undefined,
    city: city || undefined,
    comment: comment || undefined,
    locale,
    page: state.page || undefined,
    utm: utmOf(state),
  };
  return { request, faulty: FIELD_NAMES.filter((field) => !rules[field]) };
}

/** A field's text without control characters; of the CRLF that browsers send for a line break, the LF stays. */
function clean(text: string | null): string {
  return (text ?? "").replace(/[^\P{Cc}\n\t]/gu, "").trim();
}

/** The campaign as the server takes it: `utm_source` of the address becomes `source`. */
function utmOf(state: FormState): Record<string, string> | undefined {
  const entries = Object.entries(state.utm).map(([key, value]) => [key.replace(UTM_PREFIX, ""), value]);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function readUtm(query: URLSearchParams): Record<string, string> {
  const entries = [...query].filter(([key, value]) => UTM_KEY.test(key) && value.trim() !== "");
  return Object.fromEntries(
    entries.slice(0, UTM_MAX).map(([key, value]) => [key, clean(value).slice(0, UTM_VALUE_MAX)]),
  );
}

function isLength(text: string, min: number, max: number): boolean {
  const length = [...text].length;
  return length >= min && length <= max;
}

/** Lenient on purpose: a name in a chat, an address or enough digits to dial. */
function isReachable(contact: string): boolean {
  return /@\S|t\.me\/\S/i.test(contact) || contact.replace(/\D/g, "").length >= CONTACT_DIGITS_MIN;
}

function isEventType(value: string): value is (typeof EVENT_TYPES)[number] {
  return (EVENT_TYPES as readonly string[]).includes(value);
}

function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
