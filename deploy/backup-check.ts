/** `bun run backup:check [FILE]`: can the newest (or the named) backup be restored, and is it one of this database? */
import { checkBackup } from "../shared/backup/check.ts";
import { someOrExit } from "../shared/config.ts";
import { age, command } from "./command.ts";

const { DATA_DIR } = someOrExit(["DATA_DIR"]);

await command(async () => {
  const { path, manifest, ageMs, compared, faults } = await checkBackup(DATA_DIR, Date.now(), process.argv[2]);
  console.log(`${path}: ${age(ageMs)} old`);
  if (manifest) {
    console.log(`schema ${manifest.schema_version}, SHA-256 ${manifest.sha256}`);
    for (const [table, count] of Object.entries(manifest.rows)) console.log(`  ${table}: ${count}`);
  }
  if (!compared) console.log("there is no living database to compare it with");
  for (const fault of faults) console.error(fault);
  if (faults.length === 0) console.log("good");
  return faults.length === 0;
});
