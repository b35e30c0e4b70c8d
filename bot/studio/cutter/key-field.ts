/**
 * The key as a field: one colour for each tile that shows background, grown inwards from the sheet's edge
 * so that it follows slopes, and carried on smoothly under the stickers.
 */
import type { Rgb } from "../providers/provider.ts";
import { colourAt, type Sheet, storedAt } from "./sheet.ts";

export const TILE_PX = 32;
/** Every so many pixels of a tile are looked at, across and down. */
const SAMPLE_STEP_PX = 4;
/** Colours within this distance (RGB, Euclidean) of the key's middle are the key, seen over the whole edge. */
export const KEY_RADIUS = 70;
/**
 * From tile to neighbouring tile the key moves by little, and by no more than a tile's own noise foretells: a slope
 * shows inside a tile too (five deviations reach its neighbour's far side). Clothes of nearly the key's colour do not.
 */
const STEP_RADIUS = { least: 10, perNoise: 5, most: 30 };
/** A tile with less background than this is left to its neighbours. */
const MIN_TILE_SHARE = 0.1;
/** Unknown tiles are averaged with their neighbours this often. */
const SMOOTHING_ROUNDS = 24;

export type KeyField = {
  key: Rgb;
  /** Tiles across and down; `tiles` holds r, g, b of each. */
  columns: number;
  rows: number;
  tiles: Float32Array;
  /** Standard deviation of background pixels about the field, over the three channels together. */
  noise: number;
  vivid: boolean;
};

/**
 * Measures each tile that shows background, from the edge inwards: a tile's colour is the mean of its
 * pixels near the colour of the tile it was reached from. Returns the noise of each known tile, -1 elsewhere.
 */
export function growTiles(sheet: Sheet, key: Rgb, columns: number, rows: number, tiles: Float32Array): Float32Array {
  const known = new Float32Array(columns * rows).fill(-1);
  const queue: number[] = [];
  const visit = (tile: number, from: Rgb, radius: number) => {
    if (known[tile]! >= 0) return;
    const found = measureTile(sheet, tile % columns, (tile / columns) | 0, from, radius);
    if (!found) return;
    tiles.set([found.r, found.g, found.b], tile * 3);
    known[tile] = found.noise;
    queue.push(tile);
  };
  for (let tile = 0; tile < known.length; tile++) {
    const x = tile % columns;
    const y = (tile / columns) | 0;
    if (x === 0 || y === 0 || x === columns - 1 || y === rows - 1) visit(tile, key, KEY_RADIUS);
  }
  for (let at = 0; at < queue.length; at++) {
    const tile = queue[at]!;
    const from = { r: tiles[tile * 3]!, g: tiles[tile * 3 + 1]!, b: tiles[tile * 3 + 2]! };
    const radius = Math.min(STEP_RADIUS.most, STEP_RADIUS.least + STEP_RADIUS.perNoise * known[tile]!);
    const x = tile % columns;
    if (x > 0) visit(tile - 1, from, radius);
    if (x < columns - 1) visit(tile + 1, from, radius);
    if (tile >= columns) visit(tile - columns, from, radius);
    if (tile < known.length - columns) visit(tile + columns, from, radius);
  }
  return known;
}

function measureTile(
  sheet: Sheet,
  tileX: number,
  tileY: number,
  from: Rgb,
  radius: number,
): (Rgb & { noise: number }) | null {
  const { data, stride, width, height } = sheet;
  const right = Math.min(width, (tileX + 1) * TILE_PX);
  const bottom = Math.min(height, (tileY + 1) * TILE_PX);
  let { r, g, b } = from;
  let noise = 0;
  let near = radius ** 2;
  // Twice: the second look is centred on what the first one found, and narrower.
  for (let round = 0; round < 2; round++) {
    let sumR = 0;
    let sumG = 0;
    let sumB = 0;
    let sumOff = 0;
    let most = 0;
    let inside = 0;
    let all = 0;
    for (let y = tileY * TILE_PX + 1; y < bottom; y += SAMPLE_STEP_PX) {
      const up = y >= 2 ? -2 * width : 0;
      const down = y + 2 < height ? 2 * width : 0;
      for (let x = tileX * TILE_PX + 1; x < right; x += SAMPLE_STEP_PX) {
        all++;
        const at = y * width + x;
        const colour = colourAt(data, stride, at);
        const off = distance(colour, r, g, b);
        if (off > near) continue;
        // Pixels beside a figure are mixtures; what is left of a tile after them may be little, but is true.
        const stored = storedAt(data, stride, at);
        const left = x >= 2 ? at - 2 : at;
        const right = x + 2 < width ? at + 2 : at;
        if (storedAt(data, stride, at + up) !== stored && !isNear(data, stride, at + up, r, g, b, near)) continue;
        if (storedAt(data, stride, at + down) !== stored && !isNear(data, stride, at + down, r, g, b, near)) continue;
        if (storedAt(data, stride, left) !== stored && !isNear(data, stride, left, r, g, b, near)) continue;
        if (storedAt(data, stride, right) !== stored && !isNear(data, stride, right, r, g, b, near)) continue;
        inside++;
        sumR += (colour & 255) - r;
        sumG += ((colour >> 8) & 255) - g;
        sumB += ((colour >> 16) & 255) - b;
        sumOff += off;
        most = Math.max(most, off);
      }
    }
    if (inside < all * MIN_TILE_SHARE) return null;
    const mr = sumR / inside;
    const mg = sumG / inside;
    const mb = sumB / inside;
    const moved = mr * mr + mg * mg + mb * mb;
    r += mr;
    g += mg;
    b += mb;
    noise = Math.sqrt(Math.max(0, sumOff / inside - moved));
    near = Math.min(near, Math.max(12, 3 * noise) ** 2);
    // The narrower look would see the same pixels.
    if (Math.sqrt(most) + Math.sqrt(moved) <= Math.sqrt(near)) break;
  }
  return { r, g, b, noise };
}

function isNear(data: Uint8Array, stride: 3 | 4, at: number, r: number, g: number, b: number, near: number): boolean {
  return distance(colourAt(data, stride, at), r, g, b) <= near;
}

function distance(colour: number, r: number, g: number, b: number): number {
  const dr = (colour & 255) - r;
  const dg = ((colour >> 8) & 255) - g;
  const db = ((colour >> 16) & 255) - b;
  return dr * dr + dg * dg + db * db;
}

/** Spreads the known tiles over the unknown ones, layer by layer, then smooths those. Returns the median noise. */
export function fillTiles(known: Float32Array, columns: number, rows: number, tiles: Float32Array): number {
  const noises = known.filter((noise) => noise >= 0).sort();
  const open: number[] = [];
  for (let tile = 0; tile < known.length; tile++) if (known[tile]! < 0) open.push(tile);
  const filled = Uint8Array.from(known, (noise) => (noise >= 0 ? 1 : 0));
  for (let round = 0; round < columns + rows; round++) {
    const fresh: number[] = [];
    let missing = false;
    for (const tile of open) {
      const isFilled = filled[tile] === 1;
      if (isFilled && round >= SMOOTHING_ROUNDS) continue;
      const x = tile % columns;
      const left = x > 0 ? filled[tile - 1]! : 0;
      const right = x < columns - 1 ? filled[tile + 1]! : 0;
      const up = tile >= columns ? filled[tile - columns]! : 0;
      const down = tile + columns < filled.length ? filled[tile + columns]! : 0;
      const count = left + right + up + down;
      if (count === 0) {
        missing = true;
        continue;
      }
      const at = tile * 3;
      for (let c = at; c < at + 3; c++) {
        let sum = 0;
        if (left) sum += tiles[c - 3]!;
        if (right) sum += tiles[c + 3]!;
        if (up) sum += tiles[c - columns * 3]!;
        if (down) sum += tiles[c + columns * 3]!;
        tiles[c] = sum / count;
      }
      if (!isFilled) fresh.push(tile);
    }
    for (const tile of fresh) filled[tile] = 1;
    if (!missing && round >= SMOOTHING_ROUNDS) break;
  }
  return noises[noises.length >> 1] ?? 0;
}
