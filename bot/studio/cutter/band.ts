/**
 * The uncertain band: pixels within a few steps of the background, and on from there as long as the
 * colour still looks like a mixture of the key with what lies further in (hair, blur, soft edges).
 */
import { BAND, FIGURE } from "./mask.ts";
import type { MixtureTest } from "./mixture.ts";
import { neighbours } from "./neighbours.ts";
import { islands, valleys } from "./pockets.ts";

/** Steps inwards that are always looked at. */
const FIRST_STEPS = 3;
const FIRST_STEPS_SOFT = 5;
/** The widest soft edge that is followed. */
const MAX_STEPS = 28;

export type Band = {
  count: number;
  /** Pixel index of each member, nearest to the background first. */
  pixel: Int32Array;
  /** Steps from the background, from 1. */
  depth: Uint8Array;
  /** Members up to this depth have no figure beside them that is not in the band. */
  full: number;
  /** Eight for each member: the members beside it, -1 for pixels outside the band. */
  beside: Int32Array;
  /** Whether a member is a mixture; asked once for each. */
  isMixed(n: number): boolean;
};

/**
 * Finds the band and marks it in `mask` as BAND.
 * @param edge the figures' pixels that have background beside them
 * @param test whether the pixel's colour lies between the key and a pixel further in
 * @param isSeam whether the pixel lies between two colours of the figure
 * @param off distance from the key, and `slack` how much of it is noise
 */
export function findBand(
  mask: Uint8Array,
  width: number,
  height: number,
  edge: Int32Array,
  soft: boolean,
  test: MixtureTest,
  isSeam: MixtureTest,
  off: Uint8Array,
  slack: number,
): Band {
  let pixel = new Int32Array(edge.length * (soft ? 6 : 4) + 4096);
  let depth = new Uint8Array(pixel.length);
  let mixed = new Uint8Array(pixel.length);
  let count = 0;
  const add = (at: number, steps: number) => {
    if (count === pixel.length) {
      const [more, deeper, known] = [new Int32Array(count * 2), new Uint8Array(count * 2), new Uint8Array(count * 2)];
      more.set(pixel);
      deeper.set(depth);
      known.set(mixed);
      pixel = more;
      depth = deeper;
      mixed = known;
    }
    pixel[count] = at;
    depth[count++] = steps;
    mask[at] = BAND;
  };
  const isMixed = (n: number): boolean => {
    if (mixed[n] === 0) mixed[n] = test(pixel[n]!) ? 2 : 1;
    return mixed[n] === 2;
  };
  for (let n = 0; n < edge.length; n++) add(edge[n]!, 1);
  const always = soft ? FIRST_STEPS_SOFT : FIRST_STEPS;
  let grown = 0;
  const grow = () => {
    while (grown < count) growFrom(grown++);
  };
  const growFrom = (n: number) => {
    const at = pixel[n]!;
    const steps = depth[n]!;
    if (steps >= MAX_STEPS || (steps >= always && (!isMixed(n) || isSeam(at)))) return;
    // Further in, only ever away from the key: past its crest an edge is over, what comes closer to the key
    // again is clothes, and what stays as it is runs along a seam inside the figure.
    const floor = steps >= always ? off[at]! + 1 - slack : 0;
    const y = (at / width) | 0;
    const x = at - y * width;
    const left = x > 0 ? -1 : 0;
    const right = x + 1 < width ? 1 : 0;
    for (let row = y > 0 ? at - width : at, last = y + 1 < height ? at + width : at; row <= last; row += width) {
      for (let next = row + left; next <= row + right; next++)
        if (mask[next] === FIGURE && off[next]! >= floor) add(next, steps + 1);
    }
  };
  grow();
  if (soft) valleys(off, mask, width, height, test).each((at) => add(at, 1));
  grow();
  islands(mask, width, height, test).each((at) => add(at, MAX_STEPS));
  pixel = pixel.subarray(0, count);
  const beside = neighbours(pixel, width, height);
  return { count, pixel, depth: depth.subarray(0, count), full: always - 1, beside, isMixed };
}
