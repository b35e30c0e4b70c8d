import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import sharp from "sharp";
import { cutSheet, matteSheet, SheetUnusable } from "../bot/studio/cutter/cutter.ts";
import { draw, grid } from "./cutter/sheets.ts";

const fixture = () => Bun.file(join(import.meta.dir, "fixtures/sheet-3x3.png")).bytes();

/** Every rule of Telegram's that a static sticker has to keep, read from the decoded bytes. */
async function expectValid(bytes: Uint8Array): Promise<void> {
  const { width, height, format, hasAlpha } = await sharp(bytes).metadata();
  expect(["png", "webp"]).toContain(format!);
  expect(Math.max(width!, height!)).toBe(512);
  expect(bytes.length).toBeLessThanOrEqual(512 * 1024);
  expect(hasAlpha).toBe(true);
}

describe("a sheet becomes stickers", () => {
  test("nine figures, in reading order, valid for Telegram", async () => {
    const cut = await cutSheet(await fixture(), { count: 9 });
    expect(cut.problems).toEqual([]);
    expect(cut.key).toEqual({ r: 0, g: 255, b: 0 });
    expect(cut.stickers.map(({ cell }) => cell)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const { bytes } of cut.stickers) await expectValid(bytes);
  });

  for (const [columns, rows] of [
    [2, 2],
    [3, 2],
    [2, 3],
    [3, 3],
    [4, 3],
    [4, 4],
  ] as const) {
    test(`the count of a ${columns}×${rows} sheet is read from the sheet`, async () => {
      const cut = await matteSheet(
        await draw(grid(columns, rows, 720), 720)
          .png()
          .toBuffer(),
      );
      expect(cut.problems).toEqual([]);
      expect(cut.stickers).toHaveLength(columns * rows);
    });
  }

  test("a count that was not drawn is reported", async () => {
    const cut = await matteSheet(
      await draw(grid(4, 3, 720), 720)
        .png()
        .toBuffer(),
      9,
    );
    expect(cut.problems).toContain("wrong_count");
  });
});

test("a sheet that is all key has no stickers", async () => {
  const sheet = await draw("", 300).png().toBuffer();
  const error = await cutSheet(sheet).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(SheetUnusable);
  expect(error).toHaveProperty("code", "no_stickers");
});
