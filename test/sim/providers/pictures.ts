/** The sheets that the simulated image models give, and what they know of a picture that they were shown. */
import { join } from "node:path";
import sharp from "sharp";

const fixture = join(import.meta.dir, "../../fixtures/sheet-3x3.png");
const SIDE_PX = 2048;
const FIXTURE_COUNT = 9;
const emoji = ["😀", "😎", "🥳", "😍", "🤩", "😂", "😴", "😡", "👍", "🎉", "🔥", "😭", "🤔", "😱", "🙏", "😇"];
const skins = ["#ffcc4d", "#f7a072", "#8ecae6", "#b8a1ff", "#ff9eb5", "#ffd6a5", "#9bd1a5", "#e0aaff"];
const mouths = ["M-60 40Q0 110 60 40", "M-50 60H50", "M-50 80Q0 30 50 80", "M-40 40Q0 120 40 40Z"];

/** How many stickers a prompt asks for: “3 by 3”, “4x3” or “9 stickers”; 9 when it does not say. */
export function countIn(prompt: string): number {
  const grid = /\b([2-4])\s*(?:x|×|by|columns?\s*(?:and|by|x|×)\s*)\s*([2-4])\b/i.exec(prompt);
  if (grid) return Number(grid[1]) * Number(grid[2]);
  return Number(/\b(4|6|9|12|16)\b(?=\D{0,40}sticker)/i.exec(prompt)?.[1] ?? FIXTURE_COUNT);
}

/** A PNG with `count` stickers; nine are the fixture on #00ff00, other counts are drawn on `key`. */
export async function sheetPicture(count: number, key = "#00ff00"): Promise<Uint8Array> {
  if (count === FIXTURE_COUNT) return new Uint8Array(await Bun.file(fixture).arrayBuffer());
  return new Uint8Array(
    await sharp(Buffer.from(drawing(count, key)))
      .png()
      .toBuffer(),
  );
}

/** The same sheet on real transparency, as a model with `background: transparent` gives it. */
export async function transparentSheet(sheet: Uint8Array): Promise<Uint8Array> {
  const { data, info } = await sharp(sheet).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const [red, green, blue] = data;
  for (let at = 0; at < data.length; at += 4)
    if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) data[at + 3] = 0;
  const { width, height } = info;
  return new Uint8Array(
    await sharp(data, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer(),
  );
}

/** A JPEG of the sheet; what a model declares as PNG may be one. */
export async function asJpeg(sheet: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await sharp(sheet).jpeg({ quality: 92 }).toBuffer());
}

/** A small grey draft, such as a thinking model shows among its thoughts. */
export const draftPicture = once(async () => {
  const create = { width: 64, height: 64, channels: 3 as const, background: "#888" };
  return await sharp({ create }).png().toBuffer();
});

/** The usual verdict on a selfie: one person, well seen. */
export const goodSelfie = { usable: true, faces: 1, problem: "none" };

/** The usual verdict on a sheet: all there, each with an emoji of its own. */
export function goodSheet(count: number) {
  const stickers = Array.from({ length: count }, (_, index) => ({ cell: index + 1, emoji: [emoji[index] ?? "🙂"] }));
  return { usable: true, problem: "none", stickers };
}

/** Draws each picture once: benchmarks want models that answer at once. */
function once<A extends (string | number | undefined)[]>(draw: (...args: A) => Promise<Uint8Array>) {
  const drawn = new Map<string, Promise<Uint8Array>>();
  return (...args: A): Promise<Uint8Array> => {
    const key = JSON.stringify(args);
    const known = drawn.get(key) ?? draw(...args);
    drawn.set(key, known);
    return known;
  };
}

function drawing(count: number, key: string): string {
  const columns = Math.ceil(Math.sqrt(count));
  const rows = Math.ceil(count / columns);
  const stickers = Array.from({ length: count }, (_, index) => {
    const x = ((index % columns) + 0.5) * (SIDE_PX / columns);
    const y = (Math.floor(index / columns) + 0.5) * (SIDE_PX / rows);
    const scale = Math.min(SIDE_PX / columns, SIDE_PX / rows) / 400;
    return `<g transform="translate(${x} ${y}) scale(${scale})">${face(index)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE_PX}" height="${SIDE_PX}">
    <rect width="100%" height="100%" fill="${key}"/>${stickers.join("")}</svg>`;
}

function face(index: number): string {
  return `<circle r="150" fill="#fff"/><circle r="130" fill="${skins[index % skins.length]}"/>
    <circle cx="-45" cy="-30" r="16" fill="#333"/><circle cx="45" cy="-30" r="16" fill="#333"/>
    <path d="${mouths[index % mouths.length]}" fill="none" stroke="#333" stroke-width="14" stroke-linecap="round"/>`;
}
