/**
 * The guest's head, ready to be drawn: cut out along hair and jaw where the photo allows it, else in an
 * oval that keeps some of the photo's background and looks meant.
 */
import { hairInTheDark, headInside, looksCut } from "./cut-signs.ts";
import { type Face, findFace } from "./face.ts";
import { chinY, type Framed, frameBox, frameOf, fromColumn, fromRow, shrinkFrame, toColumn, toRow } from "./frame.ts";
import { keepHead } from "./head-mask.ts";
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
const leastInside = 0.88;
const leastScore = 0.4;
/** From this score on, lids and hearts are drawn where the eyes were found. */
const sureScore = 0.5;

/** Finds and cuts out the head; `unit` is the wanted distance between the eyes in pixels. */
export function cutHead(photo: Rgb3, unit: number, found: Face = findFace(photo)): Head {
  const face = found.score >= leastScore - 0.15 ? found : middleOf(photo);
  const eyesSure = face.score >= sureScore;
  const framed = frameOf(photo, face, unit);
  const rough = shrinkFrame(framed, segmentUnit);
  if (face.score >= leastScore && headInside(rough) >= leastInside) {
    const { person, certainty } = segment(rough);
    const mask = keepHead(person, rough);
    if (certainty >= leastCertainty && !hairInTheDark(rough, mask)) {
      const alpha = refine(framed, mask);
      roundTop(framed, alpha);
      const shape = shapeOf(alpha, unit);
      if (looksCut(framed, alpha, shape))
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
  const up = reach(0, middle, 0, -1, 2.25);
  const down = reach(0, middle, 0, 1, 1.75);
  const side = Math.max(0.9, Math.min(reach(0, middle, -1, 0, 1.55), reach(0, middle, 1, 0, 1.55)));
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
