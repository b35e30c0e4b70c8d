/** Russian: what is said in the operators' chat. */

import { because } from "../because.ts";
import type { ChatTexts } from "../types.ts";
import { form, gotStickers, guests, packs } from "./forms.ts";

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const purposes = { selfie: "проверка селфи", draw: "рисование", sheet: "проверка листа", tryout: "пробы" };
const steps = {
  selfie: "проверка селфи",
  draw: "рисование",
  check: "проверка листа",
  cut: "вырезание",
  pack: "создание набора",
  delivery: "доставка",
};

export const chat: ChatTexts = {
  commands: {
    status: "Как дела у будки и что делать",
    pause: "Не принимать новых гостей; можно добавить причину",
    resume: "Снова открыть будку",
    jobs: "Наборы в работе и неудавшиеся",
    retry: "Повторить неудавшийся набор по номеру",
    stats: "Сегодня в цифрах",
    costs: "Расходы на ИИ",
    budget: "Другой бюджет на ИИ на сегодня, в долларах",
  },
  anonymous: "анонимный администратор",
  elsewhere: "Это работает только в чате операторов.",
  onPage: (user) => `${user}, со страницы`,
  retry: {
    howTo: "Напишите и номер набора: <code>/retry 12</code>",
    done: (id, by) => `Повторяем набор ${id}. Кто: ${by}.`,
  },
  status: {
    well: "Всё в порядке.",
    ready: "Будка ждёт первого гостя за сегодня.",
    served: (n) => capital(gotStickers(n)),
    atKiosk: (n) => `У киоска: ${guests(n)}`,
    queue: (queued, first, drawn, onTheWay) =>
      `Очередь: ждёт ${queued}${first === null ? "" : `, первый уже ${first}`} · рисуется ${drawn} · в пути ${onTheWay}`,
    pack: (id, guest, step, age) => `набор ${id}, ${guest}: ${steps[step]}, ${age}`,
    today: (n, failed, seconds) =>
      `Сегодня: ${packs(n)}, не удалось ${failed}${seconds === null ? "" : `, обычно ${seconds} с`}`,
    money: (spent, limit) => `ИИ за сегодня: ${spent}${limit === null ? "" : ` из ${limit}`}`,
    kiosks: (list) => `Киоски: ${list}`,
    leads: (count) => `Заявок в пути: ${count}`,
  },
  jobs: {
    none: "Сейчас ни один набор не делается.",
    made: (count) => `<b>В работе: ${count}</b>`,
    waits: "ждёт",
    waitsFor: { telegram: "ждёт Telegram", artist: "ждёт художников", retry: "повтор после ошибки" },
    steps,
    more: (count) => `… и ещё ${count}`,
    failed: "<b>Не удались сегодня</b>",
  },
  stats: {
    day: (day, hour) => `<b>${day}</b>, с ${hour}:00`,
    packs: (n, seconds) => `${packs(n)}${seconds === null ? "" : `, обычно ${seconds} с от фото до ссылки`}`,
    ended: (failed, stopped, retakes) =>
      `не удалось ${failed}, остановлено ${stopped}, отправлено на пересъёмку ${retakes} фото`,
    guests: (n, visits) => `${guests(n)}, ${visits} ${form(visits, "визит", "визита", "визитов")}`,
    busiest: (hour, n) => `Самый занятый час: ${hour}:00, ${packs(n)}`,
    stages: {
      started: (n) => `нажали «Начать»: ${n}`,
      linked: (n) => `отсканировали код: ${n}`,
      consented: (n) => `согласились: ${n}`,
      outfit: (n) => `выбрали образ: ${n}`,
      photo: (n) => `сделали фото: ${n}`,
      delivered: (n) => `получили стикеры: ${n}`,
    },
  },
  costs: {
    today: (spent) => `<b>Сегодня: ${spent}</b>`,
    of: (limit, percent) => ` из ${limit} (${percent} %)`,
    noLimit: ", без лимита",
    perPack: (sum) => `Один набор: ${sum}`,
    line: (artist, purpose, sum, calls, failed) =>
      `${artist}, ${purposes[purpose]}: ${sum}, ${calls} ${form(calls, "запрос", "запроса", "запросов")}${failed > 0 ? `, впустую ${failed}` : ""}`,
    days: (days, sum, n, each) =>
      `<b>${days} ${form(days, "день", "дня", "дней")}: ${sum}</b>, ${packs(n)}${each === null ? "" : `, по ${each}`}`,
    held: "Очередь ждёт денег: /budget и сумма поднимут лимит на сегодня.",
  },
  pause: {
    already: "Будка уже на паузе.",
    paused: (by, reason, left) =>
      `<b>Будка на паузе</b>${because(reason)}. Кто: ${by}. Новых гостей просят подойти позже.${left === 0 ? "" : ` Начатое будет закончено: ${packs(left)}.`}`,
    openAlready: "Будка уже открыта.",
    opened: (by) => `<b>Будка открыта.</b> Кто: ${by}.`,
    open: "Открыть будку",
    pause: "Поставить будку на паузу",
  },
  budget: {
    howTo: "Напишите сумму в долларах: <code>/budget 30</code>; <code>/budget off</code> – сегодня без лимита.",
    ofNothing:
      "Нулевой бюджет означал бы «без лимита». Чтобы остановить расходы, есть /pause; иначе напишите сумму больше 0.",
    now: (spent, limit) => `ИИ сегодня: потрачено ${spent}, ${limit === null ? "лимита нет" : `лимит ${limit}`}.`,
    setBy: (name) => ` Задано на сегодня. Кто: ${name}.`,
    noLimit: "<b>Сегодня без лимита.</b> Наборы рисуются, сколько бы это ни стоило.",
    untilTomorrow: (usual) => (usual === null ? "" : ` Завтра снова обычный лимит, ${usual}.`),
    usualAgain: " Это снова обычный лимит.",
    usually: (limit, by) => `<b>Бюджет на ИИ на каждый день: ${limit ?? "без лимита"}.</b> Кто: ${by}.`,
  },
};
