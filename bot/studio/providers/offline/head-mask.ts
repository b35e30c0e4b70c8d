/** From "this pixel is the person" to one clean mask of the head. */
import { distanceTo } from "./distance.ts";
import { type Framed, fromColumn, fromRow, toColumn, toRow } from "./frame.ts";
import { type Plane, plane, type Rgb3, smoothstep } from "./pixels.ts";

/** Parts of the cut-out thinner than twice this, in units, are no part of a head. */
const thinnest = 0.16;
/** The cut runs this many pixels of the small mask inside its edge: a rim of background looks worse than a trim. */
const tighter = 0.9;
/** Distance of two mean colours (0–441) up to which both are the same hair. */
const hairLikeness = 48;

/** Keeps the one region that holds the face, without holes, and lets shoulders fall away below the jaw. */
export function keepHead(person: Plane, { picture, unit }: Framed): Plane {
  const { w, h } = person;
  const longHair = hasLongHair(person, picture, unit);
  const out = plane(w, h);
  const start = Math.round(toRow(0.5, unit)) * w + Math.round(toColumn(0, unit));
  const solid = flood(opened(person, thinnest * unit), [start], (value) => value > 0.5);
  const border: number[] = [];
  for (let x = 0; x < w; x++) border.push(x, (h - 1) * w + x);
  for (let y = 0; y < h; y++) border.push(y * w, y * w + w - 1);
  const around = flood({ w, h, data: Float32Array.from(solid) }, border, (value) => value === 0);
  for (let i = 0; i < out.data.length; i++) {
    const x = fromColumn(i % w, unit);
    const y = fromRow(Math.floor(i / w), unit);
    const bob = longHair ? Math.hypot(x / 1.75, (y + 0.1) / 2.3) : Math.hypot(x / 1.12, (y - 0.4) / 1.5);
    const neck = y > 1.3 && y < 2.6 ? Math.abs(x) / 0.62 : 9;
    const kept = y < (longHair ? 0.6 : 0.85) ? 1 : 1 - smoothstep(0.97, 1.03, Math.min(bob, neck));
    out.data[i] = (around[i] ? 0 : 1) * kept;
  }
  return out;
}

/** Without bridges and barbs narrower than twice `radius` pixels. */
function opened(person: Plane, radius: number): Plane {
  const { w, h, data } = person;
  const outside = Uint8Array.from(data, (value) => (value > 0.5 ? 0 : 1));
  const core = Uint8Array.from(distanceTo(outside, w, h), (distance) => (distance > radius ? 1 : 0));
  return { w, h, data: distanceTo(core, w, h).map((distance) => (distance <= radius - tighter ? 1 : 0)) };
}

/** Whether what lies beside the jaw has the colours of what lies above the forehead, not those of a collar. */
function hasLongHair(person: Plane, picture: Rgb3, unit: number): boolean {
  const hair = [0, 0, 0, 0];
  const beside = [0, 0, 0, 0];
  for (let i = 0; i < person.data.length; i++) {
    if (person.data[i]! < 0.5) continue;
    const x = Math.abs(fromColumn(i % person.w, unit));
    const y = fromRow(Math.floor(i / person.w), unit);
    const above = (y < -1 && y > -1.6 && x < 1) || (x > 1.1 && x < 1.5 && y > -0.8 && y < 0);
    const sum = above ? hair : x > 1.05 && x < 1.6 && y > 1 && y < 1.5 ? beside : null;
    if (!sum) continue;
    sum[0]! += picture.r[i]!;
    sum[1]! += picture.g[i]!;
    sum[2]! += picture.b[i]!;
    sum[3]! += 1;
  }
  if (hair[3]! < 10 || beside[3]! < 0.12 * unit * unit) return false;
  const difference = [0, 1, 2].map((c) => hair[c]! / hair[3]! - beside[c]! / beside[3]!);
  return Math.hypot(...difference) < hairLikeness;
}

/** Marks with 1 what is reached from `starts` through pixels that pass. */
function flood(input: Plane, starts: number[], passes: (value: number) => boolean): Uint8Array {
  const { w, h, data } = input;
  const seen = new Uint8Array(w * h);
  const queue = starts.filter((i) => passes(data[i]!));
  for (const i of queue) seen[i] = 1;
  const visit = (i: number) => {
    if (!seen[i] && passes(data[i]!)) {
      seen[i] = 1;
      queue.push(i);
    }
  };
  for (let i = queue.pop(); i !== undefined; i = queue.pop()) {
    if (i % w > 0) visit(i - 1);
    if (i % w < w - 1) visit(i + 1);
    if (i >= w) visit(i - w);
    if (i + w < w * h) visit(i + w);
  }
  return seen;
}
