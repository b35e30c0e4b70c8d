// The day by its hours: how many packs, and below how long each took.
import { age } from "../format.js";
import { say } from "../lang.js";
import { s } from "../parts/dom.js";
import { bar, ceiling, picture, scale, TITLE_ABOVE, TOP, text, thickness } from "./parts.js";

/** @typedef {{label: string, packs: number, failed: number, seconds: number | null}} Hour */

const LEFT = 48;
const RIGHT = 12;
const PACKS = { y: TOP, height: 120 };
const SECONDS = { y: PACKS.y + PACKS.height + 34 + TITLE_ABOVE, height: 70 };
const TALL = SECONDS.y + SECONDS.height + 44;
const HOUR_ROOM = 50;
/** Numbers over bars keep this far apart. */
const NUMBER_GAP = 7;
const DIGIT = 7.5;
const TIME_ROOM = 46;
const FEWEST_HOURS = 6;
const FEWEST_PACKS = 4;
const SHORTEST_SECONDS = 10;

/** @param {Hour[]} hours @param {number} width in pixels */
export function dayChart(hours, width) {
  const inner = width - LEFT - RIGHT;
  const step = inner / Math.max(hours.length, FEWEST_HOURS);
  const every = Math.ceil(HOUR_ROOM / step);
  const list = hours.map(({ label, packs }) => `${label} ${packs}`).join(", ");
  const total = hours.reduce((n, { packs }) => n + packs, 0);
  /** @param {number} i */
  const middle = (i) => LEFT + step * (i + 0.5);
  return picture(
    width,
    TALL,
    say("day.label", { n: total, list }),
    packBars(hours, { ...PACKS, x: LEFT, width: inner }, step, middle),
    secondsLine(hours, { ...SECONDS, x: LEFT, width: inner }, step, middle),
    hours.map(({ label }, i) => i % every === 0 && text(middle(i), SECONDS.y + SECONDS.height + 20, label, "middle")),
    text(width - RIGHT, TALL - 4, say("day.axis"), "end", "title"),
  );
}

/** @param {Hour[]} hours @param {import("./parts.js").Plane} plane @param {number} step @param {(i: number) => number} middle */
function packBars(hours, plane, step, middle) {
  const most = ceiling(Math.max(FEWEST_PACKS, ...hours.map(({ packs, failed }) => packs + failed)));
  const floor = plane.y + plane.height;
  const wide = thickness(step);
  /** @param {number} n */
  const tall = (n) => (plane.height * n) / most;
  const above = numbersThatFit(hours, step);
  return [
    scale(plane, say("day.packs"), (share) => (most % 2 && share === 0.5 ? "" : String(most * share))),
    hours.map(({ label, packs, failed }, i) => {
      const top = floor - tall(packs + failed);
      return [
        packs > 0 &&
          bar(
            "bar",
            middle(i),
            floor - tall(packs),
            wide,
            tall(packs),
            say("day.hour_packs", { hour: label, n: packs }),
          ),
        failed > 0 &&
          bar("bar-bad", middle(i), top, wide, tall(failed), say("day.hour_failed", { hour: label, n: failed })),
        packs + failed > 0 && above && text(middle(i), top - 5, above(packs, failed), "middle", "value"),
      ];
    }),
  ];
}

/** @typedef {(packs: number, failed: number) => string} Numbers */

/**
 * What stands over the bars: packs and failed, where that is too wide both together, and nothing where that is too.
 * @param {Hour[]} hours
 * @param {number} step
 */
function numbersThatFit(hours, step) {
  /** @type {Numbers[]} */
  const ways = [
    (packs, failed) => (failed > 0 ? `${packs}+${failed}` : String(packs)),
    (packs, failed) => String(packs + failed),
  ];
  return ways.find((way) => hours.every(({ packs, failed }) => way(packs, failed).length * DIGIT + NUMBER_GAP <= step));
}

/** @param {Hour[]} hours @param {import("./parts.js").Plane} plane @param {number} step @param {(i: number) => number} middle */
function secondsLine(hours, plane, step, middle) {
  const slowest = ceiling(Math.max(SHORTEST_SECONDS, ...hours.map(({ seconds }) => seconds ?? 0)));
  const points = hours.flatMap(({ label, seconds }, i) =>
    seconds === null
      ? []
      : [{ label, seconds, x: middle(i), y: plane.y + plane.height * (1 - seconds / slowest), isLast: false }],
  );
  const last = points.at(-1);
  if (last) last.isLast = true;
  return [
    scale(plane, say("day.seconds"), (share) => (share === 0 ? "0" : age(Math.round(slowest * share)))),
    points.length === 0 && text(plane.x + plane.width / 2, plane.y + plane.height / 2, say("day.no_times"), "middle"),
    points.length > 1 && s("polyline", { class: "line", points: points.map(({ x, y }) => `${x},${y}`).join(" ") }),
    points.map(({ label, seconds, x, y, isLast }) => [
      s(
        "circle",
        { class: "point", cx: x, cy: y, r: 4 },
        s("title", {}, say("day.hour_seconds", { hour: label, age: age(seconds) })),
      ),
      (isLast || step > TIME_ROOM) && text(x, y - 9, age(seconds), "middle", "value"),
    ]),
  ];
}
