/** The background's colour: the one that most of the sheet's edge shares, unless that is a painted checkerboard. */
import type { Rgb } from "../providers/provider.ts";
import { fillTiles, growTiles, KEY_RADIUS, type KeyField, TILE_PX } from "./key-field.ts";
import { colourAt, type Sheet } from "./sheet.ts";
import { SheetUnusable } from "./unusable.ts";

/** How much of the sheet's shorter side counts as its edge. */
const RING_SHARE = 0.025;
const RING_PIXELS = 16_000;
/** Below this share of the edge in one colour there is no key. */
const MIN_RING_SHARE = 0.45;
/** A key this grey can be mistaken for clothes, hair and paper: enclosed areas of it are left alone. */
const VIVID_SPREAD = 60;

/** @throws SheetUnusable `no_key`, `checkerboard` */
export function findKey(sheet: Sheet): KeyField {
  const ring = ringColours(sheet);
  const { key, share } = commonColour(ring);
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

/** Colours of the sheet's edge in reading order, thinned to some sixteen thousand pixels. */
function ringColours({ data, stride, width, height }: Sheet): Int32Array {
  const depth = Math.max(3, Math.round(Math.min(width, height) * RING_SHARE));
  const step = Math.max(1, Math.round((2 * depth * (width + height)) / RING_PIXELS));
  // Whole rows at the top and at the bottom, two short pieces of each row between them.
  const top = depth * width;
  const middle = (height - 2 * depth) * 2 * depth;
  const found = new Int32Array(Math.ceil((2 * top + middle) / step));
  for (let n = 0, i = 0; n < found.length; n++, i += step) {
    let at = i;
    if (i >= top + middle) at = i - top - middle + (height - depth) * width;
    else if (i >= top) {
      const row = Math.floor((i - top) / (2 * depth));
      const along = (i - top) % (2 * depth);
      at = (depth + row) * width + (along < depth ? along : width - 2 * depth + along);
    }
    found[n] = colourAt(data, stride, at);
  }
  return found;
}

/** The colour most pixels share: the fullest of coarse bins, then the mean of what lies around it. */
function commonColour(colours: Int32Array): { key: Rgb; share: number } {
  const bins = new Int32Array(4096);
  for (let n = 0; n < colours.length; n++) {
    const c = colours[n]!;
    bins[((c & 0xf0) << 4) | ((c >> 8) & 0xf0) | ((c >> 20) & 0xf)]!++;
  }
  let top = 0;
  for (let bin = 1; bin < bins.length; bin++) if (bins[bin]! > bins[top]!) top = bin;
  let key = { r: (top >> 8) * 16 + 8, g: ((top >> 4) & 15) * 16 + 8, b: (top & 15) * 16 + 8 };
  let inside = 0;
  for (let round = 0; round < 4; round++) {
    let r = 0;
    let g = 0;
    let b = 0;
    inside = 0;
    for (let n = 0; n < colours.length; n++) {
      const pr = colours[n]! & 255;
      const pg = (colours[n]! >> 8) & 255;
      const pb = (colours[n]! >> 16) & 255;
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
  return { key: rounded, share: inside / colours.length };
}

/** Two greys, each a good part of the edge, that change places in squares. */
function isCheckerboard({ data, stride, width, height }: Sheet, ring: Int32Array): boolean {
  const MIN_SHARE = 0.22;
  const light = new Int32Array(64);
  let grey = 0;
  for (let n = 0; n < ring.length; n++) {
    const r = ring[n]! & 255;
    const g = (ring[n]! >> 8) & 255;
    const b = (ring[n]! >> 16) & 255;
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
      const colour = colourAt(data, stride, y * width + x);
      const side = ((colour & 255) + ((colour >> 8) & 255) + ((colour >> 16) & 255)) / 3 > middle ? 1 : 0;
      if (last >= 0 && side !== last) changes++;
      last = side;
    }
    rowsSeen++;
  }
  const meanRun = (width * rowsSeen) / Math.max(1, changes);
  return meanRun >= 3 && meanRun <= width / 4;
}
