// Today in figures, and over its hours.
import { budgetButton } from "../budget.js";
import { dayChart } from "../charts/day.js";
import { legend } from "../charts/parts.js";
import { age, timeOf, usd } from "../format.js";
import { say } from "../lang.js";
import { card, empty, h, soft } from "../parts/dom.js";

/** @typedef {import("../answers.ts").Overview} Overview */

const AMBER_SHARE = 0.8;
/** At least so many hours in the chart. */
const HOURS_SHOWN = 6;

/** @param {Overview} overview @param {() => unknown} refresh */
export function today({ today: day, budget }, refresh) {
  const isLimited = budget.limit_usd > 0;
  const counts = [
    say("today.visits", { n: day.visits }),
    say("today.retakes", { n: day.retakes }),
    say("today.stopped", { n: day.cancelled }),
  ];
  return card(
    say("today.title"),
    soft(say("today.since", { time: timeOf(day.since) })),
    h(
      "div",
      { class: "figures" },
      figure(day.packs, say("today.pack", { n: day.packs }), day.packs > 0 ? "good" : ""),
      figure(day.failed, say("today.failed"), day.failed > 0 ? "bad" : ""),
      figure(age(day.median_seconds), say("today.time")),
      figure(day.guests, say("today.guest", { n: day.guests })),
    ),
    h("p", { class: "soft small" }, counts.join(", ")),
    h(
      "p",
      {},
      h("b", {}, usd(budget.spent_usd)),
      ` ${isLimited ? say("today.of", { limit: usd(budget.limit_usd) }) : say("today.free")}`,
      budget.raised_by && soft(` · ${say("today.raised", { who: budget.raised_by })}`),
    ),
    isLimited && meter(budget),
    h("div", {}, budgetButton(budget, refresh)),
  );
}

/** @param {string | number} value @param {string} name */
const figure = (value, name, tone = "") =>
  h("div", { class: "figure" }, h("b", { class: tone }, value), h("span", {}, name));

/** @param {import("../answers.ts").Budget} budget */
function meter({ held, share }) {
  const level = held ? "red" : share >= AMBER_SHARE ? "amber" : "green";
  const bar = h("div", { class: "meter", data: { level }, "aria-hidden": "true" }, h("i"));
  bar.style.setProperty("--share", `${Math.min(100, Math.round(share * 100))}%`);
  return bar;
}

/** @param {Overview} overview @param {number} room in pixels */
export function dayCard({ today: day }, room) {
  if (day.packs + day.failed === 0) return card(say("day.title"), null, empty(say("day.empty")));
  const hours = busy(day.hours).map(({ at, packs, failed, median_seconds }) => ({
    label: timeOf(at),
    packs,
    failed,
    seconds: median_seconds,
  }));
  return card(
    say("day.title"),
    legend([
      ["bar", say("job.done")],
      ["bar-bad", say("day.failed")],
    ]),
    dayChart(hours, room),
  );
}

/** From the hour before the first pack on; the morning before a party is long and empty. @param {Overview["today"]["hours"]} hours */
function busy(hours) {
  const first = hours.findIndex(({ packs, failed }) => packs + failed > 0);
  return hours.slice(Math.max(0, Math.min(first - 1, hours.length - HOURS_SHOWN)));
}
