/** The database and its backups. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { checkBackup } from "../../shared/backup/check.ts";
import { factsOf, provenFacts } from "../../shared/backup/database.ts";
import { BackupError } from "../../shared/backup/file.ts";
import { BACKUP_COMMAND, BACKUP_MAX_AGE_MS, listBackups } from "../../shared/backup/list.ts";
import type { Config } from "../../shared/config.ts";
import { databasePath } from "../../shared/db.ts";
import { describe } from "../../shared/errors.ts";
import { migrations } from "../../shared/migrations/index.ts";
import { age } from "../command.ts";
import { about, type Finding } from "./finding.ts";

const newest = migrations.at(-1)?.version ?? 0;

export function checkDatabase({ DATA_DIR }: Pick<Config, "DATA_DIR">): Finding[] {
  const { ok, warn, fail } = about("database");
  const path = databasePath(DATA_DIR);
  if (!existsSync(path)) return [warn("there is none yet", "the first start of the api or the bot makes it")];
  try {
    const { schema_version: found } = factsOf(path);
    if (found > newest)
      return [fail(`its schema ${found} is newer than this release's ${newest}`, "start the newer release")];
    const rows = Object.values(provenFacts(path).rows).reduce((sum, count) => sum + count, 0);
    if (found < newest)
      return [
        warn(`sound, but its schema is ${found} of ${newest}`, "the next start of the api or the bot migrates it"),
      ];
    return [ok(`sound, schema ${found}, ${rows} rows`)];
  } catch (error) {
    // A file that belongs to root is whole: restoring would lose what came since.
    return isShut(path)
      ? [fail("it may not be read and written by this user", `run chown -R sticker: ${DATA_DIR}`)]
      : [fail(describe(error), "stop both services and restore a backup, see docs/RUNBOOK.md")];
  }
}

export async function checkBackups({ DATA_DIR }: Pick<Config, "DATA_DIR">, now: number): Promise<Finding[]> {
  const { ok, warn, fail } = about("backup");
  const path = databasePath(DATA_DIR);
  if (listBackups(DATA_DIR).length === 0) {
    const isNew = !existsSync(path) || now - statSync(path).birthtimeMs < BACKUP_MAX_AGE_MS;
    return [(isNew ? warn : fail)("there is none yet", `run ${BACKUP_COMMAND}`)];
  }
  try {
    const check = await checkBackup(DATA_DIR, now);
    if (check.faults.length > 0)
      return check.faults.map((fault) => fail(fault.replace(/[.:][^.:]*\.?$/, ""), mendOf(fault)));
    return [ok(`the newest is ${age(check.ageMs)} old and can be restored`)];
  } catch (error) {
    return [fail(error instanceof BackupError ? error.message : describe(error), `run ${BACKUP_COMMAND}`)];
  }
}

/** The database, or one of its companions, is there and closed to us. */
const isShut = (path: string) =>
  [path, `${path}-wal`, `${path}-shm`].some((file) => {
    try {
      if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
      return false;
    } catch {
      return true;
    }
  });

const mendOf = (fault: string) => /: ([^:]+?)\.?$/.exec(fault)?.[1] ?? `run ${BACKUP_COMMAND}, then check it`;
