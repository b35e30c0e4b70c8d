/**
 * Unmixing. In the uncertain band a pixel is C = αF + (1−α)K: K is the key there, F the colour of a
 * sure figure pixel nearby (see `sources.ts`). The rest is certain: background is clear, figure stays.
 */
import { findBand } from "./band.ts";
import type { Ground } from "./ground.ts";
import type { KeyField } from "./key-field.ts";
import { GROUND } from "./mask.ts";
import { type Samples, samplesOf } from "./samples.ts";
import { FULL_LIGHT } from "./shadows.ts";
import type { Sheet } from "./sheet.ts";
import { solveSoft } from "./soft.ts";
import { findSources, mixtureTest } from "./sources.ts";

/** Ringing strays this far from the key at the very most, levels, times the sheet's grain. */
const RINGING_REACH = 24;

/** Turns the sheet's pixels, in place, into unmixed straight RGBA; background becomes clear black. Returns alpha alone. */
export function unmix(sheet: Sheet, field: KeyField, ground: Ground): Uint8Array {
  const { width, height, rgba } = sheet;
  const { mask } = ground;
  const samples = samplesOf(sheet, field);
  const tolerance = sheet.lossy ? 14 * sheet.grain : 4 + 1.5 * field.noise;
  const isMixed = mixtureTest(
    samples,
    width,
    height,
    ground,
    tolerance,
    sheet.lossy ? 3 * sheet.grain : field.noise / 1.7,
  );
  const band = findBand(mask, width, height, samples.soft, isMixed, ground.off, sheet.lossy ? 0 : field.noise);
  const keys = new Float32Array(band.count * 3);
  for (let n = 0; n < band.count; n++) samples.key(band.pixel[n]! % width, (band.pixel[n]! / width) | 0, keys, n * 3);
  if (ground.shade) darkenKeys(keys, ground.shade, mask, band.pixel, band.slot, samples.soft, width);
  const ringing = sheet.grain > 1.2 ? RINGING_REACH * sheet.grain : 0;
  const source = findSources(
    samples,
    width,
    height,
    band,
    mask,
    keys,
    isMixed,
    tolerance,
    (pixel) => ground.off[pixel]! < ringing,
  );

  const solved = samples.soft
    ? solveSoft(samples.data, width, height, band, mask, source, keys, sheet.grain)
    : solve(samples, band.pixel, source, keys, sheet.lossy ? 6 * sheet.grain : Math.max(1, 1.6 * field.noise));
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height);
  for (let at = 0; at < pixels.length; at++) if (mask[at] === GROUND) pixels[at] = 0;
  const colours = new Uint32Array(solved.buffer);
  // GROUND is 0 and FIGURE is 255: outside the band the mask is the alpha already.
  const alpha = mask.slice();
  for (let n = 0; n < band.count; n++) {
    pixels[band.pixel[n]!] = colours[n]!;
    alpha[band.pixel[n]!] = solved[n * 4 + 3]!;
  }
  return alpha;
}

/** In a shadow the key is darker: each member takes the shade of the background that it was reached from. */
function darkenKeys(
  keys: Float32Array,
  shade: Uint8Array,
  mask: Uint8Array,
  pixel: Int32Array,
  slot: Int32Array,
  soft: boolean,
  width: number,
): void {
  const light = new Float32Array(pixel.length);
  const around = [-1, 1, -width, width, -width - 1, -width + 1, width - 1, width + 1];
  for (let n = 0; n < pixel.length; n++) {
    let sum = 0;
    let count = 0;
    for (const step of around) {
      const next = pixel[n]! + step;
      const m = (slot[next] ?? 0) - 1;
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

/** Straight RGBA of each band member where colour is as sharp as light. */
function solve(
  samples: Samples,
  pixel: Int32Array,
  source: Int32Array,
  keys: Float32Array,
  noise: number,
): Uint8ClampedArray<ArrayBuffer> {
  const { data } = samples;
  const out = new Uint8ClampedArray(pixel.length * 4);
  for (let n = 0; n < pixel.length; n++) {
    // No figure colour explains it: it is a smear of the key.
    if (source[n]! < 0) continue;
    const c = pixel[n]! * 4;
    const f = source[n]! * 4;
    const k = n * 3;
    if (c === f) {
      out.set([data[c]!, data[c + 1]!, data[c + 2]!, 255], n * 4);
      continue;
    }
    const kr = keys[k]!;
    const kg = keys[k + 1]!;
    const kb = keys[k + 2]!;
    const fr = data[f]!;
    const fg = data[f + 1]!;
    const fb = data[f + 2]!;
    const ur = fr - kr;
    const ug = fg - kg;
    const ub = fb - kb;
    const vr = data[c]! - kr;
    const vg = data[c + 1]! - kg;
    const vb = data[c + 2]! - kb;
    const uu = ur * ur + ug * ug + ub * ub || 1;
    const slack = noise / Math.sqrt(uu);
    let alpha = (ur * vr + ug * vg + ub * vb) / uu;
    if (alpha < slack) continue;
    if (alpha > 1 - slack) alpha = 1;
    // What the mixture leaves unexplained belongs to the figure as far as the figure is in it.
    const gain = alpha / (alpha * alpha + (1 - alpha) * (1 - alpha));
    out[n * 4] = fr + gain * (vr - alpha * ur);
    out[n * 4 + 1] = fg + gain * (vg - alpha * ug);
    out[n * 4 + 2] = fb + gain * (vb - alpha * ub);
    out[n * 4 + 3] = Math.max(1, alpha * 255);
  }
  return out;
}
