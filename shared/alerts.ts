/** What operators must know: said once per cause and hour, through the notices. */
import type { Database } from "bun:sqlite";
import type { Config } from "./config.ts";
import { notify } from "./notices.ts";
import { escapeHtml } from "./texts/index.ts";

const HOUR_MS = 3_600_000;

export type Alert = {
  /** Names the cause: the same one is not told again within the hour. */
  cause: string;
  /** What happened, and what to do; plain text. */
  text: string;
  now: number;
};

export function alertOperators(
  db: Database,
  config: Pick<Config, "ADMIN_CHAT_ID">,
  { cause, text, now }: Alert,
): boolean {
  const once = `alert:${cause}:${Math.floor(now / HOUR_MS)}`;
  return notify(db, { chatId: config.ADMIN_CHAT_ID, text: `⚠️ ${escapeHtml(text)}`, once, now });
}
