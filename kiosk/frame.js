// Pure arithmetic of the frame: which part of a picture is taken, and what its pixels and the faces in it say.

/** Width to height of the guide on the screen and of every uploaded photo. */
export const FRAME_RATIO = 3 / 4;
/** Longest side of an uploaded photo, px: all that the artist needs, and below every canvas limit. */
export const LONGEST_SIDE_PX = 2048;

/** Brightness is 0…255; the bounds were chosen by eye on a tablet's camera. */
const DARK_BELOW = 55;
const BRIGHT_ABOVE = 215;
const MOVING_ABOVE = 14;
const SHARP_ABOVE = 9;
/** A lens cap, a dead sensor: nothing brighter than this anywhere. */
const BLACK_BELOW = 18;
/** One colour, but for what compression adds to it. */
const PLAIN_WITHIN = 3;

/** @import { Box, Face, Framing, Hint } from "./types.js" */

/**
 * The largest centred box of the frame's ratio: the same part that `object-fit: cover` shows in the guide.
 * @param {number} width px
 * @param {number} height px
 * @returns {Box}
 */
export function cropOf(width, height) {
  const cropWidth = Math.min(width, height * FRAME_RATIO);
  const cropHeight = Math.min(height, width / FRAME_RATIO);
  return { x: (width - cropWidth) / 2, y: (height - cropHeight) / 2, width: cropWidth, height: cropHeight };
}

/**
 * The size at which a crop is kept: never enlarged, longest side bounded.
 * @param {{width: number, height: number}} crop
 */
export function keptSize({ width, height }) {
  const scale = Math.min(1, LONGEST_SIDE_PX / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Brightness of each pixel, 0…255 (Rec. 601 weights).
 * @param {Uint8ClampedArray} rgba
 */
export function luma(rgba) {
  const grey = new Uint8Array(rgba.length / 4);
  for (let i = 0, at = 0; i < grey.length; i++, at += 4) {
    grey[i] = ((rgba[at] ?? 0) * 299 + (rgba[at + 1] ?? 0) * 587 + (rgba[at + 2] ?? 0) * 114) / 1000;
  }
  return grey;
}

/** @param {Uint8Array} grey */
export function isBlack(grey) {
  let bright = 0;
  for (const value of grey) if (value >= BLACK_BELOW) bright++;
  // A few hot pixels do not make a picture.
  return bright <= grey.length / 200;
}

/**
 * Nothing to be seen: black, or one colour all over, as broken drivers and blank files have it. A wall has its grain.
 * @param {Uint8Array} grey
 */
export function isEmpty(grey) {
  const around = mean(grey);
  let apart = 0;
  for (const value of grey) if (Math.abs(value - around) > PLAIN_WITHIN) apart++;
  return isBlack(grey) || apart <= grey.length / 200;
}

/** @param {Uint8Array} grey */
function mean(grey) {
  let sum = 0;
  for (const value of grey) sum += value;
  return sum / Math.max(1, grey.length);
}

/**
 * How strongly neighbours differ where they differ most: the 98th percentile of the horizontal gradient.
 * A mean would call a sharp face before a plain wall blurred.
 * @param {Uint8Array} grey
 * @param {number} width
 */
function sharpness(grey, width) {
  const histogram = new Uint32Array(256);
  let count = 0;
  for (let i = 1; i < grey.length; i++) {
    if (i % width === 0) continue;
    const step = Math.abs((grey[i] ?? 0) - (grey[i - 1] ?? 0));
    histogram[step] = (histogram[step] ?? 0) + 1;
    count++;
  }
  let above = 0;
  for (let step = 255; step >= 0; step--) {
    above += histogram[step] ?? 0;
    if (above >= count * 0.02) return step;
  }
  return 0;
}

/**
 * What the guest could do better before the shot. Advice only: it never forbids one.
 * @param {Uint8Array} grey the middle of the frame, small
 * @param {number} width its width in px
 * @param {Uint8Array | null} before the same a moment ago
 * @returns {Hint}
 */
export function judge(grey, width, before) {
  const light = mean(grey);
  if (light < DARK_BELOW) return "dark";
  if (light > BRIGHT_ABOVE) return "bright";
  if (before && before.length === grey.length) {
    const change = new Uint8Array(grey.length);
    for (let i = 0; i < grey.length; i++) change[i] = Math.abs((grey[i] ?? 0) - (before[i] ?? 0));
    if (mean(change) > MOVING_ABOVE) return "moving";
  }
  return sharpness(grey, width) < SHARP_ABOVE ? "blurred" : "ready";
}

/** The middle of the oval that is drawn over the preview. */
const OVAL = { x: 0.5, y: 0.42 };
/** A face is found from ear to ear and from brow to chin: in a filled oval it is half as wide as the frame. */
const FAR_BELOW = 0.22;
const NEAR_ABOVE = 0.72;
const ASIDE_ABOVE = { x: 0.19, y: 0.22 };
/** Whoever is this much smaller than the guest stands in the background. */
const BACKGROUND_BELOW = 0.5;

/**
 * @param {Face[]} faces in the frame
 * @returns {Framing}
 */
export function judgeFraming(faces) {
  const [face, second] = [...faces].sort((one, other) => other.width - one.width);
  if (!face) return "nobody";
  if (second && second.width > face.width * BACKGROUND_BELOW) return "several";
  if (face.width < FAR_BELOW) return "far";
  if (face.width > NEAR_ABOVE) return "near";
  const aside = Math.abs(face.x - OVAL.x) > ASIDE_ABOVE.x || Math.abs(face.y - OVAL.y) > ASIDE_ABOVE.y;
  return aside ? "aside" : "ready";
}

/** From such a picture no stickers can be drawn. @param {string | null} framing */
export const isHopeless = (framing) => framing === "nobody" || framing === "several";
