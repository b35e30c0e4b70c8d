/** sticker-api: the kiosk's, the operators' and the landing's server. */

import { version } from "../package.json";
import { configOrExit } from "../shared/config.ts";
import { openDb, SELDOM_CHECKPOINT_PAGES } from "../shared/db.ts";
import { prepareFolders } from "../shared/files.ts";
import { createLog } from "../shared/log.ts";
import { effective } from "../shared/overrides.ts";
import { refuseToStart, startError, stopOnSignal } from "../shared/process.ts";
import { createApp } from "./app.ts";
import { createTelegram } from "./telegram.ts";

/** Less than the unit's TimeoutStopSec=15. */
const STOP_WITHIN_MS = 12_000;

const config = configOrExit();
const log = createLog("api", config.LOG_LEVEL);

try {
  prepareFolders(config.DATA_DIR);
  // Kiosks wait for this process: the bot, which nobody waits for in milliseconds, copies the WAL back.
  const db = openDb(config.DATA_DIR, SELDOM_CHECKPOINT_PAGES);
  const telegram = createTelegram(config, db, log);
  const app = createApp({ db, config: effective(db, config), log, telegram, now: Date.now, version });
  app.listen({ hostname: config.HOST, port: config.PORT });
  stopOnSignal(log, STOP_WITHIN_MS, async () => {
    await app.stop();
    db.close(false);
  });
  // Said last: whoever reads it may already ask us to stop.
  log.info({ host: config.HOST, port: app.server?.port, version }, "listening");
} catch (error) {
  refuseToStart(log, startError(error, config));
}
