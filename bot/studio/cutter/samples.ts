/**
 * The colours that unmixing reckons with: RGB as it stands, or Y, Cb, Cr where colour was stored at
 * half size.
 */
import type { KeyMap } from "./key-map.ts";
import type { Sheet } from "./sheet.ts";

export type Samples = {
  data: Uint8Array;
  /** Bytes from pixel to pixel. */
  stride: 3 | 4;
  /** Colour is soft: light decides, colour is a hint. */
  soft: boolean;
  /** The key in the same colours. */
  keys: KeyMap;
};

/** @param keys the key as r, g, b */
export function samplesOf(sheet: Sheet, keys: KeyMap): Samples {
  const { data, stride, soft } = sheet;
  if (!soft) return { data, stride, soft, keys };
  const colours = new Float32Array(keys.colours.length);
  for (let at = 0; at < colours.length; at += 3) {
    const r = keys.colours[at]!;
    const g = keys.colours[at + 1]!;
    const b = keys.colours[at + 2]!;
    colours[at] = 0.299 * r + 0.587 * g + 0.114 * b;
    colours[at + 1] = 128 - 0.168736 * r - 0.331264 * g + 0.5 * b;
    colours[at + 2] = 128 + 0.5 * r - 0.418688 * g - 0.081312 * b;
  }
  return { data, stride, soft, keys: { ...keys, colours } };
}
