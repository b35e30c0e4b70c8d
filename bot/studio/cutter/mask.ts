/** A mask tells figure from background, one byte a pixel. */
export const GROUND = 0;
export const FIGURE = 255;
/** Figure, background or a mixture of both: to be seen. */
export const BAND = 64;

/** Every figure pixel that has a background pixel beside, above or below it, in reading order. */
export function boundaryPixels(mask: Uint8Array, width: number, height: number): Int32Array {
  const found = new IndexList();
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
      if ((left & right & up & down) === GROUND) found.add(at);
    }
  }
  return found.all();
}

/** A growing list of pixel indexes, four bytes each. */
export class IndexList {
  private items = new Int32Array(1 << 12);
  length = 0;

  static from(other: IndexList): IndexList {
    const list = new IndexList();
    list.items = other.items.slice();
    list.length = other.length;
    return list;
  }

  add(index: number): void {
    if (this.length === this.items.length) {
      const more = new Int32Array(this.length * 2);
      more.set(this.items);
      this.items = more;
    }
    this.items[this.length++] = index;
  }

  clear(): void {
    this.length = 0;
  }

  at(n: number): number {
    return this.items[n]!;
  }

  each(use: (index: number) => void): void {
    for (let n = 0; n < this.length; n++) use(this.items[n]!);
  }

  all(): Int32Array {
    return this.items.subarray(0, this.length);
  }
}
