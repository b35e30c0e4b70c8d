/**
 * How coarsely a JPEG was stored, read from its quantisation tables (ITU-T T.81, B.2.4.1): ringing beside
 * edges grows with the step of its coefficients, and is known so before a pixel is looked at.
 */

const DEFINE_TABLES = 0xdb;
const START_OF_SCAN = 0xda;
/** The coefficients that ringing consists of, in zigzag order: all but the mean and the finest. */
const FROM = 1;
const TO = 21;
/** The mean step of those at quality 92, whose noise is the usual one. */
const USUAL_STEP = 3;

/** Noise as a multiple of the usual noise of a good JPEG; 1 for what is good enough or tells nothing. */
export function grainOf(jpeg: Uint8Array): number {
  let step = 0;
  for (let at = 2; at + 4 <= jpeg.length && jpeg[at] === 0xff; ) {
    const marker = jpeg[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === START_OF_SCAN) break;
    const end = at + 2 + ((jpeg[at + 2]! << 8) | jpeg[at + 3]!);
    // The first table is that of light.
    if (marker === DEFINE_TABLES && step === 0) step = meanStep(jpeg.subarray(at + 4, end));
    at = end;
  }
  return Math.max(1, step / USUAL_STEP);
}

function meanStep(table: Uint8Array): number {
  const wide = table[0]! >> 4 === 1;
  let sum = 0;
  for (let i = FROM; i < TO; i++) sum += wide ? (table[1 + 2 * i]! << 8) | table[2 + 2 * i]! : (table[1 + i] ?? 0);
  return sum / (TO - FROM);
}
