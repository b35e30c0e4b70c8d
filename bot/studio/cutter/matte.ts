/**
 * Unmixing. In the uncertain band a pixel is C = αF + (1−α)K: K is the key there, F the colour of a
 * sure figure pixel nearby (see `sources.ts`). The rest is certain: background is clear, figure stays.
 */
import { type Band, findBand } from "./band.ts";
import type { Ground } from "./ground.ts";
import type { KeyField } from "./key-field.ts";
import { type KeyMap, keyIndex } from "./key-map.ts";
import { FIGURE, GROUND } from "./mask.ts";
import { mixtureTest } from "./mixture.ts";
import { samplesOf } from "./samples.ts";
import { seamTest } from "./seams.ts";
import { FULL_LIGHT } from "./shadows.ts";
import type { Sheet } from "./sheet.ts";
import { solveSoft } from "./soft.ts";
import { findSources } from "./sources.ts";
import { byte } from "./ycc.ts";

/** Ringing strays this far from the key at the very most, levels, times the sheet's grain. */
const RINGING_REACH = 24;
/** Right beside the background half-size colour makes smears this far from the key; a figure's own colour begins further in. */
const SMEAR_REACH = 60;

/**
 * Turns the figures' pixels, in place, into their own unmixed colours, and `ground.mask` into the sheet's alpha,
 * which is returned. The background's pixels keep the colour that they had.
 */
export function unmix(sheet: Sheet, field: KeyField, ground: Ground): Uint8Array {
  const { width, height, lossy, grain } = sheet;
  const { mask, off, shade } = ground;
  const samples = samplesOf(sheet, ground.keys);
  const { soft } = samples;
  const tolerance = lossy ? 14 * grain : 4 + 1.5 * field.noise;
  const test = mixtureTest(samples, width, height, ground, tolerance, lossy ? 3 * grain : field.noise / 1.7);
  const isSeam = seamTest(samples, width, height, ground, lossy ? 12 * grain : 3 + 2 * field.noise);
  const band = findBand(mask, width, height, ground.edge, soft, test, isSeam, off, lossy ? 0 : field.noise);
  const keys = keysOf(band, samples.keys, width);
  if (shade) darkenKeys(keys, shade, mask, band, soft, width);
  const ringing = grain > 1.2 ? RINGING_REACH * grain : 0;
  const outermost = soft ? Math.max(ringing, SMEAR_REACH) : ringing;
  const isSmear = (n: number) => off[band.pixel[n]!]! < (band.depth[n] === 1 ? outermost : ringing);
  const source = findSources(samples, width, band, mask, keys, tolerance, test, isSmear);
  // GROUND is 0 and FIGURE is 255: outside the band the mask is the alpha already.
  for (let n = 0; n < band.count; n++) mask[band.pixel[n]!] = FIGURE;
  if (soft) solveSoft(samples.data, width, height, band, mask, source, keys, grain);
  else solveSharp(samples.data, band.pixel, source, keys, lossy ? 6 * grain : Math.max(1, 1.6 * field.noise), mask);
  return mask;
}

/** The key's colour at each member, three values. */
function keysOf({ count, pixel }: Band, map: KeyMap, width: number): Float32Array {
  const keys = new Float32Array(count * 3);
  for (let n = 0, into = 0; n < count; n++, into += 3) {
    const at = pixel[n]!;
    const y = (at / width) | 0;
    const k = keyIndex(map, at - y * width, y);
    keys[into] = map.colours[k]!;
    keys[into + 1] = map.colours[k + 1]!;
    keys[into + 2] = map.colours[k + 2]!;
  }
  return keys;
}

/** In a shadow the key is darker: each member takes the shade of the background that it was reached from. */
function darkenKeys(
  keys: Float32Array,
  shade: Uint8Array,
  mask: Uint8Array,
  { pixel, beside }: Band,
  soft: boolean,
  width: number,
): void {
  const light = new Float32Array(pixel.length);
  const steps = Int32Array.of(-1, 1, -width, width, -width - 1, -width + 1, width - 1, width + 1);
  for (let n = 0; n < pixel.length; n++) {
    let sum = 0;
    let count = 0;
    for (let side = 0; side < 8; side++) {
      const m = beside[n * 8 + side]!;
      const next = pixel[n]! + steps[side]!;
      // Members come in the order of their distance from the background, so that earlier ones are known.
      if (m >= n || (m < 0 && mask[next] !== GROUND)) continue;
      sum += m < 0 ? shade[next]! / FULL_LIGHT : light[m]!;
      count++;
    }
    light[n] = count > 0 ? sum / count : 1;
    keys[n * 3]! *= light[n]!;
    // Y, Cb, Cr darken towards grey, whose Cb and Cr are 128.
    keys[n * 3 + 1] = soft ? 128 + (keys[n * 3 + 1]! - 128) * light[n]! : keys[n * 3 + 1]! * light[n]!;
    keys[n * 3 + 2] = soft ? 128 + (keys[n * 3 + 2]! - 128) * light[n]! : keys[n * 3 + 2]! * light[n]!;
  }
}

/**
 * Where colour is as sharp as light: writes each band member that is not purely figure into the sheet,
 * straight RGBA into `data`, its alpha into `mask`. (Sources are pure figure, and so never written.)
 */
function solveSharp(
  data: Uint8Array,
  pixel: Int32Array,
  source: Int32Array,
  keys: Float32Array,
  noise: number,
  mask: Uint8Array,
): void {
  const pixels = new Int32Array(data.buffer, data.byteOffset, mask.length);
  for (let n = 0; n < pixel.length; n++) {
    const at = pixel[n]!;
    if (source[n] === at) continue;
    const c = at * 4;
    const f = source[n]! * 4;
    const k = n * 3;
    const fr = data[f]!;
    const fg = data[f + 1]!;
    const fb = data[f + 2]!;
    const ur = fr - keys[k]!;
    const ug = fg - keys[k + 1]!;
    const ub = fb - keys[k + 2]!;
    const vr = data[c]! - keys[k]!;
    const vg = data[c + 1]! - keys[k + 1]!;
    const vb = data[c + 2]! - keys[k + 2]!;
    const uu = ur * ur + ug * ug + ub * ub || 1;
    const slack = noise / Math.sqrt(uu);
    let alpha = (ur * vr + ug * vg + ub * vb) / uu;
    // Clear black, also where no figure colour explains it: that is a smear of the key.
    pixels[at] = mask[at] = 0;
    if (source[n]! < 0 || alpha < slack) continue;
    if (alpha > 1 - slack) alpha = 1;
    // What the mixture leaves unexplained belongs to the figure as far as the figure is in it.
    const gain = alpha / (alpha * alpha + (1 - alpha) * (1 - alpha));
    const r = byte(Math.round(fr + gain * (vr - alpha * ur)));
    const g = byte(Math.round(fg + gain * (vg - alpha * ug)));
    const b = byte(Math.round(fb + gain * (vb - alpha * ub)));
    mask[at] = Math.max(1, Math.round(alpha * 255));
    pixels[at] = r | (g << 8) | (b << 16);
  }
}
