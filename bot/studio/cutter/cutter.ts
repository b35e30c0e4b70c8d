/**
 * The cutter: one sheet in, Telegram stickers out.
 *
 * open → key → ground → unmix → owners → outline and encode. Every step works on plain pixel arrays;
 * what the cutter is not sure of is named in `problems`, so that the studio redraws instead of
 * delivering a bad pack.
 */
import sharp from "sharp";
import type { Rgb } from "../providers/provider.ts";
import { cropOf, type Encoded, encodeSticker } from "./encode.ts";
import { findGround } from "./ground.ts";
import { findKey } from "./key.ts";
import { unmix } from "./matte.ts";
import { findOwners, type Ownership } from "./owners.ts";
import { openSheet, type Sheet } from "./sheet.ts";
import { cleanTransparency } from "./transparency.ts";
import { SheetUnusable } from "./unusable.ts";

export { SheetUnusable } from "./unusable.ts";

export type CutSticker = Encoded & {
  /** Counted from 1, left to right, top to bottom. */
  cell: number;
  /** x, y, width, height on the sheet, in pixels. */
  box: [number, number, number, number];
};
export type Cut = {
  /** The background's colour; null for a sheet with real transparency. */
  key: Rgb | null;
  stickers: CutSticker[];
  /** Why the pack should be redrawn; empty when the cutter is sure. */
  problems: string[];
};
export type CutOptions = {
  /** How many stickers were asked for (4, 6, 9, 12 or 16); without it the sheet tells. */
  count?: number;
  /** Also return the whole sheet as unmixed RGBA, a PNG of its own size. */
  matte?: boolean;
};

/** The sheet without its background, and whose each pixel is. */
export type Matte = Ownership & {
  width: number;
  height: number;
  /** Straight RGBA; clear black wherever no sticker is. */
  rgba: Uint8Array;
  key: Rgb | null;
};

/**
 * Everything but the last step: unmixes a sheet and finds the stickers on it.
 * @throws SheetUnusable when nothing can be cut
 */
export async function matteSheet(bytes: Uint8Array, count?: number): Promise<Matte> {
  const sheet = await openSheet(bytes);
  const { width, height, rgba } = sheet;
  const problems: string[] = [];
  const { key, alpha } = clearBackground(sheet, problems);
  const { owner, stickers, problems: more } = findOwners(alpha, width, height, count);
  if (stickers.length === 0) {
    throw new SheetUnusable("no_stickers", "There is nothing on the sheet but background.");
  }
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height);
  for (let at = 0; at < pixels.length; at++) if (owner[at] === 0 && alpha[at] !== 0) pixels[at] = 0;
  return { width, height, rgba, owner, stickers, key, problems: [...new Set([...problems, ...more])] };
}

/**
 * Cuts a sheet (PNG, JPEG or WebP; flat key colour or real transparency).
 * @throws SheetUnusable when nothing can be cut
 */
export async function cutSheet(bytes: Uint8Array, options: CutOptions = {}): Promise<Cut & { matte?: Uint8Array }> {
  const { width, height, rgba, owner, key, problems, ...found } = await matteSheet(bytes, options.count);
  const stickers = await Promise.all(
    found.stickers.map(async (box, number): Promise<CutSticker> => {
      const crop = cropOf(rgba, owner, number + 1, width, box);
      const [w, h] = [box.right - box.left, box.bottom - box.top];
      const encoded = await encodeSticker(crop, w, h, hasWhiteBorder(crop, w, h));
      return { cell: box.cell, box: [box.left, box.top, w, h], ...encoded };
    }),
  );
  const cut: Cut & { matte?: Uint8Array } = { key, stickers: stickers.sort(byCell), problems };
  if (options.matte)
    cut.matte = await sharp(rgba, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer();
  return cut;
}

const byCell = (a: CutSticker, b: CutSticker) => a.cell - b.cell || a.box[0] - b.box[0];

/** Makes the background clear, in place; returns alpha, and the key's colour if there was one. */
function clearBackground(sheet: Sheet, problems: string[]): { key: Rgb | null; alpha: Uint8Array } {
  if (sheet.transparent) return { key: null, alpha: cleanTransparency(sheet) };
  const field = findKey(sheet);
  if (!field.vivid) problems.push("weak_key");
  return { key: field.key, alpha: unmix(sheet, field, findGround(sheet, field)) };
}

/** Whether nearly everything a few pixels inside the figure's edge is white. */
function hasWhiteBorder(crop: Uint8Array, width: number, height: number): boolean {
  const DEPTH = 4;
  const WHITE = 225;
  const MIN_SHARE = 0.9;
  let [edge, white] = [0, 0];
  const solid = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < width && y < height && crop[(y * width + x) * 4 + 3]! >= 128;
  for (let y = 0; y < height; y += 3) {
    for (let x = 0; x < width; x++) {
      if (!solid(x, y)) continue;
      for (const step of [1, -1]) {
        if (solid(x - step, y) || !solid(x + step * DEPTH, y)) continue;
        const at = (y * width + x + step * (DEPTH - 1)) * 4;
        edge++;
        if (Math.min(crop[at]!, crop[at + 1]!, crop[at + 2]!) >= WHITE) white++;
      }
    }
  }
  return edge > 0 && white >= edge * MIN_SHARE;
}
