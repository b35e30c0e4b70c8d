/** What is made of the models' words: verdicts, emoji, prices, prompts. */
import { expect, test } from "bun:test";
import { emojiFor } from "../bot/studio/emoji.ts";
import { costOf } from "../bot/studio/prices.ts";
import { selfieSchema, sheetOrderPrompt, sheetPrompt, sheetSchema } from "../bot/studio/prompts.ts";
import { gridOf, type SheetOrder } from "../bot/studio/providers/provider.ts";
import { classOfStatus, parseAnswer, SelfieAnswer, SheetAnswer } from "../bot/studio/providers/verdicts.ts";
import { schema } from "../shared/config.ts";

const sheet = (emoji: string[], cell = 1) => ({ usable: true, problem: "none" as const, stickers: [{ cell, emoji }] });
const choose = (emoji: string[], cell = 1) =>
  emojiFor({ usable: true, problem: "none", stickers: [{ cell: 1, emoji }] }, cell);

test("emoji are those that Telegram takes, each once, twenty at most", () => {
  expect(choose(["😀", "😀", "🥳"])).toEqual(["😀", "🥳"]);
  expect(choose(["😀🥳 happy!", "👨‍👩‍👧‍👦", "👍🏽", "🇺🇿"])).toEqual(["😀", "🥳", "👨‍👩‍👧‍👦", "👍🏽", "🇺🇿"]);
  expect(choose(Array.from({ length: 40 }, (_, i) => String.fromCodePoint(0x1f600 + i)))).toHaveLength(20);
});

test("a sign that models write without its emoji selector is taken with it", () => {
  expect(choose(["❤", "☺", "✌"])).toEqual(["❤️", "☺️", "✌️"]);
  expect(choose(["❤", "❤️"])).toEqual(["❤️"]);
});

test("words, digits and nothing at all give way to an emoji of the cell's own", () => {
  for (const emoji of [[], ["happy"], ["1"], [""], [":)"], ["#"]]) {
    expect(choose(emoji)).toHaveLength(1);
    expect(choose(emoji)[0]).toMatch(/^\p{RGI_Emoji}$/v);
  }
  expect(choose(["😀"], 2)).not.toEqual(choose(["😀"], 3));
  expect(choose([], 16)).toHaveLength(1);
});

test("a verdict is believed only as far as its schema goes", () => {
  const good = { usable: false, faces: 2, problem: "many_faces" } as const;
  expect(parseAnswer(SelfieAnswer, JSON.stringify(good))).toEqual(good);
  for (const text of [undefined, "", "{", "null", "[]", '"ok"', "```json\n{}\n```"])
    expect(parseAnswer(SelfieAnswer, text)).toBeNull();
  for (const wrong of [{ faces: "2" }, { faces: -1 }, { problem: "ugly" }, { usable: 1 }, { faces: 1.5 }])
    expect(parseAnswer(SelfieAnswer, JSON.stringify({ ...good, ...wrong }))).toBeNull();
  expect(parseAnswer(SheetAnswer, JSON.stringify(sheet(["😀"])))).toEqual(sheet(["😀"]));
  // Nonsense about one sticker leaves what is said of the sheet and the others.
  for (const wrong of [sheet(["😀"], 0), sheet(["😀"], 99), sheet(["x".repeat(65)]), sheet(Array(21).fill("😀"))]) {
    wrong.stickers.push({ cell: 2, emoji: ["😎"] });
    expect(parseAnswer(SheetAnswer, JSON.stringify(wrong))).toEqual(sheet(["😎"], 2));
  }
  for (const [before, after] of [
    ["```json\n", "\n```"],
    ["```", "```"],
    ["\n", "\n\n"],
  ])
    expect(parseAnswer(SelfieAnswer, `${before}${JSON.stringify(good)}${after}`)).toEqual(good);
  const many = { ...sheet([]), stickers: Array.from({ length: 65 }, () => ({ cell: 1, emoji: [] })) };
  expect(parseAnswer(SheetAnswer, JSON.stringify(many))).toBeNull();
});

test("HTTP statuses fall into the studio's classes", () => {
  for (const status of [undefined, 408, 409, 429, 500, 502, 503, 529])
    expect([status, classOfStatus(status)]).toEqual([status, "overloaded"]);
  for (const status of [400, 401, 403, 404, 422]) expect([status, classOfStatus(status)]).toEqual([status, "broken"]);
});

test("prices: the most particular name counts, an unknown model is never free", () => {
  const million = { inputTokens: 1_000_000, outputTokens: 1_000_000, images: 1 };
  expect(costOf("offline-1", million)).toBe(0);
  expect(costOf("gemini-nano-banana-2.1", million)).toBeGreaterThan(costOf("gemini-3.8-flash", million));
  expect(costOf("a-model-of-tomorrow", million)).toBeGreaterThanOrEqual(costOf("gpt-image-2", million));
  expect(costOf("gemini-nano-banana-2.1", { inputTokens: 0, outputTokens: 1_680, images: 1 })).toBeCloseTo(0.0504, 4);
  // The models that the settings name by default have prices of their own.
  const unknown = costOf("a-model-of-tomorrow", million);
  for (const [name, { default: model }] of Object.entries(schema.properties)) {
    if (/VISION_MODEL$|GEMINI_IMAGE_MODEL$/.test(name))
      expect([name, costOf(String(model), million) < unknown]).toEqual([name, true]);
  }
});

test("the JSON schemas are strict enough for both providers and say what the verdicts need", () => {
  const strict = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const object = part as { type?: string; properties?: object; required?: string[]; additionalProperties?: boolean };
    if (object.type === "object") {
      expect(object.additionalProperties).toBe(false);
      expect(object.required?.slice().sort()).toEqual(Object.keys(object.properties ?? {}).sort());
    }
    for (const inner of Object.values(part)) strict(inner);
  };
  strict(selfieSchema);
  strict(sheetSchema);
  expect(Object.keys(selfieSchema.properties).sort()).toEqual(Object.keys(SelfieAnswer.properties).sort());
  expect(Object.keys(sheetSchema.properties).sort()).toEqual(Object.keys(SheetAnswer.properties).sort());
});

test("the order for a sheet names count, grid, key, outfit and language, and a redraw is another order", () => {
  const order: SheetOrder = {
    selfie: new Uint8Array(),
    outfit: { id: "chef", prompt: "a tall white chef hat" },
    count: 9,
    key: { r: 0, g: 255, b: 8 },
    lang: "uz",
    attempt: 0,
  };
  const text = sheetOrderPrompt(order);
  for (const part of ["9 stickers", "3 columns by 3 rows", "#00ff08", "a tall white chef hat", "Uzbek"])
    expect(text).toContain(part);
  expect(sheetOrderPrompt({ ...order, attempt: 1 })).not.toBe(text);
  expect(sheetOrderPrompt(order, "transparent")).not.toContain("#00ff08");
  for (const count of [4, 6, 9, 12, 16]) {
    const { columns, rows } = gridOf(count);
    expect(columns * rows).toBe(count);
    expect(sheetPrompt(count)).toContain(`${columns} columns by ${rows} rows`);
  }
  expect(() => gridOf(5)).toThrow(RangeError);
});
