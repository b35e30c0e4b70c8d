/**
 * Where each uncertain pixel's figure colour comes from. Each keeps a pointer to a sure pixel, tries its
 * neighbours' pointers too and stays with the one that explains its colour best, so that the figure's own
 * colours, green ones included, decide what is figure and what is key.
 */
import type { Band } from "./band.ts";
import { FIGURE, IndexList } from "./mask.ts";
import { asideSharp, asideSoft, type MixtureTest } from "./mixture.ts";
import type { Samples } from "./samples.ts";
import { storedAt } from "./sheet.ts";

const UNEXPLAINED = 1e9;
/** What a pixel of distance costs, in colour levels. */
const DISTANCE_COST = 0.12;
/** From this depth on a pixel that is no mixture is sure; colour that is soft takes two pixels more. */
const SURE_DEPTH = 2;
const SURE_DEPTH_SOFT = 4;
/** Colour (Cb and Cr together) that differs by less than this two pixels away stands still. */
const FLAT_COLOUR = 14;
const SWEEPS = 2;
/** No pixel: the member is none of the figure. */
const NONE = -1;

/**
 * For each band member the pixel whose colour is its F: itself where it is pure figure, -1 where it is none of it.
 * @param keys the key's colour at each member
 * @param isSmear whether a member is so near the key that it may be a smear of compression
 */
export function findSources(
  samples: Samples,
  width: number,
  band: Band,
  mask: Uint8Array,
  keys: Float32Array,
  tolerance: number,
  test: MixtureTest,
  isSmear: (n: number) => boolean,
): Int32Array {
  const { data, stride, soft } = samples;
  const { count, pixel, depth, beside } = band;
  const source = new Int32Array(count).fill(NONE);
  const sureFrom = soft ? SURE_DEPTH_SOFT : SURE_DEPTH;
  const isSure = (n: number): boolean => {
    const at = pixel[n]!;
    return (!soft || isFlat(data, width, at)) && !isSmear(n) && !band.isMixed(n);
  };
  // Sure pixels hang together with the figure's inside. A strand of hair has none of its own: deep in it colour
  // stands still and nothing near is purer, and yet the key is in all of it.
  const front = new IndexList();
  const reached = new Uint8Array(count);
  for (let n = 0; n < count; n++) {
    const inside = depth[n]! > band.full ? figureBeside(pixel[n]!, mask, width) : NONE;
    if (inside === NONE) continue;
    if (isSure(n)) source[n] = pixel[n]!;
    else if (test(inside)) continue;
    else source[n] = inside;
    reached[n] = 1;
    front.add(n);
  }
  const anchored = IndexList.from(front);
  for (let i = 0; i < anchored.length; i++) {
    for (let side = anchored.at(i) * 8, end = side + 8; side < end; side++) {
      const m = beside[side]!;
      if (m < 0 || reached[m] === 1 || depth[m]! < sureFrom) continue;
      reached[m] = 1;
      anchored.add(m);
      if (!isSure(m)) continue;
      source[m] = pixel[m]!;
      front.add(m);
    }
  }

  /** How badly each member's source explains its colour, in levels squared; -1 for not judged yet. */
  const cost = new Float32Array(count).fill(-1);
  /** Members whose neighbours' sources have changed since they were last tried. */
  const stale = new Uint8Array(count).fill(1);
  /** Hands sources on to members that have none, from neighbour to neighbour. */
  const spread = (front: IndexList) => {
    for (let i = 0; i < front.length; i++) {
      const n = front.at(i);
      for (let side = n * 8; side < n * 8 + 8; side++) {
        const m = beside[side]!;
        if (m < 0 || source[m] !== NONE) continue;
        source[m] = source[n]!;
        cost[m] = -1;
        stale[m] = 1;
        front.add(m);
      }
    }
  };
  spread(front);

  const good = (tolerance / 4) ** 2;
  /** Members to be tried once more after the sweeps, which find what is stale by themselves. */
  const waiting = new Int32Array(count);
  let waits = count;
  const changed = (n: number) => {
    for (let side = n * 8; side < n * 8 + 8; side++) {
      const m = beside[side]!;
      if (m < 0 || stale[m] === 1) continue;
      stale[m] = 1;
      if (waits < count) waiting[waits++] = m;
    }
  };
  /** Tries the sources of a member's neighbours. */
  const improve = (n: number) => {
    stale[n] = 0;
    const at = pixel[n]!;
    const before = source[n]!;
    let best = cost[n]!;
    if (before === at || (best >= 0 && best <= good)) return;
    const k0 = keys[n * 3]!;
    const k1 = keys[n * 3 + 1]!;
    const k2 = keys[n * 3 + 2]!;
    const v0 = data[at * stride]! - k0;
    const v1 = data[at * stride + 1]! - k1;
    const v2 = data[at * stride + 2]! - k2;
    const y = (at / width) | 0;
    const x = at - y * width;
    // First its own, where that has not been judged yet.
    const isJudged = best >= 0;
    let own = isJudged ? before : NONE;
    let tried = before;
    let colour = isJudged && before >= 0 ? storedAt(data, stride, before) : NONE;
    if (!isJudged) best = UNEXPLAINED;
    for (let side = isJudged ? 0 : -1; side < 8 && best > good; side++) {
      let candidate = before;
      if (side >= 0) {
        const m = beside[n * 8 + side]!;
        if (m < 0) continue;
        candidate = source[m]!;
        if (candidate === own || candidate === tried) continue;
      }
      if (candidate < 0) continue;
      const stored = storedAt(data, stride, candidate);
      // Another pixel of the same colour explains no more.
      if (stored === colour) continue;
      const u0 = (stored & 255) - k0;
      const u1 = ((stored >> 8) & 255) - k1;
      const u2 = ((stored >> 16) & 255) - k2;
      // How badly it explains the member's colour, in levels squared; how far it lies only adds to that.
      let offer = soft ? asideSoft(u0, u1, u2, v0, v1, v2) : asideSharp(u0, u1, u2, v0, v1, v2);
      if (offer < best) {
        const fromY = (candidate / width) | 0;
        const dx = x - (candidate - fromY * width);
        const dy = y - fromY;
        offer += DISTANCE_COST * DISTANCE_COST * (dx * dx + dy * dy);
      }
      if (offer < best) {
        best = offer;
        own = candidate;
        colour = stored;
      } else tried = candidate;
    }
    cost[n] = best;
    if (own === before) return;
    source[n] = own;
    changed(n);
  };
  /** Tries all that are stale, inwards and outwards; what is still stale then, strands mostly, one after the other. */
  const settle = () => {
    waits = count;
    for (let round = 0; round < SWEEPS; round++) {
      for (let n = count - 1; n >= 0; n--) if (stale[n] === 1) improve(n);
      for (let n = 0; n < count; n++) if (stale[n] === 1) improve(n);
    }
    waits = 0;
    for (let n = 0; n < count; n++) if (stale[n] === 1) waiting[waits++] = n;
    for (let i = 0; i < waits; i++) improve(waiting[i]!);
  };
  settle();
  // Thin parts have no sure pixel of their own: where nothing explains them, their purest pixels are sure.
  const limit = (tolerance * 1.5) ** 2;
  const fresh = new IndexList();
  for (let n = 0; n < count; n++) {
    const at = pixel[n]!;
    if (source[n] === at || (source[n]! >= 0 && cost[n]! <= limit) || band.isMixed(n) || isSmear(n)) continue;
    source[n] = at;
    changed(n);
    fresh.add(n);
  }
  if (fresh.length > 0) {
    spread(fresh);
    settle();
  }
  for (let n = 0; n < count; n++) if (source[n] === NONE && !isSmear(n)) source[n] = pixel[n]!;
  return source;
}

/** A pixel of the figure's inside, beyond the band, next to this one; or NONE. */
function figureBeside(at: number, mask: Uint8Array, width: number): number {
  const isInside = (other: number) => mask[other] === FIGURE;
  if (isInside(at - 1)) return at - 1;
  if (isInside(at + 1)) return at + 1;
  for (let row = at - width; row <= at + width; row += 2 * width) {
    if (isInside(row)) return row;
    if (isInside(row - 1)) return row - 1;
    if (isInside(row + 1)) return row + 1;
  }
  return NONE;
}

/** Whether colour stands still round a pixel, so that none of it comes from beyond an edge. */
function isFlat(ycc: Uint8Array, width: number, pixel: number): boolean {
  const p = pixel * 3;
  const down = 6 * width;
  if (p < down || p + down + 2 >= ycc.length) return false;
  const cb = ycc[p + 1]!;
  const cr = ycc[p + 2]!;
  return (
    Math.abs(cb - ycc[p + 7]!) + Math.abs(cr - ycc[p + 8]!) <= FLAT_COLOUR &&
    Math.abs(cb - ycc[p - 5]!) + Math.abs(cr - ycc[p - 4]!) <= FLAT_COLOUR &&
    Math.abs(cb - ycc[p + down + 1]!) + Math.abs(cr - ycc[p + down + 2]!) <= FLAT_COLOUR &&
    Math.abs(cb - ycc[p - down + 1]!) + Math.abs(cr - ycc[p - down + 2]!) <= FLAT_COLOUR
  );
}
