/**
 * Unmixing. In the uncertain band a pixel is C = αF + (1−α)K: K is the key there, F the colour of a
 * sure figure pixel nearby. Each band pixel keeps a pointer to such a pixel, tries its neighbours'
 * pointers too and stays with the one that explains its colour best, so that the figure's own colours,
 * green ones included, decide what is figure and what is key.
 */
import { type Band, findBand } from "./band.ts";
import type { Ground } from "./ground.ts";
import { FIGURE, GROUND } from "./ground.ts";
import { type KeyField, keyAt } from "./key.ts";
import type { Sheet } from "./sheet.ts";

/** A pixel with less than this share of a colour further in is a mixture. */
const MIXED_BELOW = 0.96;
/** Where to look "further in": a ring of two and three pixels. */
const RING: readonly (readonly [number, number])[] = [
  [0, 2],
  [0, -2],
  [2, 0],
  [-2, 0],
  [2, 2],
  [2, -2],
  [-2, 2],
  [-2, -2],
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
  [0, 3],
  [0, -3],
  [3, 0],
  [-3, 0],
  [3, 2],
  [3, -2],
  [-3, 2],
  [-3, -2],
  [2, 3],
  [2, -3],
  [-2, 3],
  [-2, -3],
];
const SWEEPS = 2;
/** What a pixel of distance costs, in colour levels. */
const DISTANCE_COST = 0.12;

/** Turns the sheet's pixels, in place, into unmixed straight RGBA; background becomes clear black. */
export function unmix(sheet: Sheet, field: KeyField, ground: Ground): void {
  const { width, height, rgba } = sheet;
  const { mask } = ground;
  const tolerance = sheet.lossy ? 14 : 4 + 1.5 * field.noise;
  const weigh = sheet.softChroma ? SOFT_CHROMA : PLAIN;
  const isMixed = mixtureTest(sheet, field, ground, tolerance, weigh);
  const band = findBand(mask, width, height, sheet.softChroma, isMixed);
  const keys = new Float32Array(band.count * 3);
  for (let n = 0; n < band.count; n++) keyAt(field, band.pixel[n]! % width, (band.pixel[n]! / width) | 0, keys, n * 3);

  const source = findSources(sheet, band, mask, keys, isMixed, tolerance, weigh);
  const out = new Uint8Array(band.count * 4);
  const noise = sheet.lossy ? 6 : Math.max(1, 1.6 * field.noise);
  for (let n = 0; n < band.count; n++) solve(rgba, band.pixel[n]!, source[n]!, keys, n, noise, weigh, out);
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height);
  for (let at = 0; at < pixels.length; at++) if (mask[at] === GROUND) pixels[at] = 0;
  const solved = new Uint32Array(out.buffer);
  for (let n = 0; n < band.count; n++) pixels[band.pixel[n]!] = solved[n]!;
}

/** How much each of luma, Cb and Cr counts in a colour difference, in RGB-like units. */
type Weights = { y: number; c: number };
const PLAIN: Weights = { y: 1.4, c: 1 };
const SOFT_CHROMA: Weights = { y: 1.4, c: 0.3 };

/** The inner product of two colour differences, by luma and chroma. */
function inner(w: Weights, ar: number, ag: number, ab: number, br: number, bg: number, bb: number): number {
  const ay = 0.299 * ar + 0.587 * ag + 0.114 * ab;
  const by = 0.299 * br + 0.587 * bg + 0.114 * bb;
  const chroma = (ar - ay) * (br - by) + (ag - ay) * (bg - by) + (ab - ay) * (bb - by);
  return w.y * w.y * ay * by + w.c * w.c * chroma;
}

type MixtureTest = (pixel: number) => boolean;

function mixtureTest(sheet: Sheet, field: KeyField, ground: Ground, tolerance: number, weigh: Weights): MixtureTest {
  const { width, height, rgba } = sheet;
  const { mask, off } = ground;
  const key = new Float32Array(3);
  return (pixel) => {
    const x = pixel % width;
    const y = (pixel / width) | 0;
    keyAt(field, x, y, key, 0);
    const [kr, kg, kb] = [key[0]!, key[1]!, key[2]!];
    const [vr, vg, vb] = [rgba[pixel * 4]! - kr, rgba[pixel * 4 + 1]! - kg, rgba[pixel * 4 + 2]! - kb];
    const vv = inner(weigh, vr, vg, vb, vr, vg, vb);
    const floor = off[pixel]!;
    for (const [dx, dy] of RING) {
      const [qx, qy] = [x + dx, y + dy];
      if (qx < 0 || qy < 0 || qx >= width || qy >= height) continue;
      const q = qy * width + qx;
      if (mask[q] === GROUND || off[q]! < floor) continue;
      const [ur, ug, ub] = [rgba[q * 4]! - kr, rgba[q * 4 + 1]! - kg, rgba[q * 4 + 2]! - kb];
      const uu = inner(weigh, ur, ug, ub, ur, ug, ub);
      const uv = inner(weigh, ur, ug, ub, vr, vg, vb);
      const share = uv / uu;
      if (share < MIXED_BELOW && vv - share * uv < tolerance * tolerance) return true;
    }
    return false;
  };
}

/** For each band pixel the pixel whose colour is its F; itself where it is pure figure. */
function findSources(
  sheet: Sheet,
  band: Band,
  mask: Uint8Array,
  keys: Float32Array,
  isMixed: MixtureTest,
  tolerance: number,
  weigh: Weights,
): Int32Array {
  const { width, height, rgba } = sheet;
  const source = new Int32Array(band.count).fill(-1);
  const sureFrom = sheet.softChroma ? 4 : 2;
  const weak: number[] = [];
  for (let n = 0; n < band.count; n++) {
    if (isMixed(band.pixel[n]!)) continue;
    if (band.depth[n]! >= sureFrom) source[n] = band.pixel[n]!;
    else weak.push(n);
  }
  const neighbours = [-1, 1, -width, width, -width - 1, -width + 1, width - 1, width + 1];
  // A frame one pixel wide has neighbours outside the sheet; wrapping to the other side does no harm there.
  const inside = (at: number) => at >= 0 && at < width * height;

  /** How badly the figure colour at `from` explains member n, in levels squared. */
  const misfit = (n: number, from: number): number => {
    const pixel = band.pixel[n]!;
    const [kr, kg, kb] = [keys[n * 3]!, keys[n * 3 + 1]!, keys[n * 3 + 2]!];
    const [vr, vg, vb] = [rgba[pixel * 4]! - kr, rgba[pixel * 4 + 1]! - kg, rgba[pixel * 4 + 2]! - kb];
    const [ur, ug, ub] = [rgba[from * 4]! - kr, rgba[from * 4 + 1]! - kg, rgba[from * 4 + 2]! - kb];
    const uu = inner(weigh, ur, ug, ub, ur, ug, ub);
    const share = Math.min(1, Math.max(0, inner(weigh, ur, ug, ub, vr, vg, vb) / (uu || 1)));
    const [er, eg, eb] = [vr - share * ur, vg - share * ug, vb - share * ub];
    const dx = (pixel % width) - (from % width);
    const dy = ((pixel / width) | 0) - ((from / width) | 0);
    return inner(weigh, er, eg, eb, er, eg, eb) + DISTANCE_COST ** 2 * (dx * dx + dy * dy);
  };

  const spread = (front: number[]) => {
    for (let at = 0; at < front.length; at++) {
      const n = front[at]!;
      for (const step of neighbours) {
        const next = band.pixel[n]! + step;
        const m = inside(next) ? band.slot[next]! - 1 : -1;
        if (m < 0 || source[m] !== -1) continue;
        source[m] = source[n]!;
        front.push(m);
      }
    }
  };
  const front: number[] = [];
  for (let n = 0; n < band.count; n++) {
    if (source[n] !== -1) {
      front.push(n);
      continue;
    }
    for (const step of neighbours) {
      const next = band.pixel[n]! + step;
      if (!inside(next) || mask[next] !== FIGURE || band.slot[next] !== 0) continue;
      source[n] = next;
      front.push(n);
      break;
    }
  }
  spread(front);
  const sweep = (n: number) => {
    const own = source[n]!;
    if (own === band.pixel[n]) return;
    let best = own < 0 ? Number.POSITIVE_INFINITY : misfit(n, own);
    for (const step of neighbours) {
      const next = band.pixel[n]! + step;
      const m = inside(next) ? band.slot[next]! - 1 : -1;
      const candidate = m < 0 ? -1 : source[m]!;
      if (candidate < 0 || candidate === source[n]) continue;
      const cost = misfit(n, candidate);
      if (cost < best) {
        best = cost;
        source[n] = candidate;
      }
    }
  };
  const sweeps = () => {
    for (let round = 0; round < SWEEPS; round++) {
      for (let n = band.count - 1; n >= 0; n--) sweep(n);
      for (let n = 0; n < band.count; n++) sweep(n);
    }
  };
  sweeps();
  // Thin parts have no sure pixel of their own: where nothing explains them, their purest pixels are sure.
  const limit = (tolerance * 1.5) ** 2;
  let added = false;
  for (const n of weak) {
    if (source[n]! >= 0 && misfit(n, source[n]!) <= limit) continue;
    source[n] = band.pixel[n]!;
    added = true;
  }
  if (added) {
    const fresh: number[] = [];
    for (const n of weak) if (source[n] === band.pixel[n]) fresh.push(n);
    spread(fresh);
    sweeps();
  }
  for (let n = 0; n < band.count; n++) if (source[n]! < 0) source[n] = band.pixel[n]!;
  return source;
}

/** α and F of member n, into `out[n*4..]`. */
function solve(
  rgba: Uint8Array,
  pixel: number,
  from: number,
  keys: Float32Array,
  n: number,
  noise: number,
  weigh: Weights,
  out: Uint8Array,
): void {
  const [cr, cg, cb] = [rgba[pixel * 4]!, rgba[pixel * 4 + 1]!, rgba[pixel * 4 + 2]!];
  if (pixel === from) {
    out.set([cr, cg, cb, 255], n * 4);
    return;
  }
  const [kr, kg, kb] = [keys[n * 3]!, keys[n * 3 + 1]!, keys[n * 3 + 2]!];
  const [fr, fg, fb] = [rgba[from * 4]!, rgba[from * 4 + 1]!, rgba[from * 4 + 2]!];
  const [ur, ug, ub] = [fr - kr, fg - kg, fb - kb];
  const uu = inner(weigh, ur, ug, ub, ur, ug, ub) || 1;
  let alpha = inner(weigh, ur, ug, ub, cr - kr, cg - kg, cb - kb) / uu;
  const slack = noise / Math.sqrt(uu);
  if (alpha < slack) return;
  if (alpha > 1 - slack) alpha = 1;
  // What the mixture leaves unexplained belongs to the figure as far as the figure is in it.
  let [er, eg, eb] = [cr - kr - alpha * ur, cg - kg - alpha * ug, cb - kb - alpha * ub];
  if (weigh === SOFT_CHROMA) {
    const ey = 0.299 * er + 0.587 * eg + 0.114 * eb;
    [er, eg, eb] = [ey, ey, ey];
  }
  const gain = alpha / (alpha * alpha + (1 - alpha) * (1 - alpha));
  const byte = (value: number) => Math.min(255, Math.max(0, Math.round(value)));
  out[n * 4] = byte(fr + gain * er);
  out[n * 4 + 1] = byte(fg + gain * eg);
  out[n * 4 + 2] = byte(fb + gain * eb);
  out[n * 4 + 3] = Math.max(1, byte(alpha * 255));
}
