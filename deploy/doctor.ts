/** `bun run doctor`: can the booth open? A line for each thing that was looked at; exit 0 only when nothing fails. */
import { describe } from "../shared/errors.ts";
import { command } from "./command.ts";
import { checkBackups, checkDatabase } from "./doctor/database.ts";
import { about, type Check, type Finding, line } from "./doctor/finding.ts";
import { checkDisk, checkSecrets } from "./doctor/machine.ts";
import { checkProviders } from "./doctor/providers.ts";
import { checkPublic } from "./doctor/public.ts";
import { checkSettings, readSettings } from "./doctor/settings.ts";
import { checkTelegram } from "./doctor/telegram.ts";

await command(async () => {
  const found: Finding[] = [];
  const look = async (check: Check) => {
    const findings = await Promise.resolve()
      .then(check)
      .catch((error: unknown) => [
        about("doctor").fail(`a check broke off: ${describe(error)}`, "run it again, then ask its authors"),
      ]);
    for (const finding of findings) console.log(line(finding));
    found.push(...findings);
  };

  const config = readSettings(Bun.env);
  if (Array.isArray(config)) await look(() => config);
  else {
    await look(() => checkSettings(config));
    await look(() => checkSecrets());
    await look(() => checkDisk(config));
    await look(() => checkDatabase(config));
    await look(() => checkBackups(config, Date.now()));
    await look(() => checkTelegram(config));
    await look(() => checkProviders(config));
    await look(() => checkPublic(config));
  }
  const failures = found.filter(({ state }) => state === "fail").length;
  console.log(failures === 0 ? "The booth can open." : `The booth cannot open yet: ${failures} to mend.`);
  return failures === 0;
});
