/** Turns a drawing on transparency into a die-cut sticker: one piece, without holes, with an even white border. */
import { distanceTo } from "./distance.ts";
import { boxBlur, clamp, type Plane, sample } from "./pixels.ts";
import { label } from "./regions.ts";

/** `coverage`: 0–1 per pixel, how much of it belongs to the sticker with its border. */
export type DieCut = { coverage: Float32Array };

/** The border is smooth, so it is found on a copy of half the size; distances there count double. */
const factor = 2;
/** Radius of the blur that takes the steps of the small copy out of the edge. */
const smoothing = 2;
const deepest = 6;
/** Pieces are joined over gaps up to this many times the usual bridge. */
const mostBridging = 4;

/**
 * `drawing` is interleaved RGBA. The border is `border` pixels wide; gaps and notches narrower than about
 * twice `bridge` are filled with white, and wider ones too while the drawing lies in several pieces.
 */
export function dieCut(drawing: Uint8Array, w: number, h: number, border: number, bridge: number): DieCut {
  const rim = Math.ceil((border + mostBridging * bridge) / factor) + 2;
  const [fw, fh] = [Math.ceil(w / factor) + 2 * rim, Math.ceil(h / factor) + 2 * rim];
  const field = { w: fw, h: fh, data: distanceTo(solidOf(drawing, w, h, fw, fh, rim), fw, fh) };
  for (let reach = bridge; ; reach *= 2) {
    const depth = depthOf(field, border / factor, reach / factor);
    const pieces = makeWhole(depth);
    if (pieces <= 1 || reach * 2 > bridge * mostBridging)
      return { coverage: enlarge(boxBlur(depth, smoothing), w, h, rim) };
  }
}

/** 1 where any of the pixels below is more solid than not; a rim around it lets the border be judged at the edges. */
function solidOf(drawing: Uint8Array, w: number, h: number, fw: number, fh: number, rim: number): Uint8Array {
  const solid = new Uint8Array(fw * fh);
  for (let y = 0, i = 3; y < h; y++) {
    const row = (Math.floor(y / factor) + rim) * fw + rim;
    for (let x = 0; x < w; x++, i += 4) if (drawing[i]! > 127) solid[row + Math.floor(x / factor)] = 1;
  }
  return solid;
}

/** How deep each pixel lies inside the border's outer edge (negative: outside), notches up to `reach` closed. */
function depthOf(outwards: Plane, border: number, reach: number): Plane {
  const { w, h, data } = outwards;
  const outside = Uint8Array.from(data, (distance) => (distance > border + reach ? 1 : 0));
  const inwards = distanceTo(outside, w, h);
  // Depths beyond what the edge needs are cut off, or the blur would carry them to it.
  const depth = (distance: number, i: number) => Math.max(border - distance, inwards[i]! - reach - 0.5);
  return { w, h, data: data.map((distance, i) => clamp(depth(distance, i), -deepest, deepest)) };
}

/** Fills what the border encloses, drops all but the largest piece, and says how many pieces there were. */
function makeWhole({ w, h, data }: Plane): number {
  const empty = Uint8Array.from(data, (depth) => (depth < 0 ? 1 : 0));
  const { labels, regions } = label(empty, w, h);
  const open = new Set(
    regions.filter((r) => r.left === 0 || r.top === 0 || r.right === w - 1 || r.bottom === h - 1).map((r) => r.label),
  );
  for (let i = 0; i < empty.length; i++) {
    if (empty[i] && !open.has(labels[i]!)) {
      data[i] = deepest;
      empty[i] = 0;
    }
    empty[i] = empty[i] ? 0 : 1;
  }
  const pieces = label(empty, w, h);
  const largest = Math.max(0, ...pieces.regions.map((region) => region.area));
  const main = pieces.regions.find((region) => region.area === largest)?.label;
  for (let i = 0; i < empty.length; i++) if (empty[i] && pieces.labels[i] !== main) data[i] = -deepest;
  return pieces.regions.length;
}

/** Coverage at full size: the edge runs where the interpolated depth is zero. */
function enlarge(depth: Plane, w: number, h: number, rim: number): Float32Array {
  const coverage = new Float32Array(w * h);
  for (let y = 0, i = 0; y < h; y++)
    for (let x = 0; x < w; x++, i++) {
      const near = depth.data[(Math.floor(y / factor) + rim) * depth.w + Math.floor(x / factor) + rim]!;
      if (near > 2) coverage[i] = 1;
      else if (near > -2)
        coverage[i] = clamp(
          factor *
            sample(depth.data, depth.w, depth.h, (x + 0.5) / factor - 0.5 + rim, (y + 0.5) / factor - 0.5 + rim) +
            0.5,
          0,
          1,
        );
    }
  return coverage;
}
