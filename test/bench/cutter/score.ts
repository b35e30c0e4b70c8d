/** How far a matte is from the truth. Distances and areas are in pixels, colours in levels of 255. */
import { findRegions } from "../../../bot/studio/cutter/regions.ts";
import type { Truth } from "./truth.ts";

export type Matte = { rgba: Uint8Array; owner?: Uint8Array; cells?: number[] };
export type Score = {
  /** Sum of absolute alpha differences (alpha 0…1), in thousands. */
  sadK: number;
  /** Mean squared alpha difference over the sheet, times 1000. */
  mseMilli: number;
  /** Share of edge pixels that show the key's colour once laid on white, 0…1. */
  fringe: number;
  /** Mean colour error inside the figures, levels. */
  colour: number;
  /** Truth's holes that are open in the matte, 0…1; 1 when there are none. */
  holes: number;
  /** Right number of stickers, each in its cell. */
  count: boolean;
  /** Mean IoU of each sticker's own pixels with the truth's, 0…1; NaN for tools that do not part stickers. */
  ownership: number;
};

/** On white, a pixel shows the key when it leans towards it in chroma by this much more than it should. */
const FRINGE_LEVELS = 12;
const MIN_HOLE_PX = 60;

export function score(truth: Truth, matte: Matte): Score {
  const { width, height, rgba: want, spec } = truth;
  const got = matte.rgba;
  const key = [spec.key.r, spec.key.g, spec.key.b];
  // The key's direction away from grey: a pixel that is only darker than it should be does not count.
  const grey = (key[0]! + key[1]! + key[2]!) / 3;
  const lean = key.map((value) => value - grey);
  const length = Math.hypot(...lean);
  let [sad, squares, fringed, edges, colourSum, insides] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < width * height; at++) {
    const p = at * 4;
    const wantAlpha = want[p + 3]! / 255;
    const gotAlpha = got[p + 3]! / 255;
    const off = gotAlpha - wantAlpha;
    sad += Math.abs(off);
    squares += off * off;
    if (wantAlpha === 1) {
      insides++;
      const cover = got[p + 3] === 0 ? 0 : 1;
      for (let c = 0; c < 3; c++) colourSum += Math.abs((cover ? got[p + c]! : key[c]!) - want[p + c]!) / 3;
    }
    if (!isEdge(want, p, width)) continue;
    edges++;
    let toKey = 0;
    for (let c = 0; c < 3; c++) {
      const on = (rgba: Uint8Array, alpha: number) => rgba[p + c]! * alpha + 255 * (1 - alpha);
      toKey += ((on(got, gotAlpha) - on(want, wantAlpha)) * lean[c]!) / length;
    }
    if (toKey > FRINGE_LEVELS) fringed++;
  }
  return {
    sadK: sad / 1000,
    mseMilli: (squares / (width * height)) * 1000,
    fringe: fringed / Math.max(1, edges),
    colour: colourSum / Math.max(1, insides),
    holes: holesFound(truth, got),
    count: matte.cells !== undefined && matte.cells.join() === truth.cells.join(),
    ownership: matte.owner && matte.cells ? ownership(truth, matte.owner, matte.cells) : Number.NaN,
  };
}

/** A pixel that is partly covered, or has such a neighbour: where halos live. */
function isEdge(rgba: Uint8Array, p: number, width: number): boolean {
  for (const step of [0, 4, -4, width * 4, -width * 4]) {
    const alpha = rgba[p + step + 3];
    if (alpha !== undefined && alpha > 0 && alpha < 255) return true;
  }
  return false;
}

function holesFound({ rgba, width, height }: Truth, got: Uint8Array): number {
  const alpha = new Uint8Array(width * height);
  for (let at = 0; at < alpha.length; at++) alpha[at] = rgba[at * 4 + 3]!;
  const clear = findRegions(alpha, width, height, 0, 5, false);
  const open = new Float64Array(clear.list.length);
  for (let run = 0; run < clear.count; run++) {
    for (let x = clear.from[run]!; x < clear.to[run]!; x++) {
      if (got[(clear.y[run]! * width + x) * 4 + 3]! < 128) open[clear.region[run]!]!++;
    }
  }
  let [holes, found] = [0, 0];
  for (const [at, { left, top, right, bottom, area }] of clear.list.entries()) {
    if (left === 0 || top === 0 || right === width || bottom === height || area < MIN_HOLE_PX) continue;
    holes++;
    if (open[at]! >= area * 0.8) found++;
  }
  return holes === 0 ? 1 : found / holes;
}

function ownership(truth: Truth, owner: Uint8Array, cells: number[]): number {
  const both = new Map<string, number>();
  const wantArea = new Float64Array(256);
  const gotArea = new Float64Array(256);
  for (let at = 0; at < owner.length; at++) {
    const want = truth.rgba[at * 4 + 3]! >= 128 ? truth.owner[at]! : 0;
    const got = owner[at]!;
    wantArea[want]!++;
    gotArea[got]!++;
    if (want > 0 && got > 0) both.set(`${want}:${got}`, (both.get(`${want}:${got}`) ?? 0) + 1);
  }
  let sum = 0;
  for (const [index, cell] of truth.cells.entries()) {
    const other = cells.indexOf(cell);
    if (other < 0) continue;
    const shared = both.get(`${index + 1}:${other + 1}`) ?? 0;
    sum += shared / (wantArea[index + 1]! + gotArea[other + 1]! - shared);
  }
  return sum / truth.cells.length;
}
