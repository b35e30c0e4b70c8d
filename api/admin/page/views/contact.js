// How a visitor wants to be reached: whatever it is made of, one tap leads there.
import { h } from "../parts/dom.js";

/** `+998 90 123-45-67`, with at least as many digits as a number of some country has. */
const PHONE = /^\+?[\d\s().-]{7,24}$/;
const FEWEST_DIGITS = 7;
const TELEGRAM = /^(?:@|(?:https?:\/\/)?(?:t|telegram)\.me\/)([A-Za-z]\w{3,31})\/?$/;
const MAIL = /^[^\s@<>"']{1,64}@[^\s@<>"']{1,190}\.[^\s@<>"']{2,}$/;

/** @param {string | null} text as the visitor wrote it */
export function contact(text) {
  const href = addressOf(text?.trim() ?? "");
  if (!href) return h("span", {}, text ?? "");
  return h(
    "a",
    { class: "contact", href, target: href.startsWith("https:") ? "_blank" : null, rel: "noreferrer" },
    text,
  );
}

/** @param {string} text @returns {string | null} null when it is none that a browser could open */
export function addressOf(text) {
  const [, name] = TELEGRAM.exec(text) ?? [];
  if (name) return `https://t.me/${name}`;
  const digits = text.replace(/\D/g, "");
  if (PHONE.test(text) && digits.length >= FEWEST_DIGITS) return `tel:${text.startsWith("+") ? "+" : ""}${digits}`;
  return MAIL.test(text) ? `mailto:${encodeURIComponent(text).replace("%40", "@")}` : null;
}
