/** Getting Telegram's updates: one long poll after another, restarted when it breaks, given up when it is hopeless. */
import { Bot, Composer, type Context, GrammyError, HttpError } from "grammy";
import type { UserFromGetMe } from "grammy/types";
import type { Config } from "../shared/config.ts";
import { EX_CONFIG } from "../shared/config.ts";
import { isBusy, isFull } from "../shared/db.ts";
import { beat, POLL } from "../shared/heartbeats.ts";
import { inPlainWords } from "../shared/plain-words.ts";
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
const SETUP: ReadonlySet<string> = new Set(["getMe", "deleteWebhook"]);
/** Between tries while the database is locked or full; each try waits for the lock by itself too. */
const AGAIN_MS = 1_000;
/** Said at once, and then about once a minute. */
const SAY_EVERY = 60;

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

/** Wires the handlers. */
export function prepareBot(bot: Bot, { log }: BotContext, handlers: { middleware(): Parameters<Bot["use"]>[0] }[]) {
  // A button must stop spinning whatever comes of it; a late or failed answer is nobody's harm.
  bot.on("callback_query", async (ctx, next) => {
    try {
      await next();
    } finally {
      void ask(() => ctx.answerCallbackQuery(pressAnswers.get(ctx)));
    }
  });
  const handle = new Composer<Context>(...handlers.map((h) => h.middleware())).middleware();
  /** The update that the database has not taken yet. */
  let waiting: number | undefined;
  // Telegram must not hear that we have it, not even when the bot stops: then it comes again.
  bot.api.config.use((prev, method, payload, signal) => {
    const offset = (payload as { offset?: number } | undefined)?.offset;
    const isToo = method === "getUpdates" && waiting !== undefined && offset !== undefined && offset > waiting;
    return prev(method, isToo ? { ...payload, offset: waiting } : payload, signal);
  });
  bot.use(async (ctx, next) => {
    const { update_id } = ctx.update;
    for (let tries = 0; ; tries++) {
      try {
        await handle(ctx, next);
        waiting = undefined;
        return;
      } catch (error) {
        // What was undone is not what the person is told.
        pressAnswers.delete(ctx);
        // An update that is let go is lost for good: it waits until the database takes it.
        const isShut = isBusy(error) || isFull(error);
        waiting = isShut ? update_id : undefined;
        if (!isShut) throw error;
        if (tries % SAY_EVERY === 0) log.warn({ update: update_id, err: error }, "an update waits for the database");
        await Bun.sleep(AGAIN_MS);
      }
    }
  });
  bot.catch(({ error, ctx }) => {
    log.error({ update: ctx.update.update_id, err: error }, "an update could not be handled");
  });
}

/**
 * Polls until stopped. Resolves when `bot.stop()` was called; rejects when polling broke, so that the loop around it
 * pauses and starts again. A wrong token or a second poller that does not go away ends the process.
 */
export function createPoller(bot: Bot, context: BotContext, leave: (code: number) => void) {
  const { db, log, now } = context;
  let conflicts = 0;
  let beaten = 0;
  /** Nothing was heard since the start: the next poll comes back at once, so that `/health` tells the truth soon. */
  let fresh = true;
  bot.api.config.use(async (prev, method, payload, signal) => {
    const polling = method === "getUpdates";
    const answer = await prev(method, polling && fresh ? { ...payload, timeout: 0 } : payload, signal).catch(
      (error: unknown) => {
        // The library tries getMe and deleteWebhook again by itself, with pauses of up to twenty minutes; the loop is quicker.
        throw error instanceof HttpError && SETUP.has(method) ? new SetupFailed(inPlainWords(error)) : error;
      },
    );
    if (!answer.ok && SETUP.has(method) && (answer.error_code >= 500 || answer.error_code === 429))
      throw new SetupFailed(answer.description);
    if (polling && answer.ok) {
      fresh = false;
      conflicts = 0;
      if (Math.abs(now() - beaten) > POLL_BEAT_MS) {
        beaten = now();
        beat(db, POLL, POLL_SECONDS * 1000, beaten);
      }
    }
    return answer;
  });

  return async () => {
    fresh = true;
    try {
      await bot.start({
        allowed_updates: ALLOWED_UPDATES,
        timeout: POLL_SECONDS,
        onStart: (me) => introduce(bot, context, me),
      });
    } catch (error) {
      if (error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404)) {
        log.error({}, "Telegram does not know this BOT_TOKEN: copy it anew from @BotFather");
        leave(EX_CONFIG);
      }
      if (error instanceof GrammyError && error.error_code === 409 && ++conflicts >= MAX_CONFLICTS) {
        log.error({}, "another program polls with this BOT_TOKEN: stop it, or give this booth its own bot");
        leave(1);
      }
      throw error;
    }
  };
}

/** Telegram did not answer the calls that come before the first poll. */
class SetupFailed extends Error {
  override readonly name = "SetupFailed";
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
