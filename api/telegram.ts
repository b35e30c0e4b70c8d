/** The api's one way to Telegram: single messages that nobody waits for. It never polls. */
import type { Database } from "bun:sqlite";
import { Api, GrammyError } from "grammy";
import type { Config } from "../shared/config.ts";
import type { Log } from "../shared/log.ts";
import { markUnreachable } from "../shared/users.ts";

const TIMEOUT_SECONDS = 10;

export type Telegram = {
  /** Sends HTML in the background; what goes wrong is logged and nothing more. */
  tell(chatId: number, html: string): void;
};

export function createTelegram(config: Config, db: Database, log: Log): Telegram {
  const api = new Api(config.BOT_TOKEN, { apiRoot: config.TELEGRAM_API_ROOT, timeoutSeconds: TIMEOUT_SECONDS });
  return {
    tell(chatId, html) {
      api.sendMessage(chatId, html, { parse_mode: "HTML" }).catch((error: unknown) => {
        log.warn({ err: error }, "a message was not sent");
        if (!(error instanceof GrammyError && error.error_code === 403)) return;
        try {
          markUnreachable(db, chatId, Date.now());
        } catch (second) {
          // A database that is locked for long must not end the api over this; the bot will learn it too.
          log.warn({ err: second }, "a guest could not be marked unreachable");
        }
      });
    },
  };
}
