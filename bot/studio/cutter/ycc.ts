/**
 * JPEG's own colours. Y, Cb and Cr are better witnesses than RGB: light at full size, colour at half
 * size but untouched by the clipping that turns both into RGB (Rec. 601, full range, as in JFIF).
 */

/** Markers that only describe; without them and with Adobe's "no transform" a decoder hands Y, Cb, Cr out as R, G, B. */
const APP0 = 0xe0;
const APP15 = 0xef;
const START_OF_SCAN = 0xda;
const ADOBE_UNTRANSFORMED = [0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, 0];

/** The same JPEG, declared to hold RGB, so that decoding skips the colour conversion; null where its head is odd. */
export function asIfRgb(jpeg: Uint8Array): Uint8Array | null {
  const kept: Uint8Array[] = [jpeg.subarray(0, 2), Uint8Array.from(ADOBE_UNTRANSFORMED)];
  let at = 2;
  while (at + 4 <= jpeg.length) {
    if (jpeg[at] !== 0xff) return null;
    const marker = jpeg[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === START_OF_SCAN) break;
    const end = at + 2 + ((jpeg[at + 2]! << 8) | jpeg[at + 3]!);
    if (end > jpeg.length) return null;
    // An Adobe marker of the file's own says that it may not hold YCbCr at all.
    if (marker === 0xee) return null;
    if (marker < APP0 || marker > APP15) kept.push(jpeg.subarray(at, end));
    at = end;
  }
  kept.push(jpeg.subarray(at));
  return Buffer.concat(kept);
}

export function toRgba(ycc: Uint8Array): Uint8Array {
  const count = ycc.length / 3;
  const rgba = new Uint8ClampedArray(count * 4);
  for (let at = 0, i = 0, p = 0; at < count; at++, i += 3, p += 4) {
    const y = ycc[i]!;
    const cb = ycc[i + 1]! - 128;
    const cr = ycc[i + 2]! - 128;
    // The factors 1.402, 0.344136, 0.714136 and 1.772 in 65536ths; whole numbers are much quicker to clamp.
    rgba[p] = y + ((91881 * cr + 32768) >> 16);
    rgba[p + 1] = y - ((22554 * cb + 46802 * cr + 32768) >> 16);
    rgba[p + 2] = y + ((116130 * cb + 32768) >> 16);
    rgba[p + 3] = 255;
  }
  return new Uint8Array(rgba.buffer);
}

export function toYcc(rgba: Uint8Array): Uint8Array {
  const count = rgba.length / 4;
  const ycc = new Uint8ClampedArray(count * 3);
  for (let at = 0, i = 0, p = 0; at < count; at++, i += 3, p += 4) {
    const r = rgba[p]!;
    const g = rgba[p + 1]!;
    const b = rgba[p + 2]!;
    ycc[i] = 0.299 * r + 0.587 * g + 0.114 * b;
    ycc[i + 1] = 128 - 0.168736 * r - 0.331264 * g + 0.5 * b;
    ycc[i + 2] = 128 + 0.5 * r - 0.418688 * g - 0.081312 * b;
  }
  return new Uint8Array(ycc.buffer);
}

/**
 * The stored colour of the 2×2 block at an even x, y: undoes the decoder's triangle filter. With
 * o₂ᵢ = (3cᵢ + cᵢ₋₁)/4 and o₂ᵢ₋₁ = (3cᵢ₋₁ + cᵢ)/4, cᵢ = (3o₂ᵢ − o₂ᵢ₋₁)/2, and likewise on the other side and
 * downwards; the four answers are averaged against rounding.
 */
export function blockChroma(
  ycc: Uint8Array,
  width: number,
  height: number,
  x: number,
  y: number,
  channel: 1 | 2,
): number {
  const left = Math.max(0, x - 1);
  const right = Math.min(width - 1, x + 2);
  const top = Math.max(0, y - 1);
  const bottom = Math.min(height - 1, y + 2);
  const x1 = Math.min(width - 1, x + 1);
  const y1 = Math.min(height - 1, y + 1);
  const at = (px: number, py: number) => ycc[(py * width + px) * 3 + channel]!;
  // Along x: both estimates summed, for the rows above, within and below.
  const across = (py: number) => 3 * (at(x, py) + at(x1, py)) - at(left, py) - at(right, py);
  return (3 * (across(y) + across(y1)) - across(top) - across(bottom)) / 16;
}
