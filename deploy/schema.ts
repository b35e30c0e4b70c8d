/** `bun deploy/schema.ts`: prints the living database's schema version (0 when there is none) and the newest this release knows. */
import { existsSync } from "node:fs";
import { factsOf } from "../shared/backup/database.ts";
import { someOrExit } from "../shared/config.ts";
import { databasePath } from "../shared/db.ts";
import { migrations } from "../shared/migrations/index.ts";

const path = databasePath(someOrExit(["DATA_DIR"]).DATA_DIR);
console.log(existsSync(path) ? factsOf(path).schema_version : 0, migrations.at(-1)?.version ?? 0);
