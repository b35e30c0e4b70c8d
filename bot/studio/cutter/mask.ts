/** A mask tells figure from background, one byte a pixel. */
export const GROUND = 0;
export const FIGURE = 255;

/** Calls `use` with every figure pixel that has a background pixel beside, above or below it, in reading order. */
export function eachBoundaryPixel(mask: Uint8Array, width: number, height: number, use: (at: number) => void): void {
  // Four pixels at once: most of a sheet is all background or all figure.
  const words = width % 4 === 0 ? new Int32Array(mask.buffer, mask.byteOffset, mask.length >> 2) : null;
  const across = width >> 2;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if (words && (x & 3) === 0) {
        const word = words[at >> 2]!;
        const quiet =
          word === 0 ||
          (word === -1 &&
            (y === 0 || words[(at >> 2) - across] === -1) &&
            (y + 1 === height || words[(at >> 2) + across] === -1) &&
            (x === 0 || mask[at - 1] === FIGURE) &&
            (x + 4 === width || mask[at + 4] === FIGURE));
        if (quiet) {
          x += 3;
          continue;
        }
      }
      if (mask[at] !== FIGURE) continue;
      // GROUND is 0 and FIGURE is all ones: one AND tells whether any neighbour is background.
      const left = x > 0 ? mask[at - 1]! : FIGURE;
      const right = x + 1 < width ? mask[at + 1]! : FIGURE;
      const up = y > 0 ? mask[at - width]! : FIGURE;
      const down = y + 1 < height ? mask[at + width]! : FIGURE;
      if ((left & right & up & down) === GROUND) use(at);
    }
  }
}
