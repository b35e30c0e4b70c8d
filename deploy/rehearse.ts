/**
 * `bun deploy/rehearse.ts`: would this release run on today's data? Copies the living database, migrates the copy, proves
 * that nothing was lost, and starts this release's api on it. The living database is only read.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyDatabase, factsOf, provenFacts, shrunk } from "../shared/backup/database.ts";
import { BackupError } from "../shared/backup/file.ts";
import { configOrExit } from "../shared/config.ts";
import { databasePath, openDb } from "../shared/db.ts";
import { knownFacts } from "../shared/drill.ts";
import { prepareFolders } from "../shared/files.ts";
import { command } from "./command.ts";
import { askKnownFacts, startScratchApi } from "./scratch-api.ts";

const config = configOrExit();
const live = databasePath(config.DATA_DIR);

await command(async () => {
  const folder = mkdtempSync(join(tmpdir(), "booth-rehearsal-"));
  const copy = databasePath(folder);
  try {
    prepareFolders(folder);
    const before = existsSync(live) ? copyDatabase(live, copy) : null;
    openDb(folder).close(false);
    const after = provenFacts(copy);
    const lost = before ? shrunk(before.rows, after.rows) : [];
    if (lost.length > 0) throw new BackupError(`The migrations of this release lose rows: ${lost.join(", ")}.`);
    const api = await startScratchApi(folder, Bun.env);
    try {
      await askKnownFacts(api, knownFacts(copy));
    } finally {
      await api.stop();
    }
    console.log(
      `rehearsed on a copy: schema ${before?.schema_version ?? "none"} → ${after.schema_version}, ${factsOf(copy).rows.history ?? 0} entries of history, the api answers`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
