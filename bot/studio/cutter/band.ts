/**
 * The uncertain band: pixels within a few steps of the background, and on from there as long as the
 * colour still looks like a mixture of the key with what lies further in (hair, blur, soft edges).
 */
import { eachBoundaryPixel, FIGURE } from "./mask.ts";

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
  /** Member number + 1 by pixel index; 0 outside the band. */
  slot: Int32Array;
};

/**
 * @param isMixed whether the pixel's colour lies between the key and a pixel further in
 * @param off distance from the key, and `slack` how much of it is noise
 */
export function findBand(
  mask: Uint8Array,
  width: number,
  height: number,
  soft: boolean,
  isMixed: (pixel: number) => boolean,
  off: Uint8Array,
  slack: number,
): Band {
  const slot = new Int32Array(width * height);
  let pixel = new Int32Array(1 << 16);
  let depth = new Uint8Array(1 << 16);
  let count = 0;
  const add = (at: number, steps: number) => {
    if (count === pixel.length) {
      const more = new Int32Array(count * 2);
      more.set(pixel);
      pixel = more;
      const deeper = new Uint8Array(count * 2);
      deeper.set(depth);
      depth = deeper;
    }
    pixel[count] = at;
    depth[count] = steps;
    slot[at] = ++count;
  };
  eachBoundaryPixel(mask, width, height, (at) => add(at, 1));
  const always = soft ? FIRST_STEPS_SOFT : FIRST_STEPS;
  for (let n = 0; n < count; n++) {
    const at = pixel[n]!;
    const steps = depth[n]!;
    if (steps >= MAX_STEPS || (steps >= always && !isMixed(at))) continue;
    // Further in, only ever away from the key: past its crest an edge is over, what comes closer to the key
    // again is clothes, and what stays as it is runs along a seam inside the figure.
    const floor = steps >= always ? off[at]! + 1 - slack : 0;
    const x = at % width;
    const y = (at / width) | 0;
    for (let dy = y > 0 ? -1 : 0; dy <= (y + 1 < height ? 1 : 0); dy++) {
      for (let dx = x > 0 ? -1 : 0; dx <= (x + 1 < width ? 1 : 0); dx++) {
        const next = at + dy * width + dx;
        if (mask[next] === FIGURE && slot[next] === 0 && off[next]! >= floor) add(next, steps + 1);
      }
    }
  }
  return { count, pixel: pixel.subarray(0, count), depth: depth.subarray(0, count), slot };
}
