/** What stickers say: a mood, its words in three languages, its emoji, and what is drawn around it. */
import type { Lang } from "../../../../shared/status.ts";
import type { DecorName } from "./decor.ts";
import type { Mimic } from "./mimics.ts";
import type { ToonStyle } from "./toon.ts";

/** `badge` and `space` are round, and the person does not stick out of them below. */
export type Backdrop = "none" | "badge" | "space" | "burst" | "heart" | "cloud" | "splat";
export type Mood = {
  id: string;
  emoji: string[];
  text: Record<Lang, string>;
  decor: DecorName[];
  backdrop: Backdrop;
  /** Fill of the letters, and of the backdrop. */
  colours: [string, string];
  style: ToonStyle;
  mimic: Mimic;
};

const mood = (
  id: string,
  emoji: string,
  ru: string,
  uz: string,
  en: string,
  decor: string,
  backdrop: Backdrop,
  colours: [string, string],
  style: ToonStyle,
  mimic: Mimic = "none",
): Mood => ({
  id,
  emoji: emoji.split(" "),
  text: { ru, uz, en },
  decor: decor.split(" ").filter(Boolean) as DecorName[],
  backdrop,
  colours,
  style,
  mimic,
});

/** Sixteen moods, the first ones being those that every sheet needs. */
export const moods: readonly Mood[] = [
  mood("hello", "👋 😊", "Привет!", "Salom!", "Hello!", "sparkles", "badge", ["#ffd43b", "#38b6ff"], "ink"),
  mood(
    "love",
    "❤️ 😍",
    "Люблю!",
    "Sevaman!",
    "Love you!",
    "hearts",
    "heart",
    ["#ffffff", "#ff5c8a"],
    "paint",
    "smitten",
  ),
  mood("cool", "😎 👍", "Круто!", "Zoʻr!", "Cool!", "lightning", "burst", ["#5ce1ff", "#ffb703"], "comic", "shades"),
  mood("party", "🎉 🥳", "Ура!", "Ura!", "Hooray!", "confetti", "none", ["#ff6bd6", "#ffe066"], "pop"),
  mood(
    "thanks",
    "🙏 🤗",
    "Спасибо!",
    "Rahmat!",
    "Thank you!",
    "flowers",
    "none",
    ["#ffe066", "#9be564"],
    "paint",
    "blush",
  ),
  mood("sleep", "😴 🌙", "Сплю…", "Uxlayapman…", "Zzz…", "zzz", "cloud", ["#cfe3ff", "#4b5fc9"], "pop", "asleep"),
  mood("wow", "😱 🤯", "Ого!", "Voy-bo!", "Wow!", "bang", "burst", ["#ffd43b", "#ff4d4d"], "comic", "agog"),
  mood("laugh", "😂 🤣", "Ха-ха!", "Xa-xa!", "Ha-ha!", "tears", "badge", ["#ffffff", "#ff9f1c"], "ink", "merry"),
  mood("ok", "👌 ✅", "Ок!", "Xoʻp!", "OK!", "tick", "none", ["#a6ff8f", "#2ec4b6"], "paint", "wink"),
  mood("fire", "🔥 💪", "Огонь!", "Olov!", "On fire!", "flames", "splat", ["#ffe45e", "#7b2cbf"], "comic"),
  mood("oops", "😅 🙈", "Ой…", "Voy…", "Oops…", "sweat", "none", ["#8be9ff", "#b8f2e6"], "ink"),
  mood("music", "🎶 🕺", "Танцуем!", "Raqsga!", "Dance!", "notes", "splat", ["#8dffe1", "#d100d1"], "pop"),
  mood("think", "🤔 💭", "Хм…", "Hmm…", "Hmm…", "question", "cloud", ["#ffd6a5", "#6c7a99"], "ink"),
  mood("coming", "🏃 ⏳", "Уже иду!", "Yoʻldaman!", "On my way!", "dash", "none", ["#ffd43b", "#a0c4ff"], "comic"),
  mood(
    "congrats",
    "🎂 🎁",
    "Поздравляю!",
    "Tabriklayman!",
    "Congrats!",
    "confetti",
    "badge",
    ["#ff8fab", "#b185ff"],
    "paint",
  ),
  mood(
    "miss",
    "🥺 💌",
    "Скучаю",
    "Sogʻindim",
    "Miss you",
    "tear hearts",
    "heart",
    ["#ffffff", "#5fa8ff"],
    "pop",
    "pleading",
  ),
];

/** One more per outfit, which only it can say. */
export const signatures: Readonly<Record<string, Mood>> = {
  astronaut: mood(
    "liftoff",
    "🚀 ✨",
    "Поехали!",
    "Uchdik!",
    "Lift-off!",
    "sparkles",
    "space",
    ["#ffd43b", "#232a78"],
    "comic",
  ),
  royal: mood(
    "royal",
    "👑 💎",
    "По-царски!",
    "Shohona!",
    "Royal!",
    "sparkles",
    "badge",
    ["#ffe066", "#7b3fe4"],
    "comic",
  ),
  superhero: mood(
    "rescue",
    "🦸 💥",
    "Спасу мир!",
    "Yordamga!",
    "To the rescue!",
    "lightning",
    "burst",
    ["#ffe45e", "#ff4d6d"],
    "comic",
  ),
  chef: mood(
    "yummy",
    "😋 🍕",
    "Вкусно!",
    "Mazali!",
    "Yummy!",
    "hearts",
    "badge",
    ["#ffe066", "#ff7b54"],
    "comic",
    "wink",
  ),
  rockstar: mood("rock", "🤘 🎸", "Рок!", "Rok!", "Rock on!", "notes", "burst", ["#8dffe1", "#e01e5a"], "comic"),
  wizard: mood("magic", "🧙 ✨", "Магия!", "Sehr!", "Magic!", "sparkles", "space", ["#ffe066", "#4a1a8a"], "comic"),
  chopon: mood(
    "welcome",
    "🍵 🌸",
    "Добро пожаловать!",
    "Xush kelibsiz!",
    "Welcome!",
    "flowers",
    "badge",
    ["#ffe066", "#11b5a4"],
    "comic",
  ),
  detective: mood("aha", "🔎 💡", "Ага!", "Topdim!", "Aha!", "bang", "badge", ["#ffe066", "#8c5a3c"], "comic"),
};

/** A mood by the id that a sheet carries. */
export const moodOf = (id: string | undefined): Mood | undefined =>
  [...moods, ...Object.values(signatures)].find((mood) => mood.id === id);
