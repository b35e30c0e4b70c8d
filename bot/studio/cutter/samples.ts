/**
 * The colours that unmixing reckons with: RGB as it stands, or Y, Cb, Cr where colour was stored at
 * half size.
 */
import { type KeyField, keyAt } from "./key-field.ts";
import type { Sheet } from "./sheet.ts";

export type Samples = {
  data: Uint8Array;
  /** Bytes from pixel to pixel. */
  stride: 3 | 4;
  /** Colour is soft: light decides, colour is a hint. */
  soft: boolean;
  /** Puts the key's colour at a pixel into `into[at..at+2]`. */
  key(x: number, y: number, into: Float32Array, at: number): void;
};

export function samplesOf(sheet: Sheet, field: KeyField): Samples {
  if (!sheet.ycc) {
    return {
      data: sheet.rgba,
      stride: 4,
      soft: false,
      key: (x, y, into, at) => keyAt(field, x, y, into, at),
    };
  }
  return {
    data: sheet.ycc,
    stride: 3,
    soft: true,
    key: (x, y, into, at) => {
      keyAt(field, x, y, into, at);
      const r = into[at]!;
      const g = into[at + 1]!;
      const b = into[at + 2]!;
      into[at] = 0.299 * r + 0.587 * g + 0.114 * b;
      into[at + 1] = 128 - 0.168736 * r - 0.331264 * g + 0.5 * b;
      into[at + 2] = 128 + 0.5 * r - 0.418688 * g - 0.081312 * b;
    },
  };
}
