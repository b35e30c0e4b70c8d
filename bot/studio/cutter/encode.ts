/**
 * One sticker for Telegram: one side exactly 512, the other at most 512, at most 512 KiB, PNG or WebP
 * (Bot API, createNewStickerSet). What was encoded is decoded again and checked, so that nothing that
 * Telegram would refuse leaves this file.
 */
import sharp from "sharp";
import { drawOutline } from "./outline.ts";
import type { Sticker } from "./owners.ts";

export const STICKER_SIDE_PX = 512;
export const STICKER_MAX_BYTES = 512 * 1024;
/** The outline round a figure that has none, and the thin rim that evens out a border drawn by the model. */
export const OUTLINE_PX = 9;
export const RIM_PX = 2;
const WEBP_QUALITIES = [92, 85, 75, 60, 40];

export type Encoded = { type: "png" | "webp"; width: number; height: number; bytes: Uint8Array };

/** The sticker's own pixels out of the sheet: straight RGBA, everything that is not its own is clear. */
export function cropOf(
  rgba: Uint8Array,
  owner: Uint8Array,
  number: number,
  sheetWidth: number,
  box: Sticker,
): Uint8Array<ArrayBuffer> {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const from = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length >> 2);
  const crop = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    const base = (box.top + y) * sheetWidth + box.left;
    for (let x = 0; x < width; x++) if (owner[base + x] === number) crop[y * width + x] = from[base + x]!;
  }
  return new Uint8Array(crop.buffer);
}

/** @param bordered whether the figure already has a white border of its own */
export async function encodeSticker(
  crop: Uint8Array,
  width: number,
  height: number,
  bordered: boolean,
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
  const { data, info } = await sharp(crop, { raw: { width, height, channels: 4 } })
    .resize(inner[0], inner[1], { fit: "fill", kernel: "lanczos3" })
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const rgba = new Uint8Array(data.buffer, data.byteOffset, data.length);
  drawOutline(rgba, info.width, info.height, outline);
  const bytes = await encode(rgba, info.width, info.height);
  return { ...bytes, width: info.width, height: info.height };
}

async function encode(
  rgba: Uint8Array,
  width: number,
  height: number,
): Promise<{ type: "png" | "webp"; bytes: Uint8Array }> {
  const raw = { raw: { width, height, channels: 4 } } as const;
  const png = await sharp(rgba, raw).png().toBuffer();
  if (png.length <= STICKER_MAX_BYTES) return { type: "png", bytes: await checked(png, "png", width, height) };
  for (const quality of WEBP_QUALITIES) {
    const webp = await sharp(rgba, raw).webp({ quality, alphaQuality: 100 }).toBuffer();
    if (webp.length <= STICKER_MAX_BYTES) return { type: "webp", bytes: await checked(webp, "webp", width, height) };
  }
  throw new Error("a sticker is larger than 512 KiB at every quality");
}

async function checked(bytes: Uint8Array, type: "png" | "webp", width: number, height: number): Promise<Uint8Array> {
  const image = sharp(bytes, { failOn: "warning" });
  const { info } = await image.raw().toBuffer({ resolveWithObject: true });
  const { format } = await image.metadata();
  const right = info.width === width && info.height === height && info.channels === 4 && format === type;
  if (!right || Math.max(width, height) !== STICKER_SIDE_PX)
    throw new Error("an encoded sticker does not decode to what it should be");
  return bytes;
}
