/**
 * Which pixels are certainly background. Background is what has the key's colour and reaches the
 * sheet's edge, or lies enclosed (between arm and body) in a key vivid enough to be told from clothes.
 */
import type { KeyField } from "./key-field.ts";
import { BLOCK_SHIFT, type KeyMap, keyMap } from "./key-map.ts";
import { eraseLines } from "./lines.ts";
import { boundaryPixels, FIGURE, GROUND } from "./mask.ts";
import { findRegions, type Region } from "./regions.ts";
import { clearShadows, type Shade } from "./shadows.ts";
import type { Sheet } from "./sheet.ts";
import { rgbOf } from "./ycc.ts";

/** A region of the key's colour this large is background even where a frame or lines shut it in. */
const WIDE_SHARE = 0.02;
/** Enclosed specks smaller than this are not taken for holes. */
const MIN_HOLE_PX = 4;
const MIN_HOLE_NOISY_PX = 6;

export type Ground = {
  /** The key's colour everywhere, as r, g, b. */
  keys: KeyMap;
  /** Each pixel's distance from the key's colour there, RGB Euclidean, at most 255. */
  off: Uint8Array;
  /** GROUND or FIGURE for each pixel; what is partly both counts as FIGURE here. */
  mask: Uint8Array;
  /** The figures' pixels that have background beside them. */
  edge: Int32Array;
  /** Shadows on the background. */
  shade: Shade;
  /** Background that figures shut in. */
  holes: Region[];
};

export function findGround(sheet: Sheet, field: KeyField): Ground {
  const { width, height, lossy, grain } = sheet;
  const tolerance = Math.min(60, Math.round(Math.max(lossy ? 14 * grain : 3, 2.8 * field.noise + (lossy ? 8 : 3))));
  const keys = keyMap(field, width, height);
  const off = distances(sheet, keys);
  const mask = new Uint8Array(width * height).fill(FIGURE);
  const regions = findRegions(off, width, height, 0, tolerance, false);
  const minHole = lossy || field.noise > 2 ? MIN_HOLE_NOISY_PX : MIN_HOLE_PX;
  const isAtEdge = ({ left, top, right, bottom }: Region) =>
    left === 0 || top === 0 || right === width || bottom === height;
  const isGround = regions.list.map((region) => {
    return isAtEdge(region) || region.area > width * height * WIDE_SHARE || (field.vivid && region.area >= minHole);
  });
  for (let run = 0; run < regions.count; run++) {
    if (!isGround[regions.region[run]!]) continue;
    const base = regions.y[run]! * width;
    mask.fill(GROUND, base + regions.from[run]!, base + regions.to[run]!);
  }
  eraseLines(mask, width, height);
  const edge = boundaryPixels(mask, width, height);
  const shade = clearShadows(sheet, field, keys, mask, edge);
  const holes = regions.list.filter((region, index) => isGround[index] && !isAtEdge(region));
  return { keys, off, mask, edge: shade ? boundaryPixels(mask, width, height) : edge, shade, holes };
}

/** How far each pixel is from the key's colour there. */
function distances({ width, height, data, stride }: Sheet, keys: KeyMap): Uint8Array {
  const off = new Uint8Array(width * height);
  const { across, colours } = keys;
  for (let y = 0; y < height; y++) {
    const base = y * width;
    let distance = 0;
    for (let bx = 0, k = (y >> BLOCK_SHIFT) * across * 3; bx < across; bx++, k += 3) {
      const kr = colours[k]!;
      const kg = colours[k + 1]!;
      const kb = colours[k + 2]!;
      const start = base + (bx << BLOCK_SHIFT);
      const end = base + Math.min(width, (bx + 1) << BLOCK_SHIFT);
      // No colour, so that the first pixel is reckoned with this block's key.
      let last = -1;
      for (let at = start, p = start * stride; at < end; at++, p += stride) {
        const stored = data[p]! | (data[p + 1]! << 8) | (data[p + 2]! << 16);
        // Flat runs are most of a sheet.
        if (stored !== last) {
          last = stored;
          const colour = stride === 4 ? stored : rgbOf(stored);
          const dr = (colour & 255) - kr;
          const dg = ((colour >> 8) & 255) - kg;
          const db = ((colour >> 16) & 255) - kb;
          const square = dr * dr + dg * dg + db * db;
          distance = square >= 65025 ? 255 : (Math.sqrt(square) + 0.5) | 0;
        }
        off[at] = distance;
      }
    }
  }
  return off;
}
