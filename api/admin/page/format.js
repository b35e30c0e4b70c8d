// How times, sums and sizes read: on the booth's clock, in the page's language.
import { numeralsOf, say } from "./lang.js";

/** The event's zone, whatever zone this device is in. @type {string | undefined} */
let zone;
/** How far this device's clock is behind the booth's. */
let behindMs = 0;

/** @param {{timezone?: string, at: string}} overview */
export function learnClock({ timezone, at }) {
  zone = isZone(timezone) ? timezone : undefined;
  behindMs = Date.parse(at) - Date.now();
}

/** The booth's clock, in milliseconds since 1970. */
export const boothNow = () => Date.now() + behindMs;

/** @typedef {string | number} Instant ISO or milliseconds since 1970 */

/** @param {Instant} at `18:05` */
export const timeOf = (at) => clock(at, { hour: "2-digit", minute: "2-digit" });
/** @param {Instant} at `18:05:09` */
export const exactTimeOf = (at) => clock(at, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** Today by the clock, earlier with its day. @param {Instant} at */
export function momentOf(at) {
  const isToday = dayOf(at) === dayOf(boothNow());
  return isToday ? timeOf(at) : `${say("date.short", partsOf(at))}, ${timeOf(at)}`;
}

/** A day of the calendar in words: `Sat, 15 August 2026`. @param {string} day `2026-08-15` */
export const dayInWords = (day) => (isDay(day) ? say("date.long", partsOf(`${day}T12:00:00Z`, "UTC")) : day);
/** `15 Aug` @param {string} day `2026-08-15` */
export const dayShort = (day) => (isDay(day) ? say("date.short", partsOf(`${day}T12:00:00Z`, "UTC")) : day);

/** `8 s`, `3 min`, `2 h`, `5 d` @param {number | null | undefined} seconds */
export function age(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 100) return say("age.s", { n: Math.max(0, Math.round(seconds)) });
  if (seconds < 6000) return say("age.min", { n: Math.round(seconds / 60) });
  if (seconds < 172_800) return say("age.h", { n: Math.round(seconds / 3600) });
  return say("age.d", { n: Math.round(seconds / 86_400) });
}

/** @param {string | null} at */
export const since = (at) =>
  at === null ? say("age.never") : say("age.ago", { age: age((boothNow() - Date.parse(at)) / 1000) });

/** `0.4 s`, `12 s` @param {number} ms */
export const span = (ms) => (ms < 9950 ? say("age.s", { n: decimal(ms / 1000, 1) }) : age(ms / 1000));

/** @param {number} sum dollars */
export const usd = (sum) => money(sum, 2);
/** Small sums need more digits to say anything. @param {number} sum dollars */
export const cents = (sum) => money(sum, sum > 0 && sum < 0.095 ? 3 : 2);

/** @param {number | null} n */
export function bytes(n) {
  if (n === null) return "–";
  if (n > 1e9) return say("size.gb", { n: decimal(n / 1e9, n < 1e10 ? 1 : 0) });
  return say("size.mb", { n: Math.round(n / 1e6) });
}

/** @param {number} share 0 to 1 */
export const percent = (share) => say("percent", { n: Math.round(share * 100) });

/** @param {string | null | undefined} name as the guest wrote it */
export const guest = (name) => name ?? say("guest");

/** @param {number} value @param {number} digits */
const decimal = (value, digits) =>
  value.toLocaleString(numeralsOf(), { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** @param {number} sum @param {number} digits */
const money = (sum, digits) =>
  sum.toLocaleString(numeralsOf(), {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });

/** @param {Instant} at @param {Intl.DateTimeFormatOptions} how */
const clock = (at, how) => formatter({ ...how, hourCycle: "h23" }).format(new Date(at));
/** @param {Instant} at */
const dayOf = (at) => formatter({ year: "numeric", month: "2-digit", day: "2-digit" }).format(new Date(at));

/** The words of a date; months and weekdays come from the texts: not every browser knows Uzbek ones. @param {Instant} at */
function partsOf(at, timeZone = zone) {
  const how = formatter({ day: "numeric", month: "numeric", year: "numeric", weekday: "short" }, timeZone);
  const part = Object.fromEntries(how.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
  const pick = (/** @type {string} */ list, /** @type {number} */ i) => list.split(" ")[i] ?? "";
  const month = Number(part.month) - 1;
  return {
    // Padded where the month is a number too.
    day: String(Number(part.day)),
    year: part.year ?? "",
    mon: pick(say("date.mons"), month),
    month: pick(say("date.months"), month),
    weekday: pick(say("date.weekdays"), WEEKDAYS.indexOf(part.weekday ?? "")),
  };
}
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** @type {Map<string, Intl.DateTimeFormat>} */
const formatters = new Map();

/** Making one is slow, and a list needs hundreds. @param {Intl.DateTimeFormatOptions} how */
function formatter(how, timeZone = zone) {
  const key = JSON.stringify([how, timeZone]);
  const known = formatters.get(key) ?? new Intl.DateTimeFormat("en-GB", { ...how, timeZone });
  formatters.set(key, known);
  return known;
}

/** @param {string} day */
const isDay = (day) => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));

/** @param {string | undefined} name a browser need not know the zone that the server knows */
function isZone(name) {
  try {
    return Boolean(name && new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}
