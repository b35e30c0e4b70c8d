import { describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { main } from "../bot/studio/cutter/cli.ts";
import { cutSheet, matteSheet, SheetUnusable } from "../bot/studio/cutter/cutter.ts";
import { closeCutter, cutOffThread } from "../bot/studio/cutter/off-thread.ts";
import { draw, grid } from "./cutter/sheets.ts";

const SIDE = 480;
const good = (key: string | null = "#00ff00") => draw(grid(3, 3, SIDE), SIDE, key);
const flat = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: "#00ff00" } });
const half = (bytes: Buffer) => Uint8Array.from(bytes.subarray(0, Math.floor(bytes.length * 0.6)));

async function noise(): Promise<Buffer> {
  // A fixed sequence that looks like noise: no colour is common.
  const pixels = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, i) => (Math.imul(i + 1, 2654435761) >>> 11) & 255);
  return sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .png()
    .toBuffer();
}

async function checkerboard(): Promise<Buffer> {
  const squares = `<defs><pattern id="c" width="24" height="24" patternUnits="userSpaceOnUse"><rect width="24" height="24" fill="#fff"/><path d="M0 0h12v12H0zM12 12h12v12H12z" fill="#ccc"/></pattern></defs><rect width="100%" height="100%" fill="url(#c)"/>`;
  return draw(squares + grid(3, 3, SIDE), SIDE, "#fff")
    .png()
    .toBuffer();
}

async function animation(): Promise<Buffer> {
  return sharp([await good().png().toBuffer(), await flat(SIDE).png().toBuffer()], { join: { animated: true } })
    .webp()
    .toBuffer();
}

const unusable: [string, () => Promise<Uint8Array>, string][] = [
  ["no bytes", async () => new Uint8Array(), "empty_file"],
  ["text", async () => new TextEncoder().encode("this is no picture"), "not_an_image"],
  ["an SVG", async () => new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'/>"), "not_an_image"],
  ["a GIF", () => good().gif().toBuffer(), "not_an_image"],
  ["half a PNG", async () => half(await good().png().toBuffer()), "truncated"],
  ["half a JPEG", async () => half(await good().removeAlpha().jpeg().toBuffer()), "truncated"],
  [
    "half a progressive JPEG",
    async () => half(await good().removeAlpha().jpeg({ progressive: true }).toBuffer()),
    "truncated",
  ],
  ["half a WebP", async () => half(await good().webp().toBuffer()), "truncated"],
  ["a header and nothing more", async () => (await good().png().toBuffer()).subarray(0, 30), "truncated"],
  ["an animation", animation, "animated"],
  ["one pixel", () => flat(1).png().toBuffer(), "too_small"],
  ["8000×8000", () => flat(8000).png().toBuffer(), "too_large"],
  ["all key", () => flat(SIDE).png().toBuffer(), "no_stickers"],
  ["all clear", () => draw("", SIDE, null).png().toBuffer(), "no_stickers"],
  ["no key", noise, "no_key"],
  ["a painted checkerboard", checkerboard, "checkerboard"],
];

describe("a sheet that cannot be cut gets a plain reason", () => {
  for (const [name, make, code] of unusable) {
    test(name, async () => {
      const error = await cutSheet(await make()).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(SheetUnusable);
      expect(error).toHaveProperty("code", code);
      expect((error as SheetUnusable).message).toMatch(/^The(re)? .+\.$/);
    });
  }
});

describe("whatever a file can hold is cut all the same", () => {
  const kinds: [string, () => Promise<Uint8Array>][] = [
    ["JPEG 4:2:0", () => good().removeAlpha().jpeg({ quality: 90 }).toBuffer()],
    [
      "progressive JPEG 4:4:4",
      () => good().removeAlpha().jpeg({ progressive: true, chromaSubsampling: "4:4:4" }).toBuffer(),
    ],
    ["CMYK JPEG", () => good().removeAlpha().toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer()],
    ["JPEG with a wide colour profile", () => good().removeAlpha().withIccProfile("p3").jpeg().toBuffer()],
    ["16-bit PNG", () => good().toColourspace("rgb16").png().toBuffer()],
    ["palette PNG", () => good().png({ palette: true, colours: 64 }).toBuffer()],
    ["lossy WebP", () => good().removeAlpha().webp({ quality: 90 }).toBuffer()],
    ["lossless WebP", () => good().webp({ lossless: true }).toBuffer()],
    ["PNG with real transparency", () => good(null).png().toBuffer()],
    ["WebP with real transparency", () => good(null).webp({ quality: 90 }).toBuffer()],
    ["magenta key", () => good("#ff00ff").removeAlpha().jpeg().toBuffer()],
    ["an odd key", () => good("#3cd660").png().toBuffer()],
  ];
  for (const [name, make] of kinds) {
    test(name, async () => {
      const cut = await matteSheet(await make(), 9);
      expect(cut.problems).toEqual([]);
      expect(cut.stickers.map(({ cell }) => cell)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });
  }

  const onItsSide: [string, (sheet: Sharp) => Sharp][] = [
    ["4:2:0", (sheet) => sheet.jpeg({ quality: 95 })],
    ["4:4:4", (sheet) => sheet.jpeg({ quality: 95, chromaSubsampling: "4:4:4" })],
    ["WebP", (sheet) => sheet.webp({ quality: 95 })],
  ];
  for (const [name, encode] of onItsSide) {
    test(`a picture that is said to lie on its side is cut upright: ${name}`, async () => {
      // Six stickers in two rows: turned, they would be three rows of two.
      const upright = await draw(grid(3, 2, SIDE), SIDE, "#00ff00")
        .removeAlpha()
        .png()
        .toBuffer();
      const turned = sharp(await sharp(upright).rotate(270).png().toBuffer()).withMetadata({ orientation: 6 });
      const [plain, noted] = [await matteSheet(upright), await matteSheet(await encode(turned).toBuffer())];
      expect(noted.stickers).toHaveLength(6);
      for (const [i, box] of plain.stickers.entries()) {
        const other = noted.stickers[i]!;
        expect(Math.abs(other.left - box.left) + Math.abs(other.top - box.top)).toBeLessThanOrEqual(4);
        expect(other.cell).toBe(box.cell);
      }
    });
  }

  test("a key too pale to be told from clothes is cut, and doubted", async () => {
    const cut = await matteSheet(await good("#e8e8e8").png().toBuffer(), 9);
    expect(cut.problems).toContain("weak_key");
  });
});

describe("the cutter's thread", () => {
  test("gives what the function gives, survives bad sheets, and leaves the caller's bytes alone", async () => {
    const sheet = await good().png().toBuffer();
    const before = Bun.hash(sheet);
    const bad = await cutOffThread(new Uint8Array([1, 2, 3])).catch((caught: unknown) => caught);
    expect(bad).toBeInstanceOf(SheetUnusable);
    expect(bad).toHaveProperty("code", "not_an_image");
    const [there, here] = await Promise.all([cutOffThread(sheet, { count: 9 }), cutSheet(sheet, { count: 9 })]);
    expect(there.stickers.map(({ bytes }) => Bun.hash(bytes))).toEqual(
      here.stickers.map(({ bytes }) => Bun.hash(bytes)),
    );
    expect(Bun.hash(sheet)).toBe(before);
    closeCutter();
  });

  test("a caller that gives up is told at once, and the next sheet is cut", async () => {
    const sheet = await good().png().toBuffer();
    const hand = new AbortController();
    const given = cutOffThread(sheet, {}, hand.signal).catch((caught: unknown) => caught);
    const next = cutOffThread(sheet, { count: 9 });
    hand.abort(new Error("enough"));
    expect(await given).toHaveProperty("message", "enough");
    expect((await next).stickers).toHaveLength(9);
    const late = await cutOffThread(sheet, {}, hand.signal).catch((caught: unknown) => caught);
    expect(late).toHaveProperty("message", "enough");
    closeCutter();
  });

  test("closing rejects what is in hand", async () => {
    const given = cutOffThread(await good().png().toBuffer()).catch((caught: unknown) => caught);
    closeCutter();
    expect(await given).toHaveProperty("code", "cutter_failed");
  });
});

describe("the command line", () => {
  test("writes stickers, report, matte and preview", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cut-"));
    try {
      await Bun.write(join(folder, "sheet"), await good().png().toBuffer());
      expect(await main([join(folder, "sheet"), join(folder, "out"), "--matte"])).toBe(0);
      const files = await readdir(join(folder, "out"));
      const names = Array.from({ length: 9 }, (_, i) => `sticker-0${i + 1}.png`);
      expect(files.sort()).toEqual(["matte.png", "preview.png", "report.json", ...names]);
      const report = await Bun.file(join(folder, "out/report.json")).json();
      expect(report.key).toEqual({ r: 0, g: 255, b: 0 });
      expect(report.problems).toEqual([]);
      expect(report.stickers.map(({ file }: { file: string }) => file)).toEqual(names);
      const matte = await sharp(join(folder, "out/matte.png")).metadata();
      expect([matte.width, matte.height, matte.channels]).toEqual([SIDE, SIDE, 4]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("an earlier sheet's files make way, and nobody else's", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cut-"));
    try {
      // The sheet may bear a name of ours.
      const file = join(folder, "matte.png");
      await Bun.write(file, await good().toBuffer());
      const earlier = ["sticker-16.png", "sticker-17.webp"];
      const others = ["sticker-a.png", "sticker-16.png.bak", "my-sticker-16.png", "notes.txt"];
      for (const name of [...earlier, ...others]) await Bun.write(join(folder, name), "x");
      expect(await main([file, folder])).toBe(0);
      const names = await readdir(folder);
      for (const name of earlier) expect(names).not.toContain(name);
      for (const name of [...others, "matte.png", "sticker-01.png", "report.json"]) expect(names).toContain(name);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("an unusable sheet is exit code 1, wrong arguments are 2", async () => {
    expect(await main([import.meta.path, join(tmpdir(), "nowhere")])).toBe(1);
    expect(await main([join(tmpdir(), "no such sheet"), "out"])).toBe(1);
    expect(await main(["only-one"])).toBe(2);
  });
});
