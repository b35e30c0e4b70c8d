/** The sales group's side of the bot: buttons on cards and a few commands. They act in that group and nowhere else. */
import { Composer, type Context } from "grammy";
import type { ChatMember } from "grammy/types";
import {
  followLeadsChat,
  isLeadsChat,
  leadsChat,
  leadsTrouble,
  reportFlow,
  reportTrouble,
} from "../shared/leads/group.ts";
import { type Lead, type LeadAction, leadActions, leadByNumber, moveLead } from "../shared/leads/lead.ts";
import { hurryOutbox, noteCard, outboxState, publishAgain } from "../shared/leads/outbox.ts";
import { notify } from "../shared/notices.ts";
import { type HistoryRow, historyOf, type Lang, leadMachine } from "../shared/status.ts";
import { sales } from "../shared/texts/sales/index.ts";
import { handleOnce } from "../shared/updates.ts";
import { statusesSeen } from "./cards.ts";
import type { BotContext } from "./context.ts";
import { leadReport, openLeadsReport, statsReport } from "./lead-reports.ts";
import { answerPress } from "./updates.ts";

/** Announced with the operators' ones, see operator-commands.ts. */
export const leadCommands = (lang: Lang) =>
  Object.entries(sales(lang).commands).map(([command, description]) => ({ command, description }));
const NAME_LENGTH = 60;

export function leadHandlers(context: BotContext): Composer<Context> {
  const { db, config, now, wake, log } = context;
  const lang = config.TEAM_LANG;
  const texts = sales(lang);
  const { alerts } = texts;
  const bot = new Composer<Context>();
  const group = bot.filter((ctx) => isLeadsChat(db, config, ctx.chat?.id));

  bot.callbackQuery(/^lead:(\d{1,15}):(take|won|lost|spam|reopen)$/, (ctx) => {
    if (!isLeadsChat(db, config, ctx.chat?.id)) return answerPress(ctx, texts.press.elsewhere);
    const [number, action] = [Number(ctx.match[1]), ctx.match[2] as LeadAction];
    const isFirst = handleOnce(db, ctx.update.update_id, now(), () => answerPress(ctx, press(ctx, number, action)));
    // A process may have died between the press and its answer: the person learns how it stands all the same.
    if (!isFirst) answerPress(ctx, standing(number, action, ctx.from.id));
    wake();
  });

  group.command("leads", (ctx) => say(ctx, () => openLeadsReport(db, now(), lang)));
  group.command("stats", (ctx) => say(ctx, () => statsReport(db, config.TZ_NAME, now(), lang)));
  group.command("lead", (ctx) => show(ctx, ctx.match.trim().replace(/^#/, "")));
  // A number that can be tapped in the lists.
  group.hears(/^\/lead_(\d+)(?:@(\w+))?$/, (ctx, next) => {
    if (ctx.match[2] && ctx.match[2].toLowerCase() !== ctx.me.username.toLowerCase()) return next();
    return show(ctx, ctx.match[1] as string);
  });

  group.on("message:migrate_to_chat_id", (ctx) => {
    const to = ctx.message.migrate_to_chat_id;
    if (followLeadsChat(db, config, { from: ctx.chat.id, to, now: now() }))
      log.warn({}, "the sales group has a new id");
    wake();
  });
  group.on("my_chat_member", (ctx) => {
    const { old_chat_member: before, new_chat_member: after } = ctx.myChatMember;
    // The old group's farewell when it became a supergroup is no news.
    if (ctx.chat.id !== leadsChat(db, config)) return;
    if (!isIn(after)) locked(alerts.thrownOut);
    else if (!mayWrite(after)) locked((waiting) => alerts.forbidden("restricted", waiting));
    // Whoever could write all the time, and becomes an administrator, still keeps the pauses that Telegram asked for.
    else if (!mayWrite(before) || leadsTrouble(db) === "out") letIn();
    wake();
  });
  return bot;

  /** @returns what the person who pressed reads */
  function press(ctx: Context, number: number, action: LeadAction): string {
    const message = ctx.callbackQuery?.message;
    const lead = leadByNumber(db, number);
    if (!lead || !message || !ctx.from) return texts.unknown(number);
    // A card whose answer was lost on its way to us is met here: from now on it is kept up to date too.
    noteCard(db, { chatId: message.chat.id, messageId: message.message_id, number, version: 0 });
    const shown = ("reply_markup" in message && message.reply_markup?.inline_keyboard.flat()) || [];
    const seen = statusesSeen(
      number,
      action,
      shown.map((button) => ("callback_data" in button ? button.callback_data : "")),
    );
    const by = nameOf(ctx.from);
    const actor = `operator:${ctx.from.id} ${by}`;
    const result = moveLead(db, number, { to: leadActions[action], actor, by, seen, now: now() });
    if (!result?.moved) return refusal(lead, action, ctx.from.id);
    log.info({ lead: number, status: result.lead.status }, "a lead was moved");
    return action === "take" ? texts.press.mine(number) : texts.press.moved(number, result.lead.status);
  }

  function standing(number: number, action: LeadAction, pressedBy: number): string {
    const lead = leadByNumber(db, number);
    return lead ? refusal(lead, action, pressedBy) : texts.unknown(number);
  }

  function refusal({ number, status, status_by }: Lead, action: LeadAction, pressedBy: number): string {
    if (status === "new" && (action === "won" || action === "lost")) return texts.press.takeFirst(number);
    // Two people may have one name, so it is the id that tells.
    const { actor } = historyOf(db, leadMachine, number).at(-1) as HistoryRow;
    const isOwn = actor.split(" ")[0] === `operator:${pressedBy}`;
    return texts.press.already(number, status, isOwn ? "you" : status_by ? { name: status_by } : null);
  }

  function show(ctx: Context, wanted: string) {
    say(ctx, () => {
      if (!/^\d{1,15}$/.test(wanted)) return [texts.askNumber];
      const lead = leadByNumber(db, Number(wanted));
      if (!lead) return [texts.unknown(Number(wanted))];
      publishAgain(db, lead.number, now());
      return leadReport(db, lead, config.TZ_NAME, now(), lang);
    });
  }

  /** Answers a command once, in the group. */
  function say(ctx: Context, report: () => string[]) {
    handleOnce(db, ctx.update.update_id, now(), () => {
      const chatId = leadsChat(db, config);
      if (chatId === null) return;
      for (const text of report()) notify(db, { chatId, text, asked: true, now: now() });
    });
    wake();
  }

  function locked(what: (waiting: number) => string) {
    const { waiting } = outboxState(db, now());
    reportTrouble(db, config, { kind: "out", what: what(waiting), now: now() });
  }

  function letIn() {
    if (hurryOutbox(db, now()) === 0) reportFlow(db, config, now());
  }
}

const isIn = (member: ChatMember) =>
  member.status !== "left" && member.status !== "kicked" && (member.status !== "restricted" || member.is_member);

const mayWrite = (member: ChatMember) => isIn(member) && (member.status !== "restricted" || member.can_send_messages);

/** As the others know the person. */
function nameOf(user: { first_name: string; last_name?: string; username?: string }): string {
  const name = [user.first_name, user.last_name].filter(Boolean).join(" ").slice(0, NAME_LENGTH).toWellFormed();
  return user.username ? `${name} (@${user.username})` : name;
}
