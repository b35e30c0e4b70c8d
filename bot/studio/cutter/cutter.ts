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
import { findOwners, type Ownership, type Sticker } from "./owners.ts";
import type { Region } from "./regions.ts";
import { Scratch } from "./scratch.ts";
import { colourAt, openSheet, type Sheet } from "./sheet.ts";
import { cleanTransparency } from "./transparency.ts";
import { SheetUnusable } from "./unusable.ts";

export { SheetUnusable } from "./unusable.ts";

/** Stickers in hand at the same time. */
const LANES = 4;
/** A hole between arm and body is a few percent of a sticker's box; this much is a dress that went with the key. */
const HOLLOW_SHARE = 0.12;

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
  const { sheet, alpha, ...rest } = await separate(bytes, count);
  const { width, height } = sheet;
  return { ...rest, width, height, rgba: rgbaOf(sheet, alpha, rest.owner) };
}

/**
 * Cuts a sheet (PNG, JPEG or WebP; flat key colour or real transparency).
 * @throws SheetUnusable when nothing can be cut
 */
export async function cutSheet(bytes: Uint8Array, options: CutOptions = {}): Promise<Cut & { matte?: Uint8Array }> {
  const { sheet, alpha, owner, stickers: boxes, key, problems } = await separate(bytes, options.count);
  const stickers: CutSticker[] = [];
  const waiting = [...boxes.entries()];
  // Pixels are drawn here while others are encoded on the library's threads; more at once only cost memory.
  const lane = async () => {
    const [cropScratch, stickerScratch] = [new Scratch(), new Scratch()];
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [number, box] = next;
      const crop = cropOf(sheet, alpha, owner, number + 1, box, cropScratch);
      const [w, h] = [box.right - box.left, box.bottom - box.top];
      const encoded = await encodeSticker(crop, w, h, hasWhiteBorder(crop, w, h), stickerScratch);
      stickers.push({ cell: box.cell, box: [box.left, box.top, w, h], ...encoded });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const cut: Cut & { matte?: Uint8Array } = { key, stickers: stickers.sort(byCell), problems };
  if (options.matte) {
    const raw = { width: sheet.width, height: sheet.height, channels: 4 } as const;
    cut.matte = await sharp(rgbaOf(sheet, alpha, owner), { raw })
      .png()
      .toBuffer();
  }
  return cut;
}

type Separated = Ownership & { sheet: Sheet; alpha: Uint8Array; key: Rgb | null };

async function separate(bytes: Uint8Array, count?: number): Promise<Separated> {
  const sheet = await openSheet(bytes);
  const problems: string[] = [];
  const { key, alpha, holes } = clearBackground(sheet, problems);
  const { owner, stickers, problems: more } = findOwners(alpha, sheet.width, sheet.height, count);
  if (stickers.length === 0) {
    throw new SheetUnusable("no_stickers", "There is nothing on the sheet but background.");
  }
  if (holes.some((hole) => stickers.some((sticker) => isHollow(sticker, hole)))) problems.push("weak_key");
  return { sheet, alpha, owner, stickers, key, problems: [...new Set([...problems, ...more])] };
}

/** Whether so much of a sticker is a hole that it is rather clothes of the key's own colour. */
function isHollow(sticker: Sticker, hole: Region): boolean {
  const isInside =
    hole.left > sticker.left && hole.right < sticker.right && hole.top > sticker.top && hole.bottom < sticker.bottom;
  const boxArea = (sticker.right - sticker.left) * (sticker.bottom - sticker.top);
  return isInside && hole.area > HOLLOW_SHARE * boxArea;
}

/** The whole sheet as straight RGBA, clear black where nobody's pixels are. */
function rgbaOf({ data, stride }: Sheet, alpha: Uint8Array, owner: Uint8Array): Uint8Array<ArrayBuffer> {
  const pixels = new Int32Array(owner.length);
  for (let at = 0; at < pixels.length; at++)
    if (owner[at] !== 0) pixels[at] = colourAt(data, stride, at) | (alpha[at]! << 24);
  return new Uint8Array(pixels.buffer);
}

const byCell = (a: CutSticker, b: CutSticker) => a.cell - b.cell || a.box[0] - b.box[0];

type Cleared = {
  /** The background's colour, if there was one. */
  key: Rgb | null;
  alpha: Uint8Array;
  holes: Region[];
};

/** Unmixes the figures, in place. */
function clearBackground(sheet: Sheet, problems: string[]): Cleared {
  if (sheet.transparent) return { key: null, alpha: cleanTransparency(sheet), holes: [] };
  const field = findKey(sheet);
  if (!field.vivid) problems.push("weak_key");
  const ground = findGround(sheet, field);
  return { key: field.key, alpha: unmix(sheet, field, ground), holes: ground.holes };
}

/** Whether nearly everything a few pixels inside the figure's edge is white. */
function hasWhiteBorder(crop: Uint8Array, width: number, height: number): boolean {
  const DEPTH = 4;
  const WHITE = 225;
  const MIN_SHARE = 0.9;
  let [edge, white] = [0, 0];
  for (let y = 0; y < height; y += 3) {
    const row = y * width;
    // Solid pixels of this row, from `from` to before x; what is narrower than the border says nothing about it.
    let from = 0;
    for (let x = 0; x <= width; x++) {
      if (x < width && crop[(row + x) * 4 + 3]! >= 128) continue;
      if (x - from > DEPTH) {
        edge += 2;
        if (isWhite((row + from + DEPTH - 1) * 4)) white++;
        if (isWhite((row + x - DEPTH) * 4)) white++;
      }
      from = x + 1;
    }
  }
  return edge > 0 && white >= edge * MIN_SHARE;

  function isWhite(at: number): boolean {
    return crop[at]! >= WHITE && crop[at + 1]! >= WHITE && crop[at + 2]! >= WHITE;
  }
}
