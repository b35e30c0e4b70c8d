/**
 * JPEG's own colours. Y, Cb and Cr are better witnesses than RGB: light at full size, colour at half
 * size but untouched by the clipping that turns both into RGB (Rec. 601, full range, as in JFIF).
 */

/** Markers that only describe; without them and with Adobe's "no transform" a decoder hands Y, Cb, Cr out as R, G, B. */
const APP0 = 0xe0;
/** Exif, which may say that the picture lies on its side. */
const APP1 = 0xe1;
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
    if (marker < APP0 || marker > APP15 || marker === APP1) kept.push(jpeg.subarray(at, end));
    at = end;
  }
  kept.push(jpeg.subarray(at));
  return Buffer.concat(kept);
}

/** Y, Cb, Cr as r, g, b; both 8 bits each, the first lowest. */
export function rgbOf(ycc: number): number {
  const y = ycc & 255;
  const cb = ((ycc >> 8) & 255) - 128;
  const cr = ((ycc >> 16) & 255) - 128;
  // The factors 1.402, 0.344136, 0.714136 and 1.772 in 65536ths; whole numbers are much quicker to clamp.
  const r = y + ((91881 * cr + 32768) >> 16);
  const g = y - ((22554 * cb + 46802 * cr + 32768) >> 16);
  const b = y + ((116130 * cb + 32768) >> 16);
  return byte(r) | (byte(g) << 8) | (byte(b) << 16);
}

/** Held between 0 and 255. */
export const byte = (value: number): number => (value < 0 ? 0 : Math.min(value, 255));

/** Turns R, G, B into Y, Cb, Cr, in place; returns them. */
export function toYcc(pixels: Uint8Array): Uint8Array {
  for (let p = 0; p < pixels.length; p += 3) {
    const r = pixels[p]!;
    const g = pixels[p + 1]!;
    const b = pixels[p + 2]!;
    pixels[p] = Math.round(0.299 * r + 0.587 * g + 0.114 * b);
    pixels[p + 1] = byte(Math.round(128 - 0.168736 * r - 0.331264 * g + 0.5 * b));
    pixels[p + 2] = byte(Math.round(128 + 0.5 * r - 0.418688 * g - 0.081312 * b));
  }
  return pixels;
}

/**
 * The stored colour of the 2×2 block at an even x, y, Cb and Cr into `into`: undoes the decoder's triangle filter. With
 * o₂ᵢ = (3cᵢ + cᵢ₋₁)/4 and o₂ᵢ₋₁ = (3cᵢ₋₁ + cᵢ)/4, cᵢ = (3o₂ᵢ − o₂ᵢ₋₁)/2, and likewise on the other side and
 * downwards; the four answers are averaged against rounding.
 */
export function blockChroma(
  ycc: Uint8Array,
  width: number,
  height: number,
  x: number,
  y: number,
  into: Float64Array,
): void {
  const here = (y * width + x) * 3;
  const right = x + 1 < width ? 3 : 0;
  const under = y + 1 < height ? width * 3 : 0;
  const left = x > 0 ? -3 : 0;
  const far = x + 2 < width ? right + 3 : right;
  const over = y > 0 ? -width * 3 : 0;
  const deep = y + 2 < height ? under + width * 3 : under;
  for (let channel = 1; channel <= 2; channel++) {
    const at = here + channel;
    into[channel - 1] =
      (3 * (across(ycc, at, left, right, far) + across(ycc, at + under, left, right, far)) -
        across(ycc, at + over, left, right, far) -
        across(ycc, at + deep, left, right, far)) /
      16;
  }
}

/** Along a row: the estimates from both sides summed. */
function across(ycc: Uint8Array, at: number, left: number, right: number, far: number): number {
  return 3 * (ycc[at]! + ycc[at + right]!) - ycc[at + left]! - ycc[at + far]!;
}
