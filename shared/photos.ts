/** A guest's photo: judged by its bytes, turned upright, freed of metadata, stored. The kiosk and the chat both end here. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { AppError } from "./errors.ts";
import { sessionDir, writeWhole } from "./files.ts";

export const MAX_PHOTO_BYTES = 15 * 1024 * 1024;
const MAX_PIXELS = 50_000_000;
/** Below this a face has too few pixels to be drawn. */
const MIN_SIDE = 128;
/** Larger is of no use to the artists. */
const MAX_SIDE = 2048;

// One picture at a time a core: a small machine shares its memory with the database's other process.
sharp.concurrency(1);
sharp.cache(false);

const FORMATS = ["jpeg", "png", "webp", "heif"];

export type Photo = { jpeg: Uint8Array; sha256: string; width: number; height: number };

/**
 * Makes an upright JPEG without metadata (no GPS, no device) from what a guest sent.
 * @throws AppError `too_large` over 15 MB, and as `openPhoto`
 */
export async function readPhoto(bytes: Uint8Array): Promise<Photo> {
  if (bytes.length > MAX_PHOTO_BYTES)
    throw new AppError("too_large", "The photo is larger than 15 MB. Send a smaller one.");
  const { data, info } = await openPhoto(bytes, { minSide: MIN_SIDE, maxSide: MAX_SIDE }, (upright) =>
    upright
      .flatten({ background: "#ffffff" })
      .jpeg({ quality: 92, chromaSubsampling: "4:4:4" })
      .toBuffer({ resolveWithObject: true }),
  );
  return { jpeg: new Uint8Array(data), sha256: hashOf(bytes), width: info.width, height: info.height };
}

/**
 * Judges a picture by its bytes and decodes it, upright, in sRGB, without metadata, made smaller to fit `maxSide` px.
 * @param encode what to make of it
 * @throws AppError `not_an_image` when the bytes are no JPEG, PNG, WebP or readable HEIC, `bad_image` when they are but
 *   cannot be used: damaged, over 50 megapixels, a side below `minSide` px
 */
export async function openPhoto<T>(
  bytes: Uint8Array,
  { minSide, maxSide }: { minSide: number; maxSide: number },
  encode: (upright: Sharp) => Promise<T>,
): Promise<T> {
  if (!looksLikePhoto(bytes)) throw notAnImage();
  const options = { limitInputPixels: MAX_PIXELS, failOn: "truncated", sequentialRead: true } as const;
  let size: { width: number; height: number };
  try {
    const meta = await sharp(bytes, { ...options, limitInputPixels: false }).metadata();
    if (!meta.format || !FORMATS.includes(meta.format)) throw notAnImage();
    size = { width: meta.width, height: meta.height };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw isHeif(bytes) ? notAnImage(cause) : damaged(cause);
  }
  if (size.width * size.height > MAX_PIXELS)
    throw new AppError("bad_image", "The photo has more than 50 megapixels. Send a smaller one.");
  if (Math.min(size.width, size.height) < minSide)
    throw new AppError("bad_image", `The photo is too small: each side needs at least ${minSide} pixels.`);
  try {
    const upright = sharp(bytes, options).rotate();
    const fitting = upright.resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true });
    return await encode(fitting.toColourspace("srgb"));
  } catch (cause) {
    throw isHeif(bytes) ? notAnImage(cause) : damaged(cause);
  }
}

export const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Stores a photo under its visit. @returns the file's name, to be kept in the job */
export function storePhoto(dataDir: string, token: string, photo: Photo): string {
  const name = `selfie-${photo.sha256.slice(0, 16)}.jpg`;
  writeWhole(join(sessionDir(dataDir, token), name), photo.jpeg);
  return name;
}

const notAnImage = (cause?: unknown) =>
  new AppError("not_an_image", "This is not a photo that we can read. Send a JPEG, PNG or WebP picture.", { cause });
const damaged = (cause: unknown) =>
  new AppError("bad_image", "The photo is damaged and cannot be opened. Take another one.", { cause });

const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
const isHeif = (bytes: Uint8Array) => ascii(bytes, 4, 8) === "ftyp";

/** The first bytes of JPEG, PNG, WebP and HEIC/AVIF. SVG, PDF, GIF and the like never reach a decoder. */
function looksLikePhoto(bytes: Uint8Array): boolean {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return true;
  if (ascii(bytes, 0, 8) === "\x89PNG\r\n\x1a\n") return true;
  if (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WEBP") return true;
  return isHeif(bytes);
}
