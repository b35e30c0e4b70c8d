// Visits: how far guests come, where they are lost, and the list.
import { funnelChart } from "../charts/funnel.js";
import { momentOf, timeOf } from "../format.js";
import { say, sayWord } from "../lang.js";
import { card, empty, h, soft, tag } from "../parts/dom.js";
import { older, outfitName, table } from "../parts/table.js";
import { get } from "../server.js";

/** @typedef {import("../answers.ts").Answers["sessions"]} Data */
/** @typedef {import("../answers.ts").Visit} Visit */

/** @type {Partial<Record<Visit["status"], string>>} */
const TONES = { done: "good", failed: "bad", expired: "plain", blocked: "plain" };

/** @type {import("../views.js").View<Data>} */
export const visits = {
  load: ({ query }) => get("sessions", `sessions?${query}`),
  show: ({ data, room }) => [funnel(data, room), lost(data), list(data)],
};

/** @param {Data} data @param {number} room */
function funnel({ funnel: { since, stages } }, room) {
  const rows = stages.map(({ stage, visits: count }) => ({ label: say(`stage.${stage}`), count }));
  return card(
    say("visits.funnel"),
    soft(say("today.since", { time: timeOf(since) })),
    rows[0]?.count ? funnelChart(rows, room) : empty(say("visits.nobody")),
  );
}

/** @param {Data} data */
function lost({ dropouts }) {
  if (dropouts.length === 0) return null;
  return card(
    say("visits.lost"),
    null,
    h(
      "ul",
      { class: "rows" },
      dropouts.map(({ before, text, visits: count }) =>
        h(
          "li",
          {},
          h("b", { class: "num" }, String(count)),
          h("span", { class: "grow" }, `${sayWord("lost", before)}: ${text}`),
        ),
      ),
    ),
  );
}

/** @param {Data} data */
const list = ({ sessions, next_before }) =>
  sessions.length === 0
    ? empty(say("visits.none"))
    : [
        h("section", { class: "card" }, table(say("visits.heads"), sessions.map(line))),
        older("visits", { before: next_before }),
      ];

/** @param {Visit} visit */
const line = ({ created_at, name, status, problem_text, template, kiosk, job }) =>
  h(
    "tr",
    {},
    h("td", { class: "tight num soft" }, momentOf(created_at)),
    h("td", {}, name === null ? h("span", { class: "soft" }, "–") : h("b", {}, name)),
    h(
      "td",
      { class: "full" },
      tag(TONES[status] ?? "warn", say(`visit.${status}`)),
      problem_text && h("span", { class: "small" }, ` ${problem_text}`),
    ),
    h("td", { class: "soft" }, template && outfitName(template)),
    h("td", { class: "soft tight" }, kiosk ?? ""),
    h("td", { class: "num" }, job && h("a", { href: `#jobs/${job}` }, `#${job}`)),
  );
