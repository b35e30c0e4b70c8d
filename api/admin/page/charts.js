// Small charts as SVG. Each says in words what it shows, for whoever does not see it.
import { h, s } from "./dom.js";

const TALL = 190;
const LEFT = 34;
const RIGHT = 40;
const TOP = 16;
const BOTTOM = 24;

/** A round number at or above the highest value, for the top of an axis. */
function ceiling(value) {
  const step = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 3, 4, 5, 6, 8, 10].map((n) => n * step).find((top) => top >= value) ?? value;
}

const plot = (width, label, ...content) =>
  s("svg", { class: "chart", viewBox: `0 0 ${width} ${TALL}`, role: "img", "aria-label": label }, content);

function grid(width, tops) {
  const y = (share) => TOP + (TALL - TOP - BOTTOM) * (1 - share);
  return [0, 0.5, 1].map((share) => [
    s("line", { class: "axis", x1: LEFT, x2: width - RIGHT, y1: y(share), y2: y(share) }),
    s("text", { x: LEFT - 6, y: y(share) + 4, "text-anchor": "end" }, tops[0](share)),
    tops[1] && s("text", { x: width - RIGHT + 6, y: y(share) + 4 }, tops[1](share)),
  ]);
}

/**
 * Packs per hour as bars, failed ones on top of them, and the usual seconds of a pack as a line.
 * @param {{label: string, packs: number, failed: number, seconds: number | null}[]} hours
 */
export function dayChart(hours, width) {
  const most = ceiling(Math.max(4, ...hours.map(({ packs, failed }) => packs + failed)));
  const slowest = ceiling(Math.max(10, ...hours.map(({ seconds }) => seconds ?? 0)));
  const step = (width - LEFT - RIGHT) / Math.max(hours.length, 6);
  const thick = Math.min(step * 0.66, 44);
  const tall = (value, top) => ((TALL - TOP - BOTTOM) * value) / top;
  const middle = (i) => LEFT + step * (i + 0.5);
  const floor = TALL - BOTTOM;
  const every = Math.ceil(hours.length / (width / 56));
  const points = hours.flatMap(({ seconds }, i) =>
    seconds === null ? [] : [[middle(i), floor - tall(seconds, slowest), seconds]],
  );
  const total = hours.reduce((n, { packs }) => n + packs, 0);
  return plot(
    width,
    `Packs per hour, ${total} in all: ${hours.map(({ label, packs }) => `${label} ${packs}`).join(", ")}`,
    grid(width, [
      (share) => (share === 0.5 && most % 2 ? "" : most * share),
      (share) => (share === 0 ? "" : `${Math.round(slowest * share)} s`),
    ]),
    hours.map(({ label, packs, failed }, i) => [
      packs > 0 &&
        bar("bar", middle(i), floor - tall(packs, most), thick, tall(packs, most), `${label}: ${packs} packs`),
      failed > 0 &&
        bar(
          "bar-bad",
          middle(i),
          floor - tall(packs + failed, most),
          thick,
          tall(failed, most),
          `${label}: ${failed} failed`,
        ),
      i % every === 0 && s("text", { x: middle(i), y: TALL - 6, "text-anchor": "middle" }, label),
    ]),
    points.length > 1 && s("polyline", { class: "line", points: points.map(([x, y]) => `${x},${y}`).join(" ") }),
    points.map(([x, y, seconds]) =>
      s("circle", { class: "point", cx: x, cy: y, r: 4 }, s("title", {}, `usually ${seconds} s`)),
    ),
  );
}

const bar = (kind, x, y, width, height, title) =>
  s("rect", { class: kind, x: x - width / 2, y, width, height: Math.max(height, 2), rx: 3 }, s("title", {}, title));

/**
 * Stacked bars, one a day.
 * @param {{label: string, parts: number[]}[]} days
 * @param {string[]} names of the parts
 * @param {(value: number) => string} say
 */
export function stackChart(days, names, say, width) {
  const sums = days.map(({ parts }) => parts.reduce((a, b) => a + b, 0));
  const most = Math.max(...sums) > 0 ? ceiling(Math.max(...sums) * 100) / 100 : 1;
  const left = LEFT + 16;
  const step = (width - left - 8) / days.length;
  const thick = Math.min(step * 0.66, 44);
  const floor = TALL - BOTTOM;
  const tall = (value) => ((TALL - TOP - BOTTOM) * value) / most;
  const every = Math.ceil(days.length / (width / 62));
  return plot(
    width,
    `By day: ${days.map(({ label }, i) => `${label} ${say(sums[i])}`).join(", ")}`,
    [0, 0.5, 1].map((share) => [
      s("line", {
        class: "axis",
        x1: left,
        x2: width - 8,
        y1: floor - tall(most * share),
        y2: floor - tall(most * share),
      }),
      s("text", { x: left - 6, y: floor - tall(most * share) + 4, "text-anchor": "end" }, say(most * share)),
    ]),
    days.map(({ label, parts }, i) => {
      const middle = left + step * (i + 0.5);
      let below = 0;
      return [
        parts.map((value, part) => {
          if (value === 0) return null;
          below += value;
          const title = `${label}, ${names[part]}: ${say(value)}`;
          return bar(`s${(part % 3) + 1}`, middle, floor - tall(below), thick, tall(value), title);
        }),
        (days.length - 1 - i) % every === 0 && s("text", { x: middle, y: TALL - 6, "text-anchor": "middle" }, label),
      ];
    }),
  );
}

/**
 * A funnel: how many came how far, and how many were lost at each step.
 * @param {{label: string, count: number}[]} stages
 */
export function funnelChart(stages, width) {
  const first = Math.max(1, stages[0]?.count ?? 0);
  const row = 40;
  const names = width < 560 ? 118 : 170;
  const room = width - names - 96;
  return s(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${width} ${row * stages.length}`,
      role: "img",
      "aria-label": stages.map(({ label, count }) => `${label}: ${count}`).join(", "),
    },
    stages.map(({ label, count }, i) => {
      const y = i * row;
      const length = Math.max(count > 0 ? 4 : 1, (room * count) / first);
      const share = i === 0 ? "" : ` · ${Math.round((count / first) * 100)} %`;
      return [
        s("text", { x: 0, y: y + 24 }, label),
        bar(count > 0 ? "bar" : "axis", names + length / 2, y + 6, length, 26, `${label}: ${count}`),
        s("text", { class: "value", x: names + length + 8, y: y + 24 }, `${count}${share}`),
      ];
    }),
  );
}

/** What the colours mean. @param {[string, string][]} entries class and name */
export const legend = (entries) =>
  h(
    "p",
    { class: "legend" },
    entries.map(([kind, name]) =>
      h(
        "span",
        {},
        s(
          "svg",
          { class: "chart", viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": "true" },
          kind === "line"
            ? s("line", { class: "line", x1: 0, x2: 12, y1: 6, y2: 6 })
            : s("rect", { class: kind, width: 12, height: 12, rx: 3 }),
        ),
        name,
      ),
    ),
  );

/** Units of a chart that fills its card: one is a pixel, so that its text is as large as all other. */
export const roomIn = (main, share = 1) => Math.max(280, Math.round((main.clientWidth - 32) * share - 40));
