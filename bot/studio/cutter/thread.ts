/** The other end of `off-thread.ts`: runs in a worker, cuts one sheet at a time. */
import sharp from "sharp";
import { cutSheet, SheetUnusable } from "./cutter.ts";
import type { CutAnswer, CutRequest } from "./off-thread.ts";

declare const self: Worker;

// One core for pixels; the other one belongs to the bot.
sharp.concurrency(1);
sharp.cache(false);

self.onmessage = async ({ data: { id, sheet, options } }: MessageEvent<CutRequest>) => {
  try {
    const cut = await cutSheet(sheet, options);
    const answer: CutAnswer = { id, ok: true, cut };
    const buffers = new Set<ArrayBuffer>();
    for (const sticker of cut.stickers) {
      // sharp hands out slices of a pool now and then; a transferred buffer must be the sticker's alone.
      sticker.bytes = Uint8Array.from(sticker.bytes);
      buffers.add(sticker.bytes.buffer as ArrayBuffer);
    }
    if (cut.matte) {
      cut.matte = Uint8Array.from(cut.matte);
      buffers.add(cut.matte.buffer as ArrayBuffer);
    }
    self.postMessage(answer, [...buffers]);
  } catch (error) {
    const known = error instanceof SheetUnusable;
    const message = error instanceof Error ? error.message : String(error);
    const answer: CutAnswer = { id, ok: false, code: known ? error.code : "cutter_failed", message };
    self.postMessage(answer);
  }
};
