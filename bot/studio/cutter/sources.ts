/**
 * Where each uncertain pixel's figure colour comes from. Each keeps a pointer to a sure pixel, tries its
 * neighbours' pointers too and stays with the one that explains its colour best, so that the figure's own
 * colours, green ones included, decide what is figure and what is key.
 */
import type { Band } from "./band.ts";
import type { Ground } from "./ground.ts";
import { FIGURE, GROUND } from "./mask.ts";
import type { Samples } from "./samples.ts";

/** A pixel with less than this share of a colour further in is a mixture. */
const MIXED_BELOW = 0.96;
const MIXED_BELOW_SOFT = 0.92;
const MIXED_SIGMAS = 3;
/** What it costs that light and colour tell different shares. */
const SPLIT_COST = 0.02;
/** Half-size colour strays this far from the share that light tells; beyond it is a colour of its own, such as a dark outline's. */
const MAX_SPLIT = 0.45;
const EXCESS_COST = 0.5;
/** Where to look "further in": rings of one to three pixels. */
const RING: readonly number[] = [
  ...[0, 2, 0, -2, 2, 0, -2, 0, 2, 2, 2, -2, -2, 2, -2, -2, 1, 1, 1, -1, -1, 1, -1, -1],
  ...[0, 3, 0, -3, 3, 0, -3, 0, 3, 2, 3, -2, -3, 2, -3, -2, 2, 3, 2, -3, -2, 3, -2, -3],
];
const SWEEPS = 1;
const UNEXPLAINED = 1e9;
/** What a pixel of distance costs, in colour levels. */
const DISTANCE_COST = 0.12;
/** From this depth on a pixel that is no mixture is sure; colour that is soft takes two pixels more. */
const SURE_DEPTH = 2;
const SURE_DEPTH_SOFT = 4;
/** Colour (Cb and Cr together) that differs by less than this two pixels away stands still. */
const FLAT_COLOUR = 14;

export type MixtureTest = (pixel: number) => boolean;

/**
 * How a colour v (from the key) relates to a colour u (from the key): `share`, how much of u is in it, and
 * `aside`, what u does not explain, in levels squared. Where colour is soft, it may be mixed more than
 * light is: then only what lies off the line between the two counts against it.
 */
type Relation = { share: number; aside: number; size: number };

function relate(
  soft: boolean,
  u0: number,
  u1: number,
  u2: number,
  v0: number,
  v1: number,
  v2: number,
  out: Relation,
): void {
  const uuc = u1 * u1 + u2 * u2;
  const uvc = u1 * v1 + u2 * v2;
  if (!soft) {
    const uu = u0 * u0 + uuc || 1;
    const uv = u0 * v0 + uvc;
    out.share = uv / uu;
    const kept = Math.min(1, Math.max(0, out.share));
    out.aside = v0 * v0 + v1 * v1 + v2 * v2 - 2 * kept * uv + kept * kept * uu;
    out.size = Math.sqrt(uu);
    return;
  }
  const light = v0 / (u0 || 1);
  const colour = uvc / (uuc || 1);
  const keptLight = Math.min(1, Math.max(0, light));
  const keptColour = Math.min(1, Math.max(0, colour));
  const off0 = v0 - keptLight * u0;
  const offColour = v1 * v1 + v2 * v2 - 2 * keptColour * uvc + keptColour * keptColour * uuc;
  const split = keptLight - keptColour;
  const excess = Math.max(0, Math.abs(split) - MAX_SPLIT);
  const splitCost = SPLIT_COST * split * split + EXCESS_COST * excess * excess;
  out.aside = 2 * off0 * off0 + offColour + splitCost * Math.min(u0 * u0, uuc);
  // The smaller share is the telling one, if it can be told from noise.
  const strong = 4 * u0 * u0;
  out.share = strong > uuc ? Math.min(light, uuc > 900 ? colour : 1) : colour;
  out.size = Math.sqrt(Math.max(strong, uuc));
}

/**
 * Whether a pixel's colour lies between the key's and that of a pixel near it.
 * @param sigma noise of a pixel, levels
 */
export function mixtureTest(
  samples: Samples,
  width: number,
  height: number,
  ground: Ground,
  tolerance: number,
  sigma: number,
): MixtureTest {
  const { data, stride, soft } = samples;
  const { mask, off } = ground;
  const key = new Float32Array(3);
  const limit = tolerance * tolerance;
  const relation: Relation = { share: 0, aside: 0, size: 0 };
  return (pixel) => {
    const x = pixel % width;
    const y = (pixel / width) | 0;
    samples.key(x, y, key, 0);
    const k0 = key[0]!;
    const k1 = key[1]!;
    const k2 = key[2]!;
    const p = pixel * stride;
    const v0 = data[p]! - k0;
    const v1 = data[p + 1]! - k1;
    const v2 = data[p + 2]! - k2;
    const floor = soft ? off[pixel]! * 0.9 : off[pixel]!;
    for (let i = 0; i < RING.length; i += 2) {
      const qx = x + RING[i]!;
      const qy = y + RING[i + 1]!;
      if (qx < 0 || qy < 0 || qx >= width || qy >= height) continue;
      const other = qy * width + qx;
      if (mask[other] === GROUND || off[other]! < floor) continue;
      const q = other * stride;
      relate(soft, data[q]! - k0, data[q + 1]! - k1, data[q + 2]! - k2, v0, v1, v2, relation);
      if (
        relation.aside < limit &&
        relation.share < Math.min(soft ? MIXED_BELOW_SOFT : MIXED_BELOW, 1 - (MIXED_SIGMAS * sigma) / relation.size)
      )
        return true;
    }
    return false;
  };
}

/** For each band pixel the pixel whose colour is its F: itself where it is pure figure, -1 where it is none of it. */
export function findSources(
  samples: Samples,
  width: number,
  height: number,
  band: Band,
  mask: Uint8Array,
  keys: Float32Array,
  isMixed: MixtureTest,
  tolerance: number,
  isRinging: (pixel: number) => boolean,
): Int32Array {
  const { data, stride, soft } = samples;
  const relation: Relation = { share: 0, aside: 0, size: 0 };
  const source = new Int32Array(band.count).fill(-1);
  /** Whether colour stands still round a pixel, so that none of it comes from beyond an edge. */
  const isFlat = (pixel: number) => {
    for (const step of [2, -2, 2 * width, -2 * width]) {
      const p = pixel * 3;
      const q = (pixel + step) * 3;
      if (Math.abs(data[p + 1]! - (data[q + 1] ?? 0)) + Math.abs(data[p + 2]! - (data[q + 2] ?? 0)) > FLAT_COLOUR)
        return false;
    }
    return true;
  };
  const sureFrom = samples.soft ? SURE_DEPTH_SOFT : SURE_DEPTH;
  for (let n = 0; n < band.count; n++) {
    const at = band.pixel[n]!;
    if (band.depth[n]! >= sureFrom && !isMixed(at) && (!soft || isFlat(at)) && !isRinging(at)) source[n] = at;
  }
  const neighbours = Int32Array.of(-1, 1, -width, width, -width - 1, -width + 1, width - 1, width + 1);
  // At the sheet's sides a step may wrap to the other side; a stranger's colour there is only one more offer.
  const inside = (at: number) => at >= 0 && at < width * height;

  /** How badly the figure colour at `from` explains member n, in levels squared. */
  const misfit = (n: number, from: number): number => {
    const pixel = band.pixel[n]!;
    const p = pixel * stride;
    const q = from * stride;
    const k = n * 3;
    const k0 = keys[k]!;
    const k1 = keys[k + 1]!;
    const k2 = keys[k + 2]!;
    const v0 = data[p]! - k0;
    const v1 = data[p + 1]! - k1;
    const v2 = data[p + 2]! - k2;
    relate(soft, data[q]! - k0, data[q + 1]! - k1, data[q + 2]! - k2, v0, v1, v2, relation);
    const dx = (pixel % width) - (from % width);
    const dy = ((pixel / width) | 0) - ((from / width) | 0);
    return relation.aside + DISTANCE_COST ** 2 * (dx * dx + dy * dy);
  };

  const spread = (front: number[]) => {
    for (let at = 0; at < front.length; at++) {
      const n = front[at]!;
      for (let i = 0; i < 8; i++) {
        const next = band.pixel[n]! + neighbours[i]!;
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
    for (let i = 0; i < 8; i++) {
      const next = band.pixel[n]! + neighbours[i]!;
      if (!inside(next) || mask[next] !== FIGURE || band.slot[next] !== 0) continue;
      source[n] = next;
      front.push(n);
      break;
    }
  }
  spread(front);
  const cost = new Float32Array(band.count).fill(-1);
  const good = (tolerance / 4) ** 2;
  const sweep = (n: number) => {
    const own = source[n]!;
    if (own === band.pixel[n]) return;
    let best = cost[n]!;
    if (best < 0) best = own < 0 ? UNEXPLAINED : misfit(n, own);
    for (let i = 0; i < 8 && best > good; i++) {
      const next = band.pixel[n]! + neighbours[i]!;
      const m = inside(next) ? band.slot[next]! - 1 : -1;
      const candidate = m < 0 ? -1 : source[m]!;
      if (candidate < 0 || candidate === source[n]) continue;
      const offer = misfit(n, candidate);
      if (offer >= best) continue;
      best = offer;
      source[n] = candidate;
    }
    cost[n] = best;
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
  for (let n = 0; n < band.count; n++) {
    if (source[n] === band.pixel[n] || (source[n]! >= 0 && cost[n]! <= limit) || isMixed(band.pixel[n]!)) continue;
    if (isRinging(band.pixel[n]!)) continue;
    source[n] = band.pixel[n]!;
    fresh.push(n);
  }
  if (fresh.length > 0) {
    spread(fresh);
    sweeps();
  }
  for (let n = 0; n < band.count; n++) if (source[n]! < 0 && !isRinging(band.pixel[n]!)) source[n] = band.pixel[n]!;
  return source;
}
