/** Russian: what happened to a pack, and what the chat is told of by itself. */
import type { AlertTexts, StoryTexts } from "../types.ts";
import { form } from "./forms.ts";

const who = (name: string | null) => name ?? "Гость";

export const story: StoryTexts = {
  steps: {
    selfie: "Проверка селфи",
    draw: "Рисование",
    check: "Проверка листа",
    cut: "Вырезание",
    pack: "Набор в Telegram",
  },
  start: (kiosk) => `Нажали «Начать»${kiosk ? ` у киоска ${kiosk}` : ""}`,
  scanned: (name) => `${who(name)}: код отсканирован`,
  agreed: (name) => `${who(name)}: согласие на фото получено`,
  choseOutfit: (name) => `${who(name)}: образ выбран`,
  photo: "Пришло фото",
  askedAgain: (name) => `${who(name)}: попросили другое фото`,
  queued: "Набор встал в очередь",
  retried: (by) => `Повтор (${by})`,
  back: "Вернулся в очередь",
  slot: (slot) => `В работе: слот ${slot}`,
  awaited: "Набор в Telegram есть, ждём его страницу",
  delivered: "Доставлен",
  failed: "Не удался",
  stopped: (by) => `Остановлен (${by})`,
  pageShows: "Набор виден на своей странице",
  linked: "Гость получил ссылку",
  attempt: (n) => `попытка ${n}`,
  did: (artist, what) =>
    `${artist}: ${{ selfie: "посмотрел селфи", sheet: "посмотрел лист", draw: "нарисовал", tryout: "нарисовал" }[what]}`,
  didNot: (artist, outcome) =>
    `${artist}: не вышло (${{ refused: "отказ", empty: "пустой ответ", overloaded: "перегружен", broken: "не принимает запросы" }[outcome]})`,
};

export const alerts: AlertTexts = {
  retry: (pack) => `Повторить набор ${pack}`,
  together: (count, packs, latest) =>
    `С тех пор то же самое ещё ${count} ${form(count, "раз", "раза", "раз")}.${packs.length > 0 ? ` Наборы: ${packs.join(", ")}.` : ""} Последнее: ${latest}`,
  packsAgain: "Наборы снова получаются: один из начатых после сбоя уже у гостя.",
  answersAgain: (artist) => `${artist} снова отвечает.`,
  notYet: (who) => `Ещё нет: ${who}.`,
  pack: (id, parts) => `Набор ${id}${parts.length > 0 ? ` (${parts.join(", ")})` : ""}`,
  kiosk: (id) => `киоск ${id}`,
  failed: (pack, what, why, todo) => `${pack} не удался: ${what}${why ? ` (${why})` : ""}. Гостю сообщили. ${todo}`,
  metError: (pack, error) => `${pack}: случилась ошибка, пробуем снова: ${error}`,
  setGone: (pack) =>
    `Набора ${pack} больше нет в Telegram. Гостю сообщили. Повторите: готовые стикеры пойдут в дело снова.`,
  notDelivered: (what, pack, reason) =>
    `Telegram не принял ${what === "link" ? "ссылку на набор" : "первый стикер набора"} ${pack}: ${reason}`,
  broken: (artist, reason) => `${artist} отклоняет наши запросы: ${reason}. Проверьте ключ, имя модели и баланс.`,
  lockedOut:
    "Кто-то пять раз ввёл неверный пароль к /admin и заблокирован на 15 минут. Если это никто из вас, делать ничего не нужно; если повторяется, смените ADMIN_PASSWORD.",
};
