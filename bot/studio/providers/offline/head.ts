/**
 * The guest's head, ready to be drawn: cut out along hair and jaw where the photo allows it, else in an
 * oval that keeps some of the photo's background and looks meant.
 */
import { distanceTo } from "./distance.ts";
import { type Face, findFace } from "./face.ts";
import { chinY, type Framed, frameBox, frameOf, fromColumn, fromRow, shrinkFrame, toColumn, toRow } from "./frame.ts";
import { clamp, cropPlane, guidedFilter, luma, type Plane, plane, type Rgb3, resize, smoothstep } from "./pixels.ts";
import { segment } from "./segment.ts";

/** Extents of the head in hundredths of the distance between the eyes, the unit in which outfits are drawn. */
export type HeadShape = { top: number; left: number; right: number; chin: number };
/** `alpha` and `picture` share the frame's size; `oval` tells that the head was framed, not cut out; `eyesSure`, that the eyes are where the frame says. */
export type Head = {
  picture: Rgb3;
  alpha: Plane;
  unit: number;
  shape: HeadShape;
  oval: boolean;
  box: Box;
  eyesSure: boolean;
};
/** Where the picture lies around the eyes, in the outfits' hundredths. */
export type Box = { x: number; y: number; w: number; h: number };

const segmentUnit = 25;
const leastCertainty = 0.55;
const leastScore = 0.4;
/** From this score on, lids and hearts are drawn where the eyes were found. */
const sureScore = 0.5;
const leastInside = 0.88;
/** Parts of the cut-out thinner than twice this, in units, are no part of a head. */
const thinnest = 0.16;
/** The cut runs this many pixels of the small mask inside its edge: a rim of background looks worse than a trim. */
const tighter = 0.9;
/** Distance of two mean colours (0–441) up to which both are the same hair. */
const hairLikeness = 48;
/** Share of its convex hull that the cut-out above the jaw fills; less means bites or lumps. */
const leastSolid = 0.93;

/** Finds and cuts out the head; `unit` is the wanted distance between the eyes in pixels. */
export function cutHead(photo: Rgb3, unit: number, found: Face = findFace(photo)): Head {
  const face = found.score >= leastScore - 0.15 ? found : middleOf(photo);
  const eyesSure = face.score >= sureScore;
  const framed = frameOf(photo, face, unit);
  const rough = shrinkFrame(framed, segmentUnit);
  if (face.score >= leastScore && headInside(rough) >= leastInside) {
    const { person, certainty } = segment(rough);
    if (certainty >= leastCertainty) {
      const alpha = refine(framed, keepHead(person, rough));
      roundTop(framed, alpha);
      const shape = shapeOf(alpha, unit);
      if (plausible(shape, alpha, unit) && solidity(alpha, unit) > leastSolid)
        return cropped({ picture: framed.picture, alpha, unit, shape, oval: false, eyesSure });
    }
  }
  return ovalHead(framed, eyesSure);
}

/** Without a face to go by, the middle of the upper half is where one would be. */
function middleOf(photo: Rgb3): Face {
  const side = Math.min(photo.w, photo.h);
  return { x: photo.w / 2, y: photo.h * 0.42, eyes: side * 0.19, angle: 0, score: 0, skin: 0 };
}

/** Share of the place where head and hair are expected that the photo shows. */
function headInside({ inside, unit }: Framed): number {
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

/** Keeps the one region that holds the face, without holes, and lets shoulders fall away below the jaw. */
function keepHead(person: Plane, { picture, unit }: Framed): Plane {
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

/** Brings a small mask to the frame's size and lets it follow hair and jaw exactly. */
function refine(framed: Framed, mask: Plane): Plane {
  const { w, h } = framed.picture;
  const large = resize(mask, w, h);
  const soft = guidedFilter(luma(framed.picture), large, Math.max(2, Math.round(framed.unit * 0.07)), 90);
  for (let i = 0; i < soft.data.length; i++)
    soft.data[i] = smoothstep(0.32, 0.72, 0.65 * soft.data[i]! + 0.35 * large.data[i]!) * framed.inside.data[i]!;
  return soft;
}

/** Where the photo's edge cuts through the hair, the head gets a round top instead of a straight one. */
function roundTop({ inside, unit }: Framed, alpha: Plane): void {
  const { w, data } = alpha;
  const columns = [-0.8, -0.4, 0, 0.4, 0.8].map((x) => Math.round(toColumn(x, unit)));
  const edge = Math.max(
    ...columns.map((x) => {
      let y = 0;
      while (y < inside.h - 1 && inside.data[y * w + x]! < 1) y++;
      return y < inside.h - 2 && data[(y + 2) * w + x]! > 0.5 ? fromRow(y, unit) : frameBox.top;
    }),
  );
  if (edge <= frameBox.top + 0.1) return;
  for (let i = 0; i < data.length; i++) {
    const y = fromRow(Math.floor(i / w), unit);
    if (y > 0.2) break;
    const x = fromColumn(i % w, unit);
    const radius = (Math.abs(x / 1.75) ** 2.6 + Math.abs((y - 0.2) / (edge - 0.2)) ** 2.6) ** (1 / 2.6);
    data[i]! *= clamp((1 - radius) * unit * 0.9 + 0.5, 0, 1);
  }
}

function shapeOf(alpha: Plane, unit: number): HeadShape {
  const { w, h, data } = alpha;
  let top = h;
  let left = w;
  let right = 0;
  const temple = Math.round(toRow(-0.1, unit));
  for (let y = 0; y <= temple; y++)
    for (let x = 0; x < w; x++) {
      if (data[y * w + x]! < 0.5) continue;
      top = Math.min(top, y);
      if (y > temple - unit * 0.8) {
        left = Math.min(left, x);
        right = Math.max(right, x);
      }
    }
  const hundred = (value: number) => Math.round(100 * value);
  return {
    top: hundred(fromRow(top, unit)),
    left: hundred(fromColumn(left, unit)),
    right: hundred(fromColumn(right, unit)),
    chin: hundred(chinY),
  };
}

/** A cut-out that is much too small, too large or lopsided was not cut along the person. */
function plausible(shape: HeadShape, alpha: Plane, unit: number): boolean {
  let area = 0;
  for (const value of alpha.data) area += value;
  area /= unit * unit;
  const fits = shape.top < -85 && shape.top > -275 && shape.left < -80 && shape.right > 80;
  return fits && shape.left > -245 && shape.right < 245 && area > 5 && area < 16;
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

/** An oval around the face, as large as the photo allows. */
function ovalHead(framed: Framed, eyesSure: boolean): Head {
  const { inside, unit, picture } = framed;
  const reach = (x: number, y: number, dx: number, dy: number, most: number): number => {
    let far = 0;
    while (far < most) {
      const column = Math.round(toColumn(x + dx * (far + 0.05), unit));
      const row = Math.round(toRow(y + dy * (far + 0.05), unit));
      if (column < 0 || row < 0 || column >= inside.w || row >= inside.h) break;
      if (inside.data[row * inside.w + column]! < 1) break;
      far += 0.05;
    }
    return far;
  };
  const middle = 0.35;
  const up = reach(0, middle, 0, -1, 1.9);
  const down = reach(0, middle, 0, 1, 1.75);
  const side = Math.max(0.9, Math.min(reach(0, middle, -1, 0, 1.4), reach(0, middle, 1, 0, 1.4)));
  const alpha = plane(picture.w, picture.h);
  for (let i = 0; i < alpha.data.length; i++) {
    const x = fromColumn(i % alpha.w, unit) / side;
    const y =
      (fromRow(Math.floor(i / alpha.w), unit) - middle) / (fromRow(Math.floor(i / alpha.w), unit) < middle ? up : down);
    const radius = (Math.abs(x) ** 2.4 + Math.abs(y) ** 2.4) ** (1 / 2.4);
    alpha.data[i] = clamp((1 - radius) * unit * 0.9 + 0.5, 0, 1);
  }
  const shape = { top: Math.round(100 * (middle - up)), left: -100 * side, right: 100 * side, chin: 185 };
  return cropped({ picture, alpha, unit, shape, oval: true, eyesSure });
}

/** Takes away the empty part of the frame around the head, and says where in the frame the rest lies. */
function cropped(head: Omit<Head, "box">): Head {
  const { alpha, picture, unit } = head;
  const { w, h } = alpha;
  const rim = Math.ceil(unit * 0.12);
  let [left, top, right, bottom] = [w, h, 0, 0];
  for (let i = 0; i < alpha.data.length; i++) {
    if (alpha.data[i]! <= 0.01) continue;
    const x = i % w;
    const y = (i - x) / w;
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
  }
  left = Math.max(0, left - rim);
  top = Math.max(0, top - rim);
  const cw = Math.max(1, Math.min(w, right + rim) - left);
  const ch = Math.max(1, Math.min(h, bottom + rim) - top);
  const cut = (data: Float32Array) => cropPlane({ w, h, data }, left, top, cw, ch).data;
  return {
    ...head,
    picture: { w: cw, h: ch, r: cut(picture.r), g: cut(picture.g), b: cut(picture.b) },
    alpha: { w: cw, h: ch, data: cut(alpha.data) },
    box: {
      x: 100 * (left / unit + frameBox.left),
      y: 100 * (top / unit + frameBox.top),
      w: (100 * cw) / unit,
      h: (100 * ch) / unit,
    },
  };
}

/** A hat's band: its middle and half its width, and the height above which hair is under the hat. */
export type HatBand = { middle: number; half: number; brim: number };

/** Takes away the hair that a hat covers, and rounds what comes out at its sides. */
export function trimUnderHat({ alpha, box, unit }: Head, { middle, half, brim }: HatBand): void {
  const { w, data } = alpha;
  for (let i = 0; i < data.length; i++) {
    const x = box.x + (100 * (i % w)) / unit;
    const y = box.y + (100 * Math.floor(i / w)) / unit;
    const out = Math.max(0, Math.abs(x - middle) - (half - 34));
    const lid = brim + (out * out) / 110;
    data[i]! *= smoothstep(-1.2, 1.2, ((y - lid) * unit) / 100);
  }
}
