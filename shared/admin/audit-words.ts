/** An entry of the audit log as a sentence. Who it was stands beside it. */
import type { Lang, LeadStatus } from "../status.ts";
import { team } from "../texts/operators/index.ts";
import type { AuditTexts, LookField } from "../texts/operators/types.ts";
import { dollars } from "./words.ts";

export type Entry = { action: string; target: string; before: unknown; after: unknown };
type Values = Record<string, unknown>;

/** An action of a later release, or of none, stands for itself. */
export function auditWords(entry: Entry, lang: Lang): string {
  const { action, target, before, after } = entry;
  const texts = team(lang).audit;
  switch (action) {
    case "pause":
      return texts.paused(textOrNull(valuesOf(after).reason));
    case "resume":
      return texts.opened;
    case "budget":
      return texts.budget(sum(before, lang), sum(after, lang));
    case "settings":
      return texts.settings(settingsOf(entry, texts));
    case "retry":
      return texts.retry(lastWord(target));
    case "cancel":
      return texts.cancel(lastWord(target));
    case "lead":
      return texts.lead(lastWord(target), leadStatus(before, lang), leadStatus(after, lang));
    case "outfit added":
      return texts.outfitAdded(target);
    case "outfit changed":
      return outfitChanged(entry, texts);
    case "outfits ordered":
      return texts.outfitsOrdered;
    case "outfit deleted":
      return texts.outfitDeleted(target);
    case "kiosks' look":
      return texts.look(fieldsOf(entry, texts));
    case "kiosk removed":
      return texts.kioskRemoved(target);
    case "try-out":
      return texts.tryout(target);
    default:
      return [action, target].filter(Boolean).join(" ");
  }
}

/** A part of a change that its sentence names and does not quote; null: nothing. */
export type Detail = { name: string; before: string | null; after: string | null };

/** Their sentences say it all. */
const quoting = ["pause", "resume", "budget", "settings", "retry", "cancel", "lead", "kiosk removed"];
/** Named only. */
const unquoted = ["id", "image"];
/** Of these it is told whether they are there. */
const kept = ["logo", "background", "pin"];

/** What stood there and what stands there now, where the sentence does not tell. */
export function auditDetails(entry: Entry, lang: Lang): Detail[] {
  if (quoting.includes(entry.action)) return [];
  const texts = team(lang).audit;
  const [was, is] = [valuesOf(entry.before), valuesOf(entry.after)];
  const parts = partsOf(entry).filter((name) => !unquoted.includes(name));
  // A switch alone is a sentence of its own, and one that was never the other way is no news.
  const told = parts.filter((name) => name !== "enabled" || (parts.length > 1 && name in was && name in is));
  const details = told.map((name) => ({
    name: nameOf(name, texts),
    before: quotePart(name, was[name], texts),
    after: quotePart(name, is[name], texts),
  }));
  if (details.length === 0 && !isValues(entry.before) && !isValues(entry.after))
    details.push({ name: "", before: quote(entry.before), after: quote(entry.after) });
  return details.filter(({ before, after }) => before !== after);
}

const nameOf = (part: string, { fields }: AuditTexts) =>
  Object.hasOwn(fields, part) ? fields[part as LookField] : part;

function quotePart(name: string, value: unknown, texts: AuditTexts): string | null {
  if (kept.includes(name)) return quote(value) && texts.isThere;
  if (name === "enabled") return value === 1 ? texts.on : texts.off;
  return name === "colours" && typeof value === "string" ? quoteList(value) : quote(value);
}

/** An outfit's colours are a list in a text. */
function quoteList(text: string): string | null {
  try {
    return quote(JSON.parse(text));
  } catch {
    return text;
  }
}

/** As it is read: of what has parts, the parts. */
function quote(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value !== "object") return String(value);
  const parts = Object.values(value).map(quote);
  return parts.filter((part) => part !== null).join(", ") || null;
}

const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** With nothing of its own but what was written. */
const valuesOf = (value: unknown): Values => Object.assign(Object.create(null), isValues(value) ? value : {});
const textOrNull = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
const sum = (value: unknown, lang: Lang) => (typeof value === "number" ? dollars(value, lang) : null);
/** `pack 12` → `12` */
const lastWord = (target: string) => target.split(" ").at(-1) ?? target;

function leadStatus(value: unknown, lang: Lang): string {
  const status = quote(valuesOf(value).status) ?? "";
  const { leadStatuses } = team(lang);
  return Object.hasOwn(leadStatuses, status) ? leadStatuses[status as LeadStatus] : status;
}

function settingsOf({ before, after }: Entry, texts: AuditTexts): [string, string, string][] {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const shown = (value: unknown) => quote(value) ?? texts.usualValue;
  return Object.keys({ ...was, ...is }).map((name) => [name, shown(was[name]), shown(is[name])]);
}

function outfitChanged(entry: Entry, texts: AuditTexts): string {
  const { enabled, ...others } = valuesOf(entry.after);
  if (enabled !== undefined && Object.keys(others).length === 0)
    return texts.outfitSwitched(entry.target, enabled === 1);
  return texts.outfitChanged(entry.target, fieldsOf(entry, texts));
}

/** The parts that differ, by their names. */
const fieldsOf = (entry: Entry, texts: AuditTexts): string[] => partsOf(entry).map((name) => nameOf(name, texts));

function partsOf({ before, after }: Entry): string[] {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  return Object.keys({ ...was, ...is }).filter(
    (name) => JSON.stringify(was[name] ?? null) !== JSON.stringify(is[name] ?? null),
  );
}
