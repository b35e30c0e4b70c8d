/** The audit log in words: its shapes. */

/** What the audit log says happened, as sentences. */
export type AuditTexts = {
  paused(reason: string | null): string;
  opened: string;
  /** Dollars, or null for no limit. */
  budget(before: string | null, after: string | null): string;
  /** @param changes `[name, before, after]` */
  settings(changes: [string, string, string][]): string;
  usualValue: string;
  retry(pack: string): string;
  cancel(pack: string): string;
  lead(number: string, before: string, after: string): string;
  outfitAdded(id: string): string;
  outfitChanged(id: string, fields: string[]): string;
  outfitSwitched(id: string, on: boolean): string;
  outfitDeleted(id: string): string;
  outfitsOrdered: string;
  look(fields: string[]): string;
  kioskRemoved(id: string): string;
  tryout(outfit: string): string;
  on: string;
  off: string;
  /** Of a logo, a background, a PIN. */
  isThere: string;
  /** What an outfit's card and the kiosks' look are made of. */
  fields: Record<LookField, string>;
};
export type LookField =
  | "title_ru"
  | "title_uz"
  | "title_en"
  | "prompt"
  | "colours"
  | "image"
  | "enabled"
  | "name"
  | "welcome_ru"
  | "welcome_uz"
  | "welcome_en"
  | "logo"
  | "background"
  | "pin";
