/** Outfits as operators keep them: added, changed, ordered, switched on and off, taken away. Each change is in the audit log. */
import type { Database } from "bun:sqlite";
import { audit } from "../audit.ts";
import { transact } from "../db.ts";
import { type Picture, storePicture } from "../pictures.ts";
import { Refusal } from "../refusal.ts";
import { type Template, templateById } from "../templates.ts";

/** Stands in addresses, in callback data and in file names. */
export const outfitId = /^[a-z][a-z0-9_-]{1,31}$/;
export const MAX_OUTFITS = 40;

export type OutfitFields = {
  title_ru?: string;
  title_uz?: string;
  title_en?: string;
  prompt?: string;
  /** `#rrggbb`, that the sheet's key colour keeps away from. */
  colours?: string[];
  enabled?: boolean;
  picture?: Picture;
};
export type Change = { actor: string; now: number };

export const allOutfits = (db: Database) =>
  db.query("SELECT * FROM templates ORDER BY position, id").all() as Template[];

const missing = (id: string) => new Refusal("not_found", (t) => t.noOutfit(id));
const lastOne = () => new Refusal("conflict", (t) => t.lastOutfit);

/** @throws AppError `conflict` when the id is taken, or there are too many */
export function addOutfit(db: Database, id: string, fields: OutfitFields, { actor, now }: Change): Template {
  return transact(db, () => {
    if (templateById(db, id)) throw new Refusal("conflict", (t) => t.outfitExists(id));
    const all = allOutfits(db);
    if (all.length >= MAX_OUTFITS) throw new Refusal("conflict", (t) => t.tooManyOutfits(MAX_OUTFITS));
    const added: Template = {
      id,
      title_ru: fields.title_ru ?? id,
      title_uz: fields.title_uz ?? id,
      title_en: fields.title_en ?? id,
      prompt: fields.prompt ?? "",
      colours: JSON.stringify(fields.colours ?? []),
      image: fields.picture ? storePicture(db, fields.picture, now) : "/icon.svg",
      enabled: fields.enabled === false ? 0 : 1,
      position: Math.max(0, ...all.map(({ position }) => position)) + 1,
      version: 1,
    };
    db.query(
      `INSERT INTO templates (id, title_ru, title_uz, title_en, prompt, colours, image, enabled, position, version)
       VALUES ($id, $title_ru, $title_uz, $title_en, $prompt, $colours, $image, $enabled, $position, $version)`,
    ).run(added);
    audit(db, { actor, action: "outfit added", target: id, after: seen(added), now });
    return added;
  });
}

/**
 * Changes what is given and leaves the rest. A save that changes nothing writes nothing.
 * @param version as the form saw it: when somebody saved meanwhile, this save is refused; absent: whatever it is
 * @throws AppError `not_found`, `conflict`
 */
export function changeOutfit(
  db: Database,
  id: string,
  fields: OutfitFields,
  version: number | undefined,
  { actor, now }: Change,
): { changed: boolean; outfit: Template } {
  return transact(db, () => {
    const before = templateById(db, id);
    if (!before) throw missing(id);
    const { picture, colours, enabled, ...texts } = fields;
    const given = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined));
    const after: Template = {
      ...before,
      ...given,
      ...(colours ? { colours: JSON.stringify(colours) } : {}),
      ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }),
      ...(picture ? { image: storePicture(db, picture, now) } : {}),
    };
    const columns = ["title_ru", "title_uz", "title_en", "prompt", "colours", "image", "enabled"] as const;
    const changed = columns.filter((column) => before[column] !== after[column]);
    if (changed.length === 0) return { changed: false, outfit: before };
    if (version !== undefined && version !== before.version) throw new Refusal("conflict", (t) => t.outfitChanged);
    if (before.enabled && !after.enabled && countEnabled(db) === 1) throw lastOne();
    const outfit = { ...after, version: before.version + 1 };
    db.query(
      `UPDATE templates SET title_ru = $title_ru, title_uz = $title_uz, title_en = $title_en, prompt = $prompt,
         colours = $colours, image = $image, enabled = $enabled, position = $position, version = $version WHERE id = $id`,
    ).run(outfit);
    const pick = (template: Template) => Object.fromEntries(changed.map((column) => [column, template[column]]));
    audit(db, { actor, action: "outfit changed", target: id, before: pick(before), after: pick(outfit), now });
    return { changed: true, outfit };
  });
}

/** Puts the cards into this order. @throws AppError `conflict` when the list is not exactly the outfits there are */
export function orderOutfits(db: Database, ids: readonly string[], { actor, now }: Change): boolean {
  return transact(db, () => {
    const before = allOutfits(db).map(({ id }) => id);
    if (before.join() === ids.join()) return false;
    if ([...before].sort().join() !== [...ids].sort().join()) throw new Refusal("conflict", (t) => t.outfitsChanged);
    ids.forEach((id, i) => {
      db.query("UPDATE templates SET position = ? WHERE id = ?").run(i + 1, id);
    });
    audit(db, { actor, action: "outfits ordered", before, after: ids, now });
    return true;
  });
}

/** @throws AppError `not_found`, `conflict` while a guest is with it or when it is the last one on */
export function removeOutfit(db: Database, id: string, { actor, now }: Change) {
  transact(db, () => {
    const before = templateById(db, id);
    if (!before) throw missing(id);
    const inUse = db
      .query(
        `SELECT 1 FROM sessions WHERE template_id = ?1 AND status IN ('template_chosen', 'photo_taken')
         UNION ALL SELECT 1 FROM jobs WHERE template_id = ?1 AND status IN ('queued', 'running', 'delivering') LIMIT 1`,
      )
      .get(id);
    if (inUse) throw new Refusal("conflict", (t) => t.outfitInUse);
    if (before.enabled && countEnabled(db) === 1) throw lastOne();
    db.query("DELETE FROM templates WHERE id = ?").run(id);
    audit(db, { actor, action: "outfit deleted", target: id, before: seen(before), now });
  });
}

const countEnabled = (db: Database) =>
  (db.query("SELECT count(*) AS n FROM templates WHERE enabled = 1").get() as { n: number }).n;

const seen = ({ version: _, position: __, ...rest }: Template) => rest;
