/** Uzbek for the sales people, in Latin script. */
import { dayPartsIn, momentIn } from "./dates.ts";
import type { SalesTexts, Who } from "./types.ts";

const number = (count: number) => count.toLocaleString("uz-Latn");
const parts = dayPartsIn("uz-Latn");
const day = (date: string) => {
  const { year, month, day, weekday } = parts(date);
  return `${year}-yil ${day}-${month}, ${weekday}`;
};
const done = {
  new: "yangilar qatoriga qaytarilgan",
  in_progress: "olingan",
  won: "kelishilgan deb yopilgan",
  lost: "kelishilmagan deb yopilgan",
  spam: "spam deb belgilangan",
};
const by = (who: Who) => (who === null ? "." : who === "you" ? ": buni siz qilgansiz." : `. Kim: ${who.name}.`);
const counted = {
  new: "yangi",
  in_progress: "ishda",
  won: "kelishilgan",
  lost: "kelishilmagan",
  spam: "spam",
};

export const uz: SalesTexts = {
  lead: (n) => `${n}-soʻrov`,
  statuses: { new: "yangi", in_progress: "ishda", won: "kelishildi", lost: "kelishilmadi", spam: "spam" },
  counted: (count, status) => `${number(count)} ta ${counted[status]}`,
  actions: {
    take: "🙋 Olaman",
    won: "✅ Kelishildi",
    lost: "❌ Kelishilmadi",
    spam: "🚫 Spam",
    reopen: "↩️ Qaytarish",
  },
  events: { wedding: "Toʻy", birthday: "Tugʻilgan kun", corporate: "Korporativ", other: "Boshqa tadbir" },
  langs: { ru: "Rus tili", uz: "Oʻzbek tili", en: "Ingliz tili" },
  guests: (count) => `${number(count)} mehmon`,
  erased: "(oʻchirilgan)",
  erasedOn: (date) => `Aloqa maʼlumotlari oʻchirilgan: ${day(date)}`,
  day,
  moment: momentIn("uz-Latn", (moment, year) => `${year}-yil ${moment}`),
  units: { minutes: "daqiqa", hours: "soat", days: "kun" },
  press: {
    mine: (n) => `${n}-soʻrov endi sizda.`,
    moved: (n, status) =>
      ({
        new: `${n}-soʻrov yana yangi.`,
        in_progress: `${n}-soʻrov endi ishda.`,
        won: `${n}-soʻrov yopildi: kelishildi.`,
        lost: `${n}-soʻrov yopildi: kelishilmadi.`,
        spam: `${n}-soʻrov spam deb belgilandi.`,
      })[status],
    takeFirst: (n) => `${n}-soʻrov yangi: avval uni oling.`,
    already: (n, status, who) => `${n}-soʻrov allaqachon ${done[status]}${by(who)}`,
    elsewhere: "Bu faqat savdo guruhida ishlaydi.",
  },
  unknown: (n) => `${n}-soʻrov yoʻq.`,
  askNumber: "Raqamini ham yozing: <code>/lead 12</code>",
  commands: { leads: "Kutayotgan soʻrovlar", lead: "Raqami boʻyicha bitta soʻrov", stats: "Statistika" },
  open: {
    none: "Kutayotgan soʻrov yoʻq. 🎉",
    title: "Ochiq soʻrovlar",
    counts: (fresh, inProgress) => `${number(fresh)} ta yangi, ${number(inProgress)} ta ishda`,
  },
  more: (count) => `… va yana ${number(count)} ta`,
  history: { title: "nimalar boʻlgan", requested: "soʻrov keldi" },
  stats: {
    title: "Soʻrovlar",
    conversion: "Konversiya",
    ended: (won, ended, percent) => `yopilgan ${number(ended)} tadan ${number(won)} tasi kelishilgan, ${percent} %`,
    nothingEnded: "hali hech biri yopilmagan",
    median: "Soʻrov olinguncha oʻtadigan vaqt (mediana)",
    nothingTaken: "hali hech biri olinmagan",
    thisWeek: "Shu hafta",
    lastWeekByNow: "Oʻtgan hafta shu paytgacha",
    lastWeek: "jami",
    sources: "Manbalar boʻyicha",
    source: { direct: "belgisiz", other: "boshqa" },
  },
  digest: {
    yesterday: "Kechagi soʻrovlar",
    none: "boʻlmagan",
    nothingWaits: "Ochiq soʻrov yoʻq.",
    waiting: "Hech kim olmagan",
    inProgress: "Ishda",
  },
  reminder: (count) =>
    count === 1 ? "Bu soʻrovni hali hech kim olmadi" : `${number(count)} ta soʻrovni hali hech kim olmadi`,
  alerts: {
    thrownOut: (waiting) => `Bot savdo guruhidan chiqarib yuborildi. Kutayotgan soʻrovlar: ${waiting} ta.`,
    forbidden: (reason, waiting) =>
      `Bot savdo guruhiga yoza olmayapti (${reason}). Kutayotgan soʻrovlar: ${waiting} ta.`,
    failing: (reason, waiting) =>
      `Soʻrovlar savdo guruhiga yetib bormayapti (${reason}). Kutayotganlari: ${waiting} ta.`,
    refused: (n, reason, waiting) =>
      `Telegram ${n}-soʻrov kartochkasini qabul qilmayapti (${reason}). Kutayotgan soʻrovlar: ${waiting} ta.`,
    remedy: {
      failing: "Bot oʻzi qayta urinadi. Shunday davom etsa, bot jurnaliga qarang.",
      refused:
        "Bot yana urinib koʻradi, keyingi kartochkalar esa boraveradi. Bot jurnaliga qarang va soʻrovni /lead buyrugʻi bilan oching.",
      out: "Botni savdo guruhiga qoʻshib, yozishga ruxsat bering yoki LEADS_CHAT_ID qiymatini toʻgʻrilang. Kartochkalar kutib turadi, keyin yetib boradi.",
    },
    flows: "Soʻrovlar yana savdo guruhiga yetib boryapti.",
    lockout:
      "Kimdir POST /leads manziliga besh marta notoʻgʻri maxfiy kalit yubordi va 15 daqiqaga toʻsib qoʻyildi. Agar bu sizning saytingiz boʻlsa, ikkala tomonda ham bir xil LEADS_SECRET qoʻying.",
    flood:
      "Bitta tashrif buyuruvchi shaklga ketma-ket soʻrov yuboryapti: 10 daqiqada 5 tadan ortiq. Qolganlari qabul qilinmayapti. Bu haqda soatiga bir marta xabar beramiz.",
  },
};
