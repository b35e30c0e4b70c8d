/** What Telegram does with pictures: photos become JPEGs of several sizes, stickers are judged and kept. */
import sharp from "sharp";
import { refuse, wrong } from "../errors.ts";
import type { SimFile, TgPhotoSize, TgSticker } from "../types.ts";
import type { World } from "./world.ts";

const PHOTO_MAX_BYTES = 10 * 1024 * 1024;
const PHOTO_MAX_SIDES = 10_000;
const PHOTO_MAX_RATIO = 20;
const PHOTO_SIDES = [90, 320, 800, 1280];
const STICKER_SIDE = 512;
const STICKER_MAX_BYTES = 512 * 1024;

/** Stores an uploaded photo: upright, without metadata, each size that is smaller than the original. */
export async function addPhoto(world: World, bytes: Uint8Array): Promise<TgPhotoSize[]> {
  if (bytes.length > PHOTO_MAX_BYTES) wrong("file is too big");
  const upright = await sharp(bytes)
    .rotate()
    .jpeg({ quality: 87 })
    .toBuffer({ resolveWithObject: true })
    .catch(() => refuse("IMAGE_PROCESS_FAILED"));
  const { width, height } = upright.info;
  const long = Math.max(width, height);
  if (width + height > PHOTO_MAX_SIDES || long / Math.min(width, height) > PHOTO_MAX_RATIO)
    refuse("PHOTO_INVALID_DIMENSIONS");
  const sides = [...PHOTO_SIDES.filter((side) => side < long), Math.min(long, 1280)];
  const sizes: TgPhotoSize[] = [];
  for (const side of new Set(sides)) {
    const small = await sharp(upright.data)
      .resize(side, side, { fit: "inside", withoutEnlargement: true })
      .jpeg({ quality: 85 })
      .toBuffer({ resolveWithObject: true });
    const { width, height } = small.info;
    sizes.push(photoSize(world.addFile({ kind: "photo", mime: "image/jpeg", bytes: small.data, width, height })));
  }
  return sizes;
}

/** Stores an uploaded static sticker file, or refuses it as core.telegram.org/stickers#static-stickers says. */
export async function addStickerFile(world: World, bytes: Uint8Array): Promise<SimFile> {
  if (bytes.length === 0) wrong("sticker file must be non-empty");
  if (bytes.length > STICKER_MAX_BYTES) wrong(`file is too big: ${bytes.length} bytes`);
  const { info, format } = await decode(bytes);
  if (format !== "png" && format !== "webp") wrong("STICKER_PNG_NOPNG");
  const { width, height } = info;
  if (Math.max(width, height) !== STICKER_SIDE) wrong(`STICKER_PNG_DIMENSIONS: ${width}x${height}`);
  return world.addFile({ kind: "sticker", mime: `image/${format}`, bytes, width, height });
}

/** Decodes every pixel: a header that promises well is not enough. */
async function decode(bytes: Uint8Array) {
  try {
    const picture = sharp(bytes, { failOn: "warning" });
    const { format } = await picture.metadata();
    const { info } = await picture.raw().toBuffer({ resolveWithObject: true });
    return { info, format };
  } catch {
    return wrong("STICKER_PNG_NOPNG");
  }
}

/** A sticker that nobody's booth has made, as a file. */
export async function drawHeart(): Promise<Uint8Array> {
  const path = "M256 448C90 330 48 250 48 178a104 104 0 0 1 208-34 104 104 0 0 1 208 34c0 72-42 152-208 270z";
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512"><path d="${path}" fill="#e63962" stroke="#fff" stroke-width="26" stroke-linejoin="round"/></svg>`;
  return new Uint8Array(await sharp(Buffer.from(svg)).webp().toBuffer());
}

export function photoSize(file: SimFile): TgPhotoSize {
  const { fileId, uniqueId, width, height, bytes } = file;
  return { file_id: fileId, file_unique_id: uniqueId, width, height, file_size: bytes.length };
}

export function stickerOf(file: SimFile, emoji?: string, set?: string): TgSticker {
  return {
    ...photoSize(file),
    type: "regular",
    is_animated: false,
    is_video: false,
    ...(emoji !== undefined && { emoji }),
    ...(set !== undefined && { set_name: set }),
  };
}
