import type { LeadRequest } from "./deliver-request.ts";
import { readGuests } from "./guests.ts";
import type { ErrorName, FieldName, Locale } from "./texts/index.ts";
import { isLocale, TEXTS } from "./texts/index.ts";

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
/** A character that is seen: no space of any width, no filler. */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\s\u2800]/u;
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
const WEBSITE_MAX = 200;

/** A form as it opens: with its own `request_id`, the page it stands on, and the campaign that led to it. */
export function newForm(url: URL): FormState {
  const fields = Object.fromEntries(FIELD_NAMES.map((name) => [name, ""])) as FormState["fields"];
  const page = `${url.host}${url.pathname}`.slice(0, PAGE_MAX);
  return { requestId: crypto.randomUUID(), page, utm: readUtm(url.searchParams), fields };
}

/** Reads a posted form. A missing or broken `request_id` is replaced: no visitor could mend it. */
export function readForm(posted: URLSearchParams): { state: FormState; website: string; locale?: Locale } {
  const requestId = posted.get("request_id") ?? "";
  const locale = posted.get("locale") ?? undefined;
  const state: FormState = {
    requestId: UUID.test(requestId) ? requestId.toLowerCase() : crypto.randomUUID(),
    page: clean(posted.get("page")).slice(0, PAGE_MAX),
    utm: readUtm(posted),
    fields: Object.fromEntries(FIELD_NAMES.map((name) => [name, clean(posted.get(name))])) as FormState["fields"],
  };
  const website = (posted.get("website") ?? "").slice(0, WEBSITE_MAX);
  return { state, website, locale: isLocale(locale) ? locale : undefined };
}

export type Faults = Partial<Record<FieldName, ErrorName>>;

/**
 * Checks a form by the rules of `POST /leads`, and that the event is still to come: `today` is `YYYY-MM-DD`. Lengths
 * are counted in characters, so that an emoji is one.
 */
export function validateForm(
  state: FormState,
  locale: Locale,
  today: string,
): { request: LeadRequest; faults: Faults } {
  const { name, contact, event_type, event_date, city, comment } = state.fields;
  const guests = state.fields.guests === "" ? undefined : readGuests(state.fields.guests);
  const rules: Record<FieldName, boolean> = {
    name: isLength(name, 1, NAME_MAX) && VISIBLE.test(name),
    contact: isLength(contact, CONTACT_MIN, CONTACT_MAX) && isReachable(contact),
    event_type: event_type === "" || isEventType(event_type),
    event_date: event_date === "" || isCalendarDay(event_date),
    guests: guests !== null,
    city: isLength(city, 0, CITY_MAX),
    comment: isLength(comment, 0, COMMENT_MAX),
  };
  const faults: Faults = Object.fromEntries(
    FIELD_NAMES.filter((field) => !rules[field]).map((field) => [field, field]),
  );
  if (rules.event_date && event_date !== "" && event_date < today) faults.event_date = "past_date";
  const request: LeadRequest = {
    request_id: state.requestId,
    name,
    contact,
    event_type: isEventType(event_type) ? event_type : undefined,
    event_date: event_date || undefined,
    guests: guests?.count,
    city: city || undefined,
    comment: withGuests(comment, guests?.said && `${TEXTS[locale].labels.guests}: ${guests.said}`) || undefined,
    locale,
    page: state.page || undefined,
    utm: utmOf(state),
  };
  return { request, faults };
}

/** The visitor's own words about the guests go before the comment, where the sales people read them; if there is room. */
function withGuests(comment: string, words: string | undefined): string {
  const both = [words, comment].filter(Boolean).join("\n");
  return isLength(both, 0, COMMENT_MAX) ? both : comment;
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
