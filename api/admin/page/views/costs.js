// Costs: by day, provider and purpose, and what one pack takes.
import { budgetButton } from "../budget.js";
import { legend } from "../charts/parts.js";
import { stackChart } from "../charts/stack.js";
import { cents, dayShort, usd } from "../format.js";
import { say } from "../lang.js";
import { card, empty, h } from "../parts/dom.js";
import { chips, link, table } from "../parts/table.js";
import { get } from "../server.js";

/** @typedef {import("../answers.ts").Answers["costs"]} Data */
/** @typedef {Data["days"][number]} Day */

const SPANS = [7, 14, 30, 90];
const DAYS_AT_FIRST = 14;
const SERIES = 3;

/** @type {import("../views.js").View<Data>} */
export const costs = {
  load: ({ query }) => get("costs", `costs?days=${query.get("days") ?? DAYS_AT_FIRST}`),
  show: ({ data, query, refresh, room }) => {
    const days = Number(query.get("days") ?? DAYS_AT_FIRST);
    const spans = SPANS.map((n) => ({
      href: link("costs", { days: n }),
      text: say("costs.span", { n }),
      isOn: n === days,
    }));
    return [
      h("div", { class: "tools" }, chips(say("costs.which"), spans), budgetButton(data.budget, refresh)),
      figures(data),
      chart(data, room),
      list(data),
    ];
  },
};

/** @param {Data} data */
function figures({ total, budget }) {
  const today = say(budget.limit_usd > 0 ? "costs.today_of" : "costs.today_free", { limit: usd(budget.limit_usd) });
  /** @param {string | number} value @param {string} name */
  const figure = (value, name) => h("div", { class: "figure" }, h("b", {}, value), h("span", {}, name));
  return h(
    "section",
    { class: "card", "aria-label": say("costs.sums") },
    h(
      "div",
      { class: "figures row" },
      figure(usd(budget.spent_usd), today),
      figure(usd(total.usd), say("costs.in_span")),
      figure(total.per_pack_usd === null ? "–" : cents(total.per_pack_usd), say("costs.per_pack")),
      figure(total.packs, say("costs.packs", { n: total.packs })),
    ),
  );
}

/** @param {Data} data @param {number} room */
function chart({ days, total }, room) {
  if (total.usd === 0) return card(say("costs.by_day"), null, empty(say("costs.none")));
  const providers = Object.entries(total.by_provider)
    .sort((a, b) => b[1] - a[1])
    .map(([name]) => name)
    .slice(0, SERIES);
  const bars = days.map(({ day, rows }) => ({
    label: dayShort(day),
    parts: providers.map((name) => rows.filter((row) => row.provider === name).reduce((sum, row) => sum + row.usd, 0)),
  }));
  return card(
    say("costs.by_day"),
    legend(providers.map((name, i) => [`s${i + 1}`, name])),
    stackChart(bars, providers, usd, { width: room, title: say("costs.axis") }),
  );
}

/** @param {Data} data */
function list({ days }) {
  const used = days.filter(({ rows }) => rows.length > 0).reverse();
  return used.length > 0 && h("section", { class: "card" }, table(say("costs.heads"), used.map(line)));
}

/** @param {Day} day */
const line = ({ day, usd: sum, packs, per_pack_usd, rows }) =>
  h(
    "tr",
    {},
    h("td", { class: "tight num" }, dayShort(day)),
    h("td", { class: "tight num" }, h("b", {}, usd(sum))),
    h("td", { class: "tight num" }, say("packs", { n: packs })),
    h(
      "td",
      { class: "tight num", data: { head: say("costs.per_pack") } },
      per_pack_usd !== null && cents(per_pack_usd),
    ),
    h("td", { class: "full soft small" }, rows.map(forWhat).join(" · ")),
  );

/** @param {Day["rows"][number]} row */
function forWhat({ provider, purpose, usd: sum, calls, failed }) {
  const counts = [say("costs.calls", { n: calls }), failed > 0 && say("costs.vain", { n: failed })];
  return `${provider}, ${say(`purpose.${purpose}`)}: ${cents(sum)} (${counts.filter(Boolean).join(", ")})`;
}
