// Fields of forms: how they look, what they hold, what is wrong with them.
import { say } from "../lang.js";
import { h } from "./dom.js";

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Input */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Values */

export const PICTURES = "image/jpeg,image/png,image/webp";
/** A browser judges in a language and in words of its own; the booth has sentences for each rule. */
export const UNJUDGED = { novalidate: true };
let fieldCount = 0;

/**
 * A labelled input with room for what is wrong with it.
 * @param {string} label
 * @param {Input} input with a `name`
 * @param {import("./dom.js").Child} [hint]
 * @param {string} [unit] shown behind the value
 */
export function field(label, input, hint = null, unit = "") {
  const id = `field-${++fieldCount}`;
  input.id ||= id;
  // Its id is another one after a redraw.
  input.dataset.key = input.name;
  input.setAttribute("aria-describedby", `${id}-about`);
  return h(
    "div",
    { class: "field", data: { field: input.name } },
    h("label", { for: input.id }, label),
    boxOf(input, unit),
    h("p", { id: `${id}-about` }, hint && h("span", { class: "soft small" }, hint), h("span", { class: "fault" })),
  );
}

/** @param {Input} input @param {string} unit */
function boxOf(input, unit) {
  if (input.type === "file" && input instanceof HTMLInputElement) return fileBox(input);
  return unit ? h("span", { class: "unit" }, input, h("span", { "aria-hidden": "true" }, unit)) : input;
}

/** A browser words its own button in a language of its own. @param {HTMLInputElement} input */
function fileBox(input) {
  const name = h("span", { class: "name" }, say("form.no_file"));
  input.addEventListener("change", () => {
    name.textContent = input.files?.[0]?.name ?? say("form.no_file");
  });
  return h(
    "span",
    { class: "file" },
    h("span", { class: "pick", "aria-hidden": "true" }, say("form.pick")),
    name,
    input,
  );
}

/** Says what is wrong with each, and goes to the first. @param {HTMLElement} form @param {Record<string, string>} faults by field */
export function showFaults(form, faults) {
  /** @type {HTMLElement | null} */
  let first = null;
  for (const box of form.querySelectorAll(".field")) {
    const fault = box instanceof HTMLElement ? faults[box.dataset.field ?? ""] : undefined;
    const place = box.querySelector(".fault");
    if (place) place.textContent = fault ? ` ${fault}` : "";
    const input = box.querySelector("input, textarea, select");
    input?.setAttribute("aria-invalid", String(Boolean(fault)));
    if (fault && input instanceof HTMLElement) first ??= input;
  }
  first?.focus();
}

/** Was something typed, ticked or chosen there? @param {unknown} input @returns {input is Input} */
export function isChanged(input) {
  if (input instanceof HTMLTextAreaElement) return input.value !== input.defaultValue;
  if (!(input instanceof HTMLInputElement)) return false;
  if (input.type === "checkbox") return input.checked !== input.defaultChecked;
  return input.type === "file" ? Boolean(input.files?.length) : input.value !== input.defaultValue;
}

/** What a form holds; a chosen file as base64. @param {HTMLFormElement} form */
export async function valuesOf(form) {
  /** @type {Values} */
  const values = {};
  for (const input of form.elements) {
    if (input instanceof HTMLTextAreaElement || input instanceof HTMLSelectElement) values[input.name] = input.value;
    if (!(input instanceof HTMLInputElement) || !input.name) continue;
    const [file] = input.files ?? [];
    if (input.type === "checkbox") values[input.name] = input.checked;
    else if (input.type === "file") values[input.name] = file && (await base64Of(file));
    else if (input.type === "number") values[input.name] = numberIn(input);
    else values[input.name] = input.value;
  }
  return values;
}

/** Null for nothing; what is no number goes as a text, which the booth refuses. @param {HTMLInputElement} input */
export function numberIn({ value, validity }) {
  if (validity.badInput) return "?";
  return value === "" ? null : Number(value);
}

/** @param {File} file @returns {Promise<string>} */
function base64Of(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ""));
    reader.onerror = () => reject(new Error(say("form.unreadable_file")));
    reader.readAsDataURL(file);
  });
}
