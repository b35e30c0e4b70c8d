/**
 * The key as a field: one colour for each tile that shows background, grown inwards from the sheet's edge
 * so that it follows slopes, and carried on smoothly under the stickers.
 */
import type { Rgb } from "../providers/provider.ts";
import type { Sheet } from "./sheet.ts";

export const TILE_PX = 32;
/** Every so many pixels of a tile are looked at, across and down. */
const SAMPLE_STEP_PX = 4;
/** Colours within this distance (RGB, Euclidean) of the key's middle are the key, seen over the whole edge. */
export const KEY_RADIUS = 70;
/** From tile to neighbouring tile the key moves less than this. */
const STEP_RADIUS = 30;
/** A tile with less background than this is left to its neighbours. */
const MIN_TILE_SHARE = 0.1;

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
    const x = tile % columns;
    if (x > 0) visit(tile - 1, from, STEP_RADIUS);
    if (x < columns - 1) visit(tile + 1, from, STEP_RADIUS);
    if (tile >= columns) visit(tile - columns, from, STEP_RADIUS);
    if (tile < known.length - columns) visit(tile + columns, from, STEP_RADIUS);
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
  const { rgba, width, height } = sheet;
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
    let inside = 0;
    let all = 0;
    for (let y = tileY * TILE_PX + 1; y < bottom; y += SAMPLE_STEP_PX) {
      const up = y >= 2 ? -8 * width : 0;
      const down = y + 2 < height ? 8 * width : 0;
      for (let x = tileX * TILE_PX + 1; x < right; x += SAMPLE_STEP_PX) {
        all++;
        const at = (y * width + x) * 4;
        const off = distanceAt(rgba, at, r, g, b);
        if (off > near) continue;
        // Pixels beside a figure are mixtures; what is left of a tile after them may be little, but is true.
        if (distanceAt(rgba, at + up, r, g, b) > near || distanceAt(rgba, at + down, r, g, b) > near) continue;
        if (
          distanceAt(rgba, x >= 2 ? at - 8 : at, r, g, b) > near ||
          distanceAt(rgba, x + 2 < width ? at + 8 : at, r, g, b) > near
        )
          continue;
        inside++;
        sumR += rgba[at]! - r;
        sumG += rgba[at + 1]! - g;
        sumB += rgba[at + 2]! - b;
        sumOff += off;
      }
    }
    if (inside < all * MIN_TILE_SHARE) return null;
    const mr = sumR / inside;
    const mg = sumG / inside;
    const mb = sumB / inside;
    r += mr;
    g += mg;
    b += mb;
    noise = Math.sqrt(Math.max(0, sumOff / inside - mr * mr - mg * mg - mb * mb));
    near = Math.min(near, Math.max(12, 3 * noise) ** 2);
  }
  return { r, g, b, noise };
}

function distanceAt(rgba: Uint8Array, at: number, r: number, g: number, b: number): number {
  const dr = rgba[at]! - r;
  const dg = rgba[at + 1]! - g;
  const db = rgba[at + 2]! - b;
  return dr * dr + dg * dg + db * db;
}

/** Spreads the known tiles over the unknown ones, layer by layer, then smooths those. Returns the median noise. */
export function fillTiles(known: Float32Array, columns: number, rows: number, tiles: Float32Array): number {
  const noises = known.filter((noise) => noise >= 0).sort();
  const state = Uint8Array.from(known, (noise) => (noise >= 0 ? 2 : 0));
  const SMOOTHING_ROUNDS = 24;
  for (let round = 0; round < columns + rows; round++) {
    const fresh: number[] = [];
    let missing = false;
    for (let tile = 0; tile < state.length; tile++) {
      if (state[tile] === 2) continue;
      if (state[tile] === 1 && round >= SMOOTHING_ROUNDS) continue;
      const x = tile % columns;
      let r = 0;
      let g = 0;
      let b = 0;
      let n = 0;
      for (const other of [x > 0 ? tile - 1 : -1, x < columns - 1 ? tile + 1 : -1, tile - columns, tile + columns]) {
        if (other < 0 || other >= state.length || state[other] === 0) continue;
        r += tiles[other * 3]!;
        g += tiles[other * 3 + 1]!;
        b += tiles[other * 3 + 2]!;
        n++;
      }
      if (n === 0) {
        missing = true;
        continue;
      }
      tiles.set([r / n, g / n, b / n], tile * 3);
      if (state[tile] === 0) fresh.push(tile);
    }
    for (const tile of fresh) state[tile] = 1;
    if (!missing && round >= SMOOTHING_ROUNDS) break;
  }
  return noises[noises.length >> 1] ?? 0;
}

/** Calls `use` with the key's colours of a row: r, g, b for each pixel, interpolated between tile centres. */
export function keyRow(field: KeyField, width: number, y: number, into: Float32Array): void {
  const { columns, rows, tiles } = field;
  const ty = Math.min(rows - 1, Math.max(0, (y + 0.5) / TILE_PX - 0.5));
  const y0 = Math.floor(ty);
  const y1 = Math.min(rows - 1, y0 + 1);
  const fy = ty - y0;
  const blend = (tx: number, channel: number) =>
    tiles[(y0 * columns + tx) * 3 + channel]! * (1 - fy) + tiles[(y1 * columns + tx) * 3 + channel]! * fy;
  const half = TILE_PX / 2;
  for (let segment = -1; segment < columns; segment++) {
    const left = Math.max(0, segment);
    const right = Math.min(columns - 1, segment + 1);
    const start = segment * TILE_PX + half;
    const r0 = blend(left, 0);
    const g0 = blend(left, 1);
    const b0 = blend(left, 2);
    const sr = (blend(right, 0) - r0) / TILE_PX;
    const sg = (blend(right, 1) - g0) / TILE_PX;
    const sb = (blend(right, 2) - b0) / TILE_PX;
    const end = Math.min(width, start + TILE_PX);
    for (let x = Math.max(0, start); x < end; x++) {
      const t = x + 0.5 - start;
      into[x * 3] = r0 + sr * t;
      into[x * 3 + 1] = g0 + sg * t;
      into[x * 3 + 2] = b0 + sb * t;
    }
  }
}

/** The key's colour at one pixel, into `into[at..at+2]`. */
export function keyAt(field: KeyField, x: number, y: number, into: Float32Array, at: number): void {
  const { columns, rows, tiles } = field;
  const tx = Math.min(columns - 1, Math.max(0, (x + 0.5) / TILE_PX - 0.5));
  const ty = Math.min(rows - 1, Math.max(0, (y + 0.5) / TILE_PX - 0.5));
  const x0 = tx | 0;
  const y0 = ty | 0;
  const fx = tx - x0;
  const fy = ty - y0;
  const a = (y0 * columns + x0) * 3;
  const b = x0 + 1 < columns ? a + 3 : a;
  const down = y0 + 1 < rows ? columns * 3 : 0;
  const w00 = (1 - fx) * (1 - fy);
  const w10 = fx * (1 - fy);
  const w01 = (1 - fx) * fy;
  const w11 = fx * fy;
  const c = a + down;
  const d = b + down;
  into[at] = tiles[a]! * w00 + tiles[b]! * w10 + tiles[c]! * w01 + tiles[d]! * w11;
  into[at + 1] = tiles[a + 1]! * w00 + tiles[b + 1]! * w10 + tiles[c + 1]! * w01 + tiles[d + 1]! * w11;
  into[at + 2] = tiles[a + 2]! * w00 + tiles[b + 2]! * w10 + tiles[c + 2]! * w01 + tiles[d + 2]! * w11;
}
