/** The server's own words to the chat, for when the bot may be what is broken: their shapes. */

/** The services whose failure has a meaning of its own. */
export type UnitName =
  | "sticker-api.service"
  | "sticker-bot.service"
  | "sticker-backup.service"
  | "sticker-backup-check.service";

/** Plain text. */
export type MachineTexts = {
  /**
   * A service ended for good.
   * @param how it ended, null: not known
   * @param meaning what that means for the booth, null: a service that we know nothing of
   */
  unitFailed(unit: string, how: string | null, meaning: string | null): string;
  wrongSettings: string;
  /** In systemd's words. @param status null: not known */
  ended(result: string, status: string | null): string;
  meanings: Record<UnitName, string>;
  drillPassed(backup: string, age: string, facts: number): string;
};
