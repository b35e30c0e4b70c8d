// Stacked bars, one a day.
import { say } from "../lang.js";
import { bar, ceiling, picture, scale, TOP, text, thickness } from "./parts.js";

/** @typedef {{label: string, parts: number[]}} Day */

const TALL = 210;
const LEFT = 62;
const RIGHT = 8;
const PLANE = { y: TOP, height: 142 };
const LABEL_ROOM = 62;
const COLOURS = 3;

/**
 * @param {Day[]} days
 * @param {string[]} names of the parts
 * @param {(value: number) => string} written
 * @param {{width: number, title: string}} look width in pixels
 */
export function stackChart(days, names, written, { width, title }) {
  const sums = days.map(({ parts }) => parts.reduce((a, b) => a + b, 0));
  const most = ceiling(Math.max(...sums, 0.01) * 100) / 100;
  const plane = { ...PLANE, x: LEFT, width: width - LEFT - RIGHT };
  const step = plane.width / days.length;
  const every = Math.ceil(LABEL_ROOM / step);
  /** @param {number} value */
  const tall = (value) => (plane.height * value) / most;
  const list = days.map(({ label }, i) => `${label} ${written(sums[i] ?? 0)}`).join(", ");
  return picture(
    width,
    TALL,
    say("costs.chart", { list }),
    scale(plane, title, (share) => written(most * share)),
    days.map(({ label, parts }, i) => {
      const middle = plane.x + step * (i + 0.5);
      let below = 0;
      return [
        parts.map((value, part) => {
          if (value === 0) return null;
          below += value;
          const kind = `s${(part % COLOURS) + 1}`;
          const words = `${label}, ${names[part]}: ${written(value)}`;
          return bar(kind, middle, plane.y + plane.height - tall(below), thickness(step), tall(value), words);
        }),
        (days.length - 1 - i) % every === 0 && text(middle, TALL - 6, label, "middle"),
      ];
    }),
  );
}
