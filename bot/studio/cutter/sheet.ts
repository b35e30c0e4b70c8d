/**
 * From bytes to pixels. The file's name and declared type are never believed: the first bytes decide,
 * the header is judged before anything is decoded, and every colour space ends as 8-bit sRGB.
 */
import sharp from "sharp";
import { grainOf } from "./quantisation.ts";
import { SheetUnusable } from "./unusable.ts";
import { asIfRgb, rgbOf, toYcc } from "./ycc.ts";

const MIN_SIDE_PX = 64;
const MAX_SIDE_PX = 4608;
const MAX_PIXELS = 20_000_000;
/** A pixel below this alpha (of 255) is see-through; a sheet with this share of them has real transparency. */
const CLEAR_ALPHA = 16;
const CLEAR_SHARE = 0.03;

export type Sheet = {
  width: number;
  height: number;
  /** Straight RGBA, 4 bytes a pixel; or, where colour is soft, Y, Cb, Cr, 3 bytes a pixel. */
  data: Uint8Array;
  /** Bytes from pixel to pixel. */
  stride: 3 | 4;
  /**
   * Colour was stored at half size (JPEG 4:2:0, lossy WebP), so colour edges are softer than light edges.
   * `data` has Y, Cb, Cr as they were stored, before the way to RGB cuts off what lies outside of it; colour
   * is spread from half size by the decoder's triangle filter.
   */
  soft: boolean;
  /** Stored with loss: flat areas carry ringing near edges. */
  lossy: boolean;
  /** How many times the noise of a good JPEG (quality 92) the file carries; at least 1. */
  grain: number;
  /** The background is transparency, not a key colour. */
  transparent: boolean;
};

/** A pixel's colour as r, g, b, 8 bits each, red lowest. */
export function colourAt(data: Uint8Array, stride: 3 | 4, at: number): number {
  const stored = storedAt(data, stride, at);
  return stride === 4 ? stored : rgbOf(stored);
}

/** A pixel as it is stored, 24 bits: r, g, b or Y, Cb, Cr. */
export function storedAt(data: Uint8Array, stride: 3 | 4, at: number): number {
  const p = at * stride;
  return data[p]! | (data[p + 1]! << 8) | (data[p + 2]! << 16);
}

type Format = "png" | "jpeg" | "webp";

/** The format by its first bytes, or null. */
export function sniff(bytes: Uint8Array): Format | null {
  const at = (offset: number, text: string) => [...text].every((char, i) => bytes[offset + i] === char.charCodeAt(0));
  if (at(0, "\x89PNG\r\n\x1a\n")) return "png";
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "jpeg";
  if (at(0, "RIFF") && at(8, "WEBP")) return "webp";
  return null;
}

/**
 * Decodes a sheet.
 * @throws SheetUnusable for what is not one whole, still, reasonably sized PNG, JPEG or WebP
 */
export async function openSheet(bytes: Uint8Array): Promise<Sheet> {
  if (bytes.length === 0) throw new SheetUnusable("empty_file", "The sheet's file is empty.");
  const format = sniff(bytes);
  if (!format) throw new SheetUnusable("not_an_image", "The sheet is not a PNG, JPEG or WebP image.");
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => {
      throw new SheetUnusable("truncated", "The sheet's image is cut short or damaged.", { cause });
    });
  // A camera's note that the picture lies on its side counts: everybody who looks at the sheet sees it upright.
  const { width = 0, height = 0 } = header.autoOrient;
  if ((header.pages ?? 1) > 1)
    throw new SheetUnusable("animated", "The sheet is an animation; one still image is needed.");
  if (Math.min(width, height) < MIN_SIDE_PX)
    throw new SheetUnusable(
      "too_small",
      `The sheet is ${width}×${height}; each side needs at least ${MIN_SIDE_PX} pixels.`,
    );
  if (Math.max(width, height) > MAX_SIDE_PX || width * height > MAX_PIXELS)
    throw new SheetUnusable(
      "too_large",
      `The sheet is ${width}×${height}; a side may have at most ${MAX_SIDE_PX} pixels.`,
    );

  const lossy = format === "jpeg" || (format === "webp" && !isLosslessWebp(bytes));
  const grain = format === "jpeg" ? grainOf(bytes) : 1;
  const soft = lossy && (format === "webp" || header.chromaSubsampling !== "4:4:4") && !header.hasAlpha;
  const plain = format === "jpeg" && header.channels === 3 && !header.icc && !header.hasProfile;
  const unconverted = soft && plain ? asIfRgb(bytes) : null;
  const sheet = { width, height, soft, lossy, grain, transparent: false };
  if (unconverted) return { ...sheet, data: await pixelsOf(unconverted, 3), stride: 3 };
  if (soft) return { ...sheet, data: toYcc(await pixelsOf(bytes, 3)), stride: 3 };
  const data = await pixelsOf(bytes, 4);
  return { ...sheet, data, stride: 4, transparent: header.hasAlpha === true && isTransparent(data) };
}

async function pixelsOf(bytes: Uint8Array, channels: 3 | 4): Promise<Uint8Array> {
  // "warning" is the strictness that refuses a file whose end is missing instead of painting it grey.
  const image = sharp(bytes, { failOn: "warning", limitInputPixels: MAX_PIXELS }).autoOrient().toColourspace("srgb");
  const data = await (channels === 4 ? image.ensureAlpha() : image.removeAlpha())
    .raw({ depth: "uchar" })
    .toBuffer()
    .catch((cause: unknown) => {
      throw new SheetUnusable("truncated", "The sheet's image is cut short or damaged.", { cause });
    });
  return new Uint8Array(data.buffer, data.byteOffset, data.length);
}

function isLosslessWebp(bytes: Uint8Array): boolean {
  // The chunk "VP8L" is lossless; it stands first, or after VP8X and what belongs to it.
  const head = new TextDecoder("latin1").decode(bytes.subarray(12, 4096));
  return head.startsWith("VP8L") || (head.startsWith("VP8X") && head.includes("VP8L") && !head.includes("VP8 "));
}

function isTransparent(rgba: Uint8Array): boolean {
  // Every seventh pixel: enough for a share, and no column of the sheet is always the one looked at.
  const STEP = 7;
  let clear = 0;
  for (let i = 3; i < rgba.length; i += 4 * STEP) if (rgba[i]! < CLEAR_ALPHA) clear++;
  return clear > (rgba.length / 4 / STEP) * CLEAR_SHARE;
}
