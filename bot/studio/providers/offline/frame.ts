/**
 * The head's own frame: origin between the eyes, which are level and one unit apart, y downwards.
 * In this frame a chin lies near 1.85, the temples near ±1.1, the crown near -1.7, whoever it is.
 */
import type { Face } from "./face.ts";
import { boxBlur, clamp, type Plane, plane, type Rgb3, sample, shrinkPicture, shrinkPlane } from "./pixels.ts";

export const chinY = 1.85;
/** What of the frame is looked at, in units. */
export const frameBox = { left: -2.6, top: -2.9, right: 2.6, bottom: 2.8 };

/** A picture of the frame: `unit` pixels between the eyes; `inside` is 0 where the photo had nothing. */
export type Framed = { picture: Rgb3; inside: Plane; unit: number };

/** Column or row of a frame's picture for a coordinate in units. */
export const toColumn = (x: number, unit: number): number => (x - frameBox.left) * unit - 0.5;
export const toRow = (y: number, unit: number): number => (y - frameBox.top) * unit - 0.5;
/** The coordinate in units of a column or row. */
export const fromColumn = (column: number, unit: number): number => (column + 0.5) / unit + frameBox.left;
export const fromRow = (row: number, unit: number): number => (row + 0.5) / unit + frameBox.top;

/** Resamples a photo into the head's frame. */
export function frameOf(photo: Rgb3, face: Face, unit: number): Framed {
  const w = Math.round((frameBox.right - frameBox.left) * unit);
  const h = Math.round((frameBox.bottom - frameBox.top) * unit);
  const shrink = face.eyes / unit;
  const radius = shrink > 1.6 ? Math.round((shrink - 1) * 0.5) : 0;
  const source = (data: Float32Array) => boxBlur({ w: photo.w, h: photo.h, data }, radius).data;
  const [r, g, b] = [source(photo.r), source(photo.g), source(photo.b)];
  const cos = Math.cos(face.angle) * face.eyes;
  const sin = Math.sin(face.angle) * face.eyes;
  const size = w * h;
  const picture = { w, h, r: new Float32Array(size), g: new Float32Array(size), b: new Float32Array(size) };
  const inside = plane(w, h);
  for (let row = 0, i = 0; row < h; row++) {
    const v = fromRow(row, unit);
    for (let column = 0; column < w; column++, i++) {
      const u = fromColumn(column, unit);
      const x = face.x + cos * u - sin * v;
      const y = face.y + sin * u + cos * v;
      picture.r[i] = sample(r, photo.w, photo.h, x, y);
      picture.g[i] = sample(g, photo.w, photo.h, x, y);
      picture.b[i] = sample(b, photo.w, photo.h, x, y);
      const edge = Math.min(x, y, photo.w - 1 - x, photo.h - 1 - y);
      inside.data[i] = clamp(edge + 1, 0, 1);
    }
  }
  return { picture, inside, unit };
}

/** A frame's smaller copy: about `unit` pixels between the eyes. */
export function shrinkFrame(framed: Framed, unit: number): Framed {
  const factor = Math.max(1, Math.round(framed.unit / unit));
  return {
    picture: shrinkPicture(framed.picture, factor),
    inside: shrinkPlane(framed.inside, factor),
    unit: framed.unit / factor,
  };
}
