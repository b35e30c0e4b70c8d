/**
 * Slits and small holes: between letters, between strands of hair, under an arm. Where colour was stored at half
 * size they never show the pure key, so that no background is found in them. They are valleys: figure rises on
 * both sides of nearly all of them, as it does not with clothes that merely look like the key.
 */
import { BAND, FIGURE, IndexList } from "./mask.ts";
import type { MixtureTest } from "./mixture.ts";
import { findRegions, hasAtMost, type Regions } from "./regions.ts";

/** The bottom of a valley is this near to the key, levels; within so many pixels both sides are this far from it. */
const MAX_BOTTOM = 70;
const MIN_SIDE = 110;
const REACH_PX = 4;
/** A pocket has at most so many pixels, and so much of it is what a pocket is made of. */
const MAX_PX = 1000;
const MIN_SHARE = 0.8;

/** Pixels of valleys in the figure that are mixtures of the key and what lies near. */
export function valleys(
  off: Uint8Array,
  mask: Uint8Array,
  width: number,
  height: number,
  test: MixtureTest,
): IndexList {
  const low = lowFigure(off, mask);
  const ways = [REACH_PX, REACH_PX * width, REACH_PX * (width + 1), REACH_PX * (width - 1)];
  const isValley = (at: number): boolean => {
    for (let i = 0; i < 4; i++) if (off[at - ways[i]!]! >= MIN_SIDE && off[at + ways[i]!]! >= MIN_SIDE) return test(at);
    return false;
  };
  return pixelsOfSmall(findRegions(low, width, height, 1, 255, true), width, isValley);
}

/** 1 for each figure pixel that is as near to the key as a valley's bottom. */
function lowFigure(off: Uint8Array, mask: Uint8Array): Uint8Array {
  const low = new Uint8Array(mask.length);
  const words = mask.length >> 2;
  const masks = new Int32Array(mask.buffer, mask.byteOffset, words);
  const offs = new Int32Array(off.buffer, off.byteOffset, words);
  const look = (from: number, to: number) => {
    for (let at = from; at < to; at++) if (mask[at] === FIGURE && off[at]! <= MAX_BOTTOM) low[at] = 1;
  };
  // Four pixels at once: hardly any are what is looked for.
  for (let i = 0; i < words; i++) if (masks[i] !== 0 && hasAtMost(offs[i]!, MAX_BOTTOM)) look(i * 4, i * 4 + 4);
  look(words * 4, mask.length);
  return low;
}

/** Pixels of islands of figure in the band that are mixtures. */
export function islands(mask: Uint8Array, width: number, height: number, test: MixtureTest): IndexList {
  return pixelsOfSmall(findRegions(mask, width, height, BAND + 1, FIGURE, false), width, test);
}

/** All pixels of those small regions that pass a test nearly everywhere. */
function pixelsOfSmall(
  { count, y, from, to, region, list }: Regions,
  width: number,
  test: (at: number) => boolean,
): IndexList {
  const passed = new Int32Array(list.length);
  const each = (use: (at: number, region: number) => void) => {
    for (let run = 0; run < count; run++) {
      const of = region[run]!;
      if (list[of]!.area > MAX_PX) continue;
      const base = y[run]! * width;
      for (let at = base + from[run]!; at < base + to[run]!; at++) use(at, of);
    }
  };
  each((at, of) => {
    if (test(at)) passed[of]!++;
  });
  const found = new IndexList();
  each((at, of) => {
    if (passed[of]! >= list[of]!.area * MIN_SHARE) found.add(at);
  });
  return found;
}
