import { en } from "./texts/en.js";
import { ru } from "./texts/ru.js";
import { uz } from "./texts/uz.js";

/** @typedef {"ru"|"uz"|"en"} Lang */
/** @typedef {keyof typeof ru | keyof typeof import("./texts/operator.js").ru} TextKey */

/** Those of the operators' corner come with it. */
export const texts = /** @type {Record<Lang, Record<TextKey, string>>} */ ({ ru, uz, en });

/** @param {Record<Lang, Partial<Record<TextKey, string>>>} more */
export function addTexts(more) {
  for (const lang of /** @type {const} */ (["ru", "uz", "en"])) Object.assign(texts[lang], more[lang]);
}

/** The event's own words in place of ours. @type {Map<string, Record<Lang, string>>} */
const own = new Map();

/**
 * @param {TextKey} key
 * @param {Record<Lang, string>} words an empty one leaves ours
 */
export function putWords(key, words) {
  own.set(key, words);
}

/**
 * @param {unknown} value
 * @returns {value is Lang}
 */
export function isLang(value) {
  return value === "ru" || value === "uz" || value === "en";
}

/**
 * @param {string} key
 * @returns {key is TextKey}
 */
export function isTextKey(key) {
  return Object.hasOwn(ru, key);
}

/** What a line must not end with, nor begin with: short words and dashes stay with their neighbours. */
const SHORT = /(?<=^|[\s(«])([вксоуиая]|не|на|за|из|во|со|до|от) /giu;
const DASH = / (?=—)/g;

/**
 * The sentence for a key, with `{name}` places filled. The result is plain text, to be set as textContent.
 * @param {Lang} lang
 * @param {TextKey} key
 * @param {Record<string, string | number>} [vars]
 */
export function say(lang, key, vars = {}) {
  // What people wrote has no places to fill.
  const written = own.get(key)?.[lang];
  if (written) return written;
  const text = texts[lang][key].replace(DASH, "\u00a0").replace(SHORT, "$1\u00a0");
  return text.replace(/\{(\w+)\}/g, (_, name) => String(vars[name] ?? ""));
}
