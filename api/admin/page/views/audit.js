// Audit: who changed what, and how it read before and after.
import { momentOf } from "../format.js";
import { say } from "../lang.js";
import { empty, h } from "../parts/dom.js";
import { older, table } from "../parts/table.js";
import { get } from "../server.js";

/** @typedef {import("../answers.ts").Change} Change */
/** @typedef {import("../answers.ts").Detail} Detail */

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
const line = ({ at, actor, who, words, details }) =>
  h(
    "tr",
    {},
    h("td", { class: "tight num soft" }, momentOf(at)),
    h("td", { class: "tight", title: actor }, h("bdi", {}, who)),
    h("td", { class: "full" }, words),
    h("td", { class: "full small" }, ...details.map(detail)),
  );

/** @param {Detail} detail */
const detail = ({ name, before, after }) =>
  h(
    "div",
    {},
    name && h("b", {}, `${name}: `),
    before !== null && h("span", { class: "soft" }, `${before} → `),
    after ?? "–",
  );
