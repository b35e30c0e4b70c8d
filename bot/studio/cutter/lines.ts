/** Lines that the model drew between the cells: thin, straight, from one end of the sheet to the other. */
import { GROUND } from "./mask.ts";

/** A line covers this share of the sheet's side, and this much more than what lies beside it. */
const MIN_COVER = 0.72;
const MIN_RISE = 0.3;
/** A line is thinner than this share of the sheet. */
const MAX_WIDTH = 0.012;
/** Its soft edge, and where to look for what lies beside it. */
const EDGE_PX = 3;

const STEP_PX = 4;

/** Turns lines in `mask` to background where they run over background. */
export function eraseLines(mask: Uint8Array, width: number, height: number): void {
  const columns = new Int32Array(width);
  const rows = new Int32Array(height);
  // Every fourth pixel along a line tells enough.
  for (let y = 0; y < height; y += STEP_PX) {
    for (let x = 0, at = y * width; x < width; x++, at++) columns[x]! += mask[at]! & STEP_PX;
  }
  for (let y = 0; y < height; y++) {
    let sum = 0;
    for (let at = y * width, end = at + width; at < end; at += STEP_PX) sum += mask[at]! & STEP_PX;
    rows[y] = sum;
  }
  for (const [from, to] of linesIn(columns, height)) erase(mask, from, to, width, height, 1, width);
  for (const [from, to] of linesIn(rows, width)) erase(mask, from, to, height, width, width, 1);
}

/** The lines among counts of figure pixels, as ranges [from, to). */
function linesIn(counts: Int32Array, length: number): [number, number][] {
  const found: [number, number][] = [];
  const maxWidth = Math.max(3, Math.round(counts.length * MAX_WIDTH));
  for (let at = 0; at < counts.length; at++) {
    if (counts[at]! < length * MIN_COVER) continue;
    const from = at;
    while (at < counts.length && counts[at]! >= length * MIN_COVER) at++;
    const beside = Math.max(counts[from - EDGE_PX - 1] ?? 0, counts[at + EDGE_PX] ?? 0);
    if (at - from <= maxWidth && counts[(from + at) >> 1]! - beside >= length * MIN_RISE) found.push([from, at]);
  }
  return found;
}

/** Along one line: wherever background lies on either side of it, it is background too. */
function erase(
  mask: Uint8Array,
  from: number,
  to: number,
  side: number,
  length: number,
  across: number,
  along: number,
): void {
  const low = Math.max(0, from - EDGE_PX);
  const high = Math.min(side, to + EDGE_PX);
  for (let i = 0; i < length; i++) {
    const base = i * along;
    const before = low === 0 || mask[base + (low - 1) * across] === GROUND;
    const after = high === side || mask[base + high * across] === GROUND;
    if (!before && !after) continue;
    // A figure on one side keeps what is its own: everything up to the line itself.
    const start = before ? low : from;
    const end = after ? high : to;
    for (let c = start; c < end; c++) mask[base + c * across] = GROUND;
  }
}
