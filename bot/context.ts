/** What the bot's loops and handlers share, made once in main.ts. */
import type { Database } from "bun:sqlite";
import type { Api } from "grammy";
import type { Config } from "../shared/config.ts";
import { AppError } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import { botUsername } from "../shared/settings.ts";

export type BotContext = {
  db: Database;
  config: Config;
  log: Log;
  now: () => number;
  /** Short calls: messages, files, pages. */
  api: Api;
  /** Creating a set: Telegram may hold a flooded call for a minute before it says 429. */
  slowApi: Api;
  /** Asks the loops that work for the outside to look at once; commits of this process do not wake them by themselves. */
  wake: () => void;
};

/** The bot's @name. @throws AppError `not_ready` before Telegram has told it once */
export function usernameOf({ db, config }: Pick<BotContext, "db" | "config">): string {
  const name = botUsername(db, config.BOT_USERNAME);
  if (!name) throw new AppError("not_ready", "Telegram has not told the bot its name yet.");
  return name;
}
