/** What a visitor typed, made fit for a line of a Telegram message. HTML out; nothing in it can break or forge a line. */
import { escapeHtml } from "../shared/texts/index.ts";

const LINE_LENGTH = 240;
const rightToLeft = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}/u;

/** One line, at most `max` units long. */
export const oneLine = (text: string | null, max = LINE_LENGTH) =>
  isolated(cut(tidy(text ?? "").replace(/\s+/g, " "), max));

/** Several lines, at most `max` units long. */
export const manyLines = (text: string, max: number) => isolated(cut(tidy(text), max));

/** Without control characters and without marks that turn the direction of what follows. Line breaks stay. */
export const tidy = (text: string) =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[^\P{Cc}\n\t]|[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu, "")
    .trim();

/** At most `max` units long, never ending in half a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, Math.max(0, max - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Right-to-left writing stays within its field: between “first strong isolate” and “pop isolate”. */
function isolated(text: string): string {
  const safe = escapeHtml(text);
  return rightToLeft.test(text) ? `\u2068${safe}\u2069` : safe;
}

/** The length of HTML as Telegram counts it: tags are nothing, an escape is one. */
export const htmlLength = (html: string) => html.replace(/<[^>]*>/g, "").replace(/&(?:amp|lt|gt|quot);/g, "&").length;
