// The page's language: what this operator chose on this device, else the team's.
import { en } from "./texts/en.js";
import { ru } from "./texts/ru.js";
import { uz } from "./texts/uz.js";

/** @typedef {"en"|"ru"|"uz"} Lang */
/** @typedef {keyof typeof en} TextKey */
/** A sentence with `{places}`, or one for each form that a number takes in the language. @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Words */

/** @type {Record<Lang, Record<TextKey, Words>>} */
const texts = { en, ru, uz };
/** As each calls itself. @type {Record<Lang, string>} */
export const languages = { en: "English", ru: "Русский", uz: "Oʻzbekcha" };
/** Chromium has no Uzbek numbers; they are written as Russian ones are. @type {Record<Lang, string>} */
const numerals = { en: "en-US", ru: "ru", uz: "ru" };
const KEPT = "admin_lang";

/** @type {Lang | null} */
let chosen = kept();
/** @type {Lang | null} */
let team = null;

/** @returns {Lang} */
export const language = () => chosen ?? team ?? browsers();
/** What calls ask for: nothing before anybody said what the language is, so that the booth decides. */
export const asked = () => chosen ?? team;
export const numeralsOf = () => numerals[language()];

/** @param {Lang} lang by the operator's own hand: it stays on this device */
export function choose(lang) {
  chosen = lang;
  try {
    localStorage.setItem(KEPT, lang);
  } catch {
    // Without storage the choice holds until the page is left.
  }
}

/** @param {unknown} lang as the overview tells it */
export function learnTeams(lang) {
  if (isLang(lang)) team = lang;
}

/**
 * The words for a key, with their places filled; `n` chooses the form and is written as numbers are.
 * @param {TextKey} key
 * @param {Record<string, string | number>} [vars]
 */
export function say(key, vars = {}) {
  const words = texts[language()][key];
  return formOf(words, vars.n).replace(/\{(\w+)\}/g, (_, name) =>
    name === "n" ? written(vars.n) : String(vars[name] ?? ""),
  );
}

/**
 * A word that comes from elsewhere, such as a kiosk's camera state: in the language where it is known, else as it is.
 * @param {string} group
 * @param {string | null | undefined} word
 */
export function sayWord(group, word) {
  const key = `${group}.${word}`;
  return Object.hasOwn(en, key) ? say(/** @type {TextKey} */ (key)) : (word ?? "").replaceAll("_", " ");
}

/** @param {Words} words @param {string | number | undefined} n */
function formOf(words, n) {
  if (typeof words === "string") return words;
  const form = new Intl.PluralRules(language()).select(Number(n ?? 0));
  return words[form] ?? words.other ?? words.many ?? "";
}

/** @param {string | number | undefined} n */
const written = (n) => (typeof n === "number" ? n.toLocaleString(numeralsOf()) : (n ?? ""));

function kept() {
  try {
    const lang = localStorage.getItem(KEPT);
    return isLang(lang) ? lang : null;
  } catch {
    return null;
  }
}

/** @returns {Lang} */
function browsers() {
  const known = navigator.languages.map((tag) => tag.slice(0, 2)).find(isLang);
  return known ?? "en";
}

/** @param {unknown} value @returns {value is Lang} */
function isLang(value) {
  return value === "en" || value === "ru" || value === "uz";
}
