/**
 * The white die-cut outline: every pixel within a given distance of the figure's edge. The distance is
 * exact Euclidean, and starts where the edge really runs inside a half-covered pixel.
 */

const FAR = 1e10;

/** Distance of each pixel's centre from the figure, in pixels; 0 and below means inside. */
export function distanceToFigure(alpha: Uint8Array, width: number, height: number): Float32Array {
  const squares = new Float64Array(width * height);
  for (let at = 0; at < squares.length; at++) {
    const a = alpha[at]! / 255;
    // A pixel covered by less than half has the edge (0.5 − a) away from its centre.
    squares[at] = a >= 0.5 ? 0 : a > 0.04 ? (0.5 - a) ** 2 : FAR;
  }
  const side = Math.max(width, height);
  const line = new Float64Array(side);
  const vertex = new Int32Array(side);
  const bound = new Float64Array(side + 1);
  for (let x = 0; x < width; x++) transform(squares, x, width, height, line, vertex, bound);
  for (let y = 0; y < height; y++) transform(squares, y * width, 1, width, line, vertex, bound);
  return Float32Array.from(squares, Math.sqrt);
}

/** Lower envelope of parabolas along one line (Felzenszwalb and Huttenlocher, 2012). */
function transform(
  squares: Float64Array,
  start: number,
  step: number,
  length: number,
  line: Float64Array,
  vertex: Int32Array,
  bound: Float64Array,
): void {
  for (let i = 0; i < length; i++) line[i] = squares[start + i * step]!;
  let k = 0;
  vertex[0] = 0;
  bound[0] = -FAR;
  bound[1] = FAR;
  for (let q = 1; q < length; q++) {
    let meet: number;
    do {
      const v = vertex[k]!;
      meet = (line[q]! + q * q - line[v]! - v * v) / (2 * (q - v));
    } while (meet <= bound[k]! && --k > -1);
    k++;
    vertex[k] = q;
    bound[k] = meet;
    bound[k + 1] = FAR;
  }
  k = 0;
  for (let q = 0; q < length; q++) {
    while (bound[k + 1]! < q) k++;
    const v = vertex[k]!;
    squares[start + q * step] = (q - v) * (q - v) + line[v]!;
  }
}

/** Puts a white outline of `radius` pixels behind straight RGBA, in place. */
export function drawOutline(rgba: Uint8Array, width: number, height: number, radius: number): void {
  const alpha = new Uint8Array(width * height);
  for (let at = 0; at < alpha.length; at++) alpha[at] = rgba[at * 4 + 3]!;
  const distance = distanceToFigure(alpha, width, height);
  for (let at = 0; at < alpha.length; at++) {
    const top = alpha[at]! / 255;
    if (top === 1) continue;
    // Half a pixel on either side of the outline's edge is its own smooth edge.
    const under = Math.min(1, Math.max(0, radius + 0.5 - distance[at]!)) * (1 - top);
    const whole = top + under;
    const p = at * 4;
    if (whole <= 0) {
      rgba[p] = rgba[p + 1] = rgba[p + 2] = rgba[p + 3] = 0;
      continue;
    }
    rgba[p] = Math.round((rgba[p]! * top + 255 * under) / whole);
    rgba[p + 1] = Math.round((rgba[p + 1]! * top + 255 * under) / whole);
    rgba[p + 2] = Math.round((rgba[p + 2]! * top + 255 * under) / whole);
    rgba[p + 3] = Math.round(whole * 255);
  }
}
