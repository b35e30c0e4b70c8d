/** Exact Euclidean distances on a grid (Felzenszwalb, Huttenlocher: "Distance Transforms of Sampled Functions", 2012). */

const far = 1e6;

/** For each pixel the distance in pixels to the nearest marked one; a huge number when nothing is marked. */
export function distanceTo(marked: Uint8Array, w: number, h: number): Float32Array {
  const out = new Float32Array(w * h);
  // Along columns, where all marks weigh the same, walking down and up again is enough.
  for (let i = 0; i < out.length; i++) out[i] = marked[i] ? 0 : i < w ? far : Math.min(far, out[i - w]! + 1);
  for (let i = out.length - w - 1; i >= 0; i--) out[i] = Math.min(out[i]!, out[i + w]! + 1);
  const line = new Float64Array(w);
  const hulls = new Int32Array(w);
  const bounds = new Float64Array(w + 1);
  for (let start = 0; start < out.length; start += w) {
    for (let x = 0; x < w; x++) line[x] = out[start + x]! ** 2;
    envelope(line, hulls, bounds);
    for (let x = 0, k = 0; x < w; x++) {
      while (bounds[k + 1]! < x) k++;
      const from = hulls[k]!;
      out[start + x] = Math.sqrt((x - from) ** 2 + line[from]!);
    }
  }
  return out;
}

/** Lower envelope of the parabolas that stand on one line of squared distances: whose, and from where on. */
function envelope(line: Float64Array, hulls: Int32Array, bounds: Float64Array): void {
  let k = 0;
  hulls[0] = 0;
  bounds[0] = Number.NEGATIVE_INFINITY;
  for (let q = 1; q < line.length; q++) {
    let crossing = meet(line, q, hulls[k]!);
    while (crossing <= bounds[k]!) {
      k--;
      crossing = meet(line, q, hulls[k]!);
    }
    k++;
    hulls[k] = q;
    bounds[k] = crossing;
  }
  bounds[k + 1] = Number.POSITIVE_INFINITY;
}

const meet = (line: Float64Array, q: number, p: number): number =>
  (line[q]! + q * q - (line[p]! + p * p)) / (2 * q - 2 * p);
