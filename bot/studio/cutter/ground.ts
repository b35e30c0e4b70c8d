/**
 * Which pixels are certainly background. Background is what has the key's colour and reaches the
 * sheet's edge, or lies enclosed (between arm and body) in a key vivid enough to be told from clothes.
 */
import { type KeyField, keyRow } from "./key-field.ts";
import { eraseLines } from "./lines.ts";
import { FIGURE, GROUND } from "./mask.ts";
import { findRegions } from "./regions.ts";
import { clearShadows, type Shade } from "./shadows.ts";
import type { Sheet } from "./sheet.ts";

/** A region of the key's colour this large is background even where a frame or lines shut it in. */
const WIDE_SHARE = 0.02;
/** Enclosed specks smaller than this are not taken for holes. */
const MIN_HOLE_PX = 4;
const MIN_HOLE_NOISY_PX = 6;

export type Ground = {
  /** Each pixel's distance from the key's colour there, RGB Euclidean, at most 255. */
  off: Uint8Array;
  /** GROUND or FIGURE for each pixel; what is partly both counts as FIGURE here. */
  mask: Uint8Array;
  /** The distance up to which a pixel is the key. */
  tolerance: number;
  /** Shadows on the background. */
  shade: Shade;
};

export function findGround(sheet: Sheet, field: KeyField): Ground {
  const { width, height, rgba, lossy, grain } = sheet;
  const tolerance = Math.min(60, Math.round(Math.max(lossy ? 14 * grain : 3, 2.8 * field.noise + (lossy ? 8 : 3))));
  const off = new Uint8Array(width * height);
  const row = new Float32Array(width * 3);
  const whole = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height);
  for (let y = 0; y < height; y++) {
    keyRow(field, width, y, row);
    const base = y * width;
    let last = 0;
    let distance = 0;
    for (let x = 0; x < width; x++) {
      const pixel = whole[base + x]!;
      // Flat runs are most of a sheet, and the key moves by next to nothing within eight pixels.
      if (pixel !== last || (x & 7) === 0) {
        last = pixel;
        const at = (base + x) * 4;
        const k = x * 3;
        const dr = rgba[at]! - row[k]!;
        const dg = rgba[at + 1]! - row[k + 1]!;
        const db = rgba[at + 2]! - row[k + 2]!;
        const square = dr * dr + dg * dg + db * db;
        distance = square >= 65025 ? 255 : (Math.sqrt(square) + 0.5) | 0;
      }
      off[base + x] = distance;
    }
  }
  const mask = new Uint8Array(width * height).fill(FIGURE);
  const regions = findRegions(off, width, height, 0, tolerance, false);
  const minHole = lossy || field.noise > 2 ? MIN_HOLE_NOISY_PX : MIN_HOLE_PX;
  const isGround = regions.list.map((region) => {
    const atEdge = region.left === 0 || region.top === 0 || region.right === width || region.bottom === height;
    return atEdge || region.area > width * height * WIDE_SHARE || (field.vivid && region.area >= minHole);
  });
  for (let run = 0; run < regions.count; run++) {
    if (!isGround[regions.region[run]!]) continue;
    const base = regions.y[run]! * width;
    mask.fill(GROUND, base + regions.from[run]!, base + regions.to[run]!);
  }
  eraseLines(mask, width, height);
  const shade = clearShadows(sheet, field, mask);
  return { off, mask, tolerance, shade };
}
