// Pure arithmetic of colours: an event gives three, the page needs a few more.

/** @import { Colours } from "./types.js" */

/** WCAG 2.2, 1.4.3. */
const READABLE = 4.5;
const WHITE = "#ffffff";
const BLACK = "#000000";

/**
 * The tokens that an event's colours replace, with their values; null: our own hold.
 * @param {Colours | null} colours
 * @returns {[name: string, colour: string | null][]}
 */
export function paletteOf(colours) {
  const names = ["--paper", "--paper-deep", "--ink", "--ink-soft", "--ink-on-white", "--rose", "--rose-deep"];
  if (!colours) return names.map((name) => [name, null]);
  const { paper, ink, accent } = colours;
  const soft = mix(ink, paper, 0.25);
  // White plates and buttons stay white on any paper. What is written on them is the first of these that can be read.
  const onWhite = [ink, paper, BLACK].find((colour) => contrast(colour, WHITE) >= READABLE) ?? BLACK;
  return [
    ["--paper", paper],
    ["--paper-deep", mix(paper, ink, 0.1)],
    ["--ink", ink],
    ["--ink-soft", contrast(soft, paper) >= READABLE ? soft : ink],
    ["--ink-on-white", onWhite],
    ["--rose", accent],
    ["--rose-deep", mix(accent, BLACK, 0.2)],
  ];
}

/** @param {string} hex */
const channels = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** @param {string} a @param {string} b @param {number} share of `b`, 0…1 */
function mix(a, b, share) {
  const of = channels(b);
  const mixed = channels(a).map((value, at) => Math.round(value + ((of[at] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** WCAG's contrast ratio, 1…21. @param {string} a @param {string} b */
export function contrast(a, b) {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** @param {string} hex */
function luminance(hex) {
  const [red = 0, green = 0, blue = 0] = channels(hex).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
