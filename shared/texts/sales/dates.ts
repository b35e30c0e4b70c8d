/** Dates in words. Making a format takes longer than using it a hundred times, so each is made once. */
import { localTime } from "../../time.ts";

/**
 * `12 Mar, 14:05` as a language writes it, for each time zone; with the year when it is not the one of `now` there.
 * @param withYear for a language whose year stands elsewhere than Intl puts it
 */
export function momentIn(
  locale: string,
  withYear?: (moment: string, year: string) => string,
): (at: number, zone: string, now: number) => string {
  const formats = new Map<string, Formats>();
  return (at, zone, now) => {
    const { near, far } = formats.get(zone) ?? formatsIn(locale, zone);
    formats.set(zone, { near, far });
    const year = yearOf(at, zone);
    if (year === yearOf(now, zone)) return near.format(at);
    return withYear ? withYear(near.format(at), year) : far.format(at);
  };
}

const yearOf = (at: number, zone: string) => localTime(at, zone).date.slice(0, 4);

type Formats = { near: Intl.DateTimeFormat; far: Intl.DateTimeFormat };

function formatsIn(locale: string, timeZone: string): Formats {
  const near = {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  } as const;
  return {
    near: new Intl.DateTimeFormat(locale, near),
    far: new Intl.DateTimeFormat(locale, { ...near, year: "numeric" }),
  };
}

/** A date, `YYYY-MM-DD`, with its weekday as a language writes it. */
export function dayIn(locale: string): (date: string) => string {
  const format = dayFormat(locale);
  return (date) => format.format(Date.parse(`${date}T00:00:00Z`));
}

/** The parts of such a date, for a language that puts them together in its own way. */
export function dayPartsIn(locale: string): (date: string) => Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
  const format = dayFormat(locale);
  return (date) =>
    Object.fromEntries(format.formatToParts(Date.parse(`${date}T00:00:00Z`)).map(({ type, value }) => [type, value]));
}

const dayFormat = (locale: string) =>
  new Intl.DateTimeFormat(locale, {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
