/** The operators' texts: no language lacks anything, all carry the same markup and the same names, none is too long. */
import { expect, test } from "bun:test";
import { en } from "../api/admin/page/texts/en.js";
import { ru } from "../api/admin/page/texts/ru.js";
import { uz } from "../api/admin/page/texts/uz.js";
import { auditWords } from "../shared/admin/audit-words.ts";
import { wordsOf } from "../shared/admin/words.ts";
import { failProblems, retakeProblems } from "../shared/outcomes.ts";
import { langs } from "../shared/status.ts";
import { team } from "../shared/texts/operators/index.ts";

const tabs = { en, ru, uz };
const COMMAND_LENGTH = 256;
const BUTTON_LENGTH = 64;
const MESSAGE_LENGTH = 4096;

const first = { pack: 12, guest: "Ann", tries: "T", age: "3 min" };
/** Arguments for each text that is a function; every one is called with each of these. */
const ARGUMENTS: Record<string, unknown[][]> = {
  "booth.seconds": [[8]],
  "booth.minutes": [[3]],
  "booth.hours": [[5]],
  "booth.served": [[1], [2], [5], [21]],
  "booth.botDown": [
    [null, true],
    ["3 min", false],
  ],
  "booth.deaf": [[null], ["3 min"]],
  "booth.loop": [
    ["files", null],
    ["files", "boom"],
  ],
  "booth.budgetUsed": [
    ["$9.00", 0],
    ["$9.00", 1],
    ["$9.00", 3],
  ],
  "booth.budgetWarning": [[80, "$8.00", "$10.00"]],
  "booth.queue": [
    [1, "3 min"],
    [5, "3 min"],
  ],
  "booth.waiting": ["telegram", "artist", "retry"].flatMap((what) => [1, 2, 5].map((n) => [what, n, first])),
  "booth.tries": [
    [3, "8 s"],
    [3, null],
  ],
  "booth.slow": [
    [1, first],
    [2, first],
  ],
  "booth.chatPhotos": [[1], [3]],
  "booth.noStickers": [
    ["Ann", 2, "why"],
    [null, 2, null],
  ],
  "booth.manyFailed": [
    [2, false],
    [21, true],
  ],
  "booth.paused": [[null], ["rain"]],
  "booth.kiosksSilent": [[3]],
  "booth.kioskSilent": [["hall-1", "3 min"]],
  "booth.names": [
    [["hall-1", "hall-2"], 0],
    [["hall-1", "hall-2"], 3],
  ],
  ...Object.fromEntries(
    ["silent", "camera", "battery", "awake"].map((trouble) => [
      `booth.many.${trouble}`,
      [
        [4, "hall-1, b"],
        [21, "hall-1, b"],
      ],
    ]),
  ),
  "booth.camera": [["hall-1", "busy"]],
  "booth.battery": [["hall-1", 10]],
  "booth.awake": [["hall-1"]],
  "booth.messages": [
    [1, "3 min"],
    [3, "3 min"],
    [5, "3 min"],
  ],
  "booth.leads": [
    [1, "3 min", true],
    [2, "3 min", false],
  ],
  "booth.disk": [[300]],
  "booth.backup": [[null], ["30 h"]],
  "story.start": [[null], ["hall-1"]],
  "story.scanned": [["Ann"], [null]],
  "story.agreed": [["Ann"], [null]],
  "story.choseOutfit": [["Ann"], [null]],
  "story.askedAgain": [["Ann"], [null]],
  "story.retried": [["admin:bob"]],
  "story.slot": [["1"]],
  "story.stopped": [["admin:bob"]],
  "story.attempt": [[2]],
  "story.did": ["selfie", "sheet", "draw", "tryout"].map((what) => ["gemini", what]),
  "story.didNot": ["refused", "empty", "overloaded", "broken"].map((what) => ["gemini", what]),
  "alerts.retry": [[12]],
  "alerts.together": [
    [1, [], "L"],
    [2, [3, 4], "L"],
    [5, [3], "L"],
  ],
  "alerts.answersAgain": [["gemini"]],
  "alerts.notYet": [["hall-1"]],
  "alerts.pack": [
    [12, []],
    [12, ["Ann", "Chef"]],
  ],
  "alerts.kiosk": [["hall-1"]],
  "alerts.failed": [
    ["P", "what", null, "Todo."],
    ["P", "what", "why", "Todo."],
  ],
  "alerts.metError": [["P", "boom"]],
  "alerts.setGone": [[12]],
  "alerts.notDelivered": [
    ["link", 12, "why"],
    ["sticker", 12, "why"],
  ],
  "alerts.broken": [["gemini", "why"]],
  "chat.onPage": [["bob"]],
  "chat.retry.done": [[12, "Ann"]],
  "chat.status.served": [[1], [2], [5]],
  "chat.status.atKiosk": [[0], [1], [2], [5]],
  "chat.status.queue": [
    [0, null, 1, 2],
    [3, "8 s", 1, 2],
  ],
  "chat.status.pack": [[12, "Ann", "draw", "8 s"]],
  "chat.status.today": [
    [1, 0, null],
    [5, 2, 30],
  ],
  "chat.status.money": [
    ["$1.00", null],
    ["$1.00", "$9.00"],
  ],
  "chat.status.kiosks": [["hall-1"]],
  "chat.status.leads": [[2]],
  "chat.jobs.made": [[2]],
  "chat.jobs.more": [[2]],
  "chat.stats.day": [["2026-06-15", 6]],
  "chat.stats.packs": [
    [1, null],
    [5, 30],
  ],
  "chat.stats.ended": [
    [1, 2, 1],
    [0, 0, 5],
  ],
  "chat.stats.guests": [
    [1, 1],
    [22, 5],
  ],
  "chat.stats.busiest": [[18, 3]],
  ...Object.fromEntries(
    ["started", "linked", "consented", "outfit", "photo", "delivered"].map((s) => [`chat.stats.stages.${s}`, [[3]]]),
  ),
  "chat.costs.today": [["$1.00"]],
  "chat.costs.of": [["$9.00", 11]],
  "chat.costs.perPack": [["$0.05"]],
  "chat.costs.line": [
    ["gemini", "draw", "$1.00", 1, 0],
    ["gemini", "tryout", "$1.00", 22, 3],
  ],
  "chat.costs.days": [
    [7, "$9.00", 1, null],
    [7, "$9.00", 5, "$0.05"],
  ],
  "chat.pause.paused": [
    ["Ann", null, 0],
    ["Ann", "rain", 1],
    ["Ann", "rain", 5],
  ],
  "chat.pause.opened": [["Ann"]],
  "chat.budget.now": [
    ["$1.00", null],
    ["$1.00", "$9.00"],
  ],
  "chat.budget.setBy": [["Ann"]],
  "chat.budget.untilTomorrow": [["$9.00"]],
  "chat.budget.usually": [
    [null, "Ann"],
    ["$9.00", "Ann"],
  ],
  "machine.unitFailed": [
    ["sticker-bot.service", null, null],
    ["sticker-bot.service", "HOW", "Meaning."],
  ],
  "machine.ended": [
    ["signal", "KILL"],
    ["signal", null],
  ],
  "machine.drillPassed": [
    ["app-1.db.gz", "5 h", 5],
    ["app-1.db.gz", "5 h", 1],
  ],
  "refusals.lockedOut": [[1], [2], [15]],
  "refusals.picture": ["too_large", "not_an_image", "bad_image"].map((code) => [code, "It is too large."]),
  "refusals.noPack": [[12]],
  "refusals.notFailed": ["queued", "running", "delivering", "done", "cancelled"].map((s) => [12, s]),
  "refusals.photoGone": [[12]],
  "refusals.notStoppable": ["done", "failed", "cancelled"].map((s) => [12, s]),
  "refusals.noLead": [[12]],
  "refusals.leadMoved": ["won", "lost", "spam"].map((s) => [12, s]),
  "refusals.leadChanged": [
    [12, "won", "Ann"],
    [12, "new", null],
  ],
  "refusals.noOutfit": [["chef"]],
  "refusals.outfitExists": [["chef"]],
  "refusals.tooManyOutfits": [[40]],
  "refusals.tooManyTryouts": [[3]],
  "refusals.inkUnreadable": [["2.0", 4.5]],
  "refusals.accentUnreadable": [["2.0", 4.5]],
  "refusals.dollars": [[100_000]],
  "refusals.text": [[40]],
  "refusals.textUpTo": [[40]],
  "refusals.upTo": [[40]],
  "refusals.oneOf": [[["a", "b"]]],
  "refusals.wholeNumber": [[1, 9]],
  "refusals.number": [[1, 9]],
  "refusals.colours": [[8]],
  "audit.paused": [[null], ["rain"]],
  "audit.budget": [
    ["$9.00", null],
    [null, "$9.00"],
  ],
  "audit.settings": [[[["PACK_LIMIT", "3", "5"]]]],
  "audit.retry": [["12"]],
  "audit.cancel": [["12"]],
  "audit.lead": [["12", "A", "B"]],
  "audit.outfitAdded": [["chef"]],
  "audit.outfitChanged": [["chef", ["prompt", "PIN"]]],
  "audit.outfitSwitched": [
    ["chef", true],
    ["chef", false],
  ],
  "audit.outfitDeleted": [["chef"]],
  "audit.look": [[["PIN"]]],
  "audit.kioskRemoved": [["hall-1"]],
  "audit.tryout": [["chef"]],
};

/** Every text of a language by its path, functions called. */
function textsOf(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") {
    const calls = ARGUMENTS[path];
    if (!calls) throw new Error(`the test has no arguments for ${path}`);
    return calls.flatMap((args) => textsOf(value(...args), `${path}(${JSON.stringify(args)})`));
  }
  const entries = Object.entries(value as Record<string, unknown>);
  return entries.flatMap(([key, inner]) => textsOf(inner, path ? `${path}.${key}` : key));
}

const all = Object.fromEntries(langs.map((lang) => [lang, new Map(textsOf(team(lang)))]));
const english = all.en ?? new Map<string, string>();
const tagsIn = (text: string) => [...text.matchAll(/<\/?\w+>/g)].map(([tag]) => tag).sort();
/** What stays as it is in every language: commands, settings, units, the arguments' own words. */
const names = (text: string) =>
  [...text.matchAll(/(?<![\w/<])\/[a-z]+|\b[A-Z]{2,}(?:_[A-Z]+)+\b|sticker-\w+|\$\d+\.\d\d|\bhall-1\b|\bboom\b/g)]
    .map(([name]) => name)
    .sort();
/** Those that may be empty: nothing is said when a state that only the page tells of is over. */
const mayBeEmpty = /\.ending$|\.noStickers\(.*\)\.todo$/;

for (const lang of langs) {
  const texts = all[lang] ?? new Map<string, string>();

  test(`${lang}: nothing is missing, empty, or left over from a template`, () => {
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [path, text] of texts) {
      if (mayBeEmpty.test(path)) expect([path, text === ""]).toEqual([path, english.get(path) === ""]);
      else expect([path, text.trim()]).not.toEqual([path, ""]);
      expect([path, /undefined|NaN|\[object|\$\{| {2}/.exec(text)]).toEqual([path, null]);
      if (!/null/.test(english.get(path) ?? "")) expect([path, /\bnull\b/.exec(text)]).toEqual([path, null]);
    }
  });

  test(`${lang}: the same markup, commands, settings and sums as in English`, () => {
    for (const [path, text] of texts) {
      expect([path, tagsIn(text)]).toEqual([path, tagsIn(english.get(path) ?? "")]);
      expect([path, names(text)]).toEqual([path, names(english.get(path) ?? "")]);
    }
  });

  test(`${lang}: sentences begin and end as sentences do, and everything fits where Telegram shows it`, () => {
    for (const [path, text] of texts) {
      expect(text.length).toBeLessThan(MESSAGE_LENGTH / 2);
      if (path.startsWith("chat.commands.")) expect(text.length).toBeLessThanOrEqual(COMMAND_LENGTH);
      if (/^chat\.pause\.(open|pause)$|^alerts\.retry/.test(path)) expect(text.length).toBeLessThan(BUTTON_LENGTH);
      if (/\.(what|todo|ending)$/.test(path) && !/^booth\.problems\.\w+\.what$/.test(path) && text !== "")
        expect([path, /^(\p{Lu}|[\d«]|hall)/u.test(text), /[.?!]$|boom$/.test(text)]).toEqual([path, true, true]);
    }
  });
}

test("no language is a copy of another", () => {
  const shared = (a: string, b: string) =>
    [...(all[a] ?? [])].filter(([path, text]) => text.length > 20 && all[b]?.get(path) === text).map(([path]) => path);
  expect([...shared("ru", "en"), ...shared("uz", "en"), ...shared("uz", "ru")]).toEqual([]);
});

test("Uzbek is written with its own letter, and in Latin script alone", () => {
  for (const [path, text] of all.uz ?? []) {
    expect([path, /[og]['‘’`ʼ]/i.exec(text)]).toEqual([path, null]);
    expect([path, /\p{Script=Cyrillic}/u.exec(text)]).toEqual([path, null]);
  }
});

test("Russian is written in Cyrillic, beside what stays as it is", () => {
  for (const [path, text] of all.ru ?? [])
    if (!/^booth\.(tries|seconds|names)|^audit\.fields\.pin$|^alerts\.pack\(/.test(path) && text.length > 12)
      expect([path, /\p{Script=Cyrillic}/u.test(text)]).toEqual([path, true]);
});

test("Russian numbers take their forms", () => {
  const { booth, chat, alerts, refusals } = team("ru");
  expect([1, 2, 5, 11, 21, 22].map((n) => booth.served(n).replace("Всё в порядке: сегодня ", ""))).toEqual([
    "стикеры получил 1 гость.",
    "стикеры получили 2 гостя.",
    "стикеры получили 5 гостей.",
    "стикеры получили 11 гостей.",
    "стикеры получил 21 гость.",
    "стикеры получили 22 гостя.",
  ]);
  expect([2, 5, 21].map((n) => booth.manyFailed(n, false).what)).toEqual([
    "Сегодня без стикеров остались 2 гостя.",
    "Сегодня без стикеров остались 5 гостей.",
    "Сегодня без стикеров остался 21 гость.",
  ]);
  expect([1, 3, 5, 11, 112].map((n) => booth.messages(n, "3 мин").what.split(": ")[1])).toEqual(
    ["1 сообщение", "3 сообщения", "5 сообщений", "11 сообщений", "112 сообщений"].map(
      (m) => `${m}, первое ждёт 3 мин.`,
    ),
  );
  expect([1, 2, 5].map((n) => chat.costs.days(n, "$1.00", n, null))).toEqual([
    "<b>1 день: $1.00</b>, 1 набор",
    "<b>2 дня: $1.00</b>, 2 набора",
    "<b>5 дней: $1.00</b>, 5 наборов",
  ]);
  expect([1, 2, 5, 22].map((n) => alerts.together(n, [], "…").split(".")[0])).toEqual(
    ["1 раз", "2 раза", "5 раз", "22 раза"].map((times) => `С тех пор то же самое ещё ${times}`),
  );
  expect([1, 3, 15].map((n) => refusals.lockedOut(n).split("Подождите ")[1])).toEqual([
    "1 минуту.",
    "3 минуты.",
    "15 минут.",
  ]);
});

test("a reason that ends as a sentence does is not followed by another full stop", () => {
  for (const lang of langs) {
    const { booth, audit, chat } = team(lang);
    for (const said of [
      (reason: string) => booth.paused(reason).what,
      (reason: string) => audit.paused(reason),
      (reason: string) => chat.pause.paused("Ann", reason, 0),
    ]) {
      for (const ended of ["rain!", "rain.", "rain …", "rain?!"]) expect(said(ended)).toBe(said("rain"));
      expect(said(" ! ")).toBe(said(""));
      expect(said("St. Anne")).toContain(": St. Anne");
    }
  }
});

test("who is sent to the bot's log is told where it is: the page has no tab of that name", () => {
  const log = { ru: /журнал/i, uz: /jurnal/i, en: /\blogs?\b/i };
  for (const lang of langs) {
    const advice = [...(all[lang] ?? [])].filter(([path, text]) => path.startsWith("booth.") && log[lang].test(text));
    expect(advice.length).toBeGreaterThan(3);
    for (const [path, text] of advice)
      expect([path, text]).toEqual([path, expect.stringContaining("journalctl -u sticker-bot")]);
    expect(String(tabs[lang]["tab.audit"])).not.toMatch(log[lang]);
  }
});

test("every reason to retake or to fail has its words in each language, and no two share them", () => {
  for (const lang of langs) {
    const said = [...retakeProblems, ...failProblems].map((problem) => wordsOf(problem, lang)?.what);
    expect(new Set(said).size).toBe(retakeProblems.length + failProblems.length);
    expect(wordsOf("a_word_of_tomorrow", lang)).toEqual({ what: "a word of tomorrow", todo: "" });
  }
});

test("the audit log's sentences are in each language", () => {
  const entry = { action: "lead", target: "lead 12", before: { status: "new" }, after: { status: "in_progress" } };
  expect(langs.map((lang) => auditWords(entry, lang))).toEqual([
    "Заявка 12: была «новая», стала «в работе».",
    "12-soʻrov: avval «yangi», endi «ishda».",
    "Lead 12 was changed from new to in progress.",
  ]);
});
