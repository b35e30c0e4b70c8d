/** Uzbek: what happened to a pack, and what the chat is told of by itself. */
import type { AlertTexts, StoryTexts } from "../types.ts";

const who = (name: string | null) => name ?? "Mehmon";

export const story: StoryTexts = {
  steps: {
    selfie: "Selfi tekshiruvi",
    draw: "Chizish",
    check: "Varaq tekshiruvi",
    cut: "Qirqish",
    pack: "Telegramdagi toʻplam",
  },
  start: (kiosk) => `«Boshlash» bosildi${kiosk ? `: ${kiosk} kioski` : ""}`,
  scanned: (name) => `${who(name)} kodni skanerladi`,
  agreed: (name) => `${who(name)} suratga rozi boʻldi`,
  choseOutfit: (name) => `${who(name)} obraz tanladi`,
  photo: "Surat keldi",
  askedAgain: (name) => `Boshqa surat soʻraldi: ${who(name)}`,
  queued: "Toʻplam navbatga turdi",
  retried: (by) => `Qayta urinish (${by})`,
  back: "Navbatga qaytdi",
  slot: (slot) => `Tayyorlanmoqda: ${slot}-oʻrin`,
  awaited: "Telegramda toʻplam bor, sahifasi kutilmoqda",
  delivered: "Yetkazildi",
  failed: "Chiqmadi",
  stopped: (by) => `Toʻxtatildi (${by})`,
  pageShows: "Toʻplam oʻz sahifasida koʻrindi",
  linked: "Mehmon havolani oldi",
  attempt: (n) => `${n}-urinish`,
  did: (artist, what) =>
    `${artist} ${{ selfie: "selfini koʻrdi", sheet: "varaqni koʻrdi", draw: "chizdi", tryout: "chizdi" }[what]}`,
  didNot: (artist, outcome) =>
    `${artist}: natija yoʻq (${{ refused: "rad etdi", empty: "javobi boʻsh", overloaded: "band", broken: "murojaatni qabul qilmaydi" }[outcome]})`,
};

export const alerts: AlertTexts = {
  retry: (pack) => `${pack}-toʻplamni takrorlash`,
  together: (count, packs, latest) =>
    `Shundan beri xuddi shu yana ${count} marta takrorlandi.${packs.length > 0 ? ` Toʻplamlar: ${packs.join(", ")}.` : ""} Oxirgisi: ${latest}`,
  packsAgain: "Toʻplamlar yana chiqyapti: xatodan keyin boshlangan bittasi mehmonga yetib bordi.",
  answersAgain: (artist) => `${artist} yana javob beryapti.`,
  notYet: (who) => `Hali emas: ${who}.`,
  pack: (id, parts) => `${id}-toʻplam${parts.length > 0 ? ` (${parts.join(", ")})` : ""}`,
  kiosk: (id) => `${id} kioski`,
  failed: (pack, what, why, todo) => `${pack} chiqmadi: ${what}${why ? ` (${why})` : ""}. Mehmonga aytildi. ${todo}`,
  metError: (pack, error) => `${pack}: xato yuz berdi, qayta tayyorlanmoqda: ${error}`,
  setGone: (pack) =>
    `Telegramda ${pack}-toʻplam endi yoʻq. Mehmonga aytildi. Takrorlang: tayyor stikerlar yana ishlatiladi.`,
  notDelivered: (what, pack, reason) =>
    `Telegram ${what === "link" ? `${pack}-toʻplam havolasini` : `${pack}-toʻplamning birinchi stikerini`} qabul qilmadi: ${reason}`,
  broken: (artist, reason) =>
    `${artist} murojaatlarimizni rad etyapti: ${reason}. Kalitini, model nomini va balansini tekshiring.`,
  lockedOut:
    "Kimdir /admin uchun besh marta notoʻgʻri parol kiritdi va 15 daqiqaga toʻsib qoʻyildi. Bu orangizdan hech kim boʻlmasa, hech narsa qilish shart emas; takrorlansa, ADMIN_PASSWORD qiymatini almashtiring.",
};
