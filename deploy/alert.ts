/** `bun deploy/alert.ts UNIT`: tells the operators that a unit failed. systemd starts it by OnFailure= and says how the unit ended. */
import { EX_CONFIG, someOrExit } from "../shared/config.ts";
import { command } from "./command.ts";
import { tellOperators } from "./tell.ts";

const MEANINGS: Record<string, string> = {
  "sticker-api.service": "The kiosks, /admin and the landing's requests are down.",
  "sticker-bot.service": "Guests get no answers and no packs; what they did waits in the database.",
  "sticker-backup.service": "Tonight's backup was not made, or its copy off site failed; the older ones are untouched.",
  "sticker-backup-check.service": "The newest backup did not pass the restore drill.",
};

const [unit = "a unit"] = process.argv.slice(2);

await command(async () => {
  // Only these: a fault in another setting may be what the alert is about.
  const config = someOrExit(["BOT_TOKEN", "ADMIN_CHAT_ID", "TELEGRAM_API_ROOT"]);
  const { MONITOR_SERVICE_RESULT: result, MONITOR_EXIT_STATUS: status } = process.env;
  const how =
    status === String(EX_CONFIG) ? " (wrong settings)" : result ? ` (${result}, status ${status ?? "unknown"})` : "";
  await tellOperators(
    config,
    `🔥 ${unit} failed${how}. ${MEANINGS[unit] ?? ""}\nLook: journalctl -u ${unit} -n 50. What to do: docs/RUNBOOK.md`,
  );
  console.log(`the operators were told that ${unit} failed`);
});
