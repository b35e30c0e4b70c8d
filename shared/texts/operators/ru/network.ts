/** Russian: what the network did. */
import type { NetworkTexts } from "../types.ts";

export const network: NetworkTexts = {
  slow: "Telegram не ответил вовремя",
  notFound: "адрес Telegram не найден: нет сети или не работает DNS",
  insecure: "нет защищённого соединения с Telegram",
  unreadable: "ответ Telegram не удалось прочитать",
  unreachable: "до Telegram не достучаться",
};
