/**
 * `bun run backup`: a proven copy of the database into DATA_DIR/backups, and off site where that is configured.
 * `--local` leaves the copy off site to the next night's.
 */

import { copyOffsite, hasOffsite, offsiteSettings } from "../shared/backup/offsite.ts";
import { takeBackup } from "../shared/backup/take.ts";
import { someOrExit } from "../shared/config.ts";
import { command, kilobytes } from "./command.ts";

const config = someOrExit(["DATA_DIR", ...offsiteSettings]);

await command(async () => {
  const made = await takeBackup(config.DATA_DIR, Date.now(), async ({ path, name }) => {
    console.log(`${path}: made and proven`);
    if (!hasOffsite(config) || process.argv.includes("--local")) return;
    await copyOffsite(config, path, name);
    console.log(`${config.BACKUP_S3_BUCKET}/${config.BACKUP_S3_PREFIX}${name}: copied and read back`);
  });
  const rows = Object.values(made.manifest.rows).reduce((sum, count) => sum + count, 0);
  console.log(
    `schema ${made.manifest.schema_version}, ${rows} rows, ${kilobytes(made.manifest.bytes)} packed into ${kilobytes(made.packedBytes)}`,
  );
  if (made.removed.length > 0) console.log(`removed the oldest: ${made.removed.join(", ")}`);
});
