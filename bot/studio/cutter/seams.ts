/**
 * Seams between two colours of a figure. Where clothes look like the key, the blur between them and a collar looks
 * like the soft edge of the collar against the key. Walking down from it tells: a soft edge ends in the key, a seam
 * in a colour that is not the key and stands still.
 */
import type { Ground } from "./ground.ts";
import type { MixtureTest } from "./mixture.ts";
import type { Samples } from "./samples.ts";

/** The way down is looked for in steps of so many pixels, so often. */
const STRIDE_PX = 2;
const MAX_STEPS = 14;
/** This near to the key, levels, the walk has arrived there; a step has to gain so much. */
const ARRIVED = 40;
const MIN_GAIN = 2;

/** @param stillness how far a colour that stands still may stray, levels */
export function seamTest(
  samples: Samples,
  width: number,
  height: number,
  { off }: Ground,
  stillness: number,
): MixtureTest {
  const { data, stride } = samples;
  const across = STRIDE_PX;
  const down = STRIDE_PX * width;
  const ways = Int32Array.of(across, -across, down, -down, down + across, down - across, across - down, -down - across);
  const isStill = (pixel: number): boolean => {
    const p = pixel * stride;
    for (let i = 0; i < 4; i++) {
      const q = p + ways[i]! * stride;
      if (q < 0 || q >= data.length) return false;
      const d0 = Math.abs(data[p]! - data[q]!);
      const d1 = Math.abs(data[p + 1]! - data[q + 1]!);
      const d2 = Math.abs(data[p + 2]! - data[q + 2]!);
      if (d0 + d1 + d2 > stillness) return false;
    }
    return true;
  };
  return (pixel) => {
    let at = pixel;
    for (let step = 0; step < MAX_STEPS; step++) {
      const y = (at / width) | 0;
      const x = at - y * width;
      if (x < across || y < across || x + across >= width || y + across >= height) return false;
      let lowest = at;
      for (let i = 0; i < ways.length; i++) {
        const next = at + ways[i]!;
        if (off[next]! >= off[at]!) continue;
        if (off[next]! >= ARRIVED && isStill(next)) return true;
        if (off[next]! < off[lowest]!) lowest = next;
      }
      if (off[lowest]! < ARRIVED) return false;
      if (off[lowest]! > off[at]! - MIN_GAIN) return isStill(at);
      at = lowest;
    }
    return false;
  };
}
