import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { differences } from "../api/admin/page/parts/conflict.js";
import { en } from "../api/admin/page/texts/en.js";
import { ru } from "../api/admin/page/texts/ru.js";
import { abouts } from "../api/admin/page/texts/settings.js";
import { uz } from "../api/admin/page/texts/uz.js";
import { addressOf } from "../api/admin/page/views/contact.js";
import { folded } from "../api/admin/page/views/fold.js";
import { schema } from "../shared/config.ts";
import { langs } from "../shared/status.ts";
import { team } from "../shared/texts/operators/index.ts";
import { sales } from "../shared/texts/sales/index.ts";

const PAGE = join(import.meta.dir, "../api/admin/page");
const texts = { en, ru, uz };
const keys = Object.keys(en) as (keyof typeof en)[];
type Words = string | Partial<Record<string, string>>;
const all = (words: Words) => (typeof words === "string" ? [words] : (Object.values(words) as string[]));
const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

describe("the page's words", () => {
  test("are all there in each language, with the same places to fill", () => {
    for (const [lang, words] of Object.entries(texts)) {
      expect([lang, Object.keys(words).sort()]).toEqual([lang, [...keys].sort()]);
      for (const key of keys) {
        const wanted = places(all(en[key])[0] ?? "");
        for (const text of all(words[key])) {
          expect([lang, key, text.trim()]).toEqual([lang, key, text]);
          expect([lang, key, text.length > 0]).toEqual([lang, key, true]);
          expect([lang, key, places(text)]).toEqual([lang, key, wanted]);
        }
      }
    }
  });

  test("have each form that a number takes in the language", () => {
    const forms = { en: ["one", "other"], ru: ["few", "many", "one"] };
    for (const [lang, wanted] of Object.entries(forms)) {
      for (const key of keys) {
        const words = texts[lang as "en" | "ru"][key];
        if (typeof words !== "string") expect([lang, key, Object.keys(words).sort()]).toEqual([lang, key, wanted]);
      }
    }
  });

  test("are written as their languages are", () => {
    const said = (lang: keyof typeof texts) => keys.flatMap((key) => all(texts[lang][key]));
    // U+02BB in oʻ and gʻ, U+02BC elsewhere; whatever a keyboard has in their place is none of the two.
    expect(said("uz").filter((text) => /[a-z]['‘’`´]/i.test(text))).toEqual([]);
    expect(said("uz").filter((text) => /[а-яё]/i.test(text))).toEqual([]);
    expect(said("en").filter((text) => /[а-яё]/i.test(text))).toEqual([]);
    expect(said("uz").filter((text) => text.includes("ʻ")).length).toBeGreaterThan(50);
    expect(said("ru").filter((text) => /[а-яё]/i.test(text)).length).toBeGreaterThan(300);
  });

  test("name months and days of the week in full", () => {
    for (const words of Object.values(texts)) {
      expect(String(words["date.mons"]).split(" ")).toHaveLength(12);
      expect(String(words["date.months"]).split(" ")).toHaveLength(12);
      expect(String(words["date.weekdays"]).split(" ")).toHaveLength(7);
    }
  });

  test("are all used, and heads fit their tables in each language", () => {
    const code = readdirSync(PAGE, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".js") && !name.startsWith("texts"))
      .map((name) => readFileSync(join(PAGE, name), "utf8"))
      .join("\n");
    const groups = [...code.matchAll(/[`"]([a-z_.]+[._])\$\{|sayWord\("(\w+)"/g)].map(
      ([, start, word]) => start ?? `${word}.`,
    );
    const isUsed = (key: string) => code.includes(`"${key}"`) || groups.some((start) => key.startsWith(start));
    expect(keys.filter((key) => !isUsed(key))).toEqual([]);
    for (const key of keys.filter((name) => name.endsWith(".heads"))) {
      const columns = Object.values(texts).map((words) => String(words[key]).split("|").length);
      expect([key, new Set(columns).size]).toEqual([key, 1]);
    }
  });

  test("call a lead's status as the server's sentences and the sales group do", () => {
    for (const lang of langs) {
      const { leadStatuses } = team(lang);
      const shown = Object.keys(leadStatuses).map((status) => [status, texts[lang][`lead.${status}` as "lead.new"]]);
      expect(shown).toEqual(Object.entries(leadStatuses));
      expect(sales(lang).statuses).toEqual(leadStatuses);
    }
  });

  test("show and hide outfits, as the server's refusals and the audit log do", () => {
    for (const lang of langs) {
      const { audit, refusals } = team(lang);
      const words = texts[lang];
      expect(audit.off).toBe(String(words["outfits.off"]));
      expect(audit.fields.enabled).toBe(String(words["outfit.enabled"]).toLowerCase());
      for (const text of [refusals.lastOutfit, refusals.outfitInUse, audit.outfitSwitched("chef", false), audit.on])
        expect([lang, /switch|включ|выключ|yoq|oʻchirib/i.exec(text)]).toEqual([lang, null]);
    }
  });

  test("say of each setting what it is for", () => {
    const names = Object.keys(schema.properties).sort();
    expect(Object.keys(abouts.ru).sort()).toEqual(names);
    expect(Object.keys(abouts.uz).sort()).toEqual(names);
  });
});

describe("a contact", () => {
  test("is one tap away, whatever it is made of", () => {
    const known: [string, string][] = [
      ["+998 90 123-45-67", "tel:+998901234567"],
      ["901234567", "tel:901234567"],
      ["(71) 200 00 01", "tel:712000001"],
      ["@kamila_wed", "https://t.me/kamila_wed"],
      ["https://t.me/kamila_wed", "https://t.me/kamila_wed"],
      ["t.me/kamila_wed/", "https://t.me/kamila_wed"],
      ["events@prazdnik.uz", "mailto:events@prazdnik.uz"],
    ];
    for (const [text, href] of known) expect([text, addressOf(text)]).toEqual([text, href]);
  });

  test("that is none stays text", () => {
    const strange = [
      "call me",
      "=1+1",
      "javascript:alert(1)",
      "@x",
      "12345",
      "https://evil.example/t.me/x",
      "a@b",
      "+++++++",
    ];
    for (const text of strange) expect([text, addressOf(text)]).toEqual([text, null]);
  });
});

describe("a pack's story", () => {
  const told = (what: string, kind: "step" | "call" = "step") => ({
    at: "2027-01-01T10:00:00.000Z",
    kind,
    tone: "plain" as const,
    what,
    detail: null,
    ms: 1,
    usd: null,
  });
  const shapeOf = (whats: string[]) =>
    folded(whats.map((what) => told(what))).map((piece) =>
      "told" in piece ? piece.told.what : `${piece.times}×${piece.hidden.map(({ what }) => what).join("")}`,
    );

  test("that repeats itself is folded but for the last time", () => {
    expect(shapeOf(["a", "b", "c"])).toEqual(["a", "b", "c"]);
    expect(shapeOf(["s", "d", "c", "d", "c", "d", "c", "f"])).toEqual(["s", "2×dcdc", "d", "c", "f"]);
    expect(shapeOf(["w", "w", "w", "w"])).toEqual(["3×www", "w"]);
    expect(shapeOf(["a", "b", "a", "c"])).toEqual(["a", "b", "a", "c"]);
    expect(shapeOf([])).toEqual([]);
  });

  test("hides nothing and reorders nothing", () => {
    const whats = [..."sdcdcdcfqrdcdcx"];
    const again = folded(whats.map((what) => told(what))).flatMap((piece) =>
      "told" in piece ? [piece.told] : piece.hidden,
    );
    expect(again.map(({ what }) => what)).toEqual(whats);
  });
});

test("of two forms only what the other person changed is asked about", () => {
  const labels = { a: "A", b: "B", c: "C" };
  const found = differences(
    labels,
    { a: "1", b: "2", c: "3" },
    { a: "1", b: "theirs", c: "too" },
    { a: "mine", b: "my own" },
  );
  expect(found).toEqual([
    { label: "B", was: "2", theirs: "theirs", mine: "my own", isMine: true },
    { label: "C", was: "3", theirs: "too", mine: "3", isMine: false },
  ]);
});
