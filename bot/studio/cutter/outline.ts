/**
 * The white die-cut outline: every pixel within a given distance of the figure's edge. The distance is
 * exact Euclidean, and starts where the edge really runs inside a half-covered pixel.
 */

/** Pixels fainter than this (of 1) are no edge. */
const FAINT = 0.04;

/**
 * Squared distance of each pixel's centre from the figure's edge, exact up to `reach`, infinite beyond;
 * 0 inside. Only edge pixels can be nearest to anything outside, so each of them offers itself to the disc
 * around it.
 */
export function squaredDistances(alpha: Uint8Array, width: number, height: number, reach: number): Float32Array {
  const squares = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY);
  const span = Math.ceil(reach);
  const inside = (at: number) => alpha[at]! >= 128;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const cover = alpha[at]! / 255;
      if (cover <= FAINT) continue;
      if (inside(at)) {
        squares[at] = 0;
        const within = x > 0 && x + 1 < width && y > 0 && y + 1 < height;
        if (within && inside(at - 1) && inside(at + 1) && inside(at - width) && inside(at + width)) continue;
      }
      // A pixel covered by less than half has the edge (0.5 − cover) away from its centre.
      const own = cover < 0.5 ? (0.5 - cover) ** 2 : 0;
      const top = Math.max(0, y - span);
      const bottom = Math.min(height - 1, y + span);
      const left = Math.max(0, x - span);
      const right = Math.min(width - 1, x + span);
      for (let py = top; py <= bottom; py++) {
        const high = own + (py - y) * (py - y);
        const base = py * width;
        for (let px = left; px <= right; px++) {
          const square = high + (px - x) * (px - x);
          if (square < squares[base + px]!) squares[base + px] = square;
        }
      }
    }
  }
  return squares;
}

/** Puts a white outline of `radius` pixels behind straight RGBA, in place. */
export function drawOutline(rgba: Uint8Array, width: number, height: number, radius: number): void {
  const alpha = new Uint8Array(width * height);
  for (let at = 0; at < alpha.length; at++) alpha[at] = rgba[at * 4 + 3]!;
  const squares = squaredDistances(alpha, width, height, radius + 1);
  for (let at = 0; at < alpha.length; at++) {
    const top = alpha[at]! / 255;
    if (top === 1) continue;
    // Half a pixel on either side of the outline's edge is its own smooth edge.
    const under = Math.min(1, Math.max(0, radius + 0.5 - Math.sqrt(squares[at]!))) * (1 - top);
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
