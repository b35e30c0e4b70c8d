/**
 * Whose pixel is it? Each cell's largest region is its sticker's body; what floats beside (hearts,
 * letters, sparkles) goes to the nearest body, whole words together; bodies that touch are parted.
 */
import { APART, boxGap, cellAt, coverOf, findGrid, type Grid } from "./grid.ts";
import { IndexList } from "./mask.ts";
import { placeParts } from "./parts.ts";
import { findRegions, type Region, type Regions } from "./regions.ts";
import { splitTouching } from "./split.ts";

const SOLID_ALPHA = 96;
/** A cell whose largest region is smaller than this share of the usual body is empty. */
const MIN_BODY = 0.25;
const EXTRA_BODY = 0.6;
/** Dust: regions smaller than this share of the sheet are dropped. */
const DUST_SHARE = 4e-6;
/** A drawn line spans this share of the sheet, and is thinner than that share of it (several make one region). */
const RULING_SPAN = 0.85;
const RULING_WIDTH = 0.015;
/** How far faint pixels follow the sticker that they belong to, and from where on (of 255) they can be seen. */
const MAX_FAINT_PX = 40;
const SEEN_ALPHA = 8;

export type Sticker = { cell: number; left: number; top: number; right: number; bottom: number };
export type Ownership = {
  /** Sticker number + 1 for each pixel; 0 for none. */
  owner: Uint8Array;
  stickers: Sticker[];
  problems: string[];
};

export function findOwners(alpha: Uint8Array, width: number, height: number, count?: number): Ownership {
  const regions = findRegions(alpha, width, height, SOLID_ALPHA, 255, true);
  const dust = Math.max(6, width * height * DUST_SHARE);
  const problems = new Set<string>();
  const owner = new Uint8Array(width * height);
  // A region without area is passed over from here on.
  for (const region of regions.list) if (isRuling(region, width, height)) region.area = 0;
  const solid = regions.list.filter((region) => region.area >= dust);
  if (solid.length === 0) return { owner, stickers: [], problems: ["no_stickers"] };
  const { asked, best } = findGrid(coverOf(regions, width, height), solid, count);
  const grid = asked && asked.misfit <= best.misfit + 0.25 ? asked : best;
  if (count && grid.columns * grid.rows !== count) problems.add("wrong_count");

  const pitch = Math.min(width / grid.columns, height / grid.rows);
  const { bodies, extras } = findBodies(regions, grid, dust, pitch);
  const cells = [...bodies.keys()].sort((a, b) => a - b);
  const stickers: Sticker[] = [];
  const numberOf = new Map<string, number>();
  const add = (cell: number, region: number) => {
    numberOf.set(`${region}:${cell}`, stickers.length);
    stickers.push({ cell: cell + 1, left: width, top: height, right: 0, bottom: 0 });
  };
  for (const cell of cells) add(cell, bodies.get(cell)!);
  const single = new Map<number, number>();
  for (const region of extras) {
    const { centreX, centreY } = regions.list[region]!;
    single.set(region, stickers.length);
    stickers.push({ cell: cellAt(grid, centreX, centreY) + 1, left: width, top: height, right: 0, bottom: 0 });
  }
  if (stickers.length !== (count ?? grid.columns * grid.rows)) problems.add("wrong_count");
  if (stickers.length > 250) return { owner, stickers: [], problems: ["wrong_count"] };

  const shared = new Map<number, number[]>();
  for (const cell of cells) {
    const region = bodies.get(cell)!;
    shared.set(region, [...(shared.get(region) ?? []), cell]);
  }
  const numbers = new Int32Array(regions.list.length).fill(-1);
  for (const [region, number] of single) numbers[region] = number;
  for (const [region, of] of shared) if (of.length === 1) numbers[region] = numberOf.get(`${region}:${of[0]}`)!;
  placeParts(regions, grid, numbers, shared, numberOf, dust, pitch, problems);

  for (let run = 0; run < regions.count; run++) {
    const number = numbers[regions.region[run]!]!;
    if (number < 0) continue;
    const [y, from, to] = [regions.y[run]!, regions.from[run]!, regions.to[run]!];
    owner.fill(number + 1, y * width + from, y * width + to);
    widen(stickers[number]!, from, to, y);
  }
  for (const [region, of] of shared) {
    if (of.length < 2) continue;
    const unsure = splitTouching(
      regions,
      region,
      alpha,
      width,
      grid,
      of,
      (cell) => numberOf.get(`${region}:${cell}`)! + 1,
      owner,
    );
    if (unsure) problems.add("touching_unsure");
    measureShared(regions, region, owner, width, stickers);
  }
  spreadToFaint(alpha, owner, width, height, stickers);
  const cut = stickers.some((s) => s.left === 0 || s.top === 0 || s.right === width || s.bottom === height);
  if (cut) problems.add("cropped");
  return { owner, stickers, problems: [...problems] };
}

/** Lines drawn between cells, or a frame: thin, and from end to end. */
function isRuling({ left, top, right, bottom, area }: Region, width: number, height: number): boolean {
  const spans = right - left > width * RULING_SPAN || bottom - top > height * RULING_SPAN;
  return spans && area < (right - left + bottom - top) * Math.max(width, height) * RULING_WIDTH;
}

/** The region that fills most of each cell; one region in several cells is several stickers that touch. */
function findBodies(
  regions: Regions,
  grid: Grid,
  dust: number,
  pitch: number,
): { bodies: Map<number, number>; extras: number[] } {
  const cellCount = grid.columns * grid.rows;
  const areas = new Map<number, Float64Array>();
  for (let run = 0; run < regions.count; run++) {
    const region = regions.region[run]!;
    if (regions.list[region]!.area < dust) continue;
    const inCells = areas.get(region) ?? new Float64Array(cellCount);
    areas.set(region, inCells);
    const y = regions.y[run]!;
    for (let from = regions.from[run]!; from < regions.to[run]!; ) {
      const cell = cellAt(grid, from, y);
      const next = grid.columnLines[(cell / grid.columns) | 0]![cell % grid.columns] ?? Number.POSITIVE_INFINITY;
      const to = Math.min(regions.to[run]!, next);
      inCells[cell]! += to - from;
      from = to;
    }
  }
  const top: { cell: number; region: number; area: number }[] = [];
  for (let cell = 0; cell < cellCount; cell++) {
    let best = { cell, region: -1, area: 0 };
    for (const [region, inCells] of areas)
      if (inCells[cell]! > best.area) best = { cell, region, area: inCells[cell]! };
    if (best.region >= 0) top.push(best);
  }
  const usual = top.map(({ area }) => area).sort((a, b) => b - a)[top.length >> 2] ?? 0;
  const bodies = new Map<number, number>();
  for (const { cell, region, area } of top) if (area >= usual * MIN_BODY) bodies.set(cell, region);
  const taken = new Set(bodies.values());
  const standsApart = (region: number) =>
    [...taken].every((body) => boxGap(regions.list[body]!, regions.list[region]!) > pitch * APART);
  const extras = [...areas.keys()].filter(
    (region) => !taken.has(region) && regions.list[region]!.area >= usual * EXTRA_BODY && standsApart(region),
  );
  return { bodies, extras };
}

/** Edge pixels fainter than a region's threshold go to the sticker that they touch; the rest is nobody's. */
function spreadToFaint(alpha: Uint8Array, owner: Uint8Array, width: number, height: number, stickers: Sticker[]): void {
  let open = new IndexList();
  const words = new Int32Array(alpha.buffer, alpha.byteOffset, alpha.length >> 2);
  const look = (from: number, to: number) => {
    for (let at = from; at < to; at++) if (alpha[at]! > 0 && owner[at] === 0 && alpha[at]! < SOLID_ALPHA) open.add(at);
  };
  // Four pixels at once: nearly all of a sheet is clear or solid.
  for (let at = 0; at < words.length; at++) if (words[at] !== 0 && words[at] !== -1) look(at * 4, at * 4 + 4);
  look(words.length * 4, alpha.length);
  for (let round = 0; round < MAX_FAINT_PX && open.length > 0; round++) {
    const found = new IndexList();
    const numbers: number[] = [];
    const left = new IndexList();
    for (let n = 0; n < open.length; n++) {
      const at = open.at(n);
      const number = ownerBeside(owner, at, width, height);
      if (number === 0) left.add(at);
      else {
        found.add(at);
        numbers.push(number);
      }
    }
    if (found.length === 0) return;
    for (let n = 0; n < found.length; n++) {
      const at = found.at(n);
      owner[at] = numbers[n]!;
      const y = (at / width) | 0;
      if (alpha[at]! >= SEEN_ALPHA) widen(stickers[numbers[n]! - 1]!, at - y * width, at - y * width + 1, y);
    }
    open = left;
  }
}

/** The owner of the first owned pixel among the eight round one, or 0. */
function ownerBeside(owner: Uint8Array, at: number, width: number, height: number): number {
  const x = at % width;
  const first = x > 0 ? -1 : 0;
  const last = x + 1 < width ? 1 : 0;
  for (let row = at >= width ? at - width : at; row <= at + width && row < width * height; row += width) {
    for (let other = row + first; other <= row + last; other++) if (owner[other] !== 0) return owner[other]!;
  }
  return 0;
}

/** Boxes of the stickers that a shared region was parted into. */
function measureShared(regions: Regions, region: number, owner: Uint8Array, width: number, stickers: Sticker[]): void {
  for (let run = 0; run < regions.count; run++) {
    if (regions.region[run] !== region) continue;
    const y = regions.y[run]!;
    for (let x = regions.from[run]!; x < regions.to[run]!; x++) {
      const number = owner[y * width + x]!;
      if (number > 0) widen(stickers[number - 1]!, x, x + 1, y);
    }
  }
}

/** Takes the pixels from ≤ x < to of row y into a box. */
function widen(box: Sticker, from: number, to: number, y: number): void {
  if (from < box.left) box.left = from;
  if (to > box.right) box.right = to;
  if (y < box.top) box.top = y;
  if (y >= box.bottom) box.bottom = y + 1;
}
