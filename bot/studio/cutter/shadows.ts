/**
 * Shadows that the model cast on the background: the key's own hue, darker, fading smoothly. They are
 * background too, with a darker key; a figure's edge is never that smooth.
 */
import type { KeyField } from "./key-field.ts";
import { type KeyMap, keyIndex } from "./key-map.ts";
import { FIGURE, GROUND, IndexList } from "./mask.ts";
import { findRegions } from "./regions.ts";
import { colourAt, type Sheet } from "./sheet.ts";

/** From pixel to pixel a soft shadow changes by less than this (RGB, Euclidean); noise comes on top. */
const MAX_STEP = 8;
const MAX_STEP_LOSSY = 14;
/** How far a shadow's colour may lie off the line from black to the key. */
const MAX_ASIDE = 6;
const MAX_ASIDE_LOSSY = 15;
/** Darker than this share of the key it is no shadow but something black. */
const DARKEST = 0.3;
/** Beside shadows the key's field is too dark: there the key itself looks brighter than it. */
const BRIGHTEST = 1.5;
/** In a `Shade`, the key as the field has it. */
export const FULL_LIGHT = 160;
const MIN_HOLE_PX = 30;
/** Shadows are broad: with less than this share of the sheet so many steps from the light they are smears of compression. */
const FAR_STEPS = 7;
const MIN_SHARE = 0.001;

/** Light on the background, FULL_LIGHT where there is no shadow, for each pixel; null where no shadow was found. */
export type Shade = Uint8Array | null;

/** Grows the background in `mask`, from the figures' `edge` on, into shadows. */
export function clearShadows(sheet: Sheet, field: KeyField, keys: KeyMap, mask: Uint8Array, edge: Int32Array): Shade {
  const { width, height, data, stride, lossy } = sheet;
  const { colours } = keys;
  const maxStep = ((lossy ? MAX_STEP_LOSSY : MAX_STEP) + 2 * field.noise) ** 2;
  const maxAside = ((lossy ? MAX_ASIDE_LOSSY : MAX_ASIDE) + 2 * field.noise) ** 2;
  const found = new IndexList();
  /** The share of the key's light at a pixel, or 0 where it is no shadow. */
  const shadeAt = (at: number): number => {
    const y = (at / width) | 0;
    const k = keyIndex(keys, at - y * width, y);
    const kr = colours[k]!;
    const kg = colours[k + 1]!;
    const kb = colours[k + 2]!;
    const colour = colourAt(data, stride, at);
    const r = colour & 255;
    const g = (colour >> 8) & 255;
    const b = (colour >> 16) & 255;
    const share = (r * kr + g * kg + b * kb) / (kr * kr + kg * kg + kb * kb || 1);
    if (share < DARKEST || share > BRIGHTEST) return 0;
    const dr = r - share * kr;
    const dg = g - share * kg;
    const db = b - share * kb;
    return dr * dr + dg * dg + db * db <= maxAside ? share : 0;
  };
  const visit = (from: number, to: number) => {
    if (mask[to] !== FIGURE) return;
    const a = colourAt(data, stride, from);
    const b = colourAt(data, stride, to);
    const dr = (a & 255) - (b & 255);
    const dg = ((a >> 8) & 255) - ((b >> 8) & 255);
    const db = ((a >> 16) & 255) - ((b >> 16) & 255);
    if (dr * dr + dg * dg + db * db > maxStep || shadeAt(to) === 0) return;
    mask[to] = GROUND;
    found.add(to);
  };
  for (let n = 0; n < edge.length; n++) {
    const at = edge[n]!;
    const x = at % width;
    if (x > 0 && mask[at - 1] === GROUND) visit(at - 1, at);
    if (x + 1 < width && mask[at + 1] === GROUND) visit(at + 1, at);
    if (at >= width && mask[at - width] === GROUND) visit(at - width, at);
    if (at + width < mask.length && mask[at + width] === GROUND) visit(at + width, at);
  }
  let far = 0;
  for (let step = 1, n = 0; n < found.length; step++) {
    if (step === FAR_STEPS) far = n;
    for (const end = found.length; n < end; n++) {
      const at = found.at(n);
      const x = at % width;
      if (x > 0) visit(at, at - 1);
      if (x + 1 < width) visit(at, at + 1);
      if (at >= width) visit(at, at - width);
      if (at + width < mask.length) visit(at, at + width);
    }
  }
  if (far === 0 || found.length - far < width * height * MIN_SHARE) {
    for (let n = 0; n < found.length; n++) mask[found.at(n)] = FIGURE;
    return null;
  }
  openHoles(mask, width, height, shadeAt, found);
  const shade = new Uint8Array(width * height).fill(FULL_LIGHT);
  for (let n = 0; n < found.length; n++)
    shade[found.at(n)] = Math.min(255, Math.round(shadeAt(found.at(n)) * FULL_LIGHT));
  return shade;
}

/**
 * Where there are shadows, holes between arm and body may lie in them altogether: enclosed areas of the
 * key's hue, as dark as the shadows outside, are background too.
 */
function openHoles(
  mask: Uint8Array,
  width: number,
  height: number,
  shadeAt: (at: number) => number,
  found: IndexList,
): void {
  let darkest = 1;
  for (let n = 0; n < found.length; n++) darkest = Math.min(darkest, shadeAt(found.at(n)));
  const least = darkest - 0.02;
  const tinted = new Uint8Array(width * height);
  for (let at = 0; at < mask.length; at++) {
    if (mask[at] === FIGURE && shadeAt(at) >= least) tinted[at] = 1;
  }
  const regions = findRegions(tinted, width, height, 1, 1, false);
  for (let run = 0; run < regions.count; run++) {
    if (regions.list[regions.region[run]!]!.area < MIN_HOLE_PX) continue;
    const base = regions.y[run]! * width;
    for (let at = base + regions.from[run]!; at < base + regions.to[run]!; at++) {
      mask[at] = GROUND;
      found.add(at);
    }
  }
}
