/** The offline artist through its front door: real portrait, every outfit, language and count, and bad input. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import sharp from "sharp";
import { outfits } from "../bot/studio/providers/offline/outfits/index.ts";
import { offlineArtist } from "../bot/studio/providers/offline.ts";
import { gridOf, type Reply, type SheetOrder } from "../bot/studio/providers/provider.ts";
import { langs } from "../shared/status.ts";

const fixture = (name: string) => Bun.file(join(import.meta.dir, "fixtures", name)).bytes();
const artist = offlineArtist();
const never = new AbortController().signal;
const green = { r: 0, g: 255, b: 0 };
const selfie = await fixture("selfie.jpg");
const order = (changes: Partial<SheetOrder> = {}): SheetOrder => ({
  selfie,
  outfit: { id: "astronaut", prompt: "" },
  count: 9,
  key: green,
  lang: "ru",
  attempt: 0,
  ...changes,
});

function ok<T>(reply: Reply<T>): T {
  if (reply.outcome !== "ok") throw new Error(`${reply.outcome}: ${reply.reason}`);
  return reply.value;
}

async function draw(changes: Partial<SheetOrder> = {}): Promise<Uint8Array> {
  return ok(await artist.drawSheet(order(changes), never));
}

async function rawOf(sheet: Uint8Array) {
  const { data, info } = await sharp(sheet).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, info.channels]).toEqual([2048, 2048, 3]);
  return data;
}

/** How many pixels on the lines between cells, and on the sheet's rim, are not exactly of the key colour. */
function crossings(data: Uint8Array, count: number, key: { r: number; g: number; b: number }): number {
  const { columns, rows } = gridOf(count);
  let wrong = 0;
  const look = (x: number, y: number) => {
    const i = (Math.min(2047, y) * 2048 + Math.min(2047, x)) * 3;
    if (data[i] !== key.r || data[i + 1] !== key.g || data[i + 2] !== key.b) wrong++;
  };
  for (let n = 0; n < 2048; n++) {
    for (let c = 0; c <= columns; c++) look(Math.round((c * 2048) / columns), n);
    for (let r = 0; r <= rows; r++) look(n, Math.round((r * 2048) / rows));
  }
  return wrong;
}

const magenta = { r: 255, g: 0, b: 255 };
/** Every outfit, count and language at least once. */
const sheets: Partial<SheetOrder>[] = Object.keys(outfits).map((id, index) => ({
  outfit: { id, prompt: "" },
  count: [9, 4, 6, 12, 16][index % 5]!,
  lang: langs[index % langs.length]!,
  key: index % 2 ? magenta : green,
}));

describe("a sheet of the portrait", () => {
  for (const changes of sheets)
    test(`as ${changes.outfit?.id}, ${changes.count} stickers in ${changes.lang}`, async () => {
      const { count, key } = order(changes);
      const sheet = await draw(changes);
      expect(crossings(await rawOf(sheet), count, key)).toBe(0);
      const verdict = ok(await artist.checkSheet(sheet, count, never));
      expect(verdict).toMatchObject({ usable: true, problem: "none" });
      expect(verdict.stickers.map((sticker) => sticker.cell)).toEqual(Array.from({ length: count }, (_, i) => i + 1));
      expect(new Set(verdict.stickers.map((sticker) => sticker.emoji[0])).size).toBe(count);
    }, 60_000);

  test("differs by language and by attempt, and by nothing else", async () => {
    const hash = async (changes: Partial<SheetOrder>) => Bun.hash(await draw({ count: 4, ...changes }));
    const [first, again, uzbek, redrawn] = await Promise.all([
      hash({}),
      hash({}),
      hash({ lang: "uz" }),
      hash({ attempt: 1 }),
    ]);
    expect(again).toBe(first);
    expect(new Set([first, uzbek, redrawn]).size).toBe(3);
  }, 60_000);

  test("keeps its inside clear of the key, also when the outfit has the key's colour", async () => {
    const robe = { r: 31, g: 111, b: 214 };
    const data = await rawOf(await draw({ count: 4, key: robe, outfit: { id: "chopon", prompt: "" } }));
    let near = 0;
    for (let i = 0; i < data.length; i += 3) {
      const distance = Math.hypot(data[i]! - robe.r, data[i + 1]! - robe.g, data[i + 2]! - robe.b);
      if (distance > 0 && distance < 30) near++;
    }
    // Only the outermost pixels of the borders, which mix white with the key.
    expect(near / (2048 * 2048)).toBeLessThan(0.002);
  }, 60_000);

  test("is the same whether the photo was stored upright or sideways", async () => {
    const small = async (sheet: Uint8Array) => await sharp(sheet).resize(64, 64, { fit: "fill" }).raw().toBuffer();
    const upright = await small(await draw());
    const sideways = await small(await draw({ selfie: await fixture("selfie-exif6.jpg") }));
    let difference = 0;
    for (let i = 0; i < upright.length; i++) difference += Math.abs(upright[i]! - sideways[i]!);
    expect(difference / upright.length).toBeLessThan(6);
  }, 60_000);

  test("comes from an unknown outfit, a small photo and a photo without a face too", async () => {
    const wall = await sharp({ create: { width: 300, height: 200, channels: 3, background: "#557799" } })
      .jpeg()
      .toBuffer();
    const small = await sharp(selfie).resize(200).jpeg().toBuffer();
    for (const changes of [{ outfit: { id: "constructor", prompt: "" } }, { selfie: small }, { selfie: wall }]) {
      const sheet = await draw({ count: 4, ...changes });
      expect(ok(await artist.checkSheet(sheet, 4, never)).usable).toBe(true);
    }
  }, 60_000);
});

describe("what cannot be drawn or read", () => {
  test("a photo that is none is refused, and costs nothing", async () => {
    const reply = await artist.drawSheet(order({ selfie: Buffer.from("not a picture") }), never);
    expect(reply).toMatchObject({
      outcome: "refused",
      model: "offline-1",
      spent: { inputTokens: 0, outputTokens: 0, images: 0 },
    });
  });

  test("a count without a grid is our own mistake", async () => {
    expect(await artist.drawSheet(order({ count: 5 }), never)).toMatchObject({ outcome: "broken" });
  });

  test("an abort ends the call at once and the next one works", async () => {
    const controller = new AbortController();
    const started = artist.drawSheet(order(), controller.signal);
    controller.abort();
    expect(await started).toMatchObject({ outcome: "overloaded" });
    expect(await artist.drawSheet(order(), controller.signal)).toMatchObject({ outcome: "overloaded" });
    expect(ok(await artist.checkSelfie(selfie, never)).usable).toBe(true);
  }, 60_000);
});

describe("the check of a sheet", () => {
  test("chooses different emoji for a sheet from elsewhere", async () => {
    const verdict = ok(await artist.checkSheet(await fixture("sheet-3x3.png"), 9, never));
    expect(verdict).toMatchObject({ usable: true, problem: "none" });
    expect(new Set(verdict.stickers.map((sticker) => sticker.emoji[0])).size).toBe(9);
  });

  test("sees a wrong count, a sticker cut by the edge, and what is no picture", async () => {
    const sheet = await fixture("sheet-3x3.png");
    const check = async (bytes: Uint8Array, count: number) => ok(await artist.checkSheet(bytes, count, never)).problem;
    expect(await check(sheet, 4)).toBe("wrong_count");
    expect(await check(sheet, 12)).toBe("wrong_count");
    const cut = await sharp(sheet).extract({ left: 150, top: 0, width: 1898, height: 2048 }).png().toBuffer();
    expect(await check(cut, 9)).toBe("cropped");
    expect(await check(Buffer.from("no sheet"), 9)).toBe("other");
  });
});
