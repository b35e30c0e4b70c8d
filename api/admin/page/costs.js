// Costs: by day, provider and purpose, and what one pack takes.
import { legend, roomIn, stackChart } from "./charts.js";
import { card, empty, h } from "./dom.js";
import { get } from "./server.js";
import { budgetButton } from "./verdict.js";
import { cents, many, usd } from "./words.js";

const SPANS = [7, 14, 30, 90];
const PURPOSES = { selfie: "looking at selfies", draw: "drawing", sheet: "checking sheets", tryout: "try-outs" };
const SERIES = 3;

export const costs = {
  title: "Costs",
  load: ({ query }) => get(`costs?days=${query.get("days") ?? 14}`),
  show: ({ data, query, refresh, main }) => {
    const days = Number(query.get("days") ?? 14);
    return [
      h(
        "div",
        { class: "tools" },
        h(
          "nav",
          { class: "chips", "aria-label": "How many days" },
          SPANS.map((n) =>
            h("a", { href: `#costs?days=${n}`, "aria-current": n === days ? "true" : null }, `${n} days`),
          ),
        ),
        budgetButton(data.budget, refresh),
      ),
      figures(data),
      chart(data, main),
      table(data),
    ];
  },
};

function figures({ total, budget }) {
  const figure = (value, name) => h("div", { class: "figure" }, h("b", {}, value), h("span", {}, name));
  return h(
    "section",
    { class: "card", "aria-label": "Sums" },
    h(
      "div",
      { class: "figures row" },
      figure(usd(budget.spent_usd), budget.limit_usd > 0 ? `today, of ${usd(budget.limit_usd)}` : "today, no limit"),
      figure(usd(total.usd), "in these days"),
      figure(total.per_pack_usd === null ? "–" : cents(total.per_pack_usd), "a pack"),
      figure(total.packs, "packs"),
    ),
  );
}

function chart({ days, total }, main) {
  const providers = Object.entries(total.by_provider)
    .sort((a, b) => b[1] - a[1])
    .map(([name]) => name)
    .slice(0, SERIES);
  if (total.usd === 0) return card("By day", null, empty("Nothing was spent in these days."));
  const bars = days.map(({ day, rows }) => ({
    label: day.slice(5).split("-").reverse().join("."),
    parts: providers.map((name) => rows.filter((row) => row.provider === name).reduce((sum, row) => sum + row.usd, 0)),
  }));
  return card(
    "By day",
    legend(providers.map((name, i) => [`s${i + 1}`, name])),
    stackChart(bars, providers, usd, roomIn(main)),
  );
}

function table({ days }) {
  const used = days.filter(({ rows }) => rows.length > 0).reverse();
  if (used.length === 0) return null;
  return h(
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
          ["Day", "Spent", "Packs", "A pack", "For what"].map((name) => h("th", { scope: "col" }, name)),
        ),
      ),
      h(
        "tbody",
        {},
        used.map(({ day, usd: sum, packs, per_pack_usd, rows }) =>
          h(
            "tr",
            {},
            h("td", { class: "tight num" }, day),
            h("td", { class: "tight num" }, h("b", {}, usd(sum))),
            h("td", { class: "tight num" }, many(packs, "pack")),
            h("td", { class: "tight num" }, per_pack_usd === null ? "–" : cents(per_pack_usd)),
            h(
              "td",
              { class: "full soft small" },
              rows
                .map(
                  (row) =>
                    `${row.provider}, ${PURPOSES[row.purpose] ?? row.purpose}: ${cents(row.usd)} (${many(row.calls, "call")}${row.failed > 0 ? `, ${row.failed} in vain` : ""})`,
                )
                .join(" · "),
            ),
          ),
        ),
      ),
    ),
  );
}
