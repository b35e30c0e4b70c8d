/**
 * `bun deploy/drill.ts`: proves that the newest backup would bring the booth back. Checks it, restores it into a scratch
 * folder, starts the api there with delivery disabled, asks it for facts that the backup holds, and reports to the operators.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { checkBackup } from "../shared/backup/check.ts";
import { BackupError } from "../shared/backup/file.ts";
import { restoreBackup } from "../shared/backup/restore.ts";
import { configOrExit } from "../shared/config.ts";
import { databasePath } from "../shared/db.ts";
import { knownFacts } from "../shared/drill.ts";
import type { Lang } from "../shared/status.ts";
import { team } from "../shared/texts/operators/index.ts";
import { age, command } from "./command.ts";
import { askKnownFacts, startScratchApi } from "./scratch-api.ts";
import { tellOperators } from "./tell.ts";

const config = configOrExit();

await command(async () => {
  const check = await checkBackup(config.DATA_DIR, Date.now());
  if (check.faults.length > 0) throw new BackupError(check.faults.join(" "));
  const folder = mkdtempSync(join(tmpdir(), "booth-drill-"));
  let asked: number;
  try {
    await restoreBackup(folder, check.path, Date.now());
    // Before the api opens it: a newer release migrates the copy, the facts must survive that too.
    const facts = knownFacts(databasePath(folder));
    const api = await startScratchApi(folder, Bun.env);
    try {
      asked = await askKnownFacts(api, facts);
    } finally {
      await api.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const report = (lang: Lang) => team(lang).machine.drillPassed(basename(check.path), age(check.ageMs, lang), asked);
  console.log(report("en"));
  await tellOperators(config, `✅ ${report(config.TEAM_LANG)}`);
});
