/**
 * Shadows that the model cast on the background: the key's own hue, darker, fading smoothly. They are
 * background too, with a darker key; a figure's edge is never that smooth.
 */

import { type KeyField, keyAt } from "./key-field.ts";
import { eachBoundaryPixel, FIGURE, GROUND } from "./mask.ts";
import { findRegions } from "./regions.ts";
import type { Sheet } from "./sheet.ts";

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
/** Fewer shadow pixels than this share of the sheet are smears of compression. */
const MIN_SHARE = 0.0005;

/** Light on the background, FULL_LIGHT where there is no shadow, for each pixel; null where no shadow was found. */
export type Shade = Uint8Array | null;

/** Grows the background in `mask` into shadows. */
export function clearShadows(sheet: Sheet, field: KeyField, mask: Uint8Array): Shade {
  const { width, height, rgba, lossy } = sheet;
  const maxStep = ((lossy ? MAX_STEP_LOSSY : MAX_STEP) + 2 * field.noise) ** 2;
  const maxAside = ((lossy ? MAX_ASIDE_LOSSY : MAX_ASIDE) + 2 * field.noise) ** 2;
  const key = new Float32Array(3);
  const found: number[] = [];
  const shades: number[] = [];
  /** The share of the key's light at a pixel, or 0 where it is no shadow. */
  const shadeAt = (at: number): number => {
    keyAt(field, at % width, (at / width) | 0, key, 0);
    const p = at * 4;
    const dot = rgba[p]! * key[0]! + rgba[p + 1]! * key[1]! + rgba[p + 2]! * key[2]!;
    const share = dot / (key[0]! ** 2 + key[1]! ** 2 + key[2]! ** 2 || 1);
    if (share < DARKEST || share > BRIGHTEST) return 0;
    const r = rgba[p]! - share * key[0]!;
    const g = rgba[p + 1]! - share * key[1]!;
    const b = rgba[p + 2]! - share * key[2]!;
    return r * r + g * g + b * b <= maxAside ? share : 0;
  };
  const visit = (from: number, to: number) => {
    if (mask[to] !== FIGURE) return;
    const a = from * 4;
    const b = to * 4;
    const step = (rgba[a]! - rgba[b]!) ** 2 + (rgba[a + 1]! - rgba[b + 1]!) ** 2 + (rgba[a + 2]! - rgba[b + 2]!) ** 2;
    if (step > maxStep) return;
    const shade = shadeAt(to);
    if (shade === 0) return;
    mask[to] = GROUND;
    found.push(to);
    shades.push(shade);
  };
  const visitAround = (at: number) => {
    const x = at % width;
    if (x > 0) visit(at, at - 1);
    if (x + 1 < width) visit(at, at + 1);
    if (at >= width) visit(at, at - width);
    if (at + width < width * height) visit(at, at + width);
  };
  const edge: number[] = [];
  eachBoundaryPixel(mask, width, height, (at) => edge.push(at));
  for (const at of edge) {
    const x = at % width;
    if (x > 0 && mask[at - 1] === GROUND) visit(at - 1, at);
    if (x + 1 < width && mask[at + 1] === GROUND) visit(at + 1, at);
    if (at >= width && mask[at - width] === GROUND) visit(at - width, at);
    if (at + width < mask.length && mask[at + width] === GROUND) visit(at + width, at);
  }
  for (let n = 0; n < found.length; n++) visitAround(found[n]!);
  if (found.length < width * height * MIN_SHARE) {
    for (const at of found) mask[at] = FIGURE;
    return null;
  }
  openHoles(mask, width, height, shades, shadeAt, found);
  const shade = new Uint8Array(width * height).fill(FULL_LIGHT);
  for (let n = 0; n < found.length; n++) shade[found[n]!] = Math.min(255, Math.round(shades[n]! * FULL_LIGHT));
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
  shades: number[],
  shadeAt: (at: number) => number,
  found: number[],
): void {
  const darkest = shades.reduce((a, b) => Math.min(a, b), 1) - 0.02;
  const tinted = new Uint8Array(width * height);
  for (let at = 0; at < mask.length; at++) {
    if (mask[at] === FIGURE && shadeAt(at) >= darkest) tinted[at] = 1;
  }
  const regions = findRegions(tinted, width, height, 1, 1, false);
  for (let run = 0; run < regions.count; run++) {
    if (regions.list[regions.region[run]!]!.area < MIN_HOLE_PX) continue;
    const base = regions.y[run]! * width;
    for (let at = base + regions.from[run]!; at < base + regions.to[run]!; at++) {
      mask[at] = GROUND;
      found.push(at);
      shades.push(shadeAt(at));
    }
  }
}
