// What lists share: a table that is cards on a phone, a choice of what it shows, and a way to older rows.
import { say } from "../lang.js";
import { button, h } from "./dom.js";

/** @typedef {import("./dom.js").Child} Child */

/**
 * @param {string} heads with `|` between
 * @param {Child[]} rows
 */
export const table = (heads, rows) =>
  h(
    "table",
    { class: "table" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heads.split("|").map((head) => h("th", { scope: "col" }, head)),
      ),
    ),
    h("tbody", {}, rows),
  );

/** In one line, unless it is very long. @param {string} title */
export const outfitName = (title) => h("span", { class: "outfit-name" }, title);

/**
 * @param {string} label
 * @param {{href: string, text: string, isOn: boolean}[]} choices
 */
export const chips = (label, choices) =>
  h(
    "nav",
    { class: "chips", "aria-label": label },
    choices.map(({ href, text, isOn }) =>
      h("a", { href, "aria-current": isOn ? "true" : null, data: { key: `chip ${href}` } }, text),
    ),
  );

/**
 * The address of a view with what it is asked by; what is empty is left out.
 * @param {string} view
 * @param {Record<string, string | number | null | undefined>} query
 */
export function link(view, query) {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  return `#${view}${given.length > 0 ? `?${new URLSearchParams(given)}` : ""}`;
}

/** @param {string} view @param {Record<string, string | number | null | undefined>} query with `before` when there are more */
export const older = (view, query) =>
  query.before ? h("p", { class: "empty" }, button(link(view, query), say("older"))) : null;
