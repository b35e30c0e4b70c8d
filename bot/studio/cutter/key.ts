/** The background's colour: the one that most of the sheet's edge shares, unless that is a painted checkerboard. */
import type { Rgb } from "../providers/provider.ts";
import { fillTiles, growTiles, KEY_RADIUS, type KeyField, TILE_PX } from "./key-field.ts";
import type { Sheet } from "./sheet.ts";
import { SheetUnusable } from "./unusable.ts";

/** How much of the sheet's shorter side counts as its edge. */
const RING_SHARE = 0.025;
/** Below this share of the edge in one colour there is no key. */
const MIN_RING_SHARE = 0.45;
/** A key this grey can be mistaken for clothes, hair and paper: enclosed areas of it are left alone. */
const VIVID_SPREAD = 60;

/** @throws SheetUnusable `no_key`, `checkerboard` */
export function findKey(sheet: Sheet): KeyField {
  const ring = ringPixels(sheet);
  const { key, share } = commonColour(sheet.rgba, ring);
  // First the checkerboard: its two greys lie so close that they may pass for one noisy key.
  if (isCheckerboard(sheet, ring)) {
    throw new SheetUnusable(
      "checkerboard",
      "The background is a painted checkerboard instead of transparency or a flat colour.",
    );
  }
  if (share < MIN_RING_SHARE)
    throw new SheetUnusable("no_key", "The sheet has no flat background colour to cut along.");
  const columns = Math.ceil(sheet.width / TILE_PX);
  const rows = Math.ceil(sheet.height / TILE_PX);
  const tiles = new Float32Array(columns * rows * 3);
  const known = growTiles(sheet, key, columns, rows, tiles);
  const noise = fillTiles(known, columns, rows, tiles);
  const spread = Math.max(key.r, key.g, key.b) - Math.min(key.r, key.g, key.b);
  return { key, columns, rows, tiles, noise, vivid: spread >= VIVID_SPREAD };
}

/** Pixel indexes of the sheet's edge, thinned to some sixteen thousand. */
function ringPixels({ width, height }: Sheet): Int32Array {
  const depth = Math.max(3, Math.round(Math.min(width, height) * RING_SHARE));
  const step = Math.max(1, Math.round((2 * depth * (width + height)) / 16_000));
  const found: number[] = [];
  let turn = 0;
  for (let y = 0; y < height; y++) {
    const whole = y < depth || y >= height - depth;
    for (let x = 0; x < width; x++) {
      if (!whole && x === depth) x = width - depth;
      if (turn++ % step === 0) found.push(y * width + x);
    }
  }
  return Int32Array.from(found);
}

/** The colour most pixels share: the fullest of coarse bins, then the mean of what lies around it. */
function commonColour(rgba: Uint8Array, pixels: Int32Array): { key: Rgb; share: number } {
  const bins = new Int32Array(4096);
  for (const at of pixels)
    bins[((rgba[at * 4]! >> 4) << 8) | ((rgba[at * 4 + 1]! >> 4) << 4) | (rgba[at * 4 + 2]! >> 4)]!++;
  let top = 0;
  for (let bin = 1; bin < bins.length; bin++) if (bins[bin]! > bins[top]!) top = bin;
  let key = { r: (top >> 8) * 16 + 8, g: ((top >> 4) & 15) * 16 + 8, b: (top & 15) * 16 + 8 };
  let inside = 0;
  for (let round = 0; round < 4; round++) {
    let r = 0;
    let g = 0;
    let b = 0;
    inside = 0;
    for (const at of pixels) {
      const pr = rgba[at * 4]!;
      const pg = rgba[at * 4 + 1]!;
      const pb = rgba[at * 4 + 2]!;
      if ((pr - key.r) ** 2 + (pg - key.g) ** 2 + (pb - key.b) ** 2 > KEY_RADIUS ** 2) continue;
      r += pr;
      g += pg;
      b += pb;
      inside++;
    }
    if (inside === 0) break;
    key = { r: r / inside, g: g / inside, b: b / inside };
  }
  const rounded = { r: Math.round(key.r), g: Math.round(key.g), b: Math.round(key.b) };
  return { key: rounded, share: inside / pixels.length };
}

/** Two greys, each a good part of the edge, that change places in squares. */
function isCheckerboard({ rgba, width, height }: Sheet, ring: Int32Array): boolean {
  const MIN_SHARE = 0.22;
  const light = new Int32Array(64);
  let grey = 0;
  for (const at of ring) {
    const r = rgba[at * 4]!;
    const g = rgba[at * 4 + 1]!;
    const b = rgba[at * 4 + 2]!;
    if (Math.max(r, g, b) - Math.min(r, g, b) > 24) continue;
    grey++;
    light[((r + g + b) / 12) | 0]!++;
  }
  if (grey < ring.length * 0.7) return false;
  // The two fullest levels that lie apart, each with its neighbours.
  const around = (level: number) => (light[level - 1] ?? 0) + light[level]! + (light[level + 1] ?? 0);
  let first = 0;
  for (let level = 1; level < 64; level++) if (around(level) > around(first)) first = level;
  let second = -1;
  for (let level = 0; level < 64; level++) {
    if (Math.abs(level - first) >= 2 && (second < 0 || around(level) > around(second))) second = level;
  }
  if (around(first) < ring.length * MIN_SHARE || around(second) < ring.length * MIN_SHARE) return false;
  const middle = (first + second) * 2 + 2;
  // Squares: along a row near the edge the two sides alternate in runs, neither noise nor two halves.
  let changes = 0;
  let rowsSeen = 0;
  for (const y of [2, 5, height - 6, height - 3]) {
    let last = -1;
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const side = (rgba[at]! + rgba[at + 1]! + rgba[at + 2]!) / 3 > middle ? 1 : 0;
      if (last >= 0 && side !== last) changes++;
      last = side;
    }
    rowsSeen++;
  }
  const meanRun = (width * rowsSeen) / Math.max(1, changes);
  return meanRun >= 3 && meanRun <= width / 4;
}
