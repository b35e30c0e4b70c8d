/** Uzbek: what is said in the operators' chat. */

import { because } from "../because.ts";
import type { ChatTexts } from "../types.ts";

const purposes = { selfie: "selfi tekshiruvi", draw: "chizish", sheet: "varaq tekshiruvi", tryout: "sinovlar" };
const steps = {
  selfie: "selfi tekshiruvi",
  draw: "chizish",
  check: "varaq tekshiruvi",
  cut: "qirqish",
  pack: "toʻplam yaratish",
  delivery: "yetkazish",
};

export const chat: ChatTexts = {
  commands: {
    status: "Kabinaning ahvoli va nima qilish kerakligi",
    pause: "Yangi mehmon olmaslik; sababini qoʻshish mumkin",
    resume: "Kabinani yana ochish",
    jobs: "Tayyorlanayotgan va chiqmagan toʻplamlar",
    retry: "Chiqmagan toʻplamni raqami boʻyicha takrorlash",
    stats: "Bugungi kun raqamlarda",
    costs: "SI xarajatlari",
    budget: "Bugunga boshqa SI byudjeti, dollarda",
  },
  anonymous: "anonim administrator",
  elsewhere: "Bu faqat operatorlar chatida ishlaydi.",
  onPage: (user) => `${user}, sahifadan`,
  retry: {
    howTo: "Toʻplam raqamini ham yozing: <code>/retry 12</code>",
    done: (id, by) => `${id}-toʻplam qayta tayyorlanmoqda. Kim: ${by}.`,
  },
  status: {
    well: "Hammasi joyida.",
    ready: "Kabina bugungi birinchi mehmonini kutmoqda.",
    served: (n) => `Bugun ${n} mehmon stiker oldi.`,
    atKiosk: (n) => `Kiosk oldida: ${n} mehmon`,
    queue: (queued, first, drawn, onTheWay) =>
      `Navbat: ${queued} ta kutmoqda${first === null ? "" : `, birinchisi ${first}dan beri`} · ${drawn} ta chizilmoqda · ${onTheWay} ta yoʻlda`,
    pack: (id, guest, step, age) => `${id}-toʻplam, ${guest}: ${steps[step]}, ${age}`,
    today: (packs, failed, seconds) =>
      `Bugun: ${packs} ta toʻplam, chiqmagani ${failed} ta${seconds === null ? "" : `, odatda ${seconds} soniya`}`,
    money: (spent, limit) => `SI bugun: ${spent}${limit === null ? "" : `, limit ${limit}`}`,
    kiosks: (list) => `Kiosklar: ${list}`,
    leads: (count) => `Yoʻldagi soʻrovlar: ${count}`,
  },
  jobs: {
    none: "Hozir birorta toʻplam tayyorlanmayapti.",
    made: (count) => `<b>Tayyorlanmoqda: ${count}</b>`,
    waits: "kutmoqda",
    waitsFor: { telegram: "Telegramni kutmoqda", artist: "rassomlarni kutmoqda", retry: "qayta tayyorlanmoqda" },
    steps,
    more: (count) => `… va yana ${count} ta`,
    failed: "<b>Bugun chiqmaganlari</b>",
  },
  stats: {
    day: (day, hour) => `<b>${day}</b>, soat ${hour}:00 dan`,
    packs: (count, seconds) =>
      `${count} ta toʻplam${seconds === null ? "" : `, suratdan havolagacha odatda ${seconds} soniya`}`,
    ended: (failed, stopped, retakes) =>
      `chiqmagani ${failed} ta, toʻxtatilgani ${stopped} ta, qayta suratga tushirilgani ${retakes} ta`,
    guests: (guests, visits) => `${guests} mehmon, ${visits} ta tashrif`,
    busiest: (hour, packs) => `Eng band soat: ${hour}:00, ${packs} ta toʻplam`,
    stages: {
      started: (n) => `«Boshlash»ni bosdi: ${n}`,
      linked: (n) => `kodni skanerladi: ${n}`,
      consented: (n) => `rozi boʻldi: ${n}`,
      outfit: (n) => `obraz tanladi: ${n}`,
      photo: (n) => `suratga tushdi: ${n}`,
      delivered: (n) => `stiker oldi: ${n}`,
    },
  },
  costs: {
    today: (spent) => `<b>Bugun: ${spent}</b>`,
    of: (limit, percent) => `, limit ${limit} (${percent} %)`,
    noLimit: ", limitsiz",
    perPack: (sum) => `Bitta toʻplam: ${sum}`,
    line: (artist, purpose, sum, calls, failed) =>
      `${artist}, ${purposes[purpose]}: ${sum}, ${calls} ta murojaat${failed > 0 ? `, ${failed} tasi bekor ketdi` : ""}`,
    days: (days, sum, packs, each) =>
      `<b>${days} kun: ${sum}</b>, ${packs} ta toʻplam${each === null ? "" : `, har biri ${each}`}`,
    held: "Navbat pul kutmoqda: /budget buyrugʻi summa bilan bugungi limitni oshiradi.",
  },
  pause: {
    already: "Kabina allaqachon tanaffusda.",
    paused: (by, reason, left) =>
      `<b>Kabina tanaffusda</b>${because(reason)}. Kim: ${by}. Yangi mehmonlardan keyinroq kelish soʻraladi.${left === 0 ? "" : ` Boshlangan ${left} ta toʻplam oxiriga yetkaziladi.`}`,
    openAlready: "Kabina allaqachon ochiq.",
    opened: (by) => `<b>Kabina ochiq.</b> Kim: ${by}.`,
    open: "Kabinani ochish",
    pause: "Kabinani tanaffusga qoʻyish",
  },
  budget: {
    howTo: "Summani dollarda yozing: <code>/budget 30</code>; <code>/budget off</code> – bugun limitsiz.",
    ofNothing:
      "Nol byudjet «limitsiz» degani boʻlardi. Sarfni toʻxtatish uchun /pause bor; aks holda 0 dan katta summa yozing.",
    now: (spent, limit) => `SI bugun: ${spent} sarflandi, ${limit === null ? "limit yoʻq" : `limit ${limit}`}.`,
    setBy: (name) => ` Bugunga belgilandi. Kim: ${name}.`,
    noLimit: "<b>Bugun limitsiz.</b> Toʻplamlar qancha tursa ham chiziladi.",
    untilTomorrow: (usual) => (usual === null ? "" : ` Ertaga yana odatdagi limit, ${usual}.`),
    usualAgain: " Bu yana odatdagi limit.",
    usually: (limit, by) => `<b>Har kungi SI byudjeti: ${limit ?? "limitsiz"}.</b> Kim: ${by}.`,
  },
};
