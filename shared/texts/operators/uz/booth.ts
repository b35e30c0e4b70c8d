/** Uzbek: the booth as it is, and all that can be wrong with it. */

import { because } from "../because.ts";
import type { BoothTexts } from "../types.ts";

const another = "Mehmondan boshqa surat soʻraldi.";
const again = "Mehmon kioskda qaytadan boshlashi mumkin.";
const byItself = "Bot oʻzi qayta urinadi.";
const nothing = "Hech narsa qilish shart emas.";

export const booth: BoothTexts = {
  seconds: (n) => `${n} soniya`,
  minutes: (n) => `${n} daqiqa`,
  hours: (n) => `${n} soat`,
  guest: "mehmon",
  ready: "Hammasi joyida: kabina bugungi birinchi mehmonini kutmoqda.",
  noKioskYet: {
    what: "Kabina bugungi birinchi mehmonini kutmoqda, lekin hali bironta kiosk aloqada emas.",
    todo: "Planshetda kiosk sahifasini oching.",
  },
  served: (n) => `Hammasi joyida: bugun ${n} mehmon stiker oldi.`,
  nobody: "Hozir kabina oldida hech kim yoʻq.",
  nothingToDo: nothing,
  artists: {
    what: "Chizadigan rassom yoʻq: AI_PROVIDERS roʻyxatida kaliti bor birortasi ham yoʻq.",
    todo: "Serverda GEMINI_API_KEY yoki OPENAI_API_KEY qiymatini kiriting va ikkala xizmatni qayta ishga tushiring, aks holda birorta toʻplam chiqmaydi.",
    ending: "Rassom yana sozlandi.",
  },
  botDown: (ago, paused) => ({
    what: `Bot ishlamayapti. ${ago === null ? "U hali biror marta ishga tushmagan." : `Oxirgi marta ${ago} oldin ishlagan.`}`,
    todo: `Serverda: systemctl restart sticker-bot.${paused ? "" : " Ungacha kabinani tanaffusga qoʻying."}`,
    ending: "",
  }),
  deaf: (silentFor) => ({
    what: `Telegram ${silentFor === null ? "bot ishga tushganidan" : `${silentFor}dan`} beri javob bermayapti: mehmonlar boshlay olmaydi, hech narsa yetkazilmaydi.`,
    todo: "Server tarmogʻini tekshiring. Shu botdan boshqa dastur ham foydalanayotgan boʻlsa, uni toʻxtating.",
    ending: "Telegram yana javob beryapti.",
  }),
  loop: (name, error) => ({
    what: `Botning «${name}» qismi ${error === null ? "toʻxtab qolgan." : `ishlamayapti: ${error}`}`,
    todo: "Serverda bot jurnaliga qarang (journalctl -u sticker-bot); oʻzi tuzalmasa, sticker-bot xizmatini qayta ishga tushiring.",
    ending: `Botning «${name}» qismi yana ishlayapti.`,
  }),
  budgetUsed: (limit, queued) => ({
    what: `Bugungi SI byudjeti (${limit}) tugadi: hech narsa chizilmayapti.${queued > 0 ? ` Navbatda ${queued} ta toʻplam kutmoqda.` : ""}`,
    todo: "Bugungi limitni oshiring: operatorlar sahifasidagi tugma bilan yoki Telegramda /budget buyrugʻiga summa qoʻshib.",
    ending: "Bugunga yana pul bor: navbat davom etmoqda.",
  }),
  budgetWarning: (percent, spent, limit) => ({
    what: `Bugungi SI byudjetining ${percent} foizi sarflandi: ${spent}, limit ${limit}.`,
    todo: "100 foizga yetganda navbat toʻxtaydi. Tadbir uzoq davom etsa, bugungi limitni oshiring.",
    ending: "",
  }),
  queue: (count, first) => ({
    what: `Mehmonlar uzoq kutyapti: navbatda ${count} ta toʻplam, birinchisi ${first}dan beri kutmoqda.`,
    todo: "«Toʻplamlar»ga qarang: rassomlar sekinmi yoki javob bermayaptimi? Navbat qisqarguncha kabinani tanaffusga qoʻying.",
    ending: "Navbat yana qisqa.",
  }),
  waiting: (what, count, { pack, guest, tries }) => {
    const whom = {
      telegram: "Telegramni kutmoqda",
      artist: "rassomlarni kutmoqda",
      retry: "xatodan keyin qayta tayyorlanmoqda",
    }[what];
    return {
      what:
        count === 1
          ? `${pack}-toʻplam (${guest}) ${whom}, ${tries}.`
          : `${count} ta toʻplam ${whom}; birinchisi ${pack}-toʻplam (${guest}): ${tries}.`,
      todo: {
        telegram: `${byItself} Mehmonga biroz koʻproq vaqt ketishini ayting. Shunday davom etsa, server tarmogʻini tekshiring.`,
        artist: "Bot ulardan oʻzi qayta soʻraydi. Shunday davom etsa, kalitlar, balans va tarmoqni tekshiring.",
        retry:
          "Hozircha hech narsa qilish shart emas. Takrorlansa, serverda bot jurnaliga qarang (journalctl -u sticker-bot).",
      }[what],
      ending: {
        telegram: "Endi hech bir toʻplam Telegramni kutmayapti.",
        artist: "Endi hech bir toʻplam rassomlarni kutmayapti.",
        retry: "Xatoda qolib ketgan toʻplam endi yoʻq.",
      }[what],
    };
  },
  tries: (attempt, next) => `${attempt}-urinish ${next === null ? "hozir" : `${next}dan keyin`}`,
  slow: (count, { pack, guest, age }) => ({
    what:
      count === 1
        ? `${pack}-toʻplam (${guest}) ${age}dan beri tayyorlanmoqda.`
        : `${count} ta toʻplam uzoq tayyorlanmoqda; birinchisi, ${pack}-toʻplam (${guest}), ${age}dan beri.`,
    todo: "«Toʻplamlar»da uning tarixini oching: qaysi qadam choʻzilayotgani koʻrinadi.",
    ending: "Endi hech bir toʻplam choʻzilmayapti.",
  }),
  chatPhotos: (count) => ({
    what: `${count === 1 ? "Mehmon chatga yuborgan suratni" : `Mehmonlar chatga yuborgan ${count} ta suratni`} Telegramdan hozircha olib boʻlmayapti.`,
    todo: "Bot yana bir necha marta urinadi, keyin mehmondan suratni qayta yuborishni soʻraydi.",
    ending: "",
  }),
  noStickers: (name, pack, why) => ({
    what: `Stikersiz qoldi: ${name ?? "bir mehmon"} (${pack}-toʻplam). Sababi: ${why ?? "chiqmadi"}.`,
    todo: "",
  }),
  manyFailed: (count, most) => ({
    what: `Bugun ${count} mehmon stikersiz qoldi${most ? ", bu stiker olganlardan koʻproq" : ""}.`,
    todo: "«Toʻplamlar»ni oching, sababini koʻring va takrorlang.",
  }),
  paused: (reason) => ({
    what: `Kabina tanaffusda${because(reason)}. Yangi mehmonlardan keyinroq kelish soʻralmoqda.`,
    todo: "Tayyor boʻlganingizda oching: operatorlar sahifasidagi tugma bilan yoki Telegramda /resume buyrugʻi bilan.",
  }),
  kiosksSilent: (count) => ({
    what: `Kiosklarning hammasi jim, ular ${count} ta.`,
    todo: "Zaldagi tarmoq uzilganmi yoki serverdagi api ishlamayaptimi? Kiosk manzilini telefoningizda ochib koʻring.",
    ending: "Kiosklar yana aloqada.",
  }),
  kioskSilent: (id, silentFor) => ({
    what: `${id} kioski ${silentFor}dan beri jim.`,
    todo: "Oldiga boring: planshet yoqilganmi, interneti bormi? Uni yigʻib qoʻygan boʻlsangiz, operatorlar sahifasida («Hozir») roʻyxatdan olib tashlang.",
    ending: `${id} kioski yana aloqada.`,
  }),
  names: (names, more) => `${names.join(", ")}${more > 0 ? ` va yana ${more} ta` : ""}`,
  many: {
    silent: (count, who) => ({
      what: `${count} ta kiosk jim: ${who}.`,
      todo: "Oldiga boring: planshetlar yoqilganmi, interneti bormi? Yigʻib qoʻyganlaringizni operatorlar sahifasida («Hozir») roʻyxatdan olib tashlang.",
      ending: "Kiosklar yana aloqada.",
    }),
    camera: (count, who) => ({
      what: `${count} ta kiosk kameradan tasvir olmayapti: ${who}.`,
      todo: "Oldiga boring: kameraga ruxsat bering, boshqa ilovalarni yoping yoki sahifani yangilang. Ungacha mehmonlar selfini chatga yuborishi mumkin.",
      ending: "Kiosklarning kameralari yana ishlayapti.",
    }),
    battery: (count, who) => ({
      what: `${count} ta kioskda quvvat kam qoldi va ular quvvatlanmayapti: ${who}.`,
      todo: "Ularni quvvatga ulang.",
      ending: "",
    }),
    awake: (count, who) => ({
      what: `${count} ta kioskning ekrani oʻchib qolishi mumkin: ${who}.`,
      todo: "Bu planshetlarda ekranning avtomatik oʻchishini bekor qiling.",
      ending: "",
    }),
  },
  camera: (id, state) => ({
    what: `${id} kioski kameradan tasvir olmayapti (${state}).`,
    todo: "Oldiga boring: kameraga ruxsat bering, boshqa ilovalarni yoping yoki sahifani yangilang. Ungacha mehmonlar selfini chatga yuborishi mumkin.",
    ending: `${id} kioskining kamerasi yana ishlayapti.`,
  }),
  battery: (id, percent) => ({
    what: `${id} kioskida ${percent} % quvvat qoldi va u quvvatlanmayapti.`,
    todo: "Uni quvvatga ulang.",
    ending: "",
  }),
  awake: (id) => ({
    what: `${id} kioskining ekrani oʻchib qolishi mumkin.`,
    todo: "Planshetda ekranning avtomatik oʻchishini bekor qiling.",
    ending: "",
  }),
  messages: (count, first) => ({
    what: `Telegramga yuborilmagan ${count} ta xabar bor, birinchisi ${first}dan beri kutmoqda.`,
    todo: `${byItself} Shunday davom etsa, serverda bot jurnaliga qarang (journalctl -u sticker-bot).`,
    ending: "",
  }),
  leads: (count, first, hasGroup) => ({
    what: `Savdo guruhiga yetib bormagan ${count} ta soʻrov bor, birinchisi ${first}dan beri kutmoqda.`,
    todo: hasGroup
      ? "Ular saqlangan va «Soʻrovlar»da koʻrinadi. Bot savdo guruhiga yoza olishini tekshiring."
      : "Ular saqlangan va «Soʻrovlar»da koʻrinadi. Guruhga borishi uchun serverda LEADS_CHAT_ID qiymatini kiriting.",
    ending: "",
  }),
  disk: (megabytes) => ({
    what: `Server diski deyarli toʻldi: ${megabytes} MB qoldi.`,
    todo: "Serverda joy boʻshating: aks holda suratlarni saqlab boʻlmaydi.",
    ending: "Server diskida yana joy bor.",
  }),
  backup: (age) => ({
    what: age === null ? "Hali zaxira nusxa yoʻq." : `Oxirgi zaxira nusxa ${age} oldin olingan.`,
    todo: "Serverda sticker-backup xizmatiga qarang yoki shu yerda bajaring: booth backup.",
    ending: "Yana yangi zaxira nusxa bor.",
  }),
  cameras: {
    blocked: "ruxsat yoʻq",
    busy: "band",
    missing: "topilmadi",
    frozen: "qotib qolgan",
    black: "tasvir qora",
    error: "buzilgan",
  },
  problems: {
    refused: {
      what: "rassomning xavfsizlik qoidalari suratni oʻtkazmadi",
      todo: "Mehmondan boshqa surat soʻrang: takrorlansa ham rad etiladi.",
    },
    bad_sheet: { what: "ketma-ket uchta rasm yomon chiqdi", todo: "Takrorlang: qaytadan chiziladi." },
    providers_down: {
      what: "birorta rassom javob bermadi",
      todo: "Kalitlar, balans va tarmoqni tekshiring, keyin takrorlang.",
    },
    worker_died: {
      what: "bizda ketma-ket xato yoki nosozlik yuz berdi",
      todo: "Bir marta takrorlang: oxirgi tayyor qadamdan davom etadi. Yana chiqmasa, mehmondan boshqa surat soʻrang va serverda bot jurnaliga qarang (journalctl -u sticker-bot).",
    },
    pack_refused: {
      what: "Telegram stikerlar toʻplamini qabul qilmadi",
      todo: "Takrorlang: tayyor stikerlar yana ishlatiladi.",
    },
    photo_gone: { what: "surat endi diskda yoʻq", todo: "Mehmon kioskka yana kelishi kerak." },
    cancelled: { what: "uni operator toʻxtatdi", todo: again },
    erased: { what: "mehmon maʼlumotlarini oʻchirdi", todo: nothing },
    no_face: { what: "selfida yuz topilmadi", todo: another },
    many_faces: { what: "selfida bir necha kishi bor", todo: another },
    too_dark: { what: "selfi juda qorongʻi", todo: `${another} Kiosk oldida yorugʻlik yetarlimi?` },
    blurred: { what: "selfi xira chiqqan", todo: `${another} Kamera tozami?` },
    face_hidden: { what: "yuz yopilgan", todo: another },
    not_a_photo: { what: "suratda odam yoʻq", todo: another },
    timeout: { what: "tashrif vaqti tugadi", todo: again },
    reset: { what: "tashrif kioskda tugatildi yoki yangisi boshlandi", todo: again },
    declined: { what: "mehmon suratga rozi boʻlmadi", todo: nothing },
    pack_limit: {
      what: "mehmon bugungi toʻplamlarining hammasini olgan",
      todo: "Koʻprogʻiga ruxsat berish uchun «Sozlamalar»da PACK_LIMIT qiymatini oshiring.",
    },
    stopped: { what: "bu orada bot toʻxtatilgan", todo: "Oʻzi davom etadi." },
    error: { what: "bir qadamda xato yuz berdi", todo: byItself },
    telegram_busy: { what: "Telegram band edi", todo: byItself },
    telegram_silent: { what: "Telegram javob bermadi", todo: byItself },
  },
  outcomes: {
    wrong_count: "stikerlar soni notoʻgʻri",
    cropped: "stiker kesilib qolgan",
    distorted: "rasm buzilgan",
    text_garbage: "oʻqib boʻlmaydigan yozuv",
    other: "boshqa kamchilik",
    weak_key: "fon yaxshi ajralmaydi",
    touching_unsure: "stikerlar bir-biriga tegib turibdi",
    floating_unsure: "alohida boʻlak qaysi stikerniki, nomaʼlum",
    empty_file: "fayl boʻsh",
    not_an_image: "bu rasm emas",
    truncated: "rasm chala",
    animated: "bu animatsiya",
    too_small: "varaq juda kichik",
    too_large: "varaq juda katta",
    no_key: "tekis fon yoʻq",
    checkerboard: "fon katakli",
    no_stickers: "varaqda stiker yoʻq",
    cutter_failed: "qirqish chiqmadi",
    unchecked: "tekshirilmagan",
    gone: "fayl yoʻqolgan",
    found: "tayyori topildi",
    created: "yaratildi",
    budget_used: "bugungi SI byudjeti tugagan",
    restarted: "bot qayta ishga tushirilgan",
    uncuttable: "qirqib boʻlmaydi",
  },
};
