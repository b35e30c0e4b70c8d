/** Dates in words. Making a format takes longer than using it a hundred times, so each is made once. */

/** `12 Mar, 14:05` as a language writes it, for each time zone. */
export function momentIn(locale: string): (at: number, zone: string) => string {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (at, zone) => {
    let format = formats.get(zone);
    if (!format) {
      format = new Intl.DateTimeFormat(locale, {
        day: "numeric",
        month: "short",
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
        timeZone: zone,
      });
      formats.set(zone, format);
    }
    return format.format(at);
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
