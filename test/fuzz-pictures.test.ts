/** Damaged pictures: a guest's photo, an artist's sheet. Each is used or refused by name; none hangs or throws what nobody knows. */
import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import sharp from "sharp";
import { chooseKey } from "../bot/studio/cutter/choose-key.ts";
import { cutSheet, SheetUnusable } from "../bot/studio/cutter/cutter.ts";
import { AppError } from "../shared/errors.ts";
import { readPhoto } from "../shared/photos.ts";
import { attack, inTime } from "./fuzz-judge.ts";
import { encoded, sheets } from "./fuzz-sheets.ts";
import { damaged, FUZZ_MS } from "./fuzz-tools.ts";
import { fixture } from "./world.ts";

setDefaultTimeout(FUZZ_MS);

test("photos", async () => {
  const files = await encoded(sharp(fixture("selfie.jpg")).resize(140));
  await attack(
    fc.asyncProperty(damaged(files), async (bytes) => {
      try {
        const photo = await inTime("a photo", () => readPhoto(bytes));
        expect(photo.jpeg.subarray(0, 3)).toEqual(Uint8Array.of(0xff, 0xd8, 0xff));
        expect(Math.max(photo.width, photo.height)).toBeLessThanOrEqual(2048);
        await inTime("a key", () => chooseKey(photo.jpeg, []));
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
        expect(["not_an_image", "bad_image", "too_large"]).toContain((error as AppError).code);
      }
    }),
    500,
  );
});

test("sheets", async () => {
  const files = await sheets();
  await attack(
    fc.asyncProperty(damaged(files), async (bytes) => {
      try {
        const cut = await inTime("a sheet", () => cutSheet(bytes, { count: 4 }));
        expect(cut.stickers.length).toBeLessThanOrEqual(16);
        for (const sticker of cut.stickers) {
          const { width, height } = await sharp(sticker.bytes).metadata();
          expect(Math.max(width, height)).toBe(512);
          expect(sticker.bytes.length).toBeLessThanOrEqual(512 * 1024);
        }
      } catch (error) {
        if (!(error instanceof SheetUnusable)) throw error;
        expect(error.message.length).toBeGreaterThan(0);
      }
    }),
    150,
  );
});

test("bytes that never were a picture", async () => {
  await attack(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
      await expect(inTime("a photo", () => readPhoto(bytes))).rejects.toBeInstanceOf(AppError);
      await expect(inTime("a sheet", () => cutSheet(bytes, { count: 4 }))).rejects.toBeInstanceOf(SheetUnusable);
    }),
    300,
  );
});
