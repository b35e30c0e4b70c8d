/** The key's colour anywhere on the sheet: the field of tiles, interpolated once for every 8×8 pixels. */
import { type KeyField, TILE_PX } from "./key-field.ts";

/** The key's colour block by block; what moves by less than a level within eight pixels needs no more. */
export type KeyMap = {
  /** Blocks across. */
  across: number;
  /** Three values for each block. */
  colours: Float32Array;
};

/** A pixel's block is at x >> BLOCK_SHIFT, y >> BLOCK_SHIFT. */
export const BLOCK_SHIFT = 3;
const BLOCK_PX = 1 << BLOCK_SHIFT;

/** The field as r, g, b of each block, interpolated between the centres of tiles. */
export function keyMap({ columns, rows, tiles }: KeyField, width: number, height: number): KeyMap {
  const across = Math.ceil(width / BLOCK_PX);
  const down = Math.ceil(height / BLOCK_PX);
  const colours = new Float32Array(across * down * 3);
  for (let by = 0, into = 0; by < down; by++) {
    const ty = Math.min(rows - 1, Math.max(0, ((by + 0.5) * BLOCK_PX) / TILE_PX - 0.5));
    const y0 = ty | 0;
    const fy = ty - y0;
    const down = y0 + 1 < rows ? columns * 3 : 0;
    for (let bx = 0; bx < across; bx++) {
      const tx = Math.min(columns - 1, Math.max(0, ((bx + 0.5) * BLOCK_PX) / TILE_PX - 0.5));
      const x0 = tx | 0;
      const fx = tx - x0;
      const a = (y0 * columns + x0) * 3;
      const b = x0 + 1 < columns ? a + 3 : a;
      for (let c = 0; c < 3; c++) {
        const top = tiles[a + c]! * (1 - fx) + tiles[b + c]! * fx;
        const bottom = tiles[a + down + c]! * (1 - fx) + tiles[b + down + c]! * fx;
        colours[into++] = top * (1 - fy) + bottom * fy;
      }
    }
  }
  return { across, colours };
}

/** Where a pixel's colour stands in `colours`. */
export const keyIndex = ({ across }: KeyMap, x: number, y: number): number =>
  ((y >> BLOCK_SHIFT) * across + (x >> BLOCK_SHIFT)) * 3;
