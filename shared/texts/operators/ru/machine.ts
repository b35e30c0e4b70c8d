/** Russian: the server's own words to the chat. */
import type { MachineTexts } from "../types.ts";
import { form } from "./forms.ts";

export const machine: MachineTexts = {
  unitFailed: (unit, how, meaning) =>
    `${unit}: сбой${how === null ? "" : ` (${how})`}.${meaning === null ? "" : ` ${meaning}`}\nПосмотрите: journalctl -u ${unit} -n 50. Что делать: docs/RUNBOOK.md`,
  wrongSettings: "ошибка в настройках",
  ended: (result, status) => `${result}, статус ${status ?? "неизвестен"}`,
  meanings: {
    "sticker-api.service": "Не работают киоски, /admin и приём заявок с сайта.",
    "sticker-bot.service": "Гости не получают ни ответов, ни наборов; всё, что они сделали, ждёт в базе данных.",
    "sticker-backup.service":
      "Этой ночью не создана резервная копия или не удалось отправить её на другой сервер; прежние копии целы.",
    "sticker-backup-check.service": "Последняя резервная копия не прошла проверку восстановлением.",
  },
  drillPassed: (backup, age, facts) =>
    `Проверка восстановлением пройдена: копия ${backup}, сделанная ${age} назад, развёрнута отдельно, и api верно ответил по ней на ${facts} ${form(facts, "вопрос", "вопроса", "вопросов")}.`,
};
