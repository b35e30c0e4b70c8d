/**
 * Unmixing where colour was stored at half size (JPEG 4:2:0, lossy WebP). Light (Y) is sharp but may hardly
 * differ between figure and key; colour is exact, but only as the mean of 2×2 pixels. So light places
 * the edge inside a block, and the block's colour says how much figure is in it altogether.
 */
import type { Band } from "./band.ts";
import { FIGURE } from "./mask.ts";
import { blockChroma, byte } from "./ycc.ts";

/** Standard deviation of Y and of a block's colour about the truth near edges, levels. */
const LIGHT_NOISE = 3;
const COLOUR_NOISE = 4;
/** How far spread-out colour alone is from the truth at an edge, as alpha. */
const SPREAD_ERROR = 0.35;
const STEEPER = 2.2;
/** Colours closer than this to the key's (squared) say nothing about cover. */
const MIN_COLOUR = 100;
/**
 * On a key as dark as this (blue, red) a dark outline's light is mute: it differs by less than this share of
 * what colour does. There from this depth and colour on all is figure.
 */
const DARK_KEY = 80;
const MUTE_LIGHT = 0.25;
const MUTE_DEPTH = 3;
const MUTE_COLOUR = 0.7;
/**
 * Deeper in, where colour tells a figure, light that tells less by this much does so because the figure has
 * another colour there, between a dark outline and what it encloses: half-size colour strays no further.
 */
const OWN_DEPTH = 4;
const SPLIT_COLOUR = 0.75;
const MIN_SPLIT = 0.3;
/** Purer than this, colour is free of the key and the pixel keeps its own. */
const OWN_COLOUR = 0.85;
const ROUNDS = 2;
/** An alpha this many standard deviations from 0 or 1 is different from it. */
const SURE_SIGMAS = 2;
const MAX_SLACK = 0.12;
const MIN_SLACK = 0.02;

/** Writes each band member that is not purely figure into the sheet: its own colour into `ycc`, its alpha into `mask`. */
export function solveSoft(
  ycc: Uint8Array,
  width: number,
  height: number,
  band: Band,
  mask: Uint8Array,
  source: Int32Array,
  keys: Float32Array,
  grain: number,
): void {
  const { count, pixel, depth, beside } = band;
  const alpha = new Float32Array(count);
  /** Variance of each alpha; 0 for what is certain. */
  const doubt = new Float32Array(count);
  const seen = new Uint8Array(count);
  const lightNoise = (LIGHT_NOISE * grain) ** 2;
  const colourNoise = (COLOUR_NOISE * grain) ** 2;
  /** The block in hand: its colour, and its members that are partly figure. */
  const stored = new Float64Array(2);
  const member = new Int32Array(4);
  let members = 0;
  let pure = 0;
  /** The block's pixels that are figure without a doubt. */
  let fixed = 0;
  for (let n = 0; n < count; n++) if (seen[n] === 0) solveBlock(n);
  for (let n = 0; n < count; n++) if (source[n] !== pixel[n]) paint(n);

  /** The 2×2 pixels, starting at an even x and y, that member n belongs to. */
  function solveBlock(n: number): void {
    const at = pixel[n]!;
    const y = (at / width) | 0;
    const x = at - y * width;
    // Which way the others lie: their places among the neighbours, and on the sheet.
    const isRight = (x & 1) === 1;
    const isLower = (y & 1) === 1;
    const hasBeside = isRight || x + 1 < width;
    const hasOver = isLower || y + 1 < height;
    const dx = isRight ? -1 : 1;
    const dy = isLower ? -width : width;
    const size = (hasBeside ? 2 : 1) * (hasOver ? 2 : 1);
    members = pure = fixed = 0;
    enlist(n, at);
    if (hasBeside) enlist(beside[n * 8 + (isRight ? 0 : 1)]!, at + dx);
    if (hasOver) enlist(beside[n * 8 + (isLower ? 2 : 3)]!, at + dy);
    if (hasBeside && hasOver) enlist(beside[n * 8 + (isLower ? 4 : 6) + (isRight ? 0 : 1)]!, at + dx + dy);
    if (pure === members) {
      // All of it is figure: nothing to find out.
      for (let i = 0; i < members; i++) alpha[member[i]!] = 1;
      return;
    }
    blockChroma(ycc, width, height, x & ~1, y & ~1, stored);
    const cb = stored[0]!;
    const cr = stored[1]!;
    let u1 = 0;
    let u2 = 0;
    let k1 = 0;
    let k2 = 0;
    for (let i = 0; i < members; i++) {
      const m = member[i]!;
      const f = source[m]! * 3;
      k1 += keys[m * 3 + 1]! / members;
      k2 += keys[m * 3 + 2]! / members;
      u1 += ycc[f + 1]! / members;
      u2 += ycc[f + 2]! / members;
      estimate(m, cb, cr);
    }
    u1 -= k1;
    u2 -= k2;
    const uu = u1 * u1 + u2 * u2;
    if (uu < MIN_COLOUR) return;
    const v1 = cb - k1;
    const v2 = cr - k2;
    const whole = (v1 * u1 + v2 * u2) / uu;
    // Colour off the line between key and figure is another figure colour: the block says less then.
    const aside = (v1 * v1 + v2 * v2) / uu - whole * whole;
    const blockDoubt = colourNoise / uu + Math.max(0, aside);
    for (let round = 0; round < ROUNDS; round++) {
      let sum = fixed;
      let free = 0;
      for (let i = 0; i < members; i++) {
        const m = member[i]!;
        alpha[m] = Math.min(1, Math.max(0, alpha[m]!));
        sum += alpha[m]!;
        free += doubt[m]!;
      }
      const missing = whole - sum / size;
      const gain = missing / size / (blockDoubt + free / (size * size));
      for (let i = 0; i < members; i++) alpha[member[i]!]! += doubt[member[i]!]! * gain;
    }
  }

  /** Counts a pixel, member m or none, into the block in hand. */
  function enlist(m: number, at: number): void {
    if (m < 0) {
      if (mask[at] === FIGURE) fixed++;
      return;
    }
    seen[m] = 1;
    if (source[m]! < 0) return;
    member[members++] = m;
    if (source[m] === at) pure++;
  }

  /** A first alpha of member n from its own light, and from colour as the decoder spread it. */
  function estimate(n: number, cb: number, cr: number): void {
    const c = pixel[n]! * 3;
    const f = source[n]! * 3;
    const k = n * 3;
    if (c === f) {
      alpha[n] = 1;
      return;
    }
    const u0 = ycc[f]! - keys[k]!;
    const k1 = keys[k + 1]!;
    const k2 = keys[k + 2]!;
    const u1 = ycc[f + 1]! - k1;
    const u2 = ycc[f + 2]! - k2;
    const uu = u1 * u1 + u2 * u2;
    const fromLight = (ycc[c]! - keys[k]!) / (u0 || 1);
    const lightWeight = (u0 * u0) / lightNoise;
    const perColour = 1 / (uu || 1);
    const spread = ((ycc[c + 1]! - k1) * u1 + (ycc[c + 2]! - k2) * u2) * perColour;
    const covered =
      keys[k]! < DARK_KEY && u0 * u0 < MUTE_LIGHT ** 2 * uu
        ? depth[n]! >= MUTE_DEPTH && spread >= MUTE_COLOUR
        : depth[n]! >= OWN_DEPTH && spread >= SPLIT_COLOUR && fromLight < spread - MIN_SPLIT;
    if (covered) {
      if (depth[n]! >= OWN_DEPTH && spread >= OWN_COLOUR) source[n] = pixel[n]!;
      alpha[n] = 1;
      return;
    }
    const whole = ((cb - k1) * u1 + (cr - k2) * u2) * perColour;
    // Spreading flattened the slope inside the block; this raises it again.
    const fromColour = Math.min(1, Math.max(0, whole + STEEPER * (spread - whole)));
    const colourWeight = uu / (colourNoise + SPREAD_ERROR ** 2 * uu);
    const weight = lightWeight + colourWeight || 1;
    alpha[n] = (fromLight * lightWeight + fromColour * colourWeight) / weight;
    doubt[n] = 1 / weight;
  }

  function paint(n: number): void {
    const at = pixel[n]!;
    mask[at] = 0;
    if (source[n]! < 0) return;
    const c = at * 3;
    const f = source[n]! * 3;
    const k = n * 3;
    let a = Math.min(1, Math.max(0, alpha[n]!));
    const slack = Math.min(MAX_SLACK, Math.max(MIN_SLACK, SURE_SIGMAS * Math.sqrt(doubt[n]!)));
    if (a < slack) return;
    if (a > 1 - slack) a = 1;
    const gain = a / (a * a + (1 - a) * (1 - a));
    // Light keeps its own detail, colour is the sure pixel's: the pixel's own is half a neighbour's.
    ycc[c] = byte(Math.round(ycc[f]! + gain * (ycc[c]! - a * ycc[f]! - (1 - a) * keys[k]!)));
    ycc[c + 1] = ycc[f + 1]!;
    ycc[c + 2] = ycc[f + 2]!;
    mask[at] = Math.max(1, Math.round(a * 255));
  }
}
