/** Russian: what the audit log says happened. */

import { because } from "../because.ts";
import type { AuditTexts } from "../types.ts";

const limit = (usd: string | null) => usd ?? "без лимита";

export const audit: AuditTexts = {
  paused: (reason) => `Будка поставлена на паузу${because(reason)}.`,
  opened: "Будка снова открыта.",
  budget: (before, after) => `Изменён бюджет на ИИ на сегодня: было ${limit(before)}, стало ${limit(after)}.`,
  settings: (changes) =>
    `Изменены настройки: ${changes.map(([name, before, after]) => `${name} (было ${before}, стало ${after})`).join(", ")}.`,
  usualValue: "значение сервера",
  retry: (pack) => `Набор ${pack} отправлен на повтор.`,
  cancel: (pack) => `Набор ${pack} остановлен.`,
  lead: (number, before, after) => `Заявка ${number}: была «${before}», стала «${after}».`,
  outfitAdded: (id) => `Добавлен образ «${id}».`,
  outfitChanged: (id, fields) => `Изменён образ «${id}»: ${fields.join(", ")}.`,
  outfitSwitched: (id, on) => `Образ «${id}» ${on ? "показан" : "скрыт"}.`,
  outfitDeleted: (id) => `Удалён образ «${id}».`,
  outfitsOrdered: "Изменён порядок образов.",
  look: (fields) => `Изменён вид киосков: ${fields.join(", ")}.`,
  kioskRemoved: (id) => `Киоск ${id} убран из списка.`,
  tryout: (outfit) => `Образ «${outfit}» опробован на фото.`,
  on: "показан",
  off: "скрыт",
  isThere: "есть",
  fields: {
    title_ru: "русское название",
    title_uz: "узбекское название",
    title_en: "английское название",
    prompt: "описание для художника",
    colours: "цвета",
    image: "картинка",
    enabled: "на киоске",
    name: "название события",
    welcome_ru: "русское приветствие",
    welcome_uz: "узбекское приветствие",
    welcome_en: "английское приветствие",
    logo: "логотип",
    background: "фон",
    pin: "PIN",
  },
};
