/**
 * What floats beside the bodies: hearts, letters, sparkles. Each goes to the nearest body, a word as a
 * whole, with some loyalty to the cell that it lies in.
 */
import { cellAt, type Grid } from "./grid.ts";
import type { Region, Regions } from "./regions.ts";

/** Beyond this many cells from every body a small part is debris, not a heart. */
const MAX_FLOAT_CELLS = 0.45;
/** What it costs a part to lie in another cell than the body's, in cells of distance. */
const FOREIGN_CELL = 0.2;
/** Two bodies nearly as near as each other make a part's owner a guess, when the part is this share of a body. */
const NOTABLE_PART = 0.02;
/** An outline is thinned to some so many points. */
const OUTLINE_POINTS = 300;

/** Points along a region's outline: run ends, thinned. */
function outlinePoints(regions: Regions): Map<number, number[]> {
  const runs = new Int32Array(regions.list.length);
  for (let run = 0; run < regions.count; run++) runs[regions.region[run]!]!++;
  const points = new Map<number, number[]>();
  const seen = new Int32Array(regions.list.length);
  for (let run = 0; run < regions.count; run++) {
    const region = regions.region[run]!;
    const step = Math.max(1, Math.floor((2 * runs[region]!) / OUTLINE_POINTS));
    if (seen[region]!++ % step !== 0) continue;
    const list = points.get(region) ?? [];
    points.set(region, list);
    list.push(regions.from[run]!, regions.y[run]!, regions.to[run]! - 1, regions.y[run]!);
  }
  return points;
}

function gap(a: number[], b: number[]): number {
  let least = Number.POSITIVE_INFINITY;
  const step = a.length > 120 ? 2 * Math.ceil(a.length / 120) : 2;
  for (let i = 0; i < a.length; i += step) {
    for (let j = 0; j < b.length; j += 2) {
      const dx = a[i]! - b[j]!;
      const dy = a[i + 1]! - b[j + 1]!;
      const square = dx * dx + dy * dy;
      if (square < least) least = square;
    }
  }
  return Math.sqrt(least);
}

/** Writes the sticker number of every part into `numbers` (by region); what is far from every body stays at -1. */
export function placeParts(
  regions: Regions,
  grid: Grid,
  numbers: Int32Array,
  shared: Map<number, number[]>,
  numberOf: Map<string, number>,
  dust: number,
  pitch: number,
  problems: Set<string>,
): void {
  const parts: number[] = [];
  for (const [at, region] of regions.list.entries()) {
    if (region.area >= dust && numbers[at]! < 0 && !shared.has(at)) parts.push(at);
  }
  if (parts.length === 0) return;
  const points = outlinePoints(regions);
  const bodies: { region: number; cell: number; number: number }[] = [];
  for (const [region, cells] of shared)
    for (const cell of cells) bodies.push({ region, cell, number: numberOf.get(`${region}:${cell}`)! });
  for (const word of intoWords(parts, regions.list, pitch)) {
    const area = word.reduce((sum, at) => sum + regions.list[at]!.area, 0);
    const costs = bodies.map(({ region, cell, number }) => {
      let foreign = 0;
      for (const at of word) {
        const { centreX, centreY } = regions.list[at]!;
        if (cellAt(grid, centreX, centreY) !== cell) foreign += regions.list[at]!.area / area;
      }
      let bodyPoints = points.get(region)!;
      if (shared.get(region)!.length > 1) bodyPoints = pointsInCell(bodyPoints, grid, cell);
      const distance = Math.min(...word.map((at) => gap(points.get(at)!, bodyPoints)));
      return { number, distance, cost: distance + foreign * FOREIGN_CELL * pitch };
    });
    costs.sort((a, b) => a.cost - b.cost);
    const [first, second] = costs;
    if (!first || first.distance > MAX_FLOAT_CELLS * pitch) continue;
    for (const at of word) numbers[at] = first.number;
    const usual = regions.list[bodies[0]!.region]!.area;
    if (second && second.cost - first.cost < 0.03 * pitch && area > usual * NOTABLE_PART)
      problems.add("floating_unsure");
  }
}

function pointsInCell(points: number[], grid: Grid, cell: number): number[] {
  const inside: number[] = [];
  for (let i = 0; i < points.length; i += 2) {
    if (cellAt(grid, points[i]!, points[i + 1]!) === cell) inside.push(points[i]!, points[i + 1]!);
  }
  return inside.length > 0 ? inside : points;
}

/** Letters that stand beside each other at a letter's distance are one word, dots and accents included. */
function intoWords(parts: number[], list: Region[], pitch: number): number[][] {
  const word = new Map<number, number[]>(parts.map((at) => [at, [at]]));
  const near = (a: Region, b: Region) => {
    const size = Math.max(Math.min(a.bottom - a.top, a.right - a.left), Math.min(b.bottom - b.top, b.right - b.left));
    const reach = Math.min(size * 0.45, pitch * 0.06);
    const dx = Math.max(a.left, b.left) - Math.min(a.right, b.right);
    const dy = Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom);
    return dx <= reach && dy <= reach && (dx <= 0 || dy <= 0);
  };
  for (let i = 0; i < parts.length; i++) {
    for (let j = i + 1; j < parts.length; j++) {
      const [a, b] = [word.get(parts[i]!)!, word.get(parts[j]!)!];
      if (a === b || !near(list[parts[i]!]!, list[parts[j]!]!)) continue;
      const all = [...a, ...b];
      const left = Math.min(...all.map((at) => list[at]!.left));
      const right = Math.max(...all.map((at) => list[at]!.right));
      if (right - left > pitch) continue;
      for (const at of all) word.set(at, all);
    }
  }
  return [...new Set(word.values())];
}
