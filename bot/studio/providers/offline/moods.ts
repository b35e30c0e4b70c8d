/** What stickers say: a mood, its words in three languages, its emoji, and what is drawn around it. */
import type { Lang } from "../../../../shared/status.ts";
import type { DecorName } from "./decor.ts";
import type { ToonStyle } from "./toon.ts";

export type Backdrop = "none" | "circle" | "burst" | "heart" | "cloud" | "splat";
export type Mood = {
  id: string;
  emoji: string[];
  text: Record<Lang, string>;
  decor: DecorName[];
  backdrop: Backdrop;
  /** Fill of the letters, and of the backdrop. */
  colours: [string, string];
  style: ToonStyle;
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
): Mood => ({
  id,
  emoji: emoji.split(" "),
  text: { ru, uz, en },
  decor: decor.split(" ").filter(Boolean) as DecorName[],
  backdrop,
  colours,
  style,
});

/** Sixteen moods, the first ones being those that every sheet needs. */
export const moods: readonly Mood[] = [
  mood("hello", "👋 😊", "Привет!", "Salom!", "Hello!", "sparkles", "circle", ["#ffd43b", "#38b6ff"], "ink"),
  mood("love", "❤️ 😍", "Люблю!", "Sevaman!", "Love you!", "hearts", "heart", ["#ffffff", "#ff5c8a"], "paint"),
  mood("cool", "😎 👍", "Круто!", "Zoʻr!", "Cool!", "lightning", "burst", ["#5ce1ff", "#ffb703"], "comic"),
  mood("party", "🎉 🥳", "Ура!", "Urra!", "Hooray!", "confetti", "none", ["#ff6bd6", "#ffe066"], "pop"),
  mood("thanks", "🙏 🤗", "Спасибо!", "Rahmat!", "Thank you!", "flowers", "none", ["#ffe066", "#9be564"], "paint"),
  mood("sleep", "😴 🌙", "Сплю…", "Uxlayapman…", "Zzz…", "zzz", "cloud", ["#cfe3ff", "#4b5fc9"], "pop"),
  mood("wow", "😱 🤯", "Ого!", "Voy-bo!", "Wow!", "bang", "burst", ["#ffd43b", "#ff4d4d"], "comic"),
  mood("oops", "😅 🙈", "Ой…", "Voy…", "Oops…", "sweat", "none", ["#8be9ff", "#b8f2e6"], "ink"),
  mood("fire", "🔥 💪", "Огонь!", "Olov!", "On fire!", "flames", "splat", ["#ffe45e", "#7b2cbf"], "comic"),
  mood("laugh", "😂 🤣", "Ха-ха!", "Xa-xa!", "Ha-ha!", "tears", "circle", ["#ffffff", "#ff9f1c"], "ink"),
  mood("ok", "👌 ✅", "Ок!", "Xoʻp!", "OK!", "tick", "none", ["#a6ff8f", "#2ec4b6"], "paint"),
  mood("music", "🎶 🕺", "Танцуем!", "Raqsga!", "Dance!", "notes", "splat", ["#8dffe1", "#d100d1"], "pop"),
  mood("think", "🤔 💭", "Хм…", "Hmm…", "Hmm…", "question", "cloud", ["#ffd6a5", "#6c7a99"], "ink"),
  mood("coming", "🏃 ⏳", "Уже иду!", "Ketyapman!", "On my way!", "dash", "none", ["#ffd43b", "#a0c4ff"], "comic"),
  mood(
    "congrats",
    "🎂 🎁",
    "С праздником!",
    "Bayram muborak!",
    "Congrats!",
    "confetti",
    "circle",
    ["#ff8fab", "#b185ff"],
    "paint",
  ),
  mood("miss", "🥺 💌", "Скучаю", "Sogʻindim", "Miss you", "tear hearts", "heart", ["#ffffff", "#5fa8ff"], "pop"),
];
