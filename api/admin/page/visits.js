// Visits: how far guests come, where they are lost, and the list.
import { funnelChart, roomIn } from "./charts.js";
import { card, empty, h, tag } from "./dom.js";
import { get } from "./server.js";
import { momentOf, timeOf, visitNames } from "./words.js";

const STAGES = {
  started: "Tapped Start",
  linked: "Scanned the code",
  consented: "Agreed",
  outfit: "Chose an outfit",
  photo: "Took a photo",
  delivered: "Got stickers",
};
const WHERE = {
  created: "at the code",
  linked: "at the question",
  consented: "at the outfits",
  template_chosen: "at the camera",
};
const TONES = { done: "good", failed: "bad", expired: "plain", blocked: "plain" };

export const visits = {
  title: "Visits",
  load: ({ query }) => get(`sessions?${query}`),
  show: ({ data, main }) => [funnel(data, main), lost(data), list(data)],
};

function funnel({ funnel: { since, stages } }, main) {
  const rows = stages.map(({ stage, visits: count }) => ({ label: STAGES[stage], count }));
  return card(
    "From Start to stickers, today",
    h("span", { class: "soft small" }, `since ${timeOf(since)}`),
    rows[0].count === 0 ? empty("Nobody has tapped Start today.") : funnelChart(rows, roomIn(main)),
  );
}

function lost({ dropouts }) {
  if (dropouts.length === 0) return null;
  return card(
    "Where guests were lost today",
    null,
    h(
      "ul",
      { class: "rows" },
      dropouts.map(({ before, text, visits: count }) =>
        h(
          "li",
          {},
          h("b", { class: "num" }, String(count)),
          h("span", { class: "grow" }, `${WHERE[before] ?? before}: ${text}`),
        ),
      ),
    ),
  );
}

function list({ sessions, next_before }) {
  if (sessions.length === 0) return empty("No visits yet.");
  return [
    h(
      "section",
      { class: "card" },
      h(
        "table",
        { class: "table" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["Began", "Guest", "How it stands", "Outfit", "Kiosk", "Pack"].map((name) =>
              h("th", { scope: "col" }, name),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          sessions.map((visit) =>
            h(
              "tr",
              {},
              h("td", { class: "tight num soft" }, momentOf(visit.created_at)),
              h("td", {}, visit.name === null ? h("span", { class: "soft" }, "–") : h("b", {}, visit.name)),
              h(
                "td",
                { class: "full" },
                tag(TONES[visit.status] ?? "warn", visitNames[visit.status]),
                visit.problem_text && h("span", { class: "small" }, ` ${visit.problem_text}`),
              ),
              h("td", { class: "soft" }, visit.template ?? ""),
              h("td", { class: "soft" }, visit.kiosk ?? ""),
              h("td", { class: "num" }, visit.job && h("a", { href: `#jobs/${visit.job}` }, `#${visit.job}`)),
            ),
          ),
        ),
      ),
    ),
    next_before &&
      h("p", { class: "empty" }, h("a", { class: "button", href: `#visits?before=${next_before}` }, "Show older ones")),
  ];
}
