/** sticker-api: the kiosk's, the operators' and the landing's server. */

import { version } from "../package.json";
import { configOrExit } from "../shared/config.ts";
import { openDb } from "../shared/db.ts";
import { AppError } from "../shared/errors.ts";
import { prepareFolders } from "../shared/files.ts";
import { createLog } from "../shared/log.ts";
import { refuseToStart, stopOnSignal } from "../shared/process.ts";
import { createApp } from "./app.ts";
import { createTelegram } from "./telegram.ts";

/** Less than the unit's TimeoutStopSec=15. */
const STOP_WITHIN_MS = 12_000;

const config = configOrExit();
const log = createLog("api", config.LOG_LEVEL);

try {
  prepareFolders(config.DATA_DIR);
  const db = openDb(config.DATA_DIR);
  const telegram = createTelegram(config, db, log);
  const app = createApp({ db, config, log, telegram, now: Date.now, version });
  app.listen({ hostname: config.HOST, port: config.PORT });
  log.info({ host: config.HOST, port: app.server?.port, version }, "listening");
  stopOnSignal(log, STOP_WITHIN_MS, async () => {
    await app.stop();
    db.close(false);
  });
} catch (error) {
  refuseToStart(log, error instanceof AppError ? error : cannotStart(error));
}

function cannotStart(cause: unknown): AppError {
  const code = (cause as { code?: string }).code;
  if (code === "EADDRINUSE")
    return new AppError(
      "config",
      `Port ${config.PORT} on ${config.HOST} is taken by another program: stop it, or set PORT.`,
      { cause },
    );
  if (code === "EACCES" || code === "EROFS" || code === "ENOENT" || code === "ENOTDIR") {
    return new AppError("data_dir", `DATA_DIR (${config.DATA_DIR}) cannot be written: give this user the folder.`, {
      cause,
    });
  }
  return new AppError("internal", "The api could not start.", { cause });
}
