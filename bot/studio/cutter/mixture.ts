/**
 * Is a pixel a mixture? Its colour, seen from the key, is held against the colours a little further in:
 * a mixture lies on the way from the key to one of them.
 */
import type { Ground } from "./ground.ts";
import { keyIndex } from "./key-map.ts";
import { GROUND } from "./mask.ts";
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
/** Colour (Cb and Cr together, squared) that is told from the key's. */
const TELLING_COLOUR = 900;
/** Where to look "further in": rings of two to three pixels, and the nearest corners. */
const RING_X = [0, 0, 2, -2, 2, 2, -2, -2, 1, 1, -1, -1, 0, 0, 3, -3, 3, 3, -3, -3, 2, 2, -2, -2];
const RING_Y = [2, -2, 0, 0, 2, -2, 2, -2, 1, -1, 1, -1, 3, -3, 0, 0, 2, -2, 2, -2, 3, -3, 3, -3];
const RING_PX = 3;

export type MixtureTest = (pixel: number) => boolean;

/**
 * Whether a pixel's colour lies between the key's and that of a pixel near it.
 * @param tolerance how far off the line between them it may lie, levels
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
  const { data, stride, soft, keys } = samples;
  const { mask, off } = ground;
  const limit = tolerance * tolerance;
  const noise = MIXED_SIGMAS * sigma;
  const steps = Int32Array.from(RING_X, (dx, i) => RING_Y[i]! * width + dx);
  return (pixel) => {
    const y = (pixel / width) | 0;
    const x = pixel - y * width;
    const k = keyIndex(keys, x, y);
    const k0 = keys.colours[k]!;
    const k1 = keys.colours[k + 1]!;
    const k2 = keys.colours[k + 2]!;
    const p = pixel * stride;
    const c0 = data[p]!;
    const c1 = data[p + 1]!;
    const c2 = data[p + 2]!;
    const floor = soft ? off[pixel]! * 0.9 : off[pixel]!;
    // Colours that differ by less than this are none of them a part of the other.
    const least = soft ? noise : Math.max(noise, (1 - MIXED_BELOW) * (floor - 1));
    const whole = x >= RING_PX && y >= RING_PX && x + RING_PX < width && y + RING_PX < height;
    for (let i = 0; i < steps.length; i++) {
      if (!whole && isOutside(x + RING_X[i]!, y + RING_Y[i]!, width, height)) continue;
      const other = pixel + steps[i]!;
      if (mask[other] === GROUND || off[other]! < floor) continue;
      const q = other * stride;
      const o0 = data[q]!;
      const o1 = data[q + 1]!;
      const o2 = data[q + 2]!;
      const d0 = Math.abs(o0 - c0);
      const rest = Math.abs(o1 - c1) + Math.abs(o2 - c2);
      if (soft ? 2 * d0 < least && rest < least : d0 + rest <= least) continue;
      if (soft) {
        if (isPartSoft(o0 - k0, o1 - k1, o2 - k2, c0 - k0, c1 - k1, c2 - k2, limit, noise)) return true;
      } else if (isPartSharp(o0 - k0, o1 - k1, o2 - k2, c0 - k0, c1 - k1, c2 - k2, limit, noise)) return true;
    }
    return false;
  };
}

const isOutside = (x: number, y: number, width: number, height: number) => x < 0 || y < 0 || x >= width || y >= height;

/** Whether v is a part of u, both seen from the key. */
function isPartSharp(
  u0: number,
  u1: number,
  u2: number,
  v0: number,
  v1: number,
  v2: number,
  limit: number,
  noise: number,
): boolean {
  const uu = u0 * u0 + u1 * u1 + u2 * u2 || 1;
  const uv = u0 * v0 + u1 * v1 + u2 * v2;
  if (uv >= MIXED_BELOW * uu || uv >= uu - noise * Math.sqrt(uu)) return false;
  return asideSharp(u0, u1, u2, v0, v1, v2) < limit;
}

/** What u does not explain of v, in levels squared. */
export function asideSharp(u0: number, u1: number, u2: number, v0: number, v1: number, v2: number): number {
  const uu = u0 * u0 + u1 * u1 + u2 * u2 || 1;
  const uv = u0 * v0 + u1 * v1 + u2 * v2;
  const vv = v0 * v0 + v1 * v1 + v2 * v2;
  if (uv <= 0) return vv;
  return uv < uu ? vv - (uv * uv) / uu : vv - 2 * uv + uu;
}

/** The same where colour is soft: of light and colour the one that tells less counts, if it can be told from noise. */
function isPartSoft(
  u0: number,
  u1: number,
  u2: number,
  v0: number,
  v1: number,
  v2: number,
  limit: number,
  noise: number,
): boolean {
  const light = 4 * u0 * u0;
  const colour = u1 * u1 + u2 * u2;
  const size = Math.sqrt(Math.max(light, colour));
  const below = Math.min(MIXED_BELOW_SOFT, 1 - noise / size);
  const lessColour = (light <= colour || colour > TELLING_COLOUR) && u1 * v1 + u2 * v2 < below * (colour || 1);
  const lessLight = light > colour && v0 / u0 < below;
  return (lessColour || lessLight) && asideSoft(u0, u1, u2, v0, v1, v2) < limit;
}

/** Soft colour may be mixed more than light is: what lies off the line between the two counts, and how far they part. */
export function asideSoft(u0: number, u1: number, u2: number, v0: number, v1: number, v2: number): number {
  const uu = u1 * u1 + u2 * u2;
  const uv = u1 * v1 + u2 * v2;
  const light = between0and1(v0 / (u0 || 1));
  const colour = between0and1(uv / (uu || 1));
  const off = v0 - light * u0;
  const split = light - colour;
  const apart = split < 0 ? -split : split;
  const excess = apart > MAX_SPLIT ? apart - MAX_SPLIT : 0;
  const cost = SPLIT_COST * split * split + EXCESS_COST * excess * excess;
  const aside = v1 * v1 + v2 * v2 - 2 * colour * uv + colour * colour * uu;
  return 2 * off * off + aside + cost * Math.min(u0 * u0, uu);
}

const between0and1 = (value: number): number => (value < 0 ? 0 : Math.min(value, 1));
