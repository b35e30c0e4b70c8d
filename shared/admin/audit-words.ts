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
/** Pictures, secrets and switches are named only. */
const unquoted = ["id", "image", "logo", "background", "pin", "enabled"];

/** What stood there and what stands there now, where the sentence does not tell. */
export function auditDetails(entry: Entry, lang: Lang): Detail[] {
  if (quoting.includes(entry.action)) return [];
  const [was, is] = [valuesOf(entry.before), valuesOf(entry.after)];
  const { fields } = team(lang).audit;
  const parts = partsOf(entry)
    .filter((name) => !unquoted.includes(name))
    .map((name) => ({
      name: fields[name as LookField] ?? name,
      before: quotePart(name, was[name]),
      after: quotePart(name, is[name]),
    }));
  const whole = { name: "", before: quote(entry.before), after: quote(entry.after) };
  return [...parts, whole].filter(({ before, after }) => before !== null || after !== null);
}

/** A part as it is read: an outfit's colours are a list in a text. */
function quotePart(name: string, value: unknown): string | null {
  if (name !== "colours" || typeof value !== "string") return quote(value);
  try {
    return quote(JSON.parse(value));
  } catch {
    return value;
  }
}

/** What has parts of its own is not quoted as a whole. */
function quote(value: unknown): string | null {
  if (Array.isArray(value)) return value.length > 0 ? value.join(", ") : null;
  return value === null || value === undefined || value === "" || typeof value === "object" ? null : String(value);
}

const valuesOf = (value: unknown): Values =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Values) : {};
const textOrNull = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
const sum = (value: unknown, lang: Lang) => (typeof value === "number" ? dollars(value, lang) : null);
/** `pack 12` → `12` */
const lastWord = (target: string) => target.split(" ").at(-1) ?? target;

function leadStatus(value: unknown, lang: Lang): string {
  const status = String(valuesOf(value).status);
  return team(lang).leadStatuses[status as LeadStatus] ?? status;
}

function settingsOf({ before, after }: Entry, texts: AuditTexts): [string, string, string][] {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const shown = (value: unknown) => (value === null || value === undefined ? texts.usualValue : String(value));
  return Object.keys({ ...was, ...is }).map((name) => [name, shown(was[name]), shown(is[name])]);
}

function outfitChanged(entry: Entry, texts: AuditTexts): string {
  const { enabled, ...others } = valuesOf(entry.after);
  if (enabled !== undefined && Object.keys(others).length === 0)
    return texts.outfitSwitched(entry.target, enabled === 1);
  return texts.outfitChanged(entry.target, fieldsOf(entry, texts));
}

/** The parts that differ, by their names. */
const fieldsOf = (entry: Entry, { fields }: AuditTexts): string[] =>
  partsOf(entry).map((name) => fields[name as LookField] ?? name);

function partsOf({ before, after }: Entry): string[] {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  return Object.keys({ ...was, ...is }).filter(
    (name) => JSON.stringify(was[name] ?? null) !== JSON.stringify(is[name] ?? null),
  );
}
