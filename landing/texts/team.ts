import type { FallbackWords } from "../deliver-request.ts";

/**
 * What the sales group reads when a request comes past the server, in the team's language (`TEAM_LANG`). English stands
 * in deliver-request.ts, which goes without this file.
 */
export const TEAM_WORDS: Record<"ru" | "uz", FallbackWords> = {
  ru: {
    head: "Заявка с сайта, её нет в базе: обработайте вручную",
    note: (why) => `Причина: ${why}. Если в этой группе есть карточка с тем же request_id, то это одна и та же заявка.`,
    why: {
      unset: "сервер не задан",
      late: "сервер не ответил вовремя",
      broken: "соединение с сервером прервалось",
      unreadable: "ответ сервера не читается",
    },
    answered: (status) => `сервер ответил ${status}`,
    labels: ["Имя", "Контакт", "Событие", "Дата", "Гостей", "Город", "Язык", "Страница", "UTM"],
    comment: "Комментарий",
  },
  uz: {
    head: "Saytdan kelgan soʻrov, u bazada yoʻq: qoʻlda ishlang",
    note: (why) => `Sababi: ${why}. Shu guruhda request_id si bir xil kartochka boʻlsa, bu oʻsha soʻrovning oʻzi.`,
    why: {
      unset: "server koʻrsatilmagan",
      late: "server vaqtida javob bermadi",
      broken: "server bilan aloqa uzildi",
      unreadable: "server javobini oʻqib boʻlmadi",
    },
    answered: (status) => `server ${status} deb javob berdi`,
    labels: ["Ism", "Aloqa", "Tadbir", "Sana", "Mehmonlar", "Shahar", "Til", "Sahifa", "UTM"],
    comment: "Izoh",
  },
};
