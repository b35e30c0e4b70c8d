/** A whole sheet: plans the stickers, draws each into its cell, and writes the PNG. */
import sharp from "sharp";
import { gridOf, type Rgb, type SheetOrder } from "../provider.ts";
import { dieCut } from "./border.ts";
import { closeUp } from "./close-up.ts";
import { cutHead, trimUnderHat } from "./head.ts";
import { type Mood, moods, signatures } from "./moods.ts";
import { outfitOf } from "./outfits/index.ts";
import { randomFrom } from "./pixels.ts";
import { withText } from "./png-text.ts";
import { type DrawnHead, drawSticker, type StickerPlan } from "./sticker.ts";
import { skinTones, styles, type ToonStyle, toon, toonBase } from "./toon.ts";

export const sheetSide = 2048;
/** The keyword of the PNG text that tells which mood each cell shows, for the check of the sheet. */
export const moodsKeyword = "sticker-moods";
/** Of a cell's smaller side: the white border, the free rim of key colour, the gaps that are bridged. */
const borderShare = 0.021;
const rimShare = 0.022;
const bridgeShare = 0.026;
const headShare = 0.135;
/** Pixels nearer to the key than this (0–441) would be cut out of the middle of a sticker. */
const keyReach = 110;

/** Stops between steps when asked to; each step takes some tens of milliseconds. */
export type Checkpoint = () => void;

/** Draws the sheet that was ordered, as a PNG. Throws when the photo cannot be decoded or a checkpoint throws. */
export async function drawSheet(order: SheetOrder, checkpoint: Checkpoint): Promise<Uint8Array> {
  const { columns, rows } = gridOf(order.count);
  const cell = Math.min(sheetSide / columns, sheetSide / rows);
  const unit = Math.round(cell * headShare);
  const { photo, face } = await closeUp(order.selfie, unit).catch((cause) => {
    throw new Error("the photo cannot be decoded", { cause });
  });
  checkpoint();
  const head = cutHead(photo, unit, face);
  checkpoint();
  const { hat } = outfitOf(order.outfit.id)(head.shape, 0);
  if (hat) trimUnderHat(head, hat);
  const base = toonBase(head);
  const heads = new Map<ToonStyle, DrawnHead>();
  for (const style of styles) {
    const { data, w, h } = toon(base, style);
    const png = await sharp(data, { raw: { width: w, height: h, channels: 4 } })
      .png({ compressionLevel: 1 })
      .toBuffer();
    heads.set(style, {
      png,
      shape: head.shape,
      box: head.box,
      tones: head.eyesSure ? skinTones(base, head.box, data) : null,
    });
    checkpoint();
  }
  const sheet = Buffer.alloc(sheetSide * sheetSide * 3);
  for (let i = 0; i < sheet.length; i += 3) {
    sheet[i] = order.key.r;
    sheet[i + 1] = order.key.g;
    sheet[i + 2] = order.key.b;
  }
  const plans = planSheet(order);
  for (const [index, plan] of plans.entries()) {
    const column = index % columns;
    const row = Math.floor(index / columns);
    const left = Math.round((column * sheetSide) / columns);
    const top = Math.round((row * sheetSide) / rows);
    const w = Math.round(((column + 1) * sheetSide) / columns) - left;
    const h = Math.round(((row + 1) * sheetSide) / rows) - top;
    const border = cell * borderShare;
    const pixels = await drawSticker(plan, heads.get(plan.mood.style)!, w, h, Math.ceil(border + cell * rimShare));
    checkpoint();
    const { coverage } = dieCut(pixels, w, h, border, cell * bridgeShare);
    place(sheet, pixels, coverage, { left, top, w, h }, order.key);
    checkpoint();
  }
  const png = await sharp(sheet, { raw: { width: sheetSide, height: sheetSide, channels: 3 } })
    .png({ compressionLevel: 3 })
    .toBuffer();
  return withText(png, moodsKeyword, plans.map((plan) => plan.mood.id).join(","));
}

/** Which moods, variants and poses a sheet has: the same for the same order, others for another attempt. */
export function planSheet(order: Pick<SheetOrder, "count" | "outfit" | "lang" | "attempt">): StickerPlan[] {
  const seed = [...order.outfit.id].reduce((sum, c) => Math.imul(sum, 31) + c.charCodeAt(0), 7) + order.attempt * 7919;
  const random = randomFrom(seed);
  const chosen = chooseMoods(order.outfit.id, order.count, order.attempt);
  return chosen.map((mood, index) => ({
    mood,
    outfit: order.outfit.id,
    variant: index + order.attempt,
    pose: {
      tilt: Math.round((index % 3 === 1 ? -1 : 1) * (index % 2 ? 5 : 2) * (0.6 + random())),
      flip: (index + order.attempt) % 4 === 3,
    },
    lang: order.lang,
    seed: Math.floor(random() * 2 ** 31),
  }));
}

/** The outfit's own mood among the first of all the others; a later attempt starts further on. */
function chooseMoods(outfit: string, count: number, attempt: number): Mood[] {
  const start = (attempt * 5) % moods.length;
  const chosen = Array.from({ length: count }, (_, index) => moods[(start + index) % moods.length]!);
  const own = Object.hasOwn(signatures, outfit) ? signatures[outfit] : undefined;
  if (own) chosen.splice((2 + attempt) % count, 0, own);
  return chosen.slice(0, count);
}

type Cell = { left: number; top: number; w: number; h: number };

/** Lays a sticker over white over the key colour, and keeps its inside clear of the key colour. */
function place(sheet: Uint8Array, pixels: Uint8Array, coverage: Float32Array, cell: Cell, key: Rgb): void {
  for (let y = 0, i = 0; y < cell.h; y++) {
    let at = ((cell.top + y) * sheetSide + cell.left) * 3;
    for (let x = 0; x < cell.w; x++, i++, at += 3) {
      const cover = coverage[i]!;
      if (cover <= 0) continue;
      const alpha = pixels[i * 4 + 3]! / 255;
      let r = 255 + (pixels[i * 4]! - 255) * alpha;
      let g = 255 + (pixels[i * 4 + 1]! - 255) * alpha;
      let b = 255 + (pixels[i * 4 + 2]! - 255) * alpha;
      const near = Math.hypot(r - key.r, g - key.g, b - key.b);
      if (near < keyReach) {
        const grey = 0.299 * r + 0.587 * g + 0.114 * b;
        const part = 0.85 * (1 - near / keyReach) + 0.15;
        r += (grey - r) * part;
        g += (grey - g) * part;
        b += (grey - b) * part;
      }
      sheet[at] = Math.round(key.r + (r - key.r) * cover);
      sheet[at + 1] = Math.round(key.g + (g - key.g) * cover);
      sheet[at + 2] = Math.round(key.b + (b - key.b) * cover);
    }
  }
}
