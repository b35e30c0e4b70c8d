/** Outfits: the cards on the kiosk and what the artists are told. */
import type { Database } from "bun:sqlite";
import type { Lang } from "./status.ts";

export type Template = {
  id: string;
  title_ru: string;
  title_uz: string;
  title_en: string;
  prompt: string;
  colours: string;
  image: string;
  enabled: number;
  position: number;
  version: number;
};

export const templateById = (db: Database, id: string) =>
  db.query("SELECT * FROM templates WHERE id = ?").get(id) as Template | null;

export const enabledTemplates = (db: Database) =>
  db.query("SELECT * FROM templates WHERE enabled = 1 ORDER BY position, id").all() as Template[];

export const titleOf = (template: Template, lang: Lang) => template[`title_${lang}`];

/** Colours the sheet's key must keep away from. */
export const coloursOf = (template: Pick<Template, "colours">) =>
  (JSON.parse(template.colours) as string[]).map((hex) => ({
    r: Number.parseInt(hex.slice(1, 3), 16),
    g: Number.parseInt(hex.slice(3, 5), 16),
    b: Number.parseInt(hex.slice(5, 7), 16),
  }));
