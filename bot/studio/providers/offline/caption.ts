/** Captions: hand-drawn letters on a gentle curve, outlined so that they are read on any wallpaper. */
import { ink, round } from "./decor.ts";
import { brush, type Line, setLine } from "./letters.ts";

const height = 100;
const mostWidth = 560;
/** Letters are never larger than this part of the alphabet's own size. */
const largest = 0.88;
/** A line that would be smaller than this is broken in two, `leading` apart. */
const smallest = 0.66;
const leading = 140;
export type CaptionStyle = { fill: string; bend: number; tilt: number };

/**
 * A caption whose middle stands at (`x`, `y`). `bend` is the rise of the middle over the ends, in letters'
 * heights; `tilt` in degrees. Returns SVG.
 */
export function caption(text: string, x: number, y: number, style: CaptionStyle): string {
  const words = text.split(" ");
  const half = Math.ceil(words.length / 2);
  const lines = [words.slice(0, half).join(" "), words.slice(half).join(" ")].filter(Boolean);
  const single = fit([setLine(text)]);
  // A long caption is larger, and better read, in two lines.
  const set = single < smallest && lines.length > 1 ? lines.map(setLine) : [setLine(text)];
  const scale = fit(set);
  const d = set.map((line, index) => place(line, (index - (set.length - 1)) * leading, style.bend)).join("");
  if (!d) return "";
  const layer = (colour: string, width: number, more = "") =>
    `<g fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"${more}>${d}</g>`;
  const layers =
    layer(ink, brush + 26, ' transform="translate(0 5)"') +
    layer(ink, brush + 24) +
    layer(style.fill, brush) +
    layer("#ffffff", 5, ' transform="translate(0 -5)" opacity=".75"');
  return `<g transform="translate(${round(x)} ${round(y)}) rotate(${style.tilt}) scale(${round(scale * 100) / 100})">${layers}</g>`;
}

const fit = (lines: Line[]): number => Math.min(largest, ...lines.map((line) => mostWidth / (line.width + brush)));

/** The paths of one line, its middle at 0 and its height's middle at `y`, bent into an arc. */
function place(line: Line, y: number, bend: number): string {
  const curve = bend * height;
  const span = Math.max(line.width, 300);
  return line.letters
    .map((letter) => {
      const middle = letter.x + letter.w / 2 - line.width / 2;
      const along = (2 * middle) / span;
      const turn = Math.atan((4 * curve * along) / span) * (180 / Math.PI);
      return `<path transform="translate(${round(middle)} ${round(y + curve * along * along)}) rotate(${round(turn)}) translate(${round(-letter.w / 2)} ${-height / 2})" d="${letter.d}"/>`;
    })
    .join("");
}
