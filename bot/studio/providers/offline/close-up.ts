/** The part of a photo that matters, large enough to draw from. */
import sharp from "sharp";
import { type Face, findFace } from "./face.ts";
import { frameBox } from "./frame.ts";
import { decode, fromInterleaved, type Rgb3 } from "./pixels.ts";

const photoSide = 1024;
/** A photo is never decoded larger than this, however small the face in it. */
const largestSide = 3200;
/** Below this score a face is not worth coming closer for. */
const leastScore = 0.4;

export type CloseUp = { photo: Rgb3; face: Face };

/**
 * Decodes a selfie and finds its face. When the face is so small that it would be drawn enlarged (`unit`: the
 * wanted distance between the eyes in pixels), its surroundings are decoded once more from the full photo.
 */
export async function closeUp(bytes: Uint8Array, unit: number): Promise<CloseUp> {
  const photo = await decode(bytes, photoSide);
  const face = findFace(photo);
  const { width = 0, height = 0 } = await sharp(bytes, { failOn: "none" }).metadata();
  const shown = Math.max(photo.w, photo.h);
  const side = Math.min(Math.max(width, height), largestSide, Math.round((shown * unit) / face.eyes));
  const scale = side / shown;
  if (face.score < leastScore || scale < 1.3) return { photo, face };
  const reach = 1.15 * Math.max(-frameBox.left, -frameBox.top, frameBox.right, frameBox.bottom) * face.eyes;
  const left = Math.max(0, Math.floor((face.x - reach) * scale));
  const top = Math.max(0, Math.floor((face.y - reach) * scale));
  const area = {
    left,
    top,
    width: Math.min(Math.floor(photo.w * scale), Math.ceil((face.x + reach) * scale)) - left,
    height: Math.min(Math.floor(photo.h * scale), Math.ceil((face.y + reach) * scale)) - top,
  };
  const { data, info } = await sharp(bytes, { limitInputPixels: 64e6, failOn: "none" })
    .rotate()
    .resize(side, side, { fit: "inside", withoutEnlargement: true })
    .extract(area)
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    photo: fromInterleaved(data, info.width, info.height, info.channels),
    face: { ...face, x: face.x * scale - left, y: face.y * scale - top, eyes: face.eyes * scale },
  };
}
