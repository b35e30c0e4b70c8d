import { cropOf, isEmpty, keptSize, luma } from "./frame.js";

const JPEG_QUALITY = 0.92;
/** A larger file would exhaust a tablet's memory while it is decoded. */
const FILE_LIMIT_BYTES = 40 * 1024 * 1024;
const PROBE_PX = 64;

/** A picture that cannot be used: nothing in it, or not a picture at all. */
export class BadPicture extends Error {
  /** @param {"empty" | "bad_file"} why */
  constructor(why) {
    super(`unusable picture: ${why}`);
    this.why = why;
  }
}

/** @import { Photo } from "./types.js" */

/**
 * Exactly what the guide shows of the camera's frame, unmirrored, as JPEG.
 * @param {HTMLVideoElement} video
 * @returns {Promise<Photo>}
 * @throws {BadPicture} `empty`
 */
export function snap(video) {
  return keep(video, video.videoWidth, video.videoHeight);
}

/**
 * A picture file in the same form as a shot: upright, cropped to the frame, metadata gone.
 * @param {File} file
 * @returns {Promise<Photo>}
 * @throws {BadPicture}
 */
export async function fromFile(file) {
  if (file.size === 0 || file.size > FILE_LIMIT_BYTES) throw new BadPicture("bad_file");
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => {
    throw new BadPicture("bad_file");
  });
  try {
    return await keep(bitmap, bitmap.width, bitmap.height);
  } finally {
    bitmap.close();
  }
}

/**
 * @param {CanvasImageSource} source
 * @param {number} width
 * @param {number} height
 * @returns {Promise<Photo>}
 */
async function keep(source, width, height) {
  if (!(width > 0 && height > 0)) throw new BadPicture("empty");
  const crop = cropOf(width, height);
  const size = keptSize(crop);
  const canvas = document.createElement("canvas");
  canvas.width = size.width;
  canvas.height = size.height;
  try {
    const context = canvas.getContext("2d");
    if (!context) throw new BadPicture("empty");
    context.imageSmoothingQuality = "high";
    context.drawImage(source, crop.x, crop.y, crop.width, crop.height, 0, 0, size.width, size.height);
    if (isEmpty(luma(sample(canvas)))) throw new BadPicture("empty");
    /** @type {Blob | null} */
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", JPEG_QUALITY));
    if (!blob || blob.size === 0) throw new BadPicture("empty");
    const url = URL.createObjectURL(blob);
    return { blob, url, forget: () => URL.revokeObjectURL(url) };
  } finally {
    // Frees the pixels now, not when the collector comes by.
    canvas.width = 0;
    canvas.height = 0;
  }
}

/** @param {HTMLCanvasElement} canvas */
function sample(canvas) {
  const small = document.createElement("canvas");
  small.width = PROBE_PX;
  small.height = PROBE_PX;
  const context = small.getContext("2d", { willReadFrequently: true });
  if (!context) throw new BadPicture("empty");
  context.drawImage(canvas, 0, 0, PROBE_PX, PROBE_PX);
  return context.getImageData(0, 0, PROBE_PX, PROBE_PX).data;
}
