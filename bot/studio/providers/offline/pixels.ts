/**
 * Pictures as flat arrays, and the few filters everything here is made of.
 *
 * A `Plane` holds one float per pixel; an `Rgb3` holds three planes of 0–255. Both are row by row.
 */
import sharp from "sharp";

export type Plane = { w: number; h: number; data: Float32Array };
export type Rgb3 = { w: number; h: number; r: Float32Array; g: Float32Array; b: Float32Array };

export const plane = (w: number, h: number): Plane => ({ w, h, data: new Float32Array(w * h) });

export const clamp = (value: number, low: number, high: number): number => (value < low ? low : Math.min(value, high));

/** 0 below `low`, 1 above `high`, smooth between. */
export function smoothstep(low: number, high: number, value: number): number {
  const t = clamp((value - low) / (high - low), 0, 1);
  return t * t * (3 - 2 * t);
}

/** Decodes any picture sharp reads: upright, without alpha, its longer side at most `maxSide` (never enlarged). */
export async function decode(bytes: Uint8Array, maxSide: number): Promise<Rgb3> {
  const { data, info } = await sharp(bytes, { limitInputPixels: 64e6, failOn: "none" })
    .rotate()
    .resize(maxSide, maxSide, { fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return fromInterleaved(data, info.width, info.height, info.channels);
}

/** Splits interleaved bytes of one, three or four channels into planes. */
export function fromInterleaved(data: Uint8Array, w: number, h: number, channels: number): Rgb3 {
  const size = w * h;
  const picture = { w, h, r: new Float32Array(size), g: new Float32Array(size), b: new Float32Array(size) };
  const green = channels >= 3 ? 1 : 0;
  for (let i = 0, j = 0; i < size; i++, j += channels) {
    picture.r[i] = data[j]!;
    picture.g[i] = data[j + green]!;
    picture.b[i] = data[j + green * 2]!;
  }
  return picture;
}

/** Averages squares of `factor` pixels; incomplete ones at the right and bottom are dropped. */
export function shrinkPlane({ w, h, data }: Plane, factor: number): Plane {
  const out = plane(Math.floor(w / factor), Math.floor(h / factor));
  const share = 1 / (factor * factor);
  for (let y = 0; y < out.h * factor; y++) {
    const row = Math.floor(y / factor) * out.w;
    for (let x = 0, i = y * w; x < out.w; x++)
      for (let n = 0; n < factor; n++, i++) out.data[row + x]! += data[i]! * share;
  }
  return out;
}

export function shrinkPicture(picture: Rgb3, factor: number): Rgb3 {
  const { w, h } = picture;
  const [r, g, b] = [picture.r, picture.g, picture.b].map((data) => shrinkPlane({ w, h, data }, factor));
  return { w: r!.w, h: r!.h, r: r!.data, g: g!.data, b: b!.data };
}

/** The part of a plane from column `x` and row `y` on. */
export function cropPlane(input: Plane, x: number, y: number, w: number, h: number): Plane {
  const out = plane(w, h);
  for (let row = 0; row < h; row++) {
    const start = (y + row) * input.w + x;
    out.data.set(input.data.subarray(start, start + w), row * w);
  }
  return out;
}

/** Luma of Rec. 601, 0–255. */
export function luma(picture: Rgb3): Plane {
  const out = plane(picture.w, picture.h);
  for (let i = 0; i < out.data.length; i++)
    out.data[i] = 0.299 * picture.r[i]! + 0.587 * picture.g[i]! + 0.114 * picture.b[i]!;
  return out;
}

/** Mean over a square of side `2 * radius + 1`, cut off at the borders; cost does not depend on the radius. */
export function boxBlur(input: Plane, radius: number): Plane {
  const { w, h } = input;
  if (radius < 1) return { w, h, data: input.data.slice() };
  const rows = new Float32Array(w * h);
  const out = plane(w, h);
  for (let y = 0; y < h; y++) {
    const start = y * w;
    let sum = 0;
    let count = 0;
    for (let x = 0; x < Math.min(radius, w); x++) {
      sum += input.data[start + x]!;
      count++;
    }
    for (let x = 0; x < w; x++) {
      if (x + radius < w) {
        sum += input.data[start + x + radius]!;
        count++;
      }
      if (x - radius > 0) {
        sum -= input.data[start + x - radius - 1]!;
        count--;
      }
      rows[start + x] = sum / count;
    }
  }
  // Columns are summed a whole row at a time, which keeps to the order of memory.
  const sums = new Float64Array(w);
  let count = 0;
  const addRow = (y: number, sign: number) => {
    for (let x = 0, i = y * w; x < w; x++, i++) sums[x]! += sign * rows[i]!;
    count += sign;
  };
  for (let y = 0; y < Math.min(radius, h); y++) addRow(y, 1);
  for (let y = 0; y < h; y++) {
    if (y + radius < h) addRow(y + radius, 1);
    if (y - radius > 0) addRow(y - radius - 1, -1);
    for (let x = 0, i = y * w; x < w; x++, i++) out.data[i] = sums[x]! / count;
  }
  return out;
}

/** Two box blurs: near enough to a Gaussian for shading. */
export const softBlur = (input: Plane, radius: number): Plane => boxBlur(boxBlur(input, radius), radius);

/** Value at a fractional position, pixels outside repeating the border. */
export function sample(data: Float32Array, w: number, h: number, x: number, y: number): number {
  const cx = clamp(x, 0, w - 1.001);
  const cy = clamp(y, 0, h - 1.001);
  const x0 = Math.max(0, Math.floor(cx));
  const y0 = Math.max(0, Math.floor(cy));
  const x1 = Math.min(w - 1, x0 + 1);
  const y1 = Math.min(h - 1, y0 + 1);
  const fx = cx - x0;
  const fy = cy - y0;
  const top = data[y0 * w + x0]! * (1 - fx) + data[y0 * w + x1]! * fx;
  const bottom = data[y1 * w + x0]! * (1 - fx) + data[y1 * w + x1]! * fx;
  return top * (1 - fy) + bottom * fy;
}

/** Bilinear resize; to shrink a lot, blur first. */
export function resize(input: Plane, w: number, h: number): Plane {
  const out = plane(w, h);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++)
      out.data[y * w + x] = sample(
        input.data,
        input.w,
        input.h,
        ((x + 0.5) * input.w) / w - 0.5,
        ((y + 0.5) * input.h) / h - 0.5,
      );
  return out;
}

/**
 * Smooths `input` but keeps the edges of `guide` (He, Sun, Tang: "Guided Image Filtering", 2010).
 * `epsilon` is the variance, in squared units of the guide, below which a region counts as flat.
 */
export const guidedFilter = (guide: Plane, input: Plane, radius: number, epsilon: number): Plane =>
  guidedFilters(guide, [input], radius, epsilon)[0]!;

/** Several planes under one guide, which is looked at only once. */
export function guidedFilters(guide: Plane, inputs: Plane[], radius: number, epsilon: number): Plane[] {
  const { w, h } = guide;
  const size = w * h;
  const product = plane(w, h);
  for (let i = 0; i < size; i++) product.data[i] = guide.data[i]! * guide.data[i]!;
  const meanGuide = boxBlur(guide, radius).data;
  const meanSquare = boxBlur(product, radius).data;
  return inputs.map((input) => {
    for (let i = 0; i < size; i++) product.data[i] = guide.data[i]! * input.data[i]!;
    const slope = boxBlur(product, radius);
    const offset = boxBlur(input, radius);
    for (let i = 0; i < size; i++) {
      const mean = meanGuide[i]!;
      const variance = meanSquare[i]! - mean * mean;
      const a = (slope.data[i]! - mean * offset.data[i]!) / (variance + epsilon);
      slope.data[i] = a;
      offset.data[i] = offset.data[i]! - a * mean;
    }
    const meanSlope = boxBlur(slope, radius);
    const meanOffset = boxBlur(offset, radius).data;
    for (let i = 0; i < size; i++) meanSlope.data[i] = meanSlope.data[i]! * guide.data[i]! + meanOffset[i]!;
    return meanSlope;
  });
}

/** Deterministic numbers in [0, 1) from a seed (mulberry32), so that a redraw with the same seed is the same. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
