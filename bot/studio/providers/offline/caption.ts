/** Captions: hand-drawn letters on a gentle curve, outlined so that they are read on any wallpaper. */
import { ink, round } from "./decor.ts";
import { brush, setLine } from "./letters.ts";

const height = 100;
const mostWidth = 560;
/** Letters are never larger than this part of the alphabet's own size. */
const largest = 0.95;
export type CaptionStyle = { fill: string; bend: number; tilt: number };

/**
 * A caption whose middle stands at (`x`, `y`). `bend` is the rise of the middle over the ends, in letters'
 * heights; `tilt` in degrees. Returns SVG.
 */
export function caption(text: string, x: number, y: number, { fill, bend, tilt }: CaptionStyle): string {
  const line = setLine(text);
  if (line.letters.length === 0) return "";
  const scale = Math.min(largest, mostWidth / (line.width + brush));
  const curve = bend * height;
  const placed = line.letters.map((letter) => {
    const middle = letter.x + letter.w / 2 - line.width / 2;
    const along = (2 * middle) / Math.max(line.width, 300);
    const lift = curve * along * along;
    const turn = Math.atan((4 * curve * along) / Math.max(line.width, 300)) * (180 / Math.PI);
    return `<path transform="translate(${round(middle)} ${round(lift)}) rotate(${round(turn)}) translate(${round(-letter.w / 2)} ${-height / 2})" d="${letter.d}"/>`;
  });
  const d = placed.join("");
  const layer = (colour: string, width: number, shift = 0) =>
    `<g fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"${shift ? ` transform="translate(0 ${shift})"` : ""}>${d}</g>`;
  return `<g transform="translate(${round(x)} ${round(y)}) rotate(${tilt}) scale(${round(scale * 100) / 100})">${layer(ink, brush + 26, 5)}${layer(ink, brush + 24)}${layer(fill, brush)}${layer("#ffffff", 5, -5).replace("<g ", '<g opacity=".75" ')}</g>`;
}
