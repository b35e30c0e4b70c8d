/** A word to the operators straight from a script, for when the bot itself may be what is broken. */
import { Api, GrammyError } from "grammy";
import type { Config } from "../shared/config.ts";
import { describe } from "../shared/errors.ts";
import { escapeHtml } from "../shared/texts/index.ts";

const TIMEOUT_SECONDS = 20;
/** A machine that just started may have no network yet. */
const PAUSES_MS = [5_000, 15_000, 60_000, 120_000];

/**
 * Sends one message to ADMIN_CHAT_ID.
 * @throws the last error, once all tries are used up or Telegram has refused for good
 */
export async function tellOperators(
  config: Pick<Config, "BOT_TOKEN" | "ADMIN_CHAT_ID" | "TELEGRAM_API_ROOT">,
  text: string,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<void> {
  const api = new Api(config.BOT_TOKEN, { apiRoot: config.TELEGRAM_API_ROOT, timeoutSeconds: TIMEOUT_SECONDS });
  let chatId = config.ADMIN_CHAT_ID;
  for (let tries = 0; ; tries++) {
    try {
      await api.sendMessage(chatId, escapeHtml(text), { parse_mode: "HTML" });
      return;
    } catch (error) {
      const pauseMs = pausesMs[tries];
      const refusal = error instanceof GrammyError ? error : null;
      const movedTo = refusal?.parameters.migrate_to_chat_id;
      if (movedTo) chatId = movedTo;
      else if (pauseMs === undefined || (refusal && refusal.error_code < 429)) throw error;
      else {
        console.error(`not sent yet: ${describe(error)}`);
        await Bun.sleep(Math.max(pauseMs, (refusal?.parameters.retry_after ?? 0) * 1000));
      }
    }
  }
}
