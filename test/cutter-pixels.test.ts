import { describe, expect, test } from "bun:test";
import sharp from "sharp";
import { chooseKey, KEY_COLOURS } from "../bot/studio/cutter/choose-key.ts";
import { matteSheet } from "../bot/studio/cutter/cutter.ts";
import { encodeSticker, STICKER_MAX_BYTES } from "../bot/studio/cutter/encode.ts";
import { drawOutline, squaredDistances } from "../bot/studio/cutter/outline.ts";
import { findRegions } from "../bot/studio/cutter/regions.ts";
import { blockChroma } from "../bot/studio/cutter/ycc.ts";
import { draw, figure, grid } from "./cutter/sheets.ts";

const SIDE = 480;
const GREEN = { r: 0, g: 255, b: 0 };

/** Alpha of the same drawing without any key: the truth. */
async function truth(body: string): Promise<Uint8Array> {
  const rgba = await draw(body, SIDE, null).ensureAlpha().raw().toBuffer();
  return Uint8Array.from({ length: SIDE * SIDE }, (_, at) => rgba[at * 4 + 3]!);
}

function alphaError(rgba: Uint8Array, want: Uint8Array): number {
  return want.reduce((sum, alpha, at) => sum + Math.abs(rgba[at * 4 + 3]! - alpha) / 255, 0);
}

describe("alpha", () => {
  for (const border of [0, 6]) {
    test(`of a clean sheet is exact, ${border ? "with" : "without"} borders`, async () => {
      const body = grid(3, 3, SIDE, border);
      const matte = await matteSheet(await draw(body, SIDE).png().toBuffer());
      // Nine outlines of some 500 pixels: less than a hundredth off for each edge pixel.
      expect(alphaError(matte.rgba, await truth(body))).toBeLessThan(45);
    });
  }

  test("of a JPEG comes close", async () => {
    const body = grid(3, 3, SIDE);
    const matte = await matteSheet(await draw(body, SIDE).removeAlpha().jpeg({ quality: 92 }).toBuffer());
    expect(alphaError(matte.rgba, await truth(body))).toBeLessThan(450);
  });

  test("a dress near the key's colour stays whole, a hole between arm and body opens", async () => {
    const ring = `<circle cx="240" cy="240" r="90" fill="none" stroke="#3cc83c" stroke-width="50"/>`;
    const matte = await matteSheet(
      await draw(ring + grid(3, 3, SIDE), SIDE)
        .png()
        .toBuffer(),
    );
    const alpha = (x: number, y: number) => matte.rgba[(y * SIDE + x) * 4 + 3];
    expect(alpha(240 - 90, 240)).toBe(255);
    const hole = await matteSheet(
      await draw(`${ring}${figure(80, 80, 90, "#a33")}`, SIDE)
        .png()
        .toBuffer(),
    );
    expect(hole.rgba[(240 * SIDE + 240) * 4 + 3]).toBe(0);
  });

  test("a dress of the key's own colour inside a white border is doubted, a hole between arm and body is not", async () => {
    const problems = async (body: string) => (await matteSheet(await draw(body, SIDE).png().toBuffer(), 9)).problems;
    const arm = `<circle cx="265" cy="245" r="9" fill="#00ff00"/>`;
    expect(await problems(grid(3, 3, SIDE) + arm)).toEqual([]);
    expect(await problems(grid(3, 3, SIDE) + figure(240, 240, 99, "#00ff00", 6))).toEqual(["weak_key"]);
  });

  for (const dress of ["#39d02e", "#17da52", "#26c834", "#3ce24c", "#26fa34"]) {
    test(`a wide ${dress} dress on a key of #26e234 is no slope of the key`, async () => {
      const sheet = (key: string | null) =>
        draw(`${grid(3, 3, SIDE)}<rect x="165" y="165" width="150" height="150" fill="${dress}"/>`, SIDE, key);
      const matte = await matteSheet(await sheet("#26e234").png().toBuffer());
      const want = await sheet(null).ensureAlpha().raw().toBuffer();
      expect(
        alphaError(
          matte.rgba,
          Uint8Array.from({ length: SIDE * SIDE }, (_, at) => want[at * 4 + 3]!),
        ),
      ).toBeLessThan(60);
    });
  }

  test("a key that runs from light to dark within a few figures is followed", async () => {
    const slope = `<linearGradient id="g" x2="1" y2="1"><stop stop-color="#00ff00"/><stop offset="1" stop-color="#208c18"/></linearGradient>`;
    const body = grid(3, 3, SIDE);
    const matte = await matteSheet(
      await draw(`<defs>${slope}</defs><rect width="${SIDE}" height="${SIDE}" fill="url(#g)"/>${body}`, SIDE)
        .png()
        .toBuffer(),
    );
    expect(alphaError(matte.rgba, await truth(body))).toBeLessThan(60);
  });
});

describe("ownership", () => {
  test("hearts and words go with the figure that they float beside", async () => {
    const size = 120;
    const at = (cell: number) => [80 + (cell % 3) * 160, 70 + Math.floor(cell / 3) * 160] as const;
    let body = "";
    for (let cell = 0; cell < 9; cell++) {
      const [x, y] = at(cell);
      body += `${figure(x, y, size * 0.8, "#a33", 4)}<circle cx="${x + 55}" cy="${y - 30}" r="6" fill="#d2387a"/>`;
      body += `<rect x="${x - 20}" y="${y + 52}" width="10" height="12" fill="#222"/><rect x="${x - 5}" y="${y + 52}" width="10" height="12" fill="#222"/>`;
    }
    const { owner, stickers, problems } = await matteSheet(await draw(body, SIDE).png().toBuffer(), 9);
    expect(problems).toEqual([]);
    for (let cell = 0; cell < 9; cell++) {
      const [x, y] = at(cell);
      const number = stickers.findIndex((sticker) => sticker.cell === cell + 1) + 1;
      expect([owner[(y - 30) * SIDE + x + 55], owner[(y + 58) * SIDE + x]]).toEqual([number, number]);
    }
  });

  test("neighbours that touch are parted at the neck", async () => {
    let body = grid(3, 3, SIDE);
    body += `<rect x="70" y="236" width="190" height="8" fill="#fff"/>`;
    const { owner, stickers } = await matteSheet(await draw(body, SIDE).png().toBuffer(), 9);
    expect(stickers.map(({ cell }) => cell)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(owner[240 * SIDE + 80]).toBe(4);
    expect(owner[240 * SIDE + 240]).toBe(5);
  });

  test("lines drawn between cells and a frame belong to nobody", async () => {
    const lines = `<path d="M160 0V480M320 0V480M0 160H480M0 320H480" stroke="#667" stroke-width="3"/>`;
    const { owner, stickers, problems } = await matteSheet(
      await draw(lines + grid(3, 3, SIDE), SIDE)
        .png()
        .toBuffer(),
      9,
    );
    expect(problems).toEqual([]);
    expect(stickers).toHaveLength(9);
    expect(owner[160 * SIDE + 20]).toBe(0);
  });

  test("a soft shadow is background", async () => {
    const shadow = `<filter id="s"><feGaussianBlur stdDeviation="7"/></filter><g filter="url(#s)" opacity="0.4" transform="translate(8 8)">${grid(3, 3, SIDE).replaceAll(/#[0-9a-f]{3,6}/g, "#000")}</g>`;
    const body = grid(3, 3, SIDE);
    const matte = await matteSheet(
      await draw(shadow + body, SIDE)
        .png()
        .toBuffer(),
      9,
    );
    expect(matte.problems).toEqual([]);
    expect(alphaError(matte.rgba, await truth(body))).toBeLessThan(220);
  });

  test("an empty cell is a wrong count", async () => {
    const body = `${grid(3, 3, SIDE)}<rect x="165" y="165" width="150" height="150" fill="#0f0"/>`;
    const { stickers, problems } = await matteSheet(await draw(body, SIDE).png().toBuffer());
    expect(problems).toContain("wrong_count");
    expect(stickers.map(({ cell }) => cell)).toEqual([1, 2, 3, 4, 6, 7, 8, 9]);
  });
});

describe("the outline", () => {
  test("lies at one distance from the edge all round, where the edge really runs", () => {
    const side = 81;
    const rgba = new Uint8Array(side * side * 4);
    const centre = 40.3;
    const radius = 20.4;
    const cover = (x: number, y: number) => Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(x - centre, y - centre)));
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++) rgba[(y * side + x) * 4 + 3] = Math.round(cover(x, y) * 255);
    const margin = 4;
    const drawn = drawOutline(rgba, side, side, 9, margin);
    expect([drawn.width, drawn.height]).toEqual([side + 2 * margin, side + 2 * margin]);
    for (let y = 0; y < drawn.height; y++) {
      for (let x = 0; x < drawn.width; x++) {
        const at = (y * drawn.width + x) * 4;
        const alpha = drawn.rgba[at + 3]! / 255;
        if (alpha < 0.05 || alpha > 0.95) continue;
        const edge = Math.hypot(x - margin - centre, y - margin - centre) - (0.5 - alpha);
        expect(Math.abs(edge - (radius + 9))).toBeLessThan(0.75);
        expect([...drawn.rgba.subarray(at, at + 3)]).toEqual([255, 255, 255]);
      }
    }
  });

  test("distances are exact: the same as by trying every pixel", () => {
    const [width, height, reach] = [23, 17, 6];
    const alpha = Uint8Array.from({ length: width * height }, (_, i) =>
      Math.imul(i, 40503) % 97 > 90 ? (i % 3 === 0 ? 90 : 255) : 0,
    );
    const squares = squaredDistances(alpha, width, height, reach);
    for (let at = 0; at < alpha.length; at++) {
      let least = Number.POSITIVE_INFINITY;
      for (let other = 0; other < alpha.length; other++) {
        if (alpha[other] === 0) continue;
        const own = alpha[other]! >= 128 ? 0 : (0.5 - alpha[other]! / 255) ** 2;
        const [dx, dy] = [(at % width) - (other % width), Math.floor(at / width) - Math.floor(other / width)];
        least = Math.min(least, own + dx * dx + dy * dy);
      }
      if (alpha[at]! >= 128) least = 0;
      if (least <= reach * reach) expect(squares[at]).toBeCloseTo(least, 4);
    }
  });
});

test("a sticker too rich for PNG becomes a WebP that Telegram takes", async () => {
  const [width, height] = [700, 650];
  const crop = new Uint8Array(width * height * 4);
  let state = 1;
  for (let at = 0; at < crop.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    crop[at] = at % 4 === 3 ? 255 : state >>> 24;
  }
  const { type, bytes, ...size } = await encodeSticker(crop, width, height, false);
  expect(type).toBe("webp");
  expect(bytes.length).toBeLessThanOrEqual(STICKER_MAX_BYTES);
  expect(Math.max(size.width, size.height)).toBe(512);
  expect((await sharp(bytes).metadata()).width).toBe(size.width);
});

test("regions: corners join only when asked, and areas and boxes are right", () => {
  const values = Uint8Array.from([1, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1]);
  const apart = findRegions(values, 4, 3, 1, 1, false);
  const joined = findRegions(values, 4, 3, 1, 1, true);
  expect(apart.list.map(({ area }) => area)).toEqual([2, 1, 1, 1]);
  expect(joined.list.map(({ area }) => area)).toEqual([4, 1]);
  expect(joined.list[0]).toMatchObject({ left: 0, top: 0, right: 4, bottom: 3 });
});

test("a block's colour is what was stored before the decoder spread it", () => {
  const stored = [40, 200, 90, 120];
  const at = (i: number) => stored[Math.min(3, Math.max(0, i))]!;
  // The triangle filter along x; along y everything is the same.
  const row = stored.flatMap((c, i) => [(3 * c + at(i - 1)) / 4, (3 * c + at(i + 1)) / 4].map(Math.round));
  const ycc = new Uint8Array(8 * 6 * 3);
  for (let y = 0; y < 6; y++) for (let x = 0; x < 8; x++) ycc[(y * 8 + x) * 3 + 1] = row[x]!;
  const found = new Float64Array(2);
  for (const block of [1, 2]) {
    blockChroma(ycc, 8, 6, block * 2, 2, found);
    expect(Math.abs(found[0]! - stored[block]!)).toBeLessThan(1.5);
    expect(found[1]).toBe(0);
  }
});

describe("the key is chosen against what will be drawn", () => {
  const photo = (r: number, g: number, b: number) =>
    sharp({ create: { width: 64, height: 64, channels: 3, background: { r, g, b } } })
      .jpeg()
      .toBuffer();

  test("skin and a dark suit: green", async () => {
    expect(await chooseKey(await photo(200, 150, 120), [{ r: 30, g: 30, b: 40 }])).toEqual(GREEN);
  });

  test("green clothes: anything but green, and never outside the list", async () => {
    const key = await chooseKey(await photo(60, 200, 70), [{ r: 0, g: 170, b: 60 }]);
    expect(key).not.toEqual(GREEN);
    expect(KEY_COLOURS).toContainEqual(key);
  });

  test("an unreadable selfie leaves the outfit to decide", async () => {
    expect(await chooseKey(new Uint8Array([1, 2, 3]), [{ r: 0, g: 240, b: 20 }])).not.toEqual(GREEN);
  });
});
