/** Uzbek: what the network did. */
import type { NetworkTexts } from "../types.ts";

export const network: NetworkTexts = {
  slow: "Telegram vaqtida javob bermadi",
  notFound: "Telegram manzili topilmadi: tarmoq yoʻq yoki DNS ishlamayapti",
  insecure: "Telegram bilan himoyalangan aloqa yoʻq",
  unreadable: "Telegram javobini oʻqib boʻlmadi",
  unreachable: "Telegramga ulanib boʻlmadi",
};
