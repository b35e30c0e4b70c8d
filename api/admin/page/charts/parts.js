// What charts are made of. Each says in words what it shows, for whoever does not see it.
import { h, s } from "../parts/dom.js";

/** @typedef {import("../parts/dom.js").Child} Child */
/** A plane to draw on, in pixels: x and y are its upper left corner. @typedef {{x: number, y: number, width: number, height: number}} Plane */

const ROUND_STEPS = [1, 2, 3, 4, 5, 6, 8, 10];
/** A bar that stands for something is seen. */
const THIN = 2;
const MAX_BAR = 44;
/** Room for the number over a point at the top: its line and a gap. */
export const TITLE_ABOVE = 30;
/** Where the uppermost plane of a picture begins. */
export const TOP = TITLE_ABOVE + 12;

/** A round number at or above the highest value, for the top of an axis. @param {number} value */
export function ceiling(value) {
  const step = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return ROUND_STEPS.map((n) => n * step).find((top) => top >= value) ?? value;
}

/** @param {number} width @param {number} height @param {string} label @param {...Child} content */
export const picture = (width, height, label, ...content) =>
  s("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, content);

/** @param {number} x @param {number} y @param {string} words @param {"start"|"middle"|"end"} [anchor] @param {string} [kind] */
export const text = (x, y, words, anchor = "start", kind = "") =>
  s("text", { x, y, "text-anchor": anchor, class: kind }, words);

/**
 * Lines at nothing, half and all of a scale, each with its number on the left, and what is counted above them.
 * @param {Plane} plane
 * @param {string} title
 * @param {(share: number) => string} say
 */
export const scale = ({ x, y, width, height }, title, say) => [
  text(0, y - TITLE_ABOVE, title, "start", "title"),
  [0, 0.5, 1].map((share) => {
    const at = y + height * (1 - share);
    return [s("line", { class: "axis", x1: x, x2: x + width, y1: at, y2: at }), text(x - 6, at + 4, say(share), "end")];
  }),
];

/** @param {string} kind @param {number} middle @param {number} y @param {number} width @param {number} height @param {string} title */
export const bar = (kind, middle, y, width, height, title) =>
  s(
    "rect",
    { class: kind, x: middle - width / 2, y, width, height: Math.max(height, THIN), rx: 3 },
    s("title", {}, title),
  );

/** @param {number} step from bar to bar */
export const thickness = (step) => Math.min(step * 0.66, MAX_BAR);

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
          s("rect", { class: kind, width: 12, height: 12, rx: 3 }),
        ),
        name,
      ),
    ),
  );
