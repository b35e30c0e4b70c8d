/** A visitor's contact as something to tap: a number that dials, a name that opens its chat, an address that opens the mail. */
import { escapeHtml } from "../shared/texts/index.ts";
import { oneLine } from "./visitor-text.ts";

/** Real people's chats are here, whatever the bot's own links point to. */
const CHATS = "https://t.me";
/** Of numbers written without a country. */
const COUNTRY = "998";
const LOCAL_DIGITS = 9;

/**
 * Telegram by itself makes international numbers and mail addresses tappable; a chat needs a link.
 * @returns HTML
 */
export function contactHtml(contact: string): string {
  const text = contact.trim();
  const name = /^(?:@|(?:https?:\/\/)?(?:t|telegram)\.me\/)([A-Za-z]\w{3,31})\/?$/.exec(text)?.[1];
  if (name) return link(`${CHATS}/${name}`, `@${name}`);
  const phone = phoneIn(text);
  if (phone) return `${text.startsWith("+") ? oneLine(text) : phone} · ${link(`${CHATS}/${phone}`, "Telegram")}`;
  return oneLine(text);
}

/** A number in international form, or null when the text is no plain number of a country that can be told. */
function phoneIn(text: string): string | null {
  if (!/^\+?[\d\s().–-]+$/.test(text)) return null;
  const digits = text.replace(/\D/g, "");
  if (text.startsWith("+")) return digits.length >= 8 && digits.length <= 15 ? `+${digits}` : null;
  if (digits.startsWith("00") && digits.length >= 10 && digits.length <= 17) return `+${digits.slice(2)}`;
  if (digits.startsWith(COUNTRY) && digits.length === COUNTRY.length + LOCAL_DIGITS) return `+${digits}`;
  return digits.length === LOCAL_DIGITS ? `+${COUNTRY}${digits}` : null;
}

const link = (url: string, text: string) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
