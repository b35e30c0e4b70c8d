/**
 * How the stickers stand on the sheet: columns, rows, and the lines between them. Models space a grid
 * unevenly, so that each line looks for the emptiest place near its own, row by row.
 */
import { gridOf } from "../providers/provider.ts";
import type { Region, Regions } from "./regions.ts";

/** How far a line may move from its even place, in cells. */
const LINE_REACH = 0.32;
/** Pulls a line to its even place where several are equally empty. */
const LINE_PULL = 3;
/** A line that crosses less than this share of its length in figures crosses the neck of two that touch. */
const NECK = 0.3;
const NECK_COST = 0.6;
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

/**
 * A small picture of how much of each block the regions cover, 0…1, as sums over everything above and to
 * the left: what any rectangle holds, and where its middle is, takes four looks.
 */
export type Cover = {
  width: number;
  height: number;
  block: number;
  sums: Float64Array;
  sumsX: Float64Array;
  sumsY: Float64Array;
};

export function coverOf(regions: Regions, width: number, height: number): Cover {
  const block = Math.max(1, Math.round(Math.max(width, height) / 256));
  const across = Math.ceil(width / block);
  const down = Math.ceil(height / block);
  const share = new Float32Array(across * down);
  for (let run = 0; run < regions.count; run++) {
    const base = ((regions.y[run]! / block) | 0) * across;
    const to = regions.to[run]!;
    for (let x = regions.from[run]!; x < to; ) {
      const bx = (x / block) | 0;
      const end = Math.min(to, (bx + 1) * block);
      share[base + bx]! += end - x;
      x = end;
    }
  }
  const [sums, sumsX, sumsY] = [0, 1, 2].map(() => new Float64Array((across + 1) * (down + 1))) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (let y = 0; y < down; y++) {
    let [row, rowX, rowY] = [0, 0, 0];
    for (let x = 0; x < across; x++) {
      const covered = Math.min(1, share[y * across + x]! / (block * block));
      row += covered;
      rowX += covered * x;
      rowY += covered * y;
      const at = (y + 1) * (across + 1) + x + 1;
      sums[at] = sums[at - across - 1]! + row;
      sumsX[at] = sumsX[at - across - 1]! + rowX;
      sumsY[at] = sumsY[at - across - 1]! + rowY;
    }
  }
  return { width: across, height: down, block, sums, sumsX, sumsY };
}

/** The sum over blocks left ≤ x < right, top ≤ y < bottom. */
function within(
  { width }: Cover,
  sums: Float64Array,
  left: number,
  top: number,
  right: number,
  bottom: number,
): number {
  const high = top * (width + 1);
  const low = bottom * (width + 1);
  return sums[low + right]! - sums[low + left]! - sums[high + right]! + sums[high + left]!;
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
  const { width, height, block } = cover;
  const sums = new Float64Array(Math.max(width, height));
  const rowLines: number[] = [];
  let rowCrossing = 0;
  for (let y = 0; y < height; y++) sums[y] = within(cover, cover.sums, 0, y, width, y + 1) / width;
  for (let i = 1; i < rows; i++) {
    const line = emptiest(sums.subarray(0, height), (i * height) / rows, height / rows);
    rowCrossing += crossingCost(sums[line]!) / (rows - 1);
    rowLines.push(line);
  }
  const columnLines: number[][] = [];
  let columnCrossing = 0;
  for (let row = 0; row < rows; row++) {
    const top = rowLines[row - 1] ?? 0;
    const bottom = rowLines[row] ?? height;
    for (let x = 0; x < width; x++)
      sums[x] = within(cover, cover.sums, x, top, x + 1, bottom) / Math.max(1, bottom - top);
    const lines: number[] = [];
    for (let i = 1; i < columns; i++) {
      const line = emptiest(sums.subarray(0, width), (i * width) / columns, width / columns);
      columnCrossing += crossingCost(sums[line]!) / rows / (columns - 1);
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
  grid.misfit =
    rowCrossing + columnCrossing + unevenness(cover, grid) + severalShare(grid, regions, width * block, height * block);
  return grid;
}

/** Touching neighbours cross a line with a neck; a line through figures crosses much more. */
function crossingCost(covered: number): number {
  return covered < NECK ? NECK_COST * covered : NECK_COST * NECK + 4 * (covered - NECK);
}

/** How unequal the cells are filled, how far their fillings lie off their places, and how many are empty. */
function unevenness(cover: Cover, grid: Grid): number {
  const { width, height, block } = cover;
  const { columns, rows } = grid;
  const count = columns * rows;
  const area = new Float64Array(count);
  const sumX = new Float64Array(count);
  const sumY = new Float64Array(count);
  // A block belongs to the cell of its first pixel.
  const ends = (lines: number[], limit: number) => [0, ...lines.map((line) => Math.ceil(line / block)), limit];
  const rowEnds = ends(grid.rowLines, height);
  for (let row = 0; row < rows; row++) {
    const columnEnds = ends(grid.columnLines[row]!, width);
    for (let column = 0; column < columns; column++) {
      const cell = row * columns + column;
      const [left, right] = [columnEnds[column]!, columnEnds[column + 1]!];
      const [top, bottom] = [rowEnds[row]!, rowEnds[row + 1]!];
      area[cell] = within(cover, cover.sums, left, top, right, bottom);
      sumX[cell] = within(cover, cover.sumsX, left, top, right, bottom);
      sumY[cell] = within(cover, cover.sumsY, left, top, right, bottom);
    }
  }
  const usual = [...area].sort((a, b) => b - a)[count >> 2]!;
  let empty = 0;
  let drift = 0;
  let spread = 0;
  const mean = area.reduce((sum, a) => sum + a, 0) / count;
  for (let cell = 0; cell < count; cell++) {
    spread += (area[cell]! - mean) ** 2 / count;
    if (area[cell]! <= usual * EMPTY_CELL) {
      empty++;
      continue;
    }
    const x = ((sumX[cell]! / area[cell]!) * columns) / width - ((cell % columns) + 0.5);
    const y = ((sumY[cell]! / area[cell]!) * rows) / height - (((cell / columns) | 0) + 0.5);
    drift += Math.hypot(x, y);
  }
  return Math.sqrt(spread) / (mean || 1) + drift / Math.max(1, count - empty) + (0.5 * empty) / count;
}

/** The share of cells that hold more than one sticker. */
function severalShare(grid: Grid, regions: Region[], width: number, height: number): number {
  const cells = Array.from({ length: grid.columns * grid.rows }, (): Region[] => []);
  for (const region of regions) cells[cellAt(grid, region.centreX, region.centreY)]!.push(region);
  for (const inside of cells) inside.sort((a, b) => b.area - a.area);
  const usual = cells.map(([first]) => first?.area ?? 0).sort((a, b) => b - a)[cells.length >> 2]!;
  const reach = Math.min(width / grid.columns, height / grid.rows) * APART;
  const several = cells.filter((inside) => (inside[0]?.area ?? 0) > usual * EMPTY_CELL && holdsSeveral(inside, reach));
  return several.length / cells.length;
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
    const cost = sums[at - 1]! + 2 * sums[at]! + sums[at + 1]! + 4 * LINE_PULL * ((at - middle) / pitch) ** 2;
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
