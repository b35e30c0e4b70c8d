/** Exact Euclidean distances on a grid (Felzenszwalb, Huttenlocher: "Distance Transforms of Sampled Functions", 2012). */

const far = 1e12;

/** For each pixel the distance in pixels to the nearest marked one; a huge number when nothing is marked. */
export function distanceTo(marked: Uint8Array, w: number, h: number): Float32Array {
  const squared = new Float64Array(w * h);
  for (let i = 0; i < squared.length; i++) squared[i] = marked[i] ? 0 : far;
  const longest = Math.max(w, h);
  const line = new Float64Array(longest);
  const out = new Float64Array(longest);
  const hulls = new Int32Array(longest);
  const bounds = new Float64Array(longest + 1);
  for (let x = 0; x < w; x++) {
    for (let y = 0; y < h; y++) line[y] = squared[y * w + x]!;
    transform(line, out, h, hulls, bounds);
    for (let y = 0; y < h; y++) squared[y * w + x] = out[y]!;
  }
  const distances = new Float32Array(w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) line[x] = squared[y * w + x]!;
    transform(line, out, w, hulls, bounds);
    for (let x = 0; x < w; x++) distances[y * w + x] = Math.sqrt(out[x]!);
  }
  return distances;
}

/** Lower envelope of the parabolas that stand on one line of squared distances. */
function transform(line: Float64Array, out: Float64Array, n: number, hulls: Int32Array, bounds: Float64Array): void {
  let k = 0;
  hulls[0] = 0;
  bounds[0] = -far;
  bounds[1] = far;
  for (let q = 1; q < n; q++) {
    let crossing = meet(line, q, hulls[k]!);
    while (k > 0 && crossing <= bounds[k]!) {
      k--;
      crossing = meet(line, q, hulls[k]!);
    }
    k++;
    hulls[k] = q;
    bounds[k] = crossing;
    bounds[k + 1] = far;
  }
  k = 0;
  for (let q = 0; q < n; q++) {
    while (bounds[k + 1]! < q) k++;
    const from = hulls[k]!;
    out[q] = (q - from) ** 2 + line[from]!;
  }
}

const meet = (line: Float64Array, q: number, p: number): number =>
  (line[q]! + q * q - (line[p]! + p * p)) / (2 * q - 2 * p);
