/** Zones for tests that depend on the time of day: it is the wished-for hour there, wherever and whenever the tests run. */

export const EVENING_HOUR = 21;

/** A zone of whole hours in which it is that hour now. */
export function zoneAt(hour: number, now = new Date()): string {
  const ahead = hour - now.getUTCHours();
  const hours = ahead > 12 ? ahead - 24 : ahead < -12 ? ahead + 24 : ahead;
  // The names of these zones have their signs the other way round.
  return hours === 0 ? "Etc/GMT" : `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}

/** The event's day is well under way and ends hours from now. */
export const evening = () => zoneAt(EVENING_HOUR);
/** Reminders are quiet at night. */
export const midday = () => zoneAt(12);
