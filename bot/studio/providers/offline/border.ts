/** Turns a drawing on transparency into a die-cut sticker: one piece, without holes, with an even white border. */
import { distanceTo } from "./distance.ts";
import { clamp } from "./pixels.ts";
import { label } from "./regions.ts";

/** `coverage`: 0–1 per pixel, how much of it belongs to the sticker with its border. */
export type DieCut = { coverage: Float32Array };

/**
 * `drawing` is interleaved RGBA. The border is `border` pixels wide; gaps and notches narrower than about
 * twice `bridge` are filled with white, and more so when the drawing lies in several pieces.
 */
export function dieCut(drawing: Uint8Array, w: number, h: number, border: number, bridge: number): DieCut {
  const solid = new Uint8Array(w * h);
  for (let i = 0; i < solid.length; i++) solid[i] = drawing[i * 4 + 3]! > 127 ? 1 : 0;
  const outwards = distanceTo(solid, w, h);
  for (let reach = bridge; ; reach *= 2) {
    const coverage = close(outwards, w, h, border, reach);
    const pieces = fillHoles(coverage, w, h);
    if (pieces <= 1 || reach > bridge * 3) return { coverage };
  }
}

/** Everything within `border + reach` of the drawing, drawn back in by `reach`. */
function close(outwards: Float32Array, w: number, h: number, border: number, reach: number): Float32Array {
  const outside = new Uint8Array(w * h);
  for (let i = 0; i < outside.length; i++) outside[i] = outwards[i]! > border + reach ? 1 : 0;
  const inwards = distanceTo(outside, w, h);
  const coverage = new Float32Array(w * h);
  for (let i = 0; i < coverage.length; i++)
    coverage[i] = Math.max(clamp(inwards[i]! - reach, 0, 1), clamp(border + 0.5 - outwards[i]!, 0, 1));
  return coverage;
}

/** Fills what the border encloses, drops all but the largest piece, and says how many pieces there were. */
function fillHoles(coverage: Float32Array, w: number, h: number): number {
  const empty = new Uint8Array(w * h);
  for (let i = 0; i < empty.length; i++) empty[i] = coverage[i]! < 0.5 ? 1 : 0;
  const { labels, regions } = label(empty, w, h);
  const open = new Set(
    regions.filter((r) => r.left === 0 || r.top === 0 || r.right === w - 1 || r.bottom === h - 1).map((r) => r.label),
  );
  for (let i = 0; i < empty.length; i++) {
    if (empty[i] && !open.has(labels[i]!)) {
      coverage[i] = 1;
      empty[i] = 0;
    }
    empty[i] = empty[i] ? 0 : 1;
  }
  const pieces = label(empty, w, h);
  const main = pieces.regions.reduce(
    (best, r) => (r.area > best.area ? r : best),
    pieces.regions[0] ?? { label: 0, area: 0 },
  );
  for (let i = 0; i < empty.length; i++) if (empty[i] && pieces.labels[i] !== main.label) coverage[i] = 0;
  return pieces.regions.length;
}
