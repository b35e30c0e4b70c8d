/**
 * `bun run backup:restore FILE`: brings a backup back in place of the database, which is kept aside.
 * `--offsite [NAME]` fetches it (or the newest) from the store first; `--dry-run` only says what would be done.
 */
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { findBackup, refuseSwapped, withUnpacked } from "../shared/backup/check.ts";
import { BackupError } from "../shared/backup/file.ts";
import { fetchOffsite, hasOffsite, offsiteSettings } from "../shared/backup/offsite.ts";
import { restoreBackup } from "../shared/backup/restore.ts";
import { someOrExit } from "../shared/config.ts";
import { databasePath } from "../shared/db.ts";
import { backupsDir, prepareFolders, syncFolder } from "../shared/files.ts";
import { command } from "./command.ts";

const config = someOrExit(["DATA_DIR", ...offsiteSettings]);
const options = process.argv.slice(2).filter((word) => word.startsWith("--"));
const [wanted] = process.argv.slice(2).filter((word) => !word.startsWith("--"));

await command(async () => {
  const unknown = options.find((option) => option !== "--offsite" && option !== "--dry-run");
  const offsite = options.includes("--offsite");
  if (unknown || (!wanted && !offsite))
    throw new BackupError("Say which: bun run backup:restore FILE, or bun run backup:restore --offsite [NAME].");
  if (offsite && !hasOffsite(config)) throw new BackupError("There is no store off site: set BACKUP_S3_BUCKET.");
  prepareFolders(config.DATA_DIR);
  const path = offsite ? await fetchProven() : findBackup(config.DATA_DIR, wanted);
  if (options.includes("--dry-run")) {
    const { name, made_at, schema_version } = await withUnpacked(config.DATA_DIR, path, () => {});
    console.log(
      `${name} of ${made_at} (schema ${schema_version}) is good; it would replace ${databasePath(config.DATA_DIR)}`,
    );
    return;
  }
  const { manifest, aside } = await restoreBackup(config.DATA_DIR, path, Date.now());
  console.log(`${databasePath(config.DATA_DIR)} is now ${manifest.name} of ${manifest.made_at}, proven`);
  if (aside) console.log(`the replaced database is kept as ${aside}: remove it once all is well`);
});

/** From the store into `backups/`, and only once it is proven: a bad copy must not take a good one's place there. */
async function fetchProven(): Promise<string> {
  const folder = mkdtempSync(join(backupsDir(config.DATA_DIR), ".check-"));
  try {
    const fetched = await fetchOffsite(config, folder, wanted);
    await withUnpacked(config.DATA_DIR, fetched, (_, manifest) => refuseSwapped(fetched, manifest));
    const path = join(backupsDir(config.DATA_DIR), basename(fetched));
    renameSync(fetched, path);
    syncFolder(backupsDir(config.DATA_DIR));
    return path;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
