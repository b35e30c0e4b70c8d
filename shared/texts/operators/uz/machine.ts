/** Uzbek: the server's own words to the chat. */
import type { MachineTexts } from "../types.ts";

export const machine: MachineTexts = {
  unitFailed: (unit, how, meaning) =>
    `${unit} ishdan chiqdi${how === null ? "" : ` (${how})`}.${meaning === null ? "" : ` ${meaning}`}\nQarang: journalctl -u ${unit} -n 50. Nima qilish kerak: docs/RUNBOOK.md`,
  wrongSettings: "sozlamalarda xato",
  ended: (result, status) => `${result}, holati ${status ?? "nomaʼlum"}`,
  meanings: {
    "sticker-api.service": "Kiosklar, /admin va saytdan soʻrovlar qabul qilish ishlamayapti.",
    "sticker-bot.service":
      "Mehmonlarga javob ham, toʻplam ham bormayapti; ularning barcha amallari maʼlumotlar bazasida kutmoqda.",
    "sticker-backup.service":
      "Bu kecha zaxira nusxa olinmadi yoki uni boshqa serverga yuborib boʻlmadi; avvalgi nusxalar joyida.",
    "sticker-backup-check.service": "Oxirgi zaxira nusxa tiklab koʻrish sinovidan oʻtmadi.",
  },
  drillPassed: (backup, age, facts) =>
    `Tiklab koʻrish sinovi muvaffaqiyatli oʻtdi: ${age} oldin olingan ${backup} nusxasi alohida joyda tiklandi va api unga oid ${facts} ta savolga toʻgʻri javob berdi.`,
};
