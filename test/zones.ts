/** Zones for tests that depend on the time of day: it is the wished-for hour there, wherever and whenever the tests run. */

export const EVENING_HOUR = 21;

/** The event's day is well under way and ends hours from now. */
export const evening = () => zoneAt(EVENING_HOUR);
/** Reminders are quiet at night. */
export const midday = () => zoneAt(12);

/** A zone of whole hours; there are those from twelve behind UTC to fourteen ahead of it. */
function zoneAt(hour: number): string {
  const ahead = hour - new Date().getUTCHours();
  const hours = ahead > 12 ? ahead - 24 : ahead;
  // The names of these zones have their signs the other way round.
  return hours === 0 ? "Etc/GMT" : `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}
