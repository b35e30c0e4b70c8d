/** Whether a cut-out can be shown: what a cut along a head looks like, and signs that it went wrong. */
import { type Framed, fromColumn, fromRow, toColumn, toRow } from "./frame.ts";
import type { HeadShape } from "./head.ts";
import { luma, type Plane } from "./pixels.ts";
import { skinLikeness } from "./skin.ts";

/** Share of the place above the forehead that the cut-out must hold: hair, hat or bald skin, it is the person's. */
const leastCrown = 0.75;
/** Share of its convex hull that the cut-out above the jaw fills; less means bites or lumps. */
const leastSolid = 0.963;
/** Luma under which a background can hide hair. */
const darkBackground = 70;

/** All signs that can be read from the finished cut-out. */
export const looksCut = (framed: Framed, alpha: Plane, shape: HeadShape): boolean =>
  plausible(shape, alpha, framed.unit) &&
  crownKept(framed, alpha) > leastCrown &&
  solidity(alpha, framed.unit) > leastSolid;

/** Share of the place where head and hair are expected that the photo shows. */
export function headInside({ inside, unit }: Framed): number {
  let within = 0;
  let count = 0;
  for (let i = 0; i < inside.data.length; i++) {
    const x = fromColumn(i % inside.w, unit);
    const y = fromRow(Math.floor(i / inside.w), unit);
    if (Math.hypot(x / 1.3, (y - 0.1) / 1.75) > 1) continue;
    count++;
    within += inside.data[i]!;
  }
  return within / count;
}

/** A cut-out that is much too small, too large or lopsided was not cut along the person. */
function plausible(shape: HeadShape, alpha: Plane, unit: number): boolean {
  let area = 0;
  for (const value of alpha.data) area += value;
  area /= unit * unit;
  const fits = shape.top < -85 && shape.top > -275 && shape.left < -80 && shape.right > 80;
  return fits && shape.left > -245 && shape.right < 245 && area > 5 && area < 16;
}

/** Whether the cut ends in skin with darkness above: a bald head, or dark hair that nobody can tell from the dark. */
export function hairInTheDark({ picture, unit }: Framed, person: Plane): boolean {
  const { w, h } = person;
  const skin = skinLikeness(picture);
  const light = luma(picture);
  let bare = 0;
  let count = 0;
  for (let u = -0.5; u <= 0.5; u += 0.1) {
    const column = Math.round(toColumn(u, unit));
    let top = 0;
    while (top < h && person.data[top * w + column]! < 0.5) top++;
    const below = Math.min(h - 1, top + Math.round(0.28 * unit));
    const above = Math.max(0, top - Math.round(0.25 * unit));
    count++;
    if (skin.data[below * w + column]! > 0.4 && light.data[above * w + column]! < darkBackground) bare++;
  }
  return bare > count / 2;
}

/** How much of the place just above the forehead, as far as the photo shows it, was kept. */
function crownKept({ inside, unit }: Framed, { w, data }: Plane): number {
  let kept = 0;
  let count = 1;
  for (let i = 0; i < data.length; i++) {
    const x = fromColumn(i % w, unit);
    const y = fromRow(Math.floor(i / w), unit);
    if (Math.abs(x) > 0.6 || y < -1.4 || y > -1.05 || inside.data[i]! < 1) continue;
    kept += data[i]!;
    count++;
  }
  return (kept + 1) / count;
}

/** Area of the cut-out above the jaw as a share of its convex hull's. */
function solidity(alpha: Plane, unit: number): number {
  const { w, data } = alpha;
  const jaw = Math.round(toRow(0.9, unit));
  const points: [number, number][] = [];
  let area = 0;
  for (let y = 0; y < jaw; y++) {
    let left = -1;
    let right = -1;
    for (let x = 0; x < w; x++) {
      if (data[y * w + x]! < 0.5) continue;
      if (left < 0) left = x;
      right = x;
      area++;
    }
    if (left >= 0) points.push([left, y], [right + 1, y]);
  }
  return area / Math.max(1, hullArea(points));
}

/** Area of the convex hull of points that come in rows (monotone chains on the left and on the right). */
function hullArea(points: [number, number][]): number {
  const chain = (side: number) => {
    const kept: [number, number][] = [];
    for (let i = side; i < points.length; i += 2) {
      const point = points[i]!;
      while (kept.length > 1) {
        const [a, b] = [kept[kept.length - 2]!, kept[kept.length - 1]!];
        const turn = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]);
        if (side === 1 ? turn > 0 : turn < 0) break;
        kept.pop();
      }
      kept.push(point);
    }
    return kept;
  };
  const outline = [...chain(1), ...chain(0).reverse()];
  let sum = 0;
  for (let i = 0; i < outline.length; i++) {
    const [a, b] = [outline[i]!, outline[(i + 1) % outline.length]!];
    sum += a[0] * b[1] - b[0] * a[1];
  }
  return Math.abs(sum) / 2;
}
