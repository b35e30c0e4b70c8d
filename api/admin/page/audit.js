// Audit: who changed what, with the value before and after.
import { empty, h } from "./dom.js";
import { get } from "./server.js";
import { momentOf } from "./words.js";

export const audit = {
  title: "Audit",
  load: ({ query }) => get(`audit?${query}`),
  show: ({ data: { entries, next_before } }) => [
    entries.length === 0
      ? empty("Nobody has changed anything yet.")
      : h(
          "section",
          { class: "card" },
          h("h2", {}, "Who changed what"),
          h(
            "table",
            { class: "table" },
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                ["When", "Who", "What", "Before", "After"].map((name) => h("th", { scope: "col" }, name)),
              ),
            ),
            h(
              "tbody",
              {},
              entries.map(({ at, actor, action, target, before, after }) =>
                h(
                  "tr",
                  {},
                  h("td", { class: "tight num soft" }, momentOf(at)),
                  h("td", { class: "tight" }, actor),
                  h("td", {}, h("b", {}, action), target && ` ${target}`),
                  h("td", { class: "full soft small" }, shown(before)),
                  h("td", { class: "full small" }, shown(after)),
                ),
              ),
            ),
          ),
        ),
    next_before &&
      h("p", { class: "empty" }, h("a", { class: "button", href: `#audit?before=${next_before}` }, "Show older ones")),
  ],
};

function shown(value) {
  if (value === null) return "–";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.join(", ");
  return Object.entries(value)
    .filter(([, part]) => part !== null)
    .map(([name, part]) => `${name}: ${plain(part)}`)
    .join("; ");
}

const A_MOMENT = 1e12;

/** Instants are milliseconds in the database. */
function plain(part) {
  if (typeof part === "number" && part > A_MOMENT) return momentOf(part);
  return typeof part === "object" ? JSON.stringify(part) : String(part);
}
