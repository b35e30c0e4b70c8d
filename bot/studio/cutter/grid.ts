/**
 * How the stickers stand on the sheet: columns, rows, and the lines between them. Models space a grid
 * unevenly, so that each line looks for the emptiest place near its own, row by row.
 */
import { gridOf } from "../providers/provider.ts";
import type { Region } from "./regions.ts";

/** How far a line may move from its even place, in cells. */
const LINE_REACH = 0.32;
/** Pulls a line to its even place where several are equally empty. */
const LINE_PULL = 0.02;
/** A second region of this share of the largest one in a cell is a second sticker. */
const SECOND_BODY = 0.6;
const EMPTY_CELL = 0.15;
/** Closer than this, in cells, two regions are parts of one sticker. */
export const APART = 0.04;
const COUNTS = [4, 6, 9, 12, 16] as const;

export type Grid = {
  columns: number;
  rows: number;
  /** y of the lines between rows, in pixels. */
  rowLines: number[];
  /** For each row the x of the lines between its columns, in pixels. */
  columnLines: number[][];
  /** 0 for a perfect fit; grows with figures under lines, cells with two figures and empty cells. */
  misfit: number;
};

/** A small picture of how much of each block the figures cover, 0…1. */
export type Cover = { width: number; height: number; block: number; share: Float32Array };

export function coverOf(alpha: Uint8Array, width: number, height: number): Cover {
  const block = Math.max(1, Math.round(Math.max(width, height) / 256));
  const across = Math.ceil(width / block);
  const down = Math.ceil(height / block);
  const share = new Float32Array(across * down);
  for (let y = 0; y < height; y++) {
    const base = ((y / block) | 0) * across;
    for (let bx = 0, x = y * width; bx < across; bx++) {
      const end = Math.min(y * width + width, x + block);
      let covered = 0;
      for (; x < end; x++) if (alpha[x]! >= 128) covered++;
      share[base + bx]! += covered;
    }
  }
  for (let at = 0; at < share.length; at++) share[at]! /= block * block;
  return { width: across, height: down, block, share };
}

/** The best grid for `count` stickers, and the best of all grids. Both are the same when the count fits. */
export function findGrid(cover: Cover, regions: Region[], count?: number): { asked: Grid | null; best: Grid } {
  const fits = COUNTS.flatMap((n) => gridsOf(n).map(({ columns, rows }) => fit(cover, regions, columns, rows)));
  const best = fits.reduce((a, b) => (b.misfit < a.misfit - 1e-6 ? b : a));
  if (!count) return { asked: null, best };
  const asked = fits
    .filter((grid) => grid.columns * grid.rows === count)
    .reduce((a, b) => (b.misfit < a.misfit ? b : a));
  return { asked, best };
}

function gridsOf(count: number) {
  const { columns, rows } = gridOf(count);
  return columns === rows
    ? [{ columns, rows }]
    : [
        { columns, rows },
        { columns: rows, rows: columns },
      ];
}

function fit(cover: Cover, regions: Region[], columns: number, rows: number): Grid {
  const { width, height, block, share } = cover;
  const sums = new Float64Array(Math.max(width, height));
  let crossing = 0;
  const rowLines: number[] = [];
  for (let y = 0; y < height; y++) {
    let sum = 0;
    for (let x = 0; x < width; x++) sum += share[y * width + x]!;
    sums[y] = sum / width;
  }
  for (let i = 1; i < rows; i++) {
    const line = emptiest(sums, (i * height) / rows, height / rows);
    crossing += sums[line]!;
    rowLines.push(line);
  }
  const columnLines: number[][] = [];
  for (let row = 0; row < rows; row++) {
    const [top, bottom] = [rowLines[row - 1] ?? 0, rowLines[row] ?? height];
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let y = top; y < bottom; y++) sum += share[y * width + x]!;
      sums[x] = sum / Math.max(1, bottom - top);
    }
    const lines: number[] = [];
    for (let i = 1; i < columns; i++) {
      const line = emptiest(sums.subarray(0, width), (i * width) / columns, width / columns);
      crossing += sums[line]! / rows;
      lines.push(line);
    }
    columnLines.push(lines.map((line) => Math.round((line + 0.5) * block)));
  }
  const grid: Grid = {
    columns,
    rows,
    rowLines: rowLines.map((y) => Math.round((y + 0.5) * block)),
    columnLines,
    misfit: 0,
  };
  const cells = Array.from({ length: columns * rows }, (): Region[] => []);
  for (const region of regions) cells[cellAt(grid, region.centreX, region.centreY)]!.push(region);
  for (const inside of cells) inside.sort((a, b) => b.area - a.area);
  const bodies = cells.map(([first]) => first?.area ?? 0).sort((a, b) => b - a);
  // The middle of the larger half: with half the cells empty the plain median would be nothing.
  const usual = bodies[bodies.length >> 2]!;
  const reach = Math.min((width * block) / columns, (height * block) / rows) * APART;
  const double = cells.filter(
    (inside) => (inside[0]?.area ?? 0) > usual * EMPTY_CELL && holdsSeveral(inside, reach),
  ).length;
  const empty = bodies.filter((area) => area <= usual * EMPTY_CELL).length;
  grid.misfit = 4 * crossing + (double + 0.7 * empty) / cells.length;
  return grid;
}

/** Two stickers in one cell stand apart; a head that hovers over its body does not. Three of a size are never one. */
function holdsSeveral([first, second, third]: Region[], reach: number): boolean {
  const least = first!.area * SECOND_BODY;
  return (third?.area ?? 0) >= least || ((second?.area ?? 0) >= least && boxGap(first!, second!) > reach);
}

/** Pixels between two boxes, 0 where they overlap. */
export function boxGap(a: Region, b: Region): number {
  const dx = Math.max(a.left, b.left) - Math.min(a.right, b.right);
  const dy = Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom);
  return Math.hypot(Math.max(0, dx), Math.max(0, dy));
}

function emptiest(sums: Float64Array, middle: number, pitch: number): number {
  const from = Math.max(1, Math.round(middle - LINE_REACH * pitch));
  const to = Math.min(sums.length - 2, Math.round(middle + LINE_REACH * pitch));
  let best = Math.round(middle);
  let least = Number.POSITIVE_INFINITY;
  for (let at = from; at <= to; at++) {
    const cost = sums[at - 1]! + 2 * sums[at]! + sums[at + 1]! + LINE_PULL * (Math.abs(at - middle) / pitch);
    if (cost < least) {
      least = cost;
      best = at;
    }
  }
  return best;
}

/** The cell (from 0, reading order) of a point. */
export function cellAt(grid: Grid, x: number, y: number): number {
  let row = 0;
  while (row < grid.rows - 1 && y >= grid.rowLines[row]!) row++;
  const lines = grid.columnLines[row]!;
  let column = 0;
  while (column < grid.columns - 1 && x >= lines[column]!) column++;
  return row * grid.columns + column;
}
