/**
 * The loop that keeps the sales group up to date: one message a round, edits of cards before new ones (but for those that
 * only have to forget somebody), cards in the order in which their leads came, at Telegram's pace. What an answer means is said in telegram.ts.
 */
import { describe } from "../shared/errors.ts";
import {
  followLeadsChat,
  isLeadsChat,
  leadsChat,
  leadsTrouble,
  reportFlow,
  reportTrouble,
} from "../shared/leads/group.ts";
import { type Lead, leadByNumber } from "../shared/leads/lead.ts";
import {
  beginEdit,
  beginPublish,
  cardShows,
  dueLead,
  excuseEdit,
  excusePublish,
  forgetCard,
  hasCardIn,
  holdGroup,
  holdLead,
  hurryOutbox,
  outboxState,
  passLead,
  pauseAfter,
  postponeCard,
  publishAgain,
  published,
  publishedSince,
  type StaleCard,
  staleCard,
  takeTidying,
} from "../shared/leads/outbox.ts";
import { spoken } from "../shared/plain-words.ts";
import { sales } from "../shared/texts/sales/index.ts";
import { type Card, cardOf } from "./cards.ts";
import type { BotContext } from "./context.ts";
import type { Pace } from "./pace.ts";
import { ask, type NotOk } from "./telegram.ts";

const ALERT_AFTER_FAILURES = 5;
/** A card that Telegram will not let us edit is let be after so many tries; the next change tries anew. */
const MAX_EDIT_FAILURES = 5;
/** Cards that have only to forget somebody get every other of the group's turns, or less: new ones must not wait for them. */
const TIDY_EVERY_MS = 6_000;
const MINUTE_MS = 60_000;

/** What the last process sent counts for the pace of this one; what a clock that was ahead sent, as if it were now. */
export function rememberPace({ db, config, now }: Pick<BotContext, "db" | "config" | "now">, pace: Pace) {
  const chat = leadsChat(db, config);
  if (chat === null) return;
  for (const at of publishedSince(db, now() - MINUTE_MS)) pace.remember(chat, Math.max(0, now() - at));
}

/**
 * Sends one message if one is due.
 * @param signal ends a call that hangs while the bot stops: whether it was carried out stays unknown
 * @returns `again` after it, or the milliseconds until the group's pace allows one
 */
export async function runOutbox(
  context: BotContext,
  pace: Pace,
  signal?: AbortSignal,
): Promise<"again" | number | undefined> {
  const { db, config, now } = context;
  const chat = leadsChat(db, config);
  if (chat === null) return;
  const stale = staleCard(db, now());
  const lead = stale?.tidying === 0 ? null : dueLead(db, now());
  const card = lead ? null : stale;
  if (!card && !lead) return;
  const waitMs = pace.waitMs(card?.chat_id ?? chat);
  if (waitMs > 0) return Math.ceil(waitMs);
  if (card?.tidying && !takeTidying(db, TIDY_EVERY_MS, now())) return;
  if (card) await editCard(context, card, signal);
  else if (lead) await publish(context, chat, lead, signal);
  return "again";
}

const message = (card: Card) => ({
  text: card.text,
  parse_mode: "HTML" as const,
  link_preview_options: { is_disabled: true },
  reply_markup: { inline_keyboard: card.buttons },
});

async function publish(context: BotContext, chat: number, lead: Lead, signal?: AbortSignal) {
  const { db, config, log, now, api } = context;
  const { number, version } = lead;
  const failures = beginPublish(db, number, now());
  if (failures === null) return;
  const card = drawn(lead, context);
  const answer =
    "kind" in card ? card : await ask(() => api.raw.sendMessage({ chat_id: chat, ...message(card) }), signal);
  if (answer.kind === "ok") {
    published(db, { chatId: chat, messageId: answer.value.message_id, number, version }, now());
    log.info({ lead: number, ms: now() - lead.queued_at }, "a lead was published");
    if (reportFlow(db, config, now())) context.wake();
    return;
  }
  putOff(context, chat, lead, failures, answer);
  // Last, so that whoever acts on this line finds in the database what it says.
  log.warn({ lead: number, failures, answer: answer.kind, reason: answer.reason }, "a lead was not published yet");
}

function putOff(context: BotContext, chat: number, lead: Lead, failures: number, answer: NotOk) {
  const { db, now } = context;
  if (answer.kind === "wait") {
    const until = now() + answer.retryAfterMs;
    excusePublish(db, lead.number, until);
    return holdGroup(db, chat, until);
  }
  if (answer.kind === "moved") {
    follow(context, chat, answer.chatId);
    return excusePublish(db, lead.number, now());
  }
  holdLead(db, lead.number, now() + pauseAfter(failures));
  report(context, lead, failures, answer);
}

/** Tells the operators when it is time to. */
function report(context: BotContext, { number }: Lead, failures: number, { kind, reason: told }: NotOk) {
  const { db, config, now } = context;
  const { waiting } = outboxState(db, now());
  const { alerts } = sales(config.TEAM_LANG);
  const reason = spoken(told, config.TEAM_LANG);
  const say = (trouble: "failing" | "refused" | "out", what: string) => {
    if (reportTrouble(db, config, { kind: trouble, what, now: now() })) context.wake();
  };
  if (kind === "unreachable") return say("out", alerts.forbidden(reason, waiting));
  if (kind === "unknown") {
    if (failures >= ALERT_AFTER_FAILURES) say("failing", alerts.failing(reason, waiting));
    return;
  }
  passLead(db, number);
  say("refused", alerts.refused(number, reason, waiting));
}

async function editCard(context: BotContext, card: StaleCard, signal?: AbortSignal) {
  const { db, config, log, now, api } = context;
  const lead = leadByNumber(db, card.number);
  if (!lead) return forgetCard(db, card);
  const { chat_id, message_id } = card;
  const failures = beginEdit(db, card);
  const drawing = drawn(lead, context);
  const answer =
    "kind" in drawing
      ? drawing
      : await ask(() => api.raw.editMessageText({ chat_id, message_id, ...message(drawing) }), signal);
  // Whoever may edit may write again, even when nobody told us that we were let in.
  if (answer.kind === "ok" && leadsTrouble(db) === "out" && isLeadsChat(db, config, chat_id)) {
    hurryOutbox(db, now());
    if (reportFlow(db, config, now())) context.wake();
  }
  if (answer.kind === "ok" || answer.kind === "done") return cardShows(db, card, lead.version, now());
  putOffEdit(context, card, lead, failures, answer);
  log.warn({ lead: lead.number, answer: answer.kind, reason: answer.reason }, "a card was not edited yet");
}

function putOffEdit(context: BotContext, card: StaleCard, lead: Lead, failures: number, answer: NotOk) {
  const { db, config, now } = context;
  const { chat_id } = card;
  if (answer.kind === "wait") {
    excuseEdit(db, card);
    return holdGroup(db, chat_id, now() + answer.retryAfterMs);
  }
  if (answer.kind === "moved") {
    // Cards of the old group cannot be changed any more: the new group gets one of its own, unless it has one.
    follow(context, chat_id, answer.chatId);
    forgetCard(db, card);
    if (!hasCardIn(db, lead.number, answer.chatId)) publishAgain(db, lead.number, now());
    return;
  }
  if (answer.kind === "unreachable") {
    // Thrown out of the group, we may be let in again; a group that the sales people left is of no use.
    if (!isLeadsChat(db, config, chat_id)) return forgetCard(db, card);
  } else if (answer.kind !== "unknown" && failures >= MAX_EDIT_FAILURES) {
    return cardShows(db, { ...card, failures: 0 }, lead.version, now());
  }
  postponeCard(db, card, now() + pauseAfter(failures));
}

/** The card, or our own fault in drawing it: one lead that cannot be shown must not hold up the others. */
function drawn(lead: Lead, { config, now }: BotContext): Card | { kind: "bug"; reason: string } {
  try {
    return cardOf(lead, config.TZ_NAME, now(), config.TEAM_LANG);
  } catch (error) {
    return { kind: "bug", reason: describe(error) };
  }
}

function follow({ db, config, log, now }: BotContext, from: number, to: number) {
  if (followLeadsChat(db, config, { from, to, now: now() })) log.warn({}, "the sales group has a new id");
}
