/**
 * Parting stickers that touch: along each grid line that a shared region crosses, the cheapest seam
 * from side to side. A pixel of background costs next to nothing, white border a little, drawing much,
 * so that the seam runs through the neck between two borders and not through a face.
 */
import type { Grid } from "./grid.ts";
import type { Regions } from "./regions.ts";

/** How far a seam may wander from its line, in cells. */
const SEAM_REACH = 0.3;
const FIGURE_COST = 1;
const EMPTY_COST = 0.01;
/** A seam through more figure than this share of a cell's side is a guess. */
const UNSURE_CUT = 0.22;

/** Writes owners of the region's pixels; returns whether a cut was a guess. */
export function splitTouching(
  regions: Regions,
  region: number,
  alpha: Uint8Array,
  width: number,
  grid: Grid,
  cells: number[],
  ownerOf: (cell: number) => number,
  owner: Uint8Array,
): boolean {
  const height = alpha.length / width;
  const box = regions.list[region]!;
  const rows = [...new Set(cells.map((cell) => (cell / grid.columns) | 0))].sort((a, b) => a - b);
  let unsure = false;
  const cost = (x: number, y: number) => (alpha[y * width + x]! >= 96 ? FIGURE_COST : EMPTY_COST);

  // Seams between rows: y for each x. Then, in each row, seams between columns: x for each y.
  const rowSeams = rows.slice(1).map((row) => {
    const line = grid.rowLines[row - 1]!;
    const seam = cheapestSeam(box.left, box.right, line, (SEAM_REACH * height) / grid.rows, height, (along, across) =>
      cost(along, across),
    );
    if (seam.cut > (UNSURE_CUT * width) / grid.columns) unsure = true;
    return seam.at;
  });
  const columnSeams = rows.map((row) => {
    const columns = cells.filter((cell) => ((cell / grid.columns) | 0) === row).map((cell) => cell % grid.columns);
    const top = Math.max(box.top, (grid.rowLines[row - 1] ?? 0) - (SEAM_REACH * height) / grid.rows) | 0;
    const bottom = Math.min(box.bottom, (grid.rowLines[row] ?? height) + (SEAM_REACH * height) / grid.rows) | 0;
    const seams = columns.slice(1).map((column) => {
      const line = grid.columnLines[row]![column - 1]!;
      const seam = cheapestSeam(top, bottom, line, (SEAM_REACH * width) / grid.columns, width, (along, across) =>
        cost(across, along),
      );
      if (seam.cut > (UNSURE_CUT * height) / grid.rows) unsure = true;
      return seam.at;
    });
    return { columns, seams, top };
  });
  for (let run = 0; run < regions.count; run++) {
    if (regions.region[run] !== region) continue;
    const y = regions.y[run]!;
    for (let x = regions.from[run]!; x < regions.to[run]!; x++) {
      let r = 0;
      while (r < rowSeams.length && y >= rowSeams[r]![x - box.left]!) r++;
      const { columns, seams, top } = columnSeams[r]!;
      let c = 0;
      const along = y - top;
      while (c < seams.length && x >= seams[c]![Math.min(seams[c]!.length - 1, Math.max(0, along))]!) c++;
      owner[y * width + x] = ownerOf(rows[r]! * grid.columns + columns[c]!);
    }
  }
  return unsure;
}

/** Dynamic programming over a strip: the path `across(along)` that costs least, and how much figure it cuts. */
function cheapestSeam(
  from: number,
  to: number,
  line: number,
  reach: number,
  limit: number,
  cost: (along: number, across: number) => number,
): { at: Int32Array; cut: number } {
  const low = Math.max(0, Math.round(line - reach));
  const span = Math.min(limit - 1, Math.round(line + reach)) - low + 1;
  const length = Math.max(1, to - from);
  const back = new Int8Array(length * span);
  let previous = new Float64Array(span);
  let now = new Float64Array(span);
  for (let along = 0; along < length; along++) {
    for (let i = 0; i < span; i++) {
      let best = previous[i]!;
      let step = 0;
      if (along > 0) {
        const left = i > 0 ? previous[i - 1]! + EMPTY_COST : best;
        const right = i + 1 < span ? previous[i + 1]! + EMPTY_COST : best;
        if (left < best) {
          best = left;
          step = -1;
        }
        if (right < best) {
          best = right;
          step = 1;
        }
      }
      back[along * span + i] = step;
      now[i] = best + cost(from + along, low + i);
    }
    const spare = previous;
    previous = now;
    now = spare;
  }
  let at = 0;
  for (let i = 1; i < span; i++) {
    const [here, best] = [previous[i]!, previous[at]!];
    if (here < best - 1e-9 || (Math.abs(here - best) <= 1e-9 && Math.abs(low + i - line) < Math.abs(low + at - line)))
      at = i;
  }
  const path = new Int32Array(length);
  let cut = 0;
  for (let along = length - 1; along >= 0; along--) {
    path[along] = low + at;
    if (cost(from + along, low + at) >= FIGURE_COST) cut++;
    at += back[along * span + at]!;
  }
  return { at: path, cut };
}
