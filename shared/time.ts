/** Local time of the event: days of statistics and limits, hours of digests. Instants are milliseconds since 1970 UTC. */

export type Zone = { TZ_NAME: string; DAY_STARTS_HOUR: number };

const HOUR_MS = 3_600_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: string): Intl.DateTimeFormat {
  let made = formats.get(zone);
  if (!made) {
    made = new Intl.DateTimeFormat("en-CA", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formats.set(zone, made);
  }
  return made;
}

export type LocalTime = { date: string; hour: number; minute: number };

/** The wall clock in a zone at an instant; `date` is `YYYY-MM-DD`. */
export function localTime(at: number, zone: string): LocalTime {
  const parts = Object.fromEntries(
    format(zone)
      .formatToParts(at)
      .map((p) => [p.type, p.value]),
  );
  return { date: `${parts.year}-${parts.month}-${parts.day}`, hour: Number(parts.hour), minute: Number(parts.minute) };
}

/** The event's day an instant belongs to: it begins at `DAY_STARTS_HOUR`, so a party past midnight is one day. */
export function eventDay(at: number, zone: Zone): string {
  const local = localTime(at, zone.TZ_NAME);
  return local.hour >= zone.DAY_STARTS_HOUR ? local.date : addDays(local.date, -1);
}

/** The instant at which the event's day of `at` began. */
export function dayStart(at: number, zone: Zone): number {
  return instantOf(eventDay(at, zone), zone.DAY_STARTS_HOUR, zone.TZ_NAME);
}

/** The first instant at which a zone's clock shows this date and hour, or the next later one where a clock change skips it. */
export function instantOf(date: string, hour: number, zone: string): number {
  const wanted = Date.parse(`${date}T${String(hour).padStart(2, "0")}:00:00Z`);
  // A zone's offset lies within 14 hours; start from the offset in force a day earlier and walk to the exact instant.
  for (let at = wanted - 15 * HOUR_MS; at <= wanted + 15 * HOUR_MS; at += HOUR_MS / 4) {
    const local = localTime(at, zone);
    if (local.date > date || (local.date === date && local.hour >= hour)) return at;
  }
  throw new RangeError(`${date} ${hour}:00 does not exist in ${zone}`);
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10);
}

export const iso = (at: number) => new Date(at).toISOString();
export const isoOrNull = (at: number | null) => (at === null ? null : iso(at));
