/** Checks a sheet by counting what stands on its key colour, and chooses emoji. */
import sharp from "sharp";
import { gridOf, type SheetVerdict } from "../provider.ts";
import { moodOf, moods } from "./moods.ts";
import { textOf } from "./png-text.ts";
import { label } from "./regions.ts";
import { moodsKeyword } from "./sheet.ts";

const side = 512;
/** Distance (0–441) from the key colour from which a pixel belongs to a sticker. */
const keyReach = 70;
/** A region smaller than this part of a cell is a crumb, not a sticker. */
const crumb = 0.03;

/**
 * Are there `count` separate stickers, one per cell? Emoji come from the text in our own sheets; a sheet
 * from elsewhere gets the moods' emoji in order. A sheet that cannot be read is `other`.
 */
export async function checkSheet(sheet: Uint8Array, count: number): Promise<SheetVerdict> {
  const { columns, rows } = gridOf(count);
  const own = textOf(sheet, moodsKeyword)?.split(",") ?? [];
  const stickers = Array.from({ length: count }, (_, i) => {
    const mood = moodOf(own[i]) ?? moods[i % moods.length]!;
    return { cell: i + 1, emoji: mood.emoji };
  });
  const marked = await markStickers(sheet).catch(() => null);
  if (!marked) return { usable: false, problem: "other", stickers: [] };
  const { regions } = label(marked, side, side);
  const least = (crumb * side * side) / count;
  const large = regions.filter((region) => region.area >= least);
  const cells = new Set<number>();
  let touching = false;
  for (const { left, top, right, bottom } of large) {
    cells.add(cellAt((left + right) / 2, columns) + columns * cellAt((top + bottom) / 2, rows));
    touching ||= left === 0 || top === 0 || right === side - 1 || bottom === side - 1;
  }
  if (large.length !== count || cells.size !== count) return { usable: false, problem: "wrong_count", stickers: [] };
  if (touching) return { usable: false, problem: "cropped", stickers: [] };
  return { usable: true, problem: "none", stickers };
}

const cellAt = (position: number, cells: number): number => Math.floor((position / side) * cells);

/** 1 where the small copy of the sheet is neither transparent nor of the colour that its rim has. */
async function markStickers(sheet: Uint8Array): Promise<Uint8Array> {
  const pixels = await sharp(sheet, { limitInputPixels: 64e6 })
    .resize(side, side, { fit: "fill" })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer();
  const rim: number[] = [];
  for (let i = 0; i < side; i++) rim.push(i, (side - 1) * side + i, i * side, i * side + side - 1);
  const median = (channel: number) => rim.map((i) => pixels[i * 4 + channel]!).sort((a, b) => a - b)[rim.length >> 1]!;
  const key = [median(0), median(1), median(2)] as const;
  const clear = median(3) < 128;
  const marked = new Uint8Array(side * side);
  for (let i = 0; i < marked.length; i++) {
    const o = i * 4;
    const distance = Math.hypot(pixels[o]! - key[0], pixels[o + 1]! - key[1], pixels[o + 2]! - key[2]);
    marked[i] = pixels[o + 3]! > 128 && (clear || distance > keyReach) ? 1 : 0;
  }
  return marked;
}
