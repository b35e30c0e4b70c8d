/**
 * Connected regions of a mask, found by runs: a row is a handful of runs, so that labelling four
 * million pixels costs one look at each and union-find over some ten thousand runs.
 */

/** One region: `area` in pixels, an inclusive-exclusive box, and the centre of its pixels. */
export type Region = {
  area: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
  centreX: number;
  centreY: number;
};

/** Runs in reading order; `region[i]` is the index of run i's region. */
export type Regions = {
  count: number;
  y: Int32Array;
  from: Int32Array;
  to: Int32Array;
  region: Int32Array;
  list: Region[];
};

/**
 * Labels the pixels for which `low <= value <= high`.
 * @param diagonal whether pixels that meet at a corner only are one region
 */
export function findRegions(
  values: Uint8Array,
  width: number,
  height: number,
  low: number,
  high: number,
  diagonal: boolean,
): Regions {
  const scan = scanOf(values, low, high);
  let capacity = 1 << 14;
  let ys = new Int32Array(capacity);
  let froms = new Int32Array(capacity);
  let tos = new Int32Array(capacity);
  let parents = new Int32Array(capacity);
  let count = 0;
  const reach = diagonal ? 1 : 0;
  const root = (run: number): number => {
    let at = run;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!;
      at = parents[at]!;
    }
    return at;
  };
  let aboveFrom = 0;
  let aboveTo = 0;
  for (let y = 0; y < height; y++) {
    const rowStart = count;
    const base = y * width;
    let above = aboveFrom;
    for (let x = 0; x < width; ) {
      const from = skip(scan, base + x, base + width, false) - base;
      if (from === width) break;
      x = skip(scan, base + from, base + width, true) - base;
      if (count === capacity) {
        capacity *= 2;
        ys = grow(ys, capacity);
        froms = grow(froms, capacity);
        tos = grow(tos, capacity);
        parents = grow(parents, capacity);
      }
      ys[count] = y;
      froms[count] = from;
      tos[count] = x;
      parents[count] = count;
      while (above < aboveTo && tos[above]! + reach <= from) above++;
      for (let other = above; other < aboveTo && froms[other]! < x + reach; other++) {
        const a = root(other);
        const b = root(count);
        if (a < b) parents[b] = a;
        else parents[a] = b;
      }
      count++;
    }
    aboveFrom = rowStart;
    aboveTo = count;
  }
  return collect(count, ys, froms, tos, root);
}

/** A search for values of a range, four at a time where one comparison with `limit` tells. */
type Scan = { values: Uint8Array; low: number; high: number; words: Int32Array | null; lift: number; flip: number };

const HIGH_BITS = 0x80808080 | 0;
const LOW_BITS = 0x7f7f7f7f;
const EACH = 0x01010101;

/** Whether any of a word's four bytes is at most `limit`, below 128. */
export function hasAtMost(word: number, limit: number): boolean {
  return ((((word & LOW_BITS) + (127 - limit) * EACH) | word) & HIGH_BITS) !== HIGH_BITS;
}

function scanOf(values: Uint8Array, low: number, high: number): Scan {
  // Adding 127 − limit to seven bits carries into the eighth where a byte is above the limit.
  const limit = low === 0 ? high : low - 1;
  const tells = limit < 128 && (low === 0 || high === 255) && values.byteOffset % 4 === 0;
  const words = tells ? new Int32Array(values.buffer, values.byteOffset, values.length >> 2) : null;
  return { values, low, high, words, lift: (127 - limit) * EACH, flip: low === 0 ? HIGH_BITS : 0 };
}

/** The first place from `at` on whose value is in the range while `inside` is false, or the other way round; else `end`. */
function skip({ values, low, high, words, lift, flip }: Scan, from: number, end: number, inside: boolean): number {
  let at = from;
  while (at < end) {
    if (words && (at & 3) === 0 && at + 4 <= end) {
      const word = words[at >> 2]!;
      const within = ((((word & LOW_BITS) + lift) | word) ^ flip) & HIGH_BITS;
      const wanted = inside ? within ^ HIGH_BITS : within;
      if (wanted !== 0) return at + ((31 - Math.clz32(wanted & -wanted)) >> 3);
      at += 4;
      continue;
    }
    const value = values[at]!;
    if ((value >= low && value <= high) !== inside) return at;
    at++;
  }
  return end;
}

function collect(
  count: number,
  y: Int32Array,
  from: Int32Array,
  to: Int32Array,
  root: (run: number) => number,
): Regions {
  const region = new Int32Array(count);
  const list: Region[] = [];
  for (let run = 0; run < count; run++) {
    const top = root(run);
    // A root is the first run of its region, so that its index is known before any other run asks.
    if (top === run) {
      region[run] = list.length;
      list.push({ area: 0, left: from[run]!, top: y[run]!, right: 0, bottom: 0, centreX: 0, centreY: 0 });
    } else region[run] = region[top]!;
    const at = list[region[run]!]!;
    const length = to[run]! - from[run]!;
    at.area += length;
    at.left = Math.min(at.left, from[run]!);
    at.right = Math.max(at.right, to[run]!);
    at.bottom = y[run]! + 1;
    at.centreX += (length * (from[run]! + to[run]! - 1)) / 2;
    at.centreY += length * y[run]!;
  }
  for (const at of list) {
    at.centreX /= at.area;
    at.centreY /= at.area;
  }
  return { count, y, from, to, region, list };
}

function grow(old: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
  const bigger = new Int32Array(capacity);
  bigger.set(old);
  return bigger;
}
