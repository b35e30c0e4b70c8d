import { wrong } from "../errors.ts";
import type { Json, TgKeyboard } from "../types.ts";

const DATA_MAX_BYTES = 64;
const MAX_BUTTONS = 100;
const kinds = [
  "url",
  "callback_data",
  "web_app",
  "login_url",
  "switch_inline_query",
  "switch_inline_query_current_chat",
  "switch_inline_query_chosen_chat",
  "copy_text",
  "callback_game",
  "pay",
];

/** The inline keyboard of a call, checked; undefined when there is none or it is another kind of markup. */
export function inlineKeyboard(markup: Json | undefined): TgKeyboard | undefined {
  if (typeof markup !== "object" || markup === null || Array.isArray(markup)) return undefined;
  if (!("inline_keyboard" in markup)) return undefined;
  const keyboard = markup as unknown as TgKeyboard;
  const buttons = keyboard.inline_keyboard.flat();
  if (buttons.length > MAX_BUTTONS) wrong("reply markup is too long");
  for (const button of buttons) {
    if (button.text.trim() === "") wrong("inline keyboard button text must be non-empty");
    const given = kinds.filter((kind) => button[kind] !== undefined);
    if (given.length === 0) wrong("Text buttons are unallowed in the inline keyboard");
    if (given.length > 1) wrong(`a button has one purpose, not ${given.join(" and ")}`);
    const size = Buffer.byteLength(button.callback_data ?? "x");
    if (size < 1 || size > DATA_MAX_BYTES) wrong("BUTTON_DATA_INVALID");
    if (button.url !== undefined && !isPublicUrl(button.url))
      wrong(`inline keyboard button URL '${button.url}' is invalid: Wrong HTTP URL`);
  }
  return buttons.length > 0 ? keyboard : undefined;
}

/** Telegram refuses hosts without a dot, `localhost` among them. */
function isPublicUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "tg:" || (/^https?:$/.test(protocol) && hostname.includes("."));
}
