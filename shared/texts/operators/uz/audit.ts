/** Uzbek: what the audit log says happened. */

import { because } from "../because.ts";
import type { AuditTexts } from "../types.ts";

const limit = (usd: string | null) => usd ?? "limitsiz";

export const audit: AuditTexts = {
  paused: (reason) => `Kabina tanaffusga qoʻyildi${because(reason)}.`,
  opened: "Kabina yana ochildi.",
  budget: (before, after) => `Bugungi SI byudjeti oʻzgardi: avval ${limit(before)}, endi ${limit(after)}.`,
  settings: (changes) =>
    `Sozlamalar oʻzgardi: ${changes.map(([name, before, after]) => `${name} (avval ${before}, endi ${after})`).join(", ")}.`,
  usualValue: "serverdagi qiymat",
  retry: (pack) => `${pack}-toʻplam takrorlashga qoʻyildi.`,
  cancel: (pack) => `${pack}-toʻplam toʻxtatildi.`,
  lead: (number, before, after) => `${number}-soʻrov: avval «${before}», endi «${after}».`,
  outfitAdded: (id) => `«${id}» obrazi qoʻshildi.`,
  outfitChanged: (id, fields) => `«${id}» obrazi oʻzgardi: ${fields.join(", ")}.`,
  outfitSwitched: (id, on) => `«${id}» obrazi ${on ? "koʻrsatildi" : "yashirildi"}.`,
  outfitDeleted: (id) => `«${id}» obrazi oʻchirildi.`,
  outfitsOrdered: "Obrazlar tartibi oʻzgardi.",
  look: (fields) => `Kiosklar koʻrinishi oʻzgardi: ${fields.join(", ")}.`,
  kioskRemoved: (id) => `${id} kioski roʻyxatdan olib tashlandi.`,
  tryout: (outfit) => `«${outfit}» obrazi suratda sinab koʻrildi.`,
  on: "koʻrsatilgan",
  off: "yashirin",
  isThere: "bor",
  fields: {
    title_ru: "ruscha nomi",
    title_uz: "oʻzbekcha nomi",
    title_en: "inglizcha nomi",
    prompt: "rassom uchun tavsif",
    colours: "ranglar",
    image: "rasm",
    enabled: "kioskda",
    name: "tadbir nomi",
    welcome_ru: "ruscha salomlashuv",
    welcome_uz: "oʻzbekcha salomlashuv",
    welcome_en: "inglizcha salomlashuv",
    logo: "logotip",
    background: "fon",
    pin: "PIN",
  },
};
