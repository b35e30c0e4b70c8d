/**
 * Who stands beside whom, for scattered pixels. A map of the whole sheet would be far too large to stay
 * near the processor; three rows of it are not.
 */

/** Beyond the row's ends nobody stands. */
const PAD = 1;

/** For each of `pixel` its eight neighbours' numbers, -1 for none: left, right, above, below, then the corners. */
export function neighbours(pixel: Int32Array, width: number, height: number): Int32Array {
  const { start, order } = byRow(pixel, width, height);
  const empty = () => new Int32Array(width + 2 * PAD).fill(-1);
  let [above, here, below] = [empty(), empty(), empty()];
  const put = (row: Int32Array, y: number, isThere: boolean) => {
    if (y < 0 || y >= height) return;
    const base = y * width - PAD;
    for (let i = start[y]!; i < start[y + 1]!; i++) row[pixel[order[i]!]! - base] = isThere ? order[i]! : -1;
  };
  const beside = new Int32Array(pixel.length * 8);
  put(here, 0, true);
  for (let y = 0; y < height; y++) {
    put(below, y + 1, true);
    for (let i = start[y]!; i < start[y + 1]!; i++) {
      const n = order[i]!;
      const x = pixel[n]! - y * width + PAD;
      const into = n * 8;
      beside[into] = here[x - 1]!;
      beside[into + 1] = here[x + 1]!;
      beside[into + 2] = above[x]!;
      beside[into + 3] = below[x]!;
      beside[into + 4] = above[x - 1]!;
      beside[into + 5] = above[x + 1]!;
      beside[into + 6] = below[x - 1]!;
      beside[into + 7] = below[x + 1]!;
    }
    put(above, y - 1, false);
    [above, here, below] = [here, below, above];
  }
  return beside;
}

/** Pixels sorted by row: those of row y are `order[start[y]]` to `order[start[y + 1] - 1]`. */
function byRow(pixel: Int32Array, width: number, height: number): { start: Int32Array; order: Int32Array } {
  const start = new Int32Array(height + 2);
  for (let n = 0; n < pixel.length; n++) start[((pixel[n]! / width) | 0) + 2]!++;
  for (let y = 2; y < start.length; y++) start[y]! += start[y - 1]!;
  const order = new Int32Array(pixel.length);
  // Counted one row too far, so that counting up ends where the next row begins.
  for (let n = 0; n < pixel.length; n++) order[start[((pixel[n]! / width) | 0) + 1]!++] = n;
  return { start, order };
}
