/** The offline artist's parts: face, cut-out, letters, the thread, and the words on the stickers. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import sharp from "sharp";
import { dieCut } from "../bot/studio/providers/offline/border.ts";
import { closeUp } from "../bot/studio/providers/offline/close-up.ts";
import { findFace } from "../bot/studio/providers/offline/face.ts";
import { cutHead } from "../bot/studio/providers/offline/head.ts";
import { drawable, setLine } from "../bot/studio/providers/offline/letters.ts";
import { moods } from "../bot/studio/providers/offline/moods.ts";
import { decode } from "../bot/studio/providers/offline/pixels.ts";
import { textOf, withText } from "../bot/studio/providers/offline/png-text.ts";
import { label } from "../bot/studio/providers/offline/regions.ts";
import { planSheet } from "../bot/studio/providers/offline/sheet.ts";
import { openThread } from "../bot/studio/providers/offline/thread.ts";
import { langs } from "../shared/status.ts";

const portrait = join(import.meta.dir, "fixtures", "selfie.jpg");
/** Where the pupils are in the portrait, in shares of its width and height. */
const pupils = { left: [0.33, 0.2425], right: [0.473, 0.248] } as const;

describe("the face", () => {
  const placings: Record<string, { left: number; top: number; width: number; height: number }> = {
    "in the whole portrait": { left: 0, top: 0, width: 1080, height: 1440 },
    "in a square": { left: 60, top: 20, width: 800, height: 800 },
    "at the right edge": { left: 0, top: 0, width: 720, height: 1000 },
  };
  for (const [name, area] of Object.entries(placings))
    test(`is found ${name}`, async () => {
      const photo = await decode(await sharp(portrait).extract(area).jpeg().toBuffer(), 1024);
      const scale = photo.w / area.width;
      const x = ((pupils.left[0] + pupils.right[0]) / 2) * 1080 - area.left;
      const y = ((pupils.left[1] + pupils.right[1]) / 2) * 1440 - area.top;
      const eyes = (pupils.right[0] - pupils.left[0]) * 1080 * scale;
      const face = findFace(photo);
      expect(Math.hypot(face.x - x * scale, face.y - y * scale)).toBeLessThan(0.2 * eyes);
      expect(Math.abs(face.eyes / eyes - 1)).toBeLessThan(0.15);
    });

  test("turned by ten degrees is set upright", async () => {
    const turned = await sharp(portrait).rotate(10, { background: "#b0a8a0" }).jpeg().toBuffer();
    const { angle } = findFace(await decode(turned, 1024));
    expect(Math.abs(angle - 0.05 - (10 * Math.PI) / 180)).toBeLessThan(0.08);
  });
});

describe("the cut-out", () => {
  test("follows the head of the portrait and leaves the background out", async () => {
    const head = cutHead(await decode(await Bun.file(portrait).bytes(), 1024), 60);
    expect(head.oval).toBe(false);
    expect(head.shape.top).toBeWithin(-230, -170);
    const { box } = head;
    const { w, h, data } = head.alpha;
    const at = (x: number, y: number) => {
      const [column, row] = [Math.round((x * 100 - box.x) * 0.6), Math.round((y * 100 - box.y) * 0.6)];
      return column < 0 || row < 0 || column >= w || row >= h ? 0 : data[row * w + column]!;
    };
    for (const [x, y] of [
      [0, 0.5],
      [0, -1.5],
      [0.8, -0.5],
    ] as const)
      expect(at(x, y)).toBeGreaterThan(0.95);
    for (const [x, y] of [
      [2.2, -0.5],
      [-2.2, -1],
      [1.5, 1.2],
      [0, -2.5],
    ] as const)
      expect(at(x, y)).toBeLessThan(0.05);
    expect(head.alpha.data.every((value) => value >= 0 && value <= 1)).toBe(true);
  });

  test("comes closer to a face that is small in a large photo", async () => {
    const far = await sharp(portrait)
      .extend({ left: 2400, right: 800, top: 900, background: "#8fa3b5" })
      .jpeg()
      .toBuffer();
    const { photo, face } = await closeUp(far, 92);
    expect(face.eyes).toBeGreaterThan(80);
    expect(photo.w).toBeLessThan(900);
    expect(cutHead(photo, 92, face).oval).toBe(false);
  });

  test("becomes an oval where the photo cuts the head", async () => {
    const tight = await sharp(portrait).extract({ left: 230, top: 160, width: 420, height: 480 }).jpeg().toBuffer();
    const head = cutHead(await decode(tight, 1024), 60);
    expect(head.oval).toBe(true);
    expect(head.alpha.data.reduce((sum, value) => sum + value, 0)).toBeGreaterThan(60 * 60 * 3);
  });
});

describe("the die cut", () => {
  test("joins close pieces, fills holes and keeps one piece", () => {
    const [w, h] = [160, 120];
    const drawing = new Uint8Array(w * h * 4);
    const paint = (x0: number, y0: number, x1: number, y1: number, alpha: number) => {
      for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) drawing[(y * w + x) * 4 + 3] = alpha;
    };
    paint(30, 30, 90, 90, 255);
    paint(50, 50, 70, 70, 0);
    paint(104, 50, 120, 66, 255);
    const { coverage } = dieCut(drawing, w, h, 6, 4);
    const { regions } = label(
      Uint8Array.from(coverage, (value) => (value > 0.5 ? 1 : 0)),
      w,
      h,
    );
    expect(regions).toHaveLength(1);
    expect(regions[0]).toMatchObject({ left: 24, right: 125 });
    expect(coverage[60 * w + 60]).toBe(1);
  });
});

describe("the words", () => {
  test("can all be drawn", () => {
    for (const plan of langs.flatMap((lang) =>
      planSheet({ count: 16, outfit: { id: "chef", prompt: "" }, lang, attempt: 0 }),
    ))
      for (const character of plan.mood.text[plan.lang])
        expect([character, drawable(character)]).toEqual([character, true]);
  });
  test("use the letter ʻ of Uzbek, never an apostrophe", () => {
    for (const { text } of moods) expect(text.uz).not.toMatch(/['’‘`]/);
  });
  test("take room in proportion to their letters", () => {
    expect(setLine("ШШ").width).toBeGreaterThan(setLine("ИИ").width);
    expect(setLine("🙂").letters).toHaveLength(0);
  });
});

test("a PNG keeps its picture and gains a text", async () => {
  const png = await sharp({ create: { width: 3, height: 2, channels: 3, background: "#fa0" } })
    .png()
    .toBuffer();
  const marked = withText(png, "key", "a,b");
  expect(textOf(marked, "key")).toBe("a,b");
  expect(textOf(marked, "other")).toBeNull();
  expect(textOf(png, "key")).toBeNull();
  expect(textOf(Buffer.from("no png"), "key")).toBeNull();
  expect(await sharp(marked).raw().toBuffer()).toEqual(await sharp(png).raw().toBuffer());
});

test("a thread that dies fails its job and is started anew", async () => {
  const script = Buffer.from(
    `import { parentPort } from "node:worker_threads";
     parentPort.on("message", ({ id, input }) => {
       if (input.count === 1) process.exit(1);
       if (input.count === 2) throw new Error("fell over");
       parentPort.postMessage({ id, value: { usable: true, problem: "none", stickers: [] } });
     });`,
  );
  const thread = openThread(new URL(`data:text/javascript;base64,${script.toString("base64")}`), 1000);
  const never = new AbortController().signal;
  const run = (count: number) => thread.run("checkSheet", { sheet: new Uint8Array(), count }, never);
  await expect(run(1)).rejects.toThrow("the artist's thread ended");
  await expect(run(2)).rejects.toThrow("the artist's thread ended");
  expect(await run(9)).toMatchObject({ usable: true });
});
