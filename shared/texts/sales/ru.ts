/** Russian for the sales people. */
import { dayIn, momentIn } from "./dates.ts";
import type { SalesTexts, Who } from "./types.ts";

const rules = new Intl.PluralRules("ru");
/** The form of a noun after a whole number: 1 заявка, 2 заявки, 5 заявок. */
function form(count: number, one: string, few: string, many: string): string {
  const rule = rules.select(count);
  return rule === "one" ? one : rule === "few" ? few : many;
}
const number = (count: number) => count.toLocaleString("ru");

const day = dayIn("ru");
const done = {
  new: "возвращена в новые",
  in_progress: "взята",
  won: "закрыта как сделка",
  lost: "закрыта как отказ",
  spam: "отмечена как спам",
};
const by = (who: Who) => (who === null ? "." : who === "you" ? " вами." : `. Кто: ${who.name}.`);
const deals = (count: number) => `${number(count)} ${form(count, "сделка", "сделки", "сделок")}`;

export const ru: SalesTexts = {
  lead: (n) => `Заявка ${n}`,
  statuses: { new: "новая", in_progress: "в работе", won: "сделка", lost: "отказ", spam: "спам" },
  counted: (count, status) =>
    ({
      new: `${number(count)} ${form(count, "новая", "новые", "новых")}`,
      in_progress: `${number(count)} в работе`,
      won: deals(count),
      lost: `${number(count)} ${form(count, "отказ", "отказа", "отказов")}`,
      spam: `${number(count)} в спаме`,
    })[status],
  actions: { take: "🙋 Взять", won: "✅ Сделка", lost: "❌ Отказ", spam: "🚫 Спам", reopen: "↩️ Вернуть" },
  events: { wedding: "Свадьба", birthday: "День рождения", corporate: "Корпоратив", other: "Другое событие" },
  langs: { ru: "Русский", uz: "Узбекский", en: "Английский" },
  guests: (count) => `${number(count)} ${form(count, "гость", "гостя", "гостей")}`,
  erased: "(удалено)",
  erasedOn: (date) => `Контактные данные удалены: ${day(date)}`,
  day,
  moment: momentIn("ru"),
  units: { minutes: "мин", hours: "ч", days: "д" },
  press: {
    mine: (n) => `Заявка ${n} теперь ваша.`,
    moved: (n, status) =>
      ({
        new: `Заявка ${n} снова новая.`,
        in_progress: `Заявка ${n} теперь в работе.`,
        won: `Заявка ${n} закрыта: сделка.`,
        lost: `Заявка ${n} закрыта: отказ.`,
        spam: `Заявка ${n} отмечена как спам.`,
      })[status],
    takeFirst: (n) => `Заявка ${n} новая: сначала возьмите её.`,
    already: (n, status, who) => `Заявка ${n} уже ${done[status]}${by(who)}`,
    elsewhere: "Это работает только в группе продаж.",
  },
  unknown: (n) => `Заявки ${n} нет.`,
  askNumber: "Напишите и номер: <code>/lead 12</code>",
  commands: { leads: "Заявки, которые ждут", lead: "Заявка по номеру", stats: "Статистика" },
  open: {
    none: "Открытых заявок нет. 🎉",
    title: "Открытые заявки",
    counts: (fresh, inProgress) => `новых – ${number(fresh)}, в работе – ${number(inProgress)}`,
  },
  more: (count) => `… и ещё ${number(count)}`,
  history: { title: "что было", requested: "заявка пришла" },
  stats: {
    title: "Заявки",
    conversion: "Конверсия",
    ended: (won, ended, percent) =>
      `${deals(won)} из ${number(ended)} ${form(ended, "закрытой", "закрытых", "закрытых")}, ${percent} %`,
    nothingEnded: "пока ничего не закрыто",
    median: "До взятия в работу (медиана)",
    nothingTaken: "пока ни одну не взяли",
    thisWeek: "На этой неделе",
    lastWeekByNow: "На прошлой к этому времени",
    lastWeek: "всего",
    sources: "По источникам",
    source: { direct: "без метки", other: "другое" },
  },
  digest: {
    yesterday: "Заявки за вчера",
    none: "не было",
    nothingWaits: "Открытых заявок нет.",
    waiting: "Никто не взял",
    inProgress: "В работе",
  },
  reminder: (count) =>
    count === 1
      ? "Эту заявку никто не взял"
      : `Никто не взял ${number(count)} ${form(count, "заявку", "заявки", "заявок")}`,
  alerts: {
    thrownOut: (waiting) => `Бота удалили из группы продаж. Заявок ждёт: ${waiting}.`,
    forbidden: (reason, waiting) => `Бот не может писать в группу продаж (${reason}). Заявок ждёт: ${waiting}.`,
    failing: (reason, waiting) => `Заявки не доходят до группы продаж (${reason}). Ждёт: ${waiting}.`,
    refused: (n, reason, waiting) => `Telegram не принимает карточку заявки ${n} (${reason}). Заявок ждёт: ${waiting}.`,
    remedy: {
      failing: "Бот пробует снова сам. Если это не проходит, загляните в его журнал.",
      refused:
        "Бот будет пробовать снова, а следующие карточки идут дальше. Загляните в его журнал и откройте заявку командой /lead.",
      out: "Добавьте бота в группу продаж и разрешите ему писать или исправьте LEADS_CHAT_ID. Карточки подождут и придут.",
    },
    flows: "Заявки снова доходят до группы продаж.",
    lockout:
      "Кто-то пять раз прислал в POST /leads неверный секрет и заблокирован на 15 минут. Если это ваш лендинг, задайте один и тот же LEADS_SECRET с обеих сторон.",
    flood:
      "Один посетитель засыпает форму заявками: больше 5 за 10 минут. Остальные не принимаются. Об этом мы пишем раз в час.",
  },
};
