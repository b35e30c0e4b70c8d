/** What every route needs, made once in main.ts. */
import type { Database } from "bun:sqlite";
import type { Config } from "../shared/config.ts";
import type { Log } from "../shared/log.ts";
import type { Telegram } from "./telegram.ts";

export type ApiContext = {
  db: Database;
  config: Config;
  log: Log;
  telegram: Telegram;
  now: () => number;
  version: string;
};
