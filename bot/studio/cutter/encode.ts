/**
 * One sticker for Telegram: one side exactly 512, the other at most 512, at most 512 KiB, PNG or WebP
 * (Bot API, createNewStickerSet). What was encoded is decoded again and checked, so that nothing that
 * Telegram would refuse leaves this file.
 */
import sharp from "sharp";
import { drawOutline } from "./outline.ts";
import type { Sticker } from "./owners.ts";
import { Scratch } from "./scratch.ts";
import { type Sheet, sniff } from "./sheet.ts";
import { rgbOf } from "./ycc.ts";

export const STICKER_SIDE_PX = 512;
export const STICKER_MAX_BYTES = 512 * 1024;
/** The outline round a figure that has none, and the thin rim that evens out a border drawn by the model. */
export const OUTLINE_PX = 9;
export const RIM_PX = 2;
/** A few percent larger than sharp's usual 6, in half the time. */
const PNG_LEVEL = 4;
const WEBP_QUALITIES = [92, 85, 75, 60, 40];

export type Encoded = { type: "png" | "webp"; width: number; height: number; bytes: Uint8Array };

/**
 * The sticker's own pixels out of the sheet: straight RGBA, everything that is not its own is clear.
 * @param scratch where they are put
 */
export function cropOf(
  { data, stride, width: sheetWidth }: Sheet,
  alpha: Uint8Array,
  owner: Uint8Array,
  number: number,
  box: Sticker,
  scratch = new Scratch(),
): Uint8Array<ArrayBuffer> {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const crop = scratch.room(width * height).fill(0);
  // Neighbours are often of one colour, which then has to be converted once.
  let last = -1;
  let colour = 0;
  for (let y = 0, into = 0; y < height; y++) {
    const start = (box.top + y) * sheetWidth + box.left;
    for (let at = start, p = start * stride; at < start + width; at++, into++, p += stride) {
      if (owner[at] !== number) continue;
      const stored = data[p]! | (data[p + 1]! << 8) | (data[p + 2]! << 16);
      if (stored !== last) {
        last = stored;
        colour = stride === 4 ? stored : rgbOf(stored);
      }
      crop[into] = colour | (alpha[at]! << 24);
    }
  }
  return new Uint8Array(crop.buffer, 0, crop.length * 4);
}

/**
 * @param bordered whether the figure already has a white border of its own
 * @param scratch where the sticker is drawn
 */
export async function encodeSticker(
  crop: Uint8Array,
  width: number,
  height: number,
  bordered: boolean,
  scratch?: Scratch,
): Promise<Encoded> {
  const outline = bordered ? RIM_PX : OUTLINE_PX;
  // One clear pixel outside the outline keeps its own soft edge whole.
  const margin = outline + 1;
  const room = STICKER_SIDE_PX - 2 * margin;
  const scale = room / Math.max(width, height);
  const inner = [width, height].map((side) => Math.min(room, Math.max(1, Math.round(side * scale)))) as [
    number,
    number,
  ];
  const data = await sharp(crop, { raw: { width, height, channels: 4 } })
    .resize(inner[0], inner[1], { fit: "fill", kernel: "lanczos3" })
    .raw()
    .toBuffer();
  const figure = new Uint8Array(data.buffer, data.byteOffset, data.length);
  const sticker = drawOutline(figure, inner[0], inner[1], outline, margin, scratch);
  const encoded = await encode(sticker.rgba, sticker.width, sticker.height);
  return { ...encoded, width: sticker.width, height: sticker.height };
}

async function encode(
  rgba: Uint8Array,
  width: number,
  height: number,
): Promise<{ type: "png" | "webp"; bytes: Uint8Array }> {
  const raw = { raw: { width, height, channels: 4 } } as const;
  const png = await sharp(rgba, raw).png({ compressionLevel: PNG_LEVEL }).toBuffer();
  if (png.length <= STICKER_MAX_BYTES) return { type: "png", bytes: await checked(png, "png", width, height) };
  for (const quality of WEBP_QUALITIES) {
    const webp = await sharp(rgba, raw).webp({ quality, alphaQuality: 100 }).toBuffer();
    if (webp.length <= STICKER_MAX_BYTES) return { type: "webp", bytes: await checked(webp, "webp", width, height) };
  }
  throw new Error("a sticker is larger than 512 KiB at every quality");
}

async function checked(bytes: Uint8Array, type: "png" | "webp", width: number, height: number): Promise<Uint8Array> {
  const { info } = await sharp(bytes, { failOn: "warning" }).raw().toBuffer({ resolveWithObject: true });
  const right = info.width === width && info.height === height && info.channels === 4 && sniff(bytes) === type;
  if (!right || Math.max(width, height) !== STICKER_SIDE_PX)
    throw new Error("an encoded sticker does not decode to what it should be");
  return bytes;
}
