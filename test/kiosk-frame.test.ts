/** The kiosk's arithmetic and its words, without a browser. */
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import sharp, { type Sharp } from "sharp";
import { cropOf, FRAME_RATIO, isBlack, judge, keptSize, LONGEST_SIDE_PX, luma } from "../kiosk/frame.js";
import * as operatorTexts from "../kiosk/texts/operator.js";
import { addTexts, isLang, isTextKey, say, texts } from "../kiosk/texts.js";
import { TEXTS as LANDING } from "../landing/texts/index.ts";
import { runs } from "./fuzz-tools.ts";

const KIOSK = join(import.meta.dir, "../kiosk");
const side = fc.integer({ min: 1, max: 12_000 });

describe("the frame", () => {
  test("is the largest centred part of its ratio", () => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        const crop = cropOf(width, height);
        expect(crop.width / crop.height).toBeCloseTo(FRAME_RATIO, 6);
        expect(crop.x + crop.width / 2).toBeCloseTo(width / 2, 6);
        expect(crop.y + crop.height / 2).toBeCloseTo(height / 2, 6);
        expect(Math.min(width - crop.width, height - crop.height)).toBeCloseTo(0, 6);
        expect(Math.min(crop.x, crop.y)).toBeGreaterThanOrEqual(0);
      }),
      runs(100),
    );
  });

  test("is kept at a bounded size and never enlarged", () => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        const crop = cropOf(width, height);
        const kept = keptSize(crop);
        expect(Math.max(kept.width, kept.height)).toBeLessThanOrEqual(LONGEST_SIDE_PX);
        expect(kept.width).toBeLessThanOrEqual(Math.max(1, Math.round(crop.width)));
        expect(kept.width).toBeGreaterThanOrEqual(1);
      }),
      runs(100),
    );
    expect(keptSize(cropOf(1080, 1440))).toEqual({ width: 1080, height: 1440 });
    expect(keptSize(cropOf(4000, 3000))).toEqual({ width: 1536, height: 2048 });
  });
});

describe("the hints", () => {
  const PATCH = { width: 96, height: 128 };
  const grey = async (image: Sharp) => {
    const rgba = await image
      .resize({ ...PATCH, fit: "cover" })
      .ensureAlpha()
      .raw()
      .toBuffer();
    return luma(new Uint8ClampedArray(rgba));
  };
  const portrait = () => sharp(join(import.meta.dir, "fixtures/selfie.jpg"));

  test("tell darkness, glare, blur and movement from a good portrait", async () => {
    const good = await grey(portrait());
    expect(judge(good, PATCH.width, null)).toBe("ready");
    expect(judge(good, PATCH.width, good)).toBe("ready");
    expect(judge(await grey(portrait().linear(0.2, 0)), PATCH.width, null)).toBe("dark");
    expect(judge(await grey(portrait().linear(0.5, 190)), PATCH.width, null)).toBe("bright");
    expect(judge(await grey(portrait().blur(60)), PATCH.width, null)).toBe("blurred");
    expect(judge(good, PATCH.width, await grey(portrait().flop()))).toBe("moving");
  });

  test("black is black, and a dark room is not", async () => {
    expect(isBlack(await grey(portrait().linear(0.01, 0)))).toBe(true);
    expect(isBlack(await grey(portrait().linear(0.3, 0)))).toBe(false);
  });
});

addTexts(operatorTexts);

describe("the words", () => {
  const keys = Object.keys(texts.ru).filter(isTextKey);

  test("every language has every text, with the same places to fill", () => {
    const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    for (const lang of ["ru", "uz", "en"] as const) {
      expect(Object.keys(texts[lang])).toEqual(Object.keys(texts.ru));
      for (const key of keys) {
        expect(texts[lang][key].trim()).not.toBe("");
        expect(places(texts[lang][key])).toEqual(places(texts.ru[key]));
      }
    }
  });

  test("Uzbek uses its own letters, Russian and English their quotes", () => {
    for (const key of keys) {
      expect(texts.uz[key]).not.toMatch(/[оОgG]['’‘`]|[o]['’‘`]|[а-яё]/i);
      expect(texts.en[key]).not.toMatch(/[а-яёʻ]|'/i);
      expect(texts.ru[key]).not.toMatch(/["'“”]/);
    }
  });

  test("Russian lines do not end with a short word, nor begin with a dash", () => {
    expect(say("ru", "start.lead")).toBe("Одно селфи\u00a0— и\u00a0набор стикеров с\u00a0вами придёт в\u00a0Telegram");
    expect(say("uz", "start.lead")).toContain("selfi\u00a0— va");
    expect(say("en", "start.title")).toBe(texts.en["start.title"]);
  });

  test("what is filled in is taken as it is", () => {
    expect(say("en", "consent.hello", { name: "<b>{name}</b>" })).toBe("Hello, <b>{name}</b>!");
    expect(say("en", "consent.hello")).toBe("Hello, !");
    expect(isLang("de")).toBe(false);
  });

  test("the booth has one name, the landing's too, and what a guest does there is a visit, as in the chat", () => {
    for (const lang of ["ru", "uz", "en"] as const) {
      expect(texts[lang]["page.title"]).toBe(LANDING[lang].brand);
      expect(Object.values(texts[lang]).filter((text) => /сеанс|seans|session|фотобуд/i.test(text))).toEqual([]);
    }
    for (const { title, art } of [LANDING.ru, LANDING.uz])
      expect(`${title} ${art}`).not.toMatch(/фотобуд|budka|астронавт|astronavt/i);
  });

  test("every text that the page asks for is there", async () => {
    const html = await Bun.file(join(KIOSK, "index.html")).text();
    const asked = [...html.matchAll(/data-t(?:-label|-alt)?="([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(asked.length).toBeGreaterThan(40);
    expect(asked.filter((key) => !isTextKey(key))).toEqual([]);
  });
});

test("the service worker keeps every file of the page", async () => {
  const worker = await Bun.file(join(KIOSK, "sw.js")).text();
  const files = readdirSync(KIOSK, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "sw.js" && !entry.name.endsWith(".d.ts"))
    .map((entry) => join(entry.parentPath, entry.name).slice(KIOSK.length));
  const kept = await keptFiles(worker);
  expect(kept.sort()).toEqual(["/", ...files.filter((path) => path !== "/index.html")].sort());
});

test("the page asks for all its modules at once, not one after another", async () => {
  const html = await Bun.file(join(KIOSK, "index.html")).text();
  const asked = [...html.matchAll(/rel="modulepreload" href="\/([^"]+)"/g)].map((match) => match[1] ?? "");
  expect(asked.sort()).toEqual((await firstModules()).filter((name) => name !== "main.js").sort());
});

/** What main.js imports, and what that imports, and so on; not what is loaded later. */
async function firstModules(): Promise<string[]> {
  const found = new Set(["main.js"]);
  for (const name of found) {
    const text = await Bun.file(join(KIOSK, name)).text();
    for (const [, path = ""] of text.matchAll(/^(?:import|export) [^;]*?from "(\.[^"]+)";/gm))
      found.add(join(dirname(name), path));
  }
  return [...found];
}

/** The list as the worker itself has it. */
async function keptFiles(worker: string): Promise<string[]> {
  const [list] = worker.match(/const LANGS = [\s\S]*?const FILES = \[[\s\S]*?\n\];/) ?? [];
  if (!list) throw new Error("the worker has no list of files");
  return new Function(`${list}; return FILES;`)();
}

test("the first screen weighs at most 60 KB compressed, without pictures", async () => {
  const html = await Bun.file(join(KIOSK, "index.html")).text();
  const styles = [...html.matchAll(/rel="stylesheet" href="\/([^"]+)"/g)].map((match) => match[1] ?? "");
  expect(styles.length).toBeGreaterThan(5);
  const scripts = [...html.matchAll(/<script defer src="\/([^"]+)"/g)].map((match) => match[1] ?? "");
  expect(scripts).toEqual(["whole.js"]);
  const weighed = ["index.html", ...styles, ...scripts, ...(await firstModules())].map((name) =>
    Bun.file(join(KIOSK, name)).bytes(),
  );
  const sizes = (await Promise.all(weighed)).map((bytes) => Bun.gzipSync(bytes).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60 * 1024);
});

const OUTFITS = ["astronaut", "royal", "superhero", "chef", "rockstar", "wizard", "chopon", "detective"];

test("every outfit has a sample sticker in every language, small, with a clear rim", async () => {
  for (const path of ["ru", "uz", "en"].flatMap((lang) => OUTFITS.map((id) => `${lang}/${id}.webp`))) {
    const sample = sharp(join(KIOSK, "samples", path));
    const { format, width = 0, height = 0, hasAlpha } = await sample.metadata();
    expect({ path, format, hasAlpha, side: Math.max(width, height) }).toEqual({
      path,
      format: "webp",
      hasAlpha: true,
      side: 440,
    });
    expect(Bun.file(join(KIOSK, "samples", path)).size).toBeLessThan(40 * 1024);
    const { data } = await sample.extractChannel(3).raw().toBuffer({ resolveWithObject: true });
    expect([data[0], data[width - 1], data[data.length - 1]]).toEqual([0, 0, 0]);
  }
});

test("the drawings are small and complete", async () => {
  for (const id of OUTFITS) {
    const path = join(KIOSK, "outfits", `${id}.svg`);
    expect(Bun.file(path).size).toBeLessThan(6 * 1024);
    const { width, height } = await sharp(path).metadata();
    expect(width).toBe(height);
  }
});
