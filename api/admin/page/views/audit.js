// Audit: who changed what, with the value before and after.
import { momentOf } from "../format.js";
import { say } from "../lang.js";
import { empty, h } from "../parts/dom.js";
import { older, table } from "../parts/table.js";
import { get } from "../server.js";

/** @typedef {import("../answers.ts").Change} Change */

/** Instants are milliseconds in the database. */
const A_MOMENT = 1e12;

/** @type {import("../views.js").View<import("../answers.ts").Answers["audit"]>} */
export const audit = {
  load: ({ query }) => get("audit", `audit?${query}`),
  show: ({ data: { entries, next_before } }) => [
    entries.length === 0
      ? empty(say("audit.none"))
      : h("section", { class: "card" }, h("h2", {}, say("audit.title")), table(say("audit.heads"), entries.map(line))),
    older("audit", { before: next_before }),
  ],
};

/** @param {Change} change */
const line = ({ at, actor, action, target, words, before, after }) =>
  h(
    "tr",
    {},
    h("td", { class: "tight num soft" }, momentOf(at)),
    h("td", { class: "tight" }, actor),
    words ? h("td", { class: "full" }, words) : h("td", {}, h("b", {}, action), target && ` ${target}`),
    h("td", { class: "full soft small", data: { head: heads()[3] } }, shown(before)),
    h("td", { class: "full small", data: { head: heads()[4] } }, shown(after)),
  );

const heads = () => say("audit.heads").split("|");

/** @param {unknown} value */
function shown(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.join(", ");
  return Object.entries(value)
    .filter(([, part]) => part !== null)
    .map(([name, part]) => `${name}: ${plain(part)}`)
    .join("; ");
}

/** @param {unknown} part */
function plain(part) {
  if (typeof part === "number" && part > A_MOMENT) return momentOf(part);
  return typeof part === "object" ? JSON.stringify(part) : String(part);
}
