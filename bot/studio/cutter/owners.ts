/**
 * Whose pixel is it? Each cell's largest region is its sticker's body; what floats beside (hearts,
 * letters, sparkles) goes to the nearest body, whole words together; bodies that touch are parted.
 */
import { APART, boxGap, cellAt, coverOf, findGrid, type Grid } from "./grid.ts";
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
  const { asked, best } = findGrid(coverOf(alpha, width, height), solid, count);
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
    const base = regions.y[run]! * width;
    owner.fill(number + 1, base + regions.from[run]!, base + regions.to[run]!);
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
  }
  spreadToFaint(alpha, owner, width, height);
  measure(owner, alpha, width, height, stickers);
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
function spreadToFaint(alpha: Uint8Array, owner: Uint8Array, width: number, height: number): void {
  let open: number[] = [];
  const words = new Uint32Array(alpha.buffer, alpha.byteOffset, alpha.length >> 2);
  for (let at = 0; at < alpha.length; at++) {
    const word = (at & 3) === 0 ? words[at >> 2] : 1;
    if (word === 0 || word === 0xffffffff) at += 3;
    else if (alpha[at]! > 0 && owner[at] === 0 && alpha[at]! < SOLID_ALPHA) open.push(at);
  }
  const MAX_ROUNDS = 40;
  for (let round = 0; round < MAX_ROUNDS && open.length > 0; round++) {
    const found: number[] = [];
    const left: number[] = [];
    for (const at of open) {
      const x = at % width;
      let best = 0;
      for (let dy = at >= width ? -1 : 0; dy <= (at + width < width * height ? 1 : 0) && best === 0; dy++) {
        for (let dx = x > 0 ? -1 : 0; dx <= (x + 1 < width ? 1 : 0) && best === 0; dx++)
          best = owner[at + dy * width + dx]!;
      }
      if (best > 0) found.push(at, best);
      else left.push(at);
    }
    if (found.length === 0) break;
    for (let i = 0; i < found.length; i += 2) owner[found[i]!] = found[i + 1]!;
    open = left;
  }
}

function measure(owner: Uint8Array, alpha: Uint8Array, width: number, height: number, stickers: Sticker[]): void {
  const words = width % 4 === 0 ? new Uint32Array(owner.buffer, owner.byteOffset, owner.length >> 2) : null;
  for (let y = 0; y < height; y++) {
    // Only the ends of a run of one owner can widen its box.
    for (let x = 0, at = y * width, last = 0; x <= width; x++, at++) {
      if (words && (x & 3) === 0 && x < width && words[at >> 2] === last * 0x01010101) {
        x += 3;
        at += 3;
        continue;
      }
      const number = x < width && alpha[at]! >= 8 ? owner[at]! : 0;
      if (number === last) continue;
      if (last > 0) widen(stickers[last - 1]!, x - 1, y);
      if (number > 0) widen(stickers[number - 1]!, x, y);
      last = number;
    }
  }
}

function widen(box: Sticker, x: number, y: number): void {
  if (x < box.left) box.left = x;
  if (x >= box.right) box.right = x + 1;
  if (y < box.top) box.top = y;
  if (y >= box.bottom) box.bottom = y + 1;
}
