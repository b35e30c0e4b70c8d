/**
 * The coarse pattern of light and dark that every face shares: bright forehead, dark brows and eyes, bright
 * bridge of the nose and cheeks, dark mouth, bright chin. It stands on a grid whose cells are a quarter of the
 * distance between the eyes, in whole numbers rounded from a dozen portraits, and is compared by normalised
 * correlation, which light and contrast do not change.
 */
import { type Plane, sample } from "./pixels.ts";

/** A place, size (`eyes`: pixels between them) and turn (radians) at which a face may be. */
export type Pose = { x: number; y: number; eyes: number; angle: number };

/** Half of the pattern, from beside the face to its middle; the other half mirrors it. `_` is not looked at. */
const pattern = [
  "_ 0 2 3 4",
  "-3 -2 -3 0 4",
  "-2 -4 -6 -1 4",
  "0 3 4 3 4",
  "0 4 5 2 4",
  "0 2 3 0 0",
  "_ 1 1 0 0",
  "_ 0 1 0 1",
  "_ -2 -1 0 1",
  "_ _ -3 -1 0",
];
const cellSize = 0.25;
const firstRow = -0.5;
const firstColumn = -1;

type Point = { x: number; y: number; value: number };
const points: Point[] = pattern.flatMap((row, line) => {
  const half = row.split(" ");
  return half.flatMap((mark, column) => {
    if (mark === "_") return [];
    const x = firstColumn + column * cellSize;
    const y = firstRow + line * cellSize;
    const value = Number(mark);
    return x === 0
      ? [{ x, y, value }]
      : [
          { x, y, value },
          { x: -x, y, value },
        ];
  });
});
const patternMean = points.reduce((sum, p) => sum + p.value, 0) / points.length;
const weights = points.map((point) => point.value - patternMean);
const patternNorm = Math.sqrt(points.reduce((sum, p) => sum + (p.value - patternMean) ** 2, 0));

/** Correlation of the pattern with the blurred brightness at a pose, -1 to 1. */
export function correlation(light: Plane, pose: Pose): number {
  const cos = Math.cos(pose.angle) * pose.eyes;
  const sin = Math.sin(pose.angle) * pose.eyes;
  let sum = 0;
  let squares = 0;
  let product = 0;
  for (const point of points) {
    const value = sample(
      light.data,
      light.w,
      light.h,
      pose.x + cos * point.x - sin * point.y,
      pose.y + sin * point.x + cos * point.y,
    );
    sum += value;
    squares += value * value;
    product += value * (point.value - patternMean);
  }
  const variance = squares - (sum * sum) / points.length;
  // A floor keeps noise in flat regions from looking like a face.
  return product / (patternNorm * Math.sqrt(variance + points.length * 4));
}

/** The same for a place of the grid, without turning or interpolation: decides where a closer look is worth it. */
export function roughCorrelation(light: Float32Array, at: number, offsets: readonly number[]): number {
  let sum = 0;
  let squares = 0;
  let product = 0;
  for (let n = 0; n < offsets.length; n++) {
    const value = light[at + offsets[n]!] ?? 0;
    sum += value;
    squares += value * value;
    product += value * weights[n]!;
  }
  const variance = squares - (sum * sum) / offsets.length;
  return product / (patternNorm * Math.sqrt(variance + offsets.length * 4));
}

/** For `roughCorrelation`: the pattern as steps through a plane `width` pixels wide, eyes `eyes` pixels apart. */
export const patternOffsets = (eyes: number, width: number): number[] =>
  points.map((point) => Math.round(point.y * eyes) * width + Math.round(point.x * eyes));
