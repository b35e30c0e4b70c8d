/** Getting Telegram's updates: one long poll after another, restarted when it breaks, given up when it is hopeless. */
import { Bot, type Context, GrammyError } from "grammy";
import type { UserFromGetMe } from "grammy/types";
import type { Config } from "../shared/config.ts";
import { EX_CONFIG } from "../shared/config.ts";
import { beat } from "../shared/heartbeats.ts";
import { putSetting } from "../shared/settings.ts";
import { langs } from "../shared/status.ts";
import { speak } from "../shared/texts/index.ts";
import type { BotContext } from "./context.ts";
import { ask } from "./telegram.ts";

/** Always the whole list: Telegram remembers the last one it was given. */
const ALLOWED_UPDATES = ["message", "callback_query", "my_chat_member"] as const;
const POLL_SECONDS = 25;
/** The client waits longer than Telegram does. */
const CLIENT_TIMEOUT_SECONDS = POLL_SECONDS + 15;
const POLL_BEAT_MS = 5_000;
/** Telegram's limit of a callback's answer. */
const PRESS_ANSWER_LENGTH = 200;
/** About a minute of another poller holding the token. */
const MAX_CONFLICTS = 12;

export function createBot(config: Config): Bot {
  return new Bot(config.BOT_TOKEN, {
    client: { apiRoot: config.TELEGRAM_API_ROOT, timeoutSeconds: CLIENT_TIMEOUT_SECONDS },
  });
}

const pressAnswers = new WeakMap<Context, string>();

/** What the person who pressed a button reads for a moment, instead of nothing. Plain text. */
export function answerPress(ctx: Context, text: string) {
  pressAnswers.set(ctx, text.slice(0, PRESS_ANSWER_LENGTH).toWellFormed());
}

/** Wires handlers and sign of life. */
export function prepareBot(bot: Bot, context: BotContext, handlers: { middleware(): Parameters<Bot["use"]>[0] }[]) {
  const { db, log, now } = context;
  let beaten = 0;
  bot.api.config.use(async (prev, method, payload, signal) => {
    const answer = await prev(method, payload, signal);
    if (method === "getUpdates" && answer.ok && now() - beaten > POLL_BEAT_MS) {
      beaten = now();
      beat(db, "poll", POLL_SECONDS * 1000, beaten);
    }
    return answer;
  });
  // A button must stop spinning whatever comes of it; a late or failed answer is nobody's harm.
  bot.on("callback_query", async (ctx, next) => {
    await next();
    void ask(() => ctx.answerCallbackQuery(pressAnswers.get(ctx)));
  });
  bot.use(...handlers.map((h) => h.middleware()));
  bot.catch(({ error, ctx }) => {
    log.error({ update: ctx.update.update_id, err: error }, "an update could not be handled");
  });
}

/**
 * Polls until stopped. Resolves when `bot.stop()` was called; rejects when polling broke, so that the loop around it
 * pauses and starts again. A wrong token or a second poller that does not go away ends the process.
 */
export function createPoller(bot: Bot, context: BotContext, leave: (code: number) => void) {
  let conflicts = 0;
  return async () => {
    try {
      await bot.start({
        allowed_updates: ALLOWED_UPDATES,
        timeout: POLL_SECONDS,
        onStart: (me) => {
          introduce(bot, context, me);
          conflicts = 0;
        },
      });
    } catch (error) {
      if (error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404)) {
        context.log.error({}, "Telegram does not know this BOT_TOKEN: copy it anew from @BotFather");
        leave(EX_CONFIG);
      }
      if (error instanceof GrammyError && error.error_code === 409 && ++conflicts >= MAX_CONFLICTS) {
        context.log.error({}, "another program polls with this BOT_TOKEN: stop it, or give this booth its own bot");
        leave(1);
      }
      throw error;
    }
  };
}

/** Remembers who we are, for deep links and pack names, and tells Telegram our commands. */
function introduce(bot: Bot, { db, config, log, now }: BotContext, me: UserFromGetMe) {
  putSetting(db, "bot", { id: me.id, username: me.username }, now());
  log.info({ bot: me.username }, "polling");
  if (config.BOT_USERNAME && config.BOT_USERNAME !== me.username) {
    log.warn(
      { configured: config.BOT_USERNAME, actual: me.username },
      "BOT_USERNAME is not this bot's name: links will not work",
    );
  }
  for (const lang of langs) {
    const commands = Object.entries(speak(lang).commands).map(([command, description]) => ({ command, description }));
    const scope = { type: "all_private_chats" } as const;
    void ask(() => bot.api.setMyCommands(commands, lang === langs[0] ? { scope } : { scope, language_code: lang }));
  }
}

export type Handlers = { middleware(): (ctx: Context, next: () => Promise<void>) => unknown };
