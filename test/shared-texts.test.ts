/** Texts: no language lacks anything, all carry the same markup, none is too long for Telegram. */
import { expect, test } from "bun:test";
import { failProblems, retakeProblems } from "../shared/outcomes.ts";
import { langs } from "../shared/status.ts";
import { companiesOf, escapeHtml, speak } from "../shared/texts/index.ts";
import { langFrom } from "../shared/users.ts";

const MESSAGE_LENGTH = 4096;
const BUTTON_LENGTH = 64;
const COMMAND_LENGTH = 256;

/** Arguments for each text that is a function: every one is called with each of these. */
const ARGUMENTS: Record<string, (string | number | undefined | string[])[][]> = {
  "consent.ask": [
    ["Ann", 24, ["Google", "OpenAI"]],
    ["", 1, []],
  ],
  privacy: [
    [24, ["Google"]],
    [1, []],
  ],
  "packs.list": [[1], [2], [5], [11], [21]],
  "packs.pack": [
    ["Astronaut", Date.UTC(2026, 5, 15), "Asia/Tashkent", Date.UTC(2026, 5, 16)],
    [undefined, Date.UTC(2026, 5, 15), "Asia/Tashkent", Date.UTC(2027, 0, 1)],
  ],
  "erase.done": [
    [0, 0, 0],
    [1, 1, 1],
    [22, 3, 0],
  ],
  "photo.takenQueued": [[2], [15]],
  packLimit: [[1], [3], [12]],
  "pack.title": [["Ann"], [""]],
  "pack.ready": [[4], [9], [16], [1]],
};

/** Every text of a language by its path, functions called. */
function textsOf(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") {
    const calls = ARGUMENTS[path];
    if (!calls) throw new Error(`the test has no arguments for ${path}`);
    return calls.map((args) => [`${path}(${args.join()})`, String(value(...args))]);
  }
  const entries = Object.entries(value as Record<string, unknown>);
  return entries.flatMap(([key, inner]) => textsOf(inner, path ? `${path}.${key}` : key));
}

const all = Object.fromEntries(langs.map((lang) => [lang, new Map(textsOf(speak(lang)))]));
const tagsIn = (text: string) => [...text.matchAll(/<\/?(\w+)>/g)].map((m) => m[0]).sort();

for (const lang of langs) {
  const texts = all[lang] ?? new Map<string, string>();

  test(`${lang}: nothing is missing, empty, or left over from a template`, () => {
    expect([...texts.keys()].sort()).toEqual([...(all.en?.keys() ?? [])].sort());
    for (const [path, text] of texts) {
      expect([path, text.trim()]).not.toEqual([path, ""]);
      expect([path, text]).toEqual([path, text.trim()]);
      expect(text).not.toMatch(/undefined|null|NaN|\[object|\$\{| {2}/);
    }
  });

  test(`${lang}: the markup is balanced, known to Telegram, and the same as in the others`, () => {
    for (const [path, text] of texts) {
      expect([path, tagsIn(text)]).toEqual([path, tagsIn(all.en?.get(path) ?? "")]);
      expect(text.replace(/<\/?b>/g, "")).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;)/);
      expect((text.match(/<b>/g) ?? []).length).toBe((text.match(/<\/b>/g) ?? []).length);
    }
  });

  test(`${lang}: everything fits where Telegram shows it, and names the same commands`, () => {
    const commands = (text: string) => [...text.matchAll(/(?<![\w/<])\/[a-z]+/g)].map((m) => m[0]).sort();
    for (const [path, text] of texts) {
      expect(text.length).toBeLessThanOrEqual(MESSAGE_LENGTH);
      if (/^(consent\.(yes|no)|erase\.(data|packs|keep)|pack\.add|self)$/.test(path))
        expect(text.length).toBeLessThanOrEqual(BUTTON_LENGTH);
      if (path.startsWith("commands.")) expect(text.length).toBeLessThanOrEqual(COMMAND_LENGTH);
      expect([path, commands(text)]).toEqual([path, commands(all.en?.get(path) ?? "")]);
    }
  });
}

test("every reason to retake or to fail has its sentence, and no two share one", () => {
  for (const lang of langs) {
    const { retake, failed } = speak(lang);
    expect(Object.keys(retake).sort()).toEqual([...retakeProblems].sort());
    expect(Object.keys(failed).sort()).toEqual([...failProblems].sort());
    const sentences = [...Object.values(retake), ...Object.values(failed)];
    expect(new Set(sentences).size).toBe(sentences.length);
  }
});

test("Uzbek is written with its own letter: oʻ and gʻ, never with a quote or an apostrophe", () => {
  for (const [path, text] of all.uz ?? []) expect([path, /[og]['‘’`ʼ]/i.exec(text)]).toEqual([path, null]);
});

test("Russian numbers take their forms", () => {
  const { packs } = speak("ru");
  expect([1, 2, 5, 11, 14, 21, 22, 112].map((n) => packs.list(n))).toEqual(
    ["1 набор", "2 набора", "5 наборов", "11 наборов", "14 наборов", "21 набор", "22 набора", "112 наборов"].map(
      (n) => `У вас ${n}:`,
    ),
  );
});

test("whose code is used up is sent to Start for a new one", () => {
  const start = { ru: /«Начать»/, uz: /«Boshlash»/, en: /tap Start/i };
  const fresh = { ru: /новый( код)?\./, uz: /yangi kodni skanerlang\./, en: /scan the new (one|code)\./ };
  for (const lang of langs) {
    const { consent, link } = speak(lang);
    for (const text of [consent.declined, consent.closed.timeout, consent.closed.reset, link.used, link.over]) {
      expect(text).toMatch(start[lang]);
      expect(text).toMatch(fresh[lang]);
    }
  }
});

test("what a person typed cannot become markup", () => {
  expect(escapeHtml('<b>"Tom" & Jerry</b>')).toBe("&lt;b&gt;&quot;Tom&quot; &amp; Jerry&lt;/b&gt;");
});

test("Telegram's language codes find a language that the guest reads", () => {
  const expected = {
    ru: "ru",
    uz: "uz",
    en: "en",
    "uz-Latn": "uz",
    "en-US": "en",
    EN: "en",
    kk: "ru",
    uk: "ru",
    de: "en",
  };
  for (const [code, lang] of Object.entries(expected)) expect([code, langFrom(code)]).toEqual([code, lang as "ru"]);
  expect([langFrom(undefined), langFrom(""), langFrom("-")]).toEqual(["ru", "ru", "ru"]);
});

test("a guest reads whom the photo is sent to, and that it stays when the booth draws by itself", () => {
  const keys = { GEMINI_API_KEY: "g", OPENAI_API_KEY: undefined };
  expect(companiesOf({ AI_PROVIDERS: ["gemini", "openai"], ...keys })).toEqual(["Google"]);
  expect(companiesOf({ AI_PROVIDERS: ["offline"], ...keys })).toEqual([]);
  for (const lang of langs) {
    const { consent, privacy } = speak(lang);
    for (const text of [consent.ask("", 24, ["Google"]), privacy(24, ["Google"])]) {
      expect(text).toContain("Google");
      expect(text).not.toContain("OpenAI");
    }
    for (const text of [consent.ask("", 24, []), privacy(24, [])]) expect(text).not.toMatch(/Google|OpenAI/);
  }
});
