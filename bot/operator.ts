/**
 * The operators' chat. Its commands and buttons work in that chat alone, for whoever may write there: an anonymous
 * administrator acts by the chat. A command in any other chat is not heard at all.
 */
import { Composer, type Context } from "grammy";
import { retryByOperator, type Word } from "../shared/admin/jobs.ts";
import { budgetSaid, openSaid, pauseSaid } from "../shared/admin/said.ts";
import { budgetOf, MAX_BUDGET_USD, setTodaysBudget } from "../shared/budget.ts";
import { isLeadsChat } from "../shared/leads/group.ts";
import { notify } from "../shared/notices.ts";
import { followAdminChat, isAdminChat } from "../shared/operators.ts";
import { MAX_REASON_LENGTH, openBooth, pauseBooth } from "../shared/pause.ts";
import { escapeHtml } from "../shared/texts/index.ts";
import { team } from "../shared/texts/operators/index.ts";
import { handleOnce } from "../shared/updates.ts";
import type { BotContext } from "./context.ts";
import { statsReport as leadStatsReport } from "./lead-reports.ts";
import { costsReport, jobsReport, type Report, statsReport, statusReport } from "./operator-reports.ts";
import { answerPress } from "./updates.ts";
import { oneLine } from "./visitor-text.ts";

/** Telegram's own user behind every anonymous administrator. */
const ANONYMOUS_ADMIN = 1087968824;
const NAME_LENGTH = 60;

export function operatorHandlers(context: BotContext): Composer<Context> {
  const { db, config, now, wake, log } = context;
  const texts = team(config.TEAM_LANG).chat;
  const bot = new Composer<Context>();
  const chat = bot.filter((ctx) => isAdminChat(db, config, ctx.chat?.id));

  chat.command("status", (ctx) => show(ctx, () => statusReport(context)));
  chat.command("jobs", (ctx) => show(ctx, () => jobsReport(context)));
  chat.command("costs", (ctx) => show(ctx, () => costsReport(context)));
  chat.command("stats", (ctx) =>
    show(ctx, () => {
      const booth = statsReport(context);
      // One chat for both desks: it hears both.
      if (!isLeadsChat(db, config, ctx.chat?.id)) return booth;
      return [booth, ...leadStatsReport(db, config.TZ_NAME, now(), config.TEAM_LANG).map((text) => ({ text }))];
    }),
  );
  chat.command("pause", (ctx) => answer(ctx, () => pause(ctx, ctx.match.trim())));
  chat.command("resume", (ctx) => answer(ctx, () => resume(ctx)));
  chat.command("retry", (ctx) => answer(ctx, () => retry(ctx, ctx.match.trim().replace(/^#/, ""))));
  // A number that can be tapped in the list.
  chat.hears(/^\/retry_(\d{1,15})(?:@(\w+))?$/, (ctx, next) => {
    if (ctx.match[2] && ctx.match[2].toLowerCase() !== ctx.me.username.toLowerCase()) return next();
    answer(ctx, () => retry(ctx, ctx.match[1] as string));
  });
  chat.command("budget", (ctx) => answer(ctx, () => budget(ctx, ctx.match.trim())));

  bot.callbackQuery(/^op:(pause|resume|retry)(?::(\d{1,15}))?$/, (ctx) => {
    if (!isAdminChat(db, config, ctx.chat?.id)) return answerPress(ctx, texts.elsewhere);
    answer(ctx, () => {
      const said = press(ctx, ctx.match[1] as string, ctx.match[2] ?? "");
      answerPress(ctx, plainText(said));
      return { text: said };
    });
  });

  // Others may have to know it too, so it goes on.
  chat.on("message:migrate_to_chat_id", (ctx, next) => {
    const to = ctx.message.migrate_to_chat_id;
    if (followAdminChat(db, config, { from: ctx.chat.id, to, now: now() }))
      log.warn({}, "the operators' chat has a new id");
    return next();
  });
  return bot;

  /** Promises once ever what was looked up. Before: the lock is for those who write. */
  function show(ctx: Context, look: () => Report | Report[]) {
    const found = look();
    answer(ctx, () => found);
  }

  /** Does a command's work once ever, and promises its answer in the same transaction. */
  function answer(ctx: Context, work: () => Report | Report[]) {
    handleOnce(db, ctx.update.update_id, now(), () => {
      for (const report of [work()].flat())
        notify(db, { chatId: config.ADMIN_CHAT_ID, ...report, asked: true, now: now() });
    });
    wake();
  }

  function press(ctx: Context, what: string, id: string): string {
    if (what === "pause") return pause(ctx, "").text;
    if (what === "resume") return resume(ctx).text;
    return retry(ctx, id).text;
  }

  function pause(ctx: Context, reason: string): Report {
    const given = reason.slice(0, MAX_REASON_LENGTH).toWellFormed() || null;
    return pauseBooth(db, given, actorOf(ctx), now())
      ? pauseSaid(db, config, { reason: given, by: nameOf(ctx) })
      : { text: texts.pause.already };
  }

  function resume(ctx: Context): Report {
    const changed = openBooth(db, actorOf(ctx), now());
    return changed ? openSaid(config, nameOf(ctx)) : { text: texts.pause.openAlready };
  }

  function retry(ctx: Context, wanted: string): Report {
    if (!/^\d{1,15}$/.test(wanted)) return { text: texts.retry.howTo };
    const id = Number(wanted);
    return {
      text: told(retryByOperator(db, config.DATA_DIR, id, actorOf(ctx), now()), texts.retry.done(id, nameOf(ctx))),
    };
  }

  /** @param done HTML */
  function told(word: Word, done: string): string {
    return word.done ? `🔁 ${done}` : escapeHtml(word.why(team(config.TEAM_LANG).refusals));
  }

  function budget(ctx: Context, wanted: string): Report {
    const usd = /^\$?\d{1,6}([.,]\d{1,2})?$/.test(wanted) ? Number(wanted.replace("$", "").replace(",", ".")) : null;
    const off = wanted.toLowerCase() === "off";
    if (wanted !== "" && !off && (usd === null || usd > MAX_BUDGET_USD)) return { text: texts.budget.howTo };
    if (usd === 0) return { text: texts.budget.ofNothing };
    const changed = wanted !== "" && setTodaysBudget(db, config, { usd, actor: actorOf(ctx), now: now() });
    return budgetSaid(budgetOf(db, config, now()), config, changed ? nameOf(ctx) : null);
  }

  /** As the others in the chat know the person; HTML. */
  function nameOf({ from }: Context): string {
    return !from || from.id === ANONYMOUS_ADMIN ? texts.anonymous : oneLine(plainName(from));
  }
}

/** For histories and the audit log. */
function actorOf(ctx: Context): string {
  const from = ctx.from;
  if (!from || from.id === ANONYMOUS_ADMIN) return "operator:anonymous";
  return `operator:${from.id} ${plainName(from)}`;
}

/** Our own HTML as plain text: a press is answered without markup. */
const plainText = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name] as string);

const plainName = (user: { first_name: string; last_name?: string }) =>
  [user.first_name, user.last_name].filter(Boolean).join(" ").slice(0, NAME_LENGTH).toWellFormed();
