/** English: the server's own words to the chat. */
import type { MachineTexts } from "../types.ts";

export const machine: MachineTexts = {
  unitFailed: (unit, how, meaning) =>
    `${unit} failed${how === null ? "" : ` (${how})`}.${meaning === null ? "" : ` ${meaning}`}\nLook: journalctl -u ${unit} -n 50. What to do: docs/RUNBOOK.md`,
  wrongSettings: "wrong settings",
  ended: (result, status) => `${result}, status ${status ?? "unknown"}`,
  meanings: {
    "sticker-api.service": "The kiosks, /admin and the landing's requests are down.",
    "sticker-bot.service": "Guests get no answers and no packs; what they did waits in the database.",
    "sticker-backup.service":
      "Tonight's backup was not made, or its copy off site failed; the older ones are untouched.",
    "sticker-backup-check.service": "The newest backup did not pass the restore drill.",
  },
  drillPassed: (backup, age, facts) =>
    `The restore drill passed: ${backup}, ${age} old, was restored aside, and the api answered ${facts} facts correctly on it.`,
};
