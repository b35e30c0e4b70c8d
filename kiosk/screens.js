import { isTextKey, say } from "./texts.js";

/** @import { Screen } from "./types.js" */

/**
 * After a change of screen, touches count for nothing until the finger has rested this long:
 * twenty taps on one button must not press what appears under it.
 */
const SETTLE_MS = 500;

/** @type {import("./texts.js").Lang} */
let lang = "ru";
/** @type {Screen} */
let current = "start";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let settling;

/**
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} #${id}`);
  return found;
}

export const screen = () => current;
export const language = () => lang;

/**
 * Sets a text of the page by key; it follows the language from then on.
 * @param {Element} element
 * @param {import("./texts.js").TextKey} key
 * @param {Record<string, string | number>} [vars]
 */
export function setText(element, key, vars) {
  if (!(element instanceof HTMLElement)) return;
  element.dataset.t = key;
  if (vars) element.dataset.vars = JSON.stringify(vars);
  else delete element.dataset.vars;
  const text = say(lang, key, vars);
  if (element.textContent !== text) element.textContent = text;
}

/** @param {Element} element no text, whatever the language */
export function clearText(element) {
  if (element instanceof HTMLElement) {
    delete element.dataset.t;
    delete element.dataset.vars;
  }
  element.textContent = "";
}

/** @type {(() => void)[]} */
const onLanguage = [];

/** @param {() => void} listener runs each time another language has been chosen */
export function whenLanguage(listener) {
  onLanguage.push(listener);
}

/** @param {import("./texts.js").Lang} next */
export function setLanguage(next) {
  const other = lang !== next;
  lang = next;
  document.documentElement.lang = next;
  for (const element of document.querySelectorAll("[data-t]")) {
    const { t = "", vars } = /** @type {HTMLElement} */ (element).dataset;
    if (isTextKey(t)) element.textContent = say(lang, t, vars ? JSON.parse(vars) : undefined);
  }
  for (const [attribute, name] of /** @type {const} */ ([
    ["data-t-label", "aria-label"],
    ["data-t-alt", "alt"],
  ])) {
    for (const element of document.querySelectorAll(`[${attribute}]`)) {
      const key = element.getAttribute(attribute) ?? "";
      if (isTextKey(key)) element.setAttribute(name, say(lang, key));
    }
  }
  for (const button of document.querySelectorAll("[data-lang]")) {
    button.setAttribute("aria-pressed", String(button.getAttribute("data-lang") === next));
  }
  if (other) for (const listener of onLanguage) listener();
}

/**
 * Shows one screen and hides the others; focus and the screen reader follow.
 * @param {Screen} next
 */
export function show(next) {
  const changed = next !== current;
  current = next;
  document.body.dataset.screen = next;
  for (const section of document.querySelectorAll("main > .screen")) {
    if (section instanceof HTMLElement) section.hidden = section.id !== next;
  }
  const heading = document.querySelector(`#${next} h1`);
  if (changed && heading instanceof HTMLElement) {
    document.getElementById(next)?.scrollTo(0, 0);
    heading.focus({ preventScroll: true });
    settle();
  }
}

/** What had the focus when the screen was covered. @type {Element | null} */
let uncovered = null;

/**
 * Lays something over the screen, or takes it away. What is below cannot be reached meanwhile, by no key either, and has
 * its focus back afterwards.
 * @param {HTMLElement} overlay
 * @param {boolean} on
 */
export function cover(overlay, on) {
  const main = document.querySelector("main");
  if (!main || overlay.hidden !== on) return;
  if (!main.inert) uncovered = document.activeElement;
  overlay.hidden = !on;
  main.inert = [...document.querySelectorAll(".overlay")].some(
    (other) => other instanceof HTMLElement && !other.hidden,
  );
  if (!main.inert && uncovered instanceof HTMLElement) uncovered.focus({ preventScroll: true });
}

/** Touches are swallowed from now until the finger rests. */
export function settle() {
  document.body.classList.add("settling");
  clearTimeout(settling);
  settling = setTimeout(() => document.body.classList.remove("settling"), SETTLE_MS);
}

/** Keeps the page deaf while an impatient finger goes on tapping, and a held key from pressing again. */
export function watchFingers() {
  document.addEventListener("pointerdown", () => document.body.classList.contains("settling") && settle());
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
    },
    { capture: true },
  );
}
