/**
 * Where each uncertain pixel's figure colour comes from. Each keeps a pointer to a sure pixel, tries its
 * neighbours' pointers too and stays with the one that explains its colour best, so that the figure's own
 * colours, green ones included, decide what is figure and what is key.
 */
import type { Band } from "./band.ts";
import { FIGURE, GROUND, type Ground } from "./ground.ts";
import type { Samples } from "./samples.ts";

/** A pixel with less than this share of a colour further in is a mixture. */
const MIXED_BELOW = 0.96;
/** Where to look "further in": rings of one to three pixels. */
const RING: readonly number[] = [
  ...[0, 2, 0, -2, 2, 0, -2, 0, 2, 2, 2, -2, -2, 2, -2, -2, 1, 1, 1, -1, -1, 1, -1, -1],
  ...[0, 3, 0, -3, 3, 0, -3, 0, 3, 2, 3, -2, -3, 2, -3, -2, 2, 3, 2, -3, -2, 3, -2, -3],
];
const SWEEPS = 2;
/** What a pixel of distance costs, in colour levels. */
const DISTANCE_COST = 0.12;
/** From this depth on a pixel that is no mixture is sure; colour that is soft takes two pixels more. */
const SURE_DEPTH = 2;
const SURE_DEPTH_SOFT = 4;

export type MixtureTest = (pixel: number) => boolean;

/** Whether a pixel's colour lies between the key's and that of a pixel near it. */
export function mixtureTest(
  samples: Samples,
  width: number,
  height: number,
  ground: Ground,
  tolerance: number,
): MixtureTest {
  const { data, stride, weights, soft } = samples;
  const [w0, w1, w2] = weights;
  const { mask, off } = ground;
  const key = new Float32Array(3);
  const limit = tolerance * tolerance;
  return (pixel) => {
    const x = pixel % width;
    const y = (pixel / width) | 0;
    samples.key(x, y, key, 0);
    const [k0, k1, k2] = [key[0]!, key[1]!, key[2]!];
    const p = pixel * stride;
    const [v0, v1, v2] = [data[p]! - k0, data[p + 1]! - k1, data[p + 2]! - k2];
    const vv = w0 * v0 * v0 + w1 * v1 * v1 + w2 * v2 * v2;
    const chroma = v1 * v1 + v2 * v2;
    const floor = soft ? off[pixel]! * 0.9 : off[pixel]!;
    for (let i = 0; i < RING.length; i += 2) {
      const qx = x + RING[i]!;
      const qy = y + RING[i + 1]!;
      if (qx < 0 || qy < 0 || qx >= width || qy >= height) continue;
      const other = qy * width + qx;
      if (mask[other] === GROUND || off[other]! < floor) continue;
      const q = other * stride;
      const [u0, u1, u2] = [data[q]! - k0, data[q + 1]! - k1, data[q + 2]! - k2];
      const uv = w0 * u0 * v0 + w1 * u1 * v1 + w2 * u2 * v2;
      const share = uv / (w0 * u0 * u0 + w1 * u1 * u1 + w2 * u2 * u2);
      if (share < MIXED_BELOW && vv - share * uv < limit) return true;
      if (!soft) continue;
      // Soft colour reaches further in than light does: a pixel may be full in light and mixed in colour.
      const uvc = u1 * v1 + u2 * v2;
      const shareOfColour = uvc / (u1 * u1 + u2 * u2 || 1);
      if (shareOfColour < MIXED_BELOW && shareOfColour > 0 && chroma - shareOfColour * uvc < limit) return true;
    }
    return false;
  };
}

/** For each band pixel the pixel whose colour is its F; itself where it is pure figure. */
export function findSources(
  samples: Samples,
  width: number,
  height: number,
  band: Band,
  mask: Uint8Array,
  keys: Float32Array,
  isMixed: MixtureTest,
  tolerance: number,
): Int32Array {
  const { data, stride, weights } = samples;
  const [w0, w1, w2] = weights;
  const source = new Int32Array(band.count).fill(-1);
  const sureFrom = samples.soft ? SURE_DEPTH_SOFT : SURE_DEPTH;
  const weak: number[] = [];
  for (let n = 0; n < band.count; n++) {
    if (isMixed(band.pixel[n]!)) continue;
    if (band.depth[n]! >= sureFrom) source[n] = band.pixel[n]!;
    else weak.push(n);
  }
  const neighbours = [-1, 1, -width, width, -width - 1, -width + 1, width - 1, width + 1];
  // At the sheet's sides a step may wrap to the other side; a stranger's colour there is only one more offer.
  const inside = (at: number) => at >= 0 && at < width * height;

  /** How badly the figure colour at `from` explains member n, in levels squared. */
  const misfit = (n: number, from: number): number => {
    const pixel = band.pixel[n]!;
    const [p, q, k] = [pixel * stride, from * stride, n * 3];
    const [k0, k1, k2] = [keys[k]!, keys[k + 1]!, keys[k + 2]!];
    const [v0, v1, v2] = [data[p]! - k0, data[p + 1]! - k1, data[p + 2]! - k2];
    const [u0, u1, u2] = [data[q]! - k0, data[q + 1]! - k1, data[q + 2]! - k2];
    const uu = w0 * u0 * u0 + w1 * u1 * u1 + w2 * u2 * u2;
    const uv = w0 * u0 * v0 + w1 * u1 * v1 + w2 * u2 * v2;
    const share = Math.min(1, Math.max(0, uv / (uu || 1)));
    const [e0, e1, e2] = [v0 - share * u0, v1 - share * u1, v2 - share * u2];
    const dx = (pixel % width) - (from % width);
    const dy = ((pixel / width) | 0) - ((from / width) | 0);
    return w0 * e0 * e0 + w1 * e1 * e1 + w2 * e2 * e2 + DISTANCE_COST ** 2 * (dx * dx + dy * dy);
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
  const fresh: number[] = [];
  for (const n of weak) {
    if (source[n]! >= 0 && misfit(n, source[n]!) <= limit) continue;
    source[n] = band.pixel[n]!;
    fresh.push(n);
  }
  if (fresh.length > 0) {
    spread(fresh);
    sweeps();
  }
  for (let n = 0; n < band.count; n++) if (source[n]! < 0) source[n] = band.pixel[n]!;
  return source;
}
