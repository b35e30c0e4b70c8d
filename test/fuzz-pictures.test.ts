/** Damaged pictures: a guest's photo, an artist's sheet. Each is used or refused by name; none hangs or throws what nobody knows. */
import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import sharp, { type Sharp } from "sharp";
import { chooseKey } from "../bot/studio/cutter/choose-key.ts";
import { cutSheet, SheetUnusable } from "../bot/studio/cutter/cutter.ts";
import { AppError } from "../shared/errors.ts";
import { readPhoto } from "../shared/photos.ts";
import { damaged, FUZZ_MS, runs } from "./fuzz-tools.ts";
import { fixture } from "./world.ts";

setDefaultTimeout(FUZZ_MS);

/** Far more than any of these small pictures needs. */
const HANG_MS = 30_000;

async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("it hangs")), HANG_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function filesOf(picture: Sharp): Promise<Uint8Array[]> {
  const made = [picture.clone().png(), picture.clone().jpeg(), picture.clone().webp({ lossless: true })];
  return (await Promise.all(made.map((one) => one.toBuffer()))).map((bytes) => new Uint8Array(bytes));
}

const sheet = () => {
  const face = (x: number, y: number) =>
    `<circle cx="${x}" cy="${y}" r="40" fill="#fff"/><circle cx="${x}" cy="${y}" r="33" fill="#fc4"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="240"><rect width="100%" height="100%" fill="#0f0"/>${face(60, 60)}${face(180, 60)}${face(60, 180)}${face(180, 180)}</svg>`;
  return sharp(Buffer.from(svg));
};

test("photos", async () => {
  const files = await filesOf(sharp(fixture("selfie.jpg")).resize(140));
  await fc.assert(
    fc.asyncProperty(damaged(files), async (bytes) => {
      try {
        const photo = await inTime(readPhoto(bytes));
        expect(photo.jpeg.subarray(0, 3)).toEqual(Uint8Array.of(0xff, 0xd8, 0xff));
        expect(Math.max(photo.width, photo.height)).toBeLessThanOrEqual(2048);
        await inTime(chooseKey(photo.jpeg, []));
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
        expect(["not_an_image", "bad_image", "too_large"]).toContain((error as AppError).code);
      }
    }),
    runs(500),
  );
});

test("sheets", async () => {
  const files = await filesOf(sheet());
  await fc.assert(
    fc.asyncProperty(damaged(files), async (bytes) => {
      try {
        const cut = await inTime(cutSheet(bytes, { count: 4 }));
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
    runs(150),
  );
});

test("bytes that never were a picture", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
      await expect(inTime(readPhoto(bytes))).rejects.toBeInstanceOf(AppError);
      await expect(inTime(cutSheet(bytes, { count: 4 }))).rejects.toBeInstanceOf(SheetUnusable);
    }),
    runs(300),
  );
});
