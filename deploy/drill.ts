/**
 * `bun deploy/drill.ts`: proves that the newest backup would bring the booth back. Checks it, restores it into a scratch
 * folder, starts the api there with delivery disabled, asks it for facts that the backup holds, and reports to the operators.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { checkBackup } from "../shared/backup-check.ts";
import { BackupError } from "../shared/backup-file.ts";
import { restoreBackup } from "../shared/backup-restore.ts";
import { configOrExit } from "../shared/config.ts";
import { databasePath } from "../shared/db.ts";
import { DRILL_LANG, type KnownFacts, knownFacts } from "../shared/drill.ts";
import { age, command } from "./command.ts";
import { askScratchApi, type ScratchApi, startScratchApi } from "./scratch-api.ts";
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
      asked = await askFacts(api, facts);
    } finally {
      await api.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const report = `The restore drill passed: ${basename(check.path)}, ${age(check.ageMs)} old, was restored aside, and the api answered ${asked} facts rightly on it.`;
  console.log(report);
  await tellOperators(config, `✅ ${report}`);
});

/** @returns how many facts were asked @throws BackupError naming what the api answered wrongly */
async function askFacts(api: ScratchApi, facts: KnownFacts): Promise<number> {
  const health = (await askScratchApi(api, "/health")) as { db: string; queue: Record<string, number> };
  expectSame("the database", health.db, "ok");
  for (const status of ["queued", "running", "delivering"] as const)
    expectSame(`jobs ${status}`, health.queue[status], facts.jobs[status] ?? 0);
  const outfits = (await askScratchApi(api, `/templates?lang=${DRILL_LANG}`)) as KnownFacts["outfits"];
  expectSame(
    "the outfits",
    outfits.map(({ id, title }) => ({ id, title })),
    facts.outfits,
  );
  if (!facts.visit) return 5;
  const { token, status, lang } = facts.visit;
  const visit = (await askScratchApi(api, `/session/${token}`)) as typeof facts.visit;
  expectSame(
    "the newest visit",
    { token: visit?.token, status: visit?.status, lang: visit?.lang },
    { token, status, lang },
  );
  return 6;
}

function expectSame(what: string, given: unknown, known: unknown) {
  if (JSON.stringify(given) === JSON.stringify(known)) return;
  throw new BackupError(`On the restored copy the api answers ${what} wrongly.`);
}
