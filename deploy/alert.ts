/** `bun deploy/alert.ts UNIT`: tells the operators that a unit failed. systemd starts it by OnFailure= and says how the unit ended. */
import { EX_CONFIG, someOrExit } from "../shared/config.ts";
import { langs } from "../shared/status.ts";
import { team } from "../shared/texts/operators/index.ts";
import type { UnitName } from "../shared/texts/operators/types.ts";
import { command } from "./command.ts";
import { tellOperators } from "./tell.ts";

const [unit = "a unit"] = process.argv.slice(2);

await command(async () => {
  // Only these: a fault in another setting, the team's language included, may be what the alert is about.
  const config = someOrExit(["BOT_TOKEN", "ADMIN_CHAT_ID", "TELEGRAM_API_ROOT"]);
  const texts = team(langs.find((lang) => lang === Bun.env.TEAM_LANG?.trim()) ?? "en").machine;
  const { MONITOR_SERVICE_RESULT: result, MONITOR_EXIT_STATUS: status = null } = process.env;
  const ended = result ? texts.ended(result, status) : null;
  const how = status === String(EX_CONFIG) ? texts.wrongSettings : ended;
  const meaning = Object.hasOwn(texts.meanings, unit) ? texts.meanings[unit as UnitName] : null;
  await tellOperators(config, `🔥 ${texts.unitFailed(unit, how, meaning)}`);
  console.log(`the operators were told that ${unit} failed`);
});
