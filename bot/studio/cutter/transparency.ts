/** Sheets with real transparency: alpha is taken as drawn, without the haze that models leave in it. */
import type { Sheet } from "./sheet.ts";

/** Fainter than this (of 255) is haze; fuller than SOLID is meant to be solid. */
const HAZE_ALPHA = 10;
const SOLID_ALPHA = 246;

/** Cleans alpha in place; returns it alone. */
export function cleanTransparency({ data: rgba, width, height }: Sheet): Uint8Array {
  const alphas = new Uint8Array(width * height);
  for (let at = 3, i = 0; at < rgba.length; at += 4, i++) {
    const alpha = rgba[at]!;
    if (alpha <= HAZE_ALPHA) rgba[at - 3] = rgba[at - 2] = rgba[at - 1] = rgba[at] = 0;
    else if (alpha >= SOLID_ALPHA) rgba[at] = 255;
    alphas[i] = rgba[at]!;
  }
  return alphas;
}
