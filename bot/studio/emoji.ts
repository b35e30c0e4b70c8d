/** Emoji for a sticker: what the sheet's check chose, as far as Telegram will take it. */
import type { SheetVerdict } from "./providers/provider.ts";

/** Bot API, InputSticker: 1–20 emoji a sticker. */
const MAX_EMOJI = 20;
/** For a sheet that nobody could look at. */
const FALLBACK = ["😀", "😎", "🥳", "😍", "🤩", "😂", "😴", "😮", "👍", "👋", "🤔", "😡", "🤷", "🙏", "😅", "💃"];

const isEmoji = /^\p{RGI_Emoji}$/v;
const segmenter = new Intl.Segmenter();

/** Models often leave out the selector that makes a sign an emoji: ❤ for ❤️. Digits would pass with it too, and are none. */
function asEmoji(sign: string): string[] {
  const selected = `${sign}\uFE0F`;
  if (isEmoji.test(sign)) return [sign];
  return isEmoji.test(selected) && !/^[\d#*]/.test(sign) ? [selected] : [];
}

/** @param cell counted from 1 */
export function emojiFor(verdict: SheetVerdict, cell: number): string[] {
  const named = verdict.stickers.find((s) => s.cell === cell)?.emoji ?? [];
  // A model may write two emoji in one string, or a word beside them.
  const found = named.flatMap((text) => [...segmenter.segment(text)].flatMap((s) => asEmoji(s.segment)));
  const unique = [...new Set(found)].slice(0, MAX_EMOJI);
  return unique.length > 0 ? unique : [FALLBACK[(cell - 1) % FALLBACK.length] as string];
}
