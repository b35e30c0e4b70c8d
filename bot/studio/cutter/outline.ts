/**
 * The white die-cut outline: every pixel within a given distance of the figure's edge. The distance is
 * exact Euclidean, and starts where the edge really runs inside a half-covered pixel.
 */
import { Scratch } from "./scratch.ts";

/** Pixels as faint as this (of 255) are no edge. */
const FAINT = 10;
/** Half covered and more is inside. */
const HALF = 128;
const WHITE = 0xffffff;

const squaresScratch = new Scratch();
const alphaScratch = new Scratch();

/**
 * Squared distance of each pixel's centre from the figure's edge, exact up to `reach`, infinite beyond (or
 * farther than it); 0 inside. Only edge pixels can be nearest to anything outside: along its column each of
 * them offers what it can, then along the rows the lower envelope of those parabolas is drawn (Felzenszwalb
 * and Huttenlocher, "Distance Transforms of Sampled Functions", 2012).
 * What is returned holds until the next call.
 */
export function squaredDistances(alpha: Uint8Array, width: number, height: number, reach: number): Float32Array {
  const squares = new Float32Array(squaresScratch.room(width * height).buffer, 0, width * height);
  squares.fill(Number.POSITIVE_INFINITY);
  const span = Math.ceil(reach);
  for (let y = 0, at = 0; y < height; y++) {
    const top = -Math.min(y, span);
    const bottom = Math.min(height - 1 - y, span);
    const isInner = y > 0 && y + 1 < height;
    for (let x = 0; x < width; x++, at++) {
      const value = alpha[at]!;
      if (value <= FAINT) continue;
      let own = 0;
      if (value >= HALF) {
        squares[at] = 0;
        // HALF is the highest bit: one AND tells whether all around is inside as well.
        const within =
          isInner &&
          x > 0 &&
          x + 1 < width &&
          (alpha[at - 1]! & alpha[at + 1]! & alpha[at - width]! & alpha[at + width]!) >= HALF;
        if (within) continue;
      } else {
        // A pixel covered by less than half has the edge (0.5 − cover) away from its centre.
        const away = 0.5 - value / 255;
        own = away * away;
      }
      for (let dy = top, there = at + top * width; dy <= bottom; dy++, there += width) {
        const square = own + dy * dy;
        if (square < squares[there]!) squares[there] = square;
      }
    }
  }
  const envelope = new Envelope(width);
  for (let y = 0; y < height; y++) envelope.lower(squares, y * width, span);
  return squares;
}

/** The lower envelope of parabolas along one row. */
class Envelope {
  private readonly centre: Int32Array;
  private readonly level: Float64Array;
  /** From where on a parabola is the lowest. */
  private readonly start: Float64Array;

  constructor(private readonly size: number) {
    this.centre = new Int32Array(size);
    this.level = new Float64Array(size);
    this.start = new Float64Array(size + 1);
  }

  /** Replaces each value of the row from `base` on by the least of value + distance² over the row, as far as `span`. */
  lower(squares: Float32Array, base: number, span: number): void {
    const { centre, level, start, size } = this;
    let last = -1;
    let before = -1;
    for (let x = 0; x < size; x++) {
      const value = squares[base + x]!;
      const isZero = value === 0;
      const wasZero = before === 0;
      before = value;
      // What lies between two zeros is nearest to nobody but itself.
      if (value === Number.POSITIVE_INFINITY || (isZero && wasZero && x + 1 < size && squares[base + x + 1] === 0))
        continue;
      let from = Number.NEGATIVE_INFINITY;
      while (last >= 0) {
        const c = centre[last]!;
        from = (value + x * x - level[last]! - c * c) / (2 * (x - c));
        if (from > start[last]!) break;
        last--;
        from = Number.NEGATIVE_INFINITY;
      }
      last++;
      centre[last] = x;
      level[last] = value;
      start[last] = from;
    }
    // Each parabola is drawn as far as it reaches and is the lowest.
    start[last + 1] = size;
    for (let i = 0; i <= last; i++) {
      const c = centre[i]!;
      const floor = level[i]!;
      const from = Math.max(Math.floor(start[i]!) + 1, c - span, 0);
      const to = Math.min(Math.floor(start[i + 1]!), c + span, size - 1);
      for (let x = from; x <= to; x++) {
        const away = x - c;
        if (squares[base + x] !== 0) squares[base + x] = floor + away * away;
      }
    }
  }
}

/**
 * Puts a white outline of `radius` pixels behind a picture, on a larger one of `margin` more pixels on each side.
 * @param rgba straight RGBA
 * @param scratch where the larger picture is drawn
 */
export function drawOutline(
  rgba: Uint8Array,
  width: number,
  height: number,
  radius: number,
  margin: number,
  scratch = new Scratch(),
): { rgba: Uint8Array<ArrayBuffer>; width: number; height: number } {
  const [w, h] = [width + 2 * margin, height + 2 * margin];
  const from = new Int32Array(rgba.buffer, rgba.byteOffset, width * height);
  const to = scratch.room(w * h);
  const alpha = new Uint8Array(alphaScratch.room((w * h + 3) >> 2).buffer, 0, w * h);
  alpha.fill(0);
  for (let y = 0; y < height; y++) {
    const into = (y + margin) * w + margin;
    to.set(from.subarray(y * width, y * width + width), into);
    for (let x = 0, p = y * width * 4 + 3; x < width; x++, p += 4) alpha[into + x] = rgba[p]!;
  }
  const squares = squaredDistances(alpha, w, h, radius + 1);
  const near = (radius + 0.5) ** 2;
  const covered = (radius - 0.5) ** 2;
  for (let at = 0; at < alpha.length; at++) {
    const own = alpha[at]!;
    if (own === 255) continue;
    const square = squares[at]!;
    if (own === 0) {
      // Half a pixel on either side of the outline's edge is its own smooth edge.
      const under = square >= near ? 0 : square <= covered ? 255 : Math.round((radius + 0.5 - Math.sqrt(square)) * 255);
      to[at] = under === 0 ? 0 : WHITE | (under << 24);
      continue;
    }
    const top = own / 255;
    const under = Math.min(1, Math.max(0, radius + 0.5 - Math.sqrt(square))) * (1 - top);
    const whole = top + under;
    const pixel = to[at]!;
    const blend = (value: number) => Math.round((value * top + 255 * under) / whole);
    to[at] =
      blend(pixel & 255) |
      (blend((pixel >> 8) & 255) << 8) |
      (blend((pixel >> 16) & 255) << 16) |
      (Math.round(whole * 255) << 24);
  }
  return { rgba: new Uint8Array(to.buffer, 0, w * h * 4), width: w, height: h };
}
