/** The loop that sends what the database has promised: at least once, in order within a chat, one chat never waiting for another. */
import { transact } from "../shared/db.ts";
import { followLeadsChat } from "../shared/leads/group.ts";
import {
  delayNotice,
  dueNotices,
  hasNotices,
  moveNotice,
  type Notice,
  settleNotice,
  untilNextNotice,
} from "../shared/notices.ts";
import { followAdminChat, isAdminChat } from "../shared/operators.ts";
import { discardSet } from "../shared/packs.ts";
import { questionSent } from "../shared/questions.ts";
import { markUnreachable } from "../shared/users.ts";
import type { BotContext } from "./context.ts";
import type { Lanes } from "./lanes.ts";
import type { Pace } from "./pace.ts";
import { type Answer, ask } from "./telegram.ts";

const CHATS_AT_ONCE = 20;
const PAUSES_MS = [1_000, 5_000, 15_000, 60_000, 300_000];
/** About an hour of trying; a message later than that helps nobody. */
const MAX_TRIES = 16;

/** For operators who cannot be reached: a day, a look each minute. */
const ALERTS_WAIT_MS = 24 * 3_600_000;
const ALERT_PAUSE_MS = 60_000;

/**
 * Begins to send the next notice of every chat that has one, a lane a chat; a group whose pace is used up is let be.
 * @returns milliseconds until the next one is due, if there is one
 */
export function sendNotices(context: BotContext, pace: Pace, chats: Lanes): number | undefined {
  const { db, now } = context;
  if (!hasNotices(db)) return;
  const due = dueNotices(db, now(), CHATS_AT_ONCE, chats.busy);
  const waitsMs = due.map((notice) => pace.waitMs(notice.chat_id));
  chats.start(
    due.filter((_, i) => waitsMs[i] === 0),
    (notice) => notice.chat_id,
    (notice, signal) => sendOne(context, pace, notice, signal),
  );
  const pausesMs = [...waitsMs.filter((ms) => ms > 0), untilNextNotice(db, now()) ?? Number.POSITIVE_INFINITY];
  const soonestMs = Math.ceil(Math.min(...pausesMs));
  return Number.isFinite(soonestMs) ? soonestMs : undefined;
}

async function sendOne(context: BotContext, pace: Pace, notice: Notice, signal: AbortSignal) {
  const { db, config, log, now } = context;
  // Since we looked, the outbox may have taken the group's last turn.
  if (pace.waitMs(notice.chat_id) > 0) return;
  const answer = await ask(() => call(context, notice), signal);
  switch (answer.kind) {
    case "ok":
      transact(db, () => {
        settleNotice(db, notice.id, "sent", now());
        if (notice.asks !== null && isMessage(answer.value)) questionSent(db, notice, answer.value.message_id, now());
      });
      break;
    case "done":
    case "absent":
      settleNotice(db, notice.id, "sent", now());
      break;
    case "wait":
      delayNotice(db, notice.id, now() + answer.retryAfterMs, false);
      break;
    case "moved":
      moveNotice(db, notice.id, answer.chatId);
      followAdminChat(db, config, { from: notice.chat_id, to: answer.chatId, now: now() });
      followLeadsChat(db, config, { from: notice.chat_id, to: answer.chatId, now: now() });
      break;
    case "unreachable":
      // Whoever lets the bot in again, or presses Start at last, has to hear what is wrong.
      if (isAdminChat(db, config, notice.chat_id) && now() - notice.created_at < ALERTS_WAIT_MS) {
        delayNotice(db, notice.id, now() + ALERT_PAUSE_MS, false);
        log.warn({ notice: notice.id }, "the operators' chat cannot be written to: an alert waits");
        break;
      }
      if (notice.chat_id > 0) markUnreachable(db, notice.chat_id, now());
      settleNotice(db, notice.id, "unreachable", now());
      log.warn({ notice: notice.id }, "nobody reads that chat");
      break;
    default:
      retryOrDrop(context, notice, answer);
  }
}

const isMessage = (value: unknown): value is { message_id: number } =>
  typeof value === "object" && value !== null && "message_id" in value;

function retryOrDrop({ db, log, now }: BotContext, notice: Notice, answer: Answer<unknown> & { reason: string }) {
  if (answer.kind === "bug" || notice.tries + 1 >= MAX_TRIES) {
    transact(db, () => {
      settleNotice(db, notice.id, "dropped", now());
      // A set that is to go has to go, but the guest's messages behind it have waited long enough.
      if (answer.kind !== "bug" && notice.method === "deleteStickerSet")
        discardSet(db, JSON.parse(notice.payload).name, now());
    });
    log.error({ notice: notice.id, method: notice.method, reason: answer.reason }, "a message was given up");
    return;
  }
  const pauseMs = PAUSES_MS[Math.min(notice.tries, PAUSES_MS.length - 1)] as number;
  delayNotice(db, notice.id, now() + pauseMs, true);
  log.warn({ notice: notice.id, pauseMs, reason: answer.reason }, "a message waits for another try");
}

function call({ api }: BotContext, notice: Notice): Promise<unknown> {
  const payload = JSON.parse(notice.payload);
  switch (notice.method) {
    case "sendMessage":
      return api.raw.sendMessage({ chat_id: notice.chat_id, ...payload });
    case "editMessageText":
      return api.raw.editMessageText({ chat_id: notice.chat_id, ...payload });
    case "deleteStickerSet":
      return api.raw.deleteStickerSet(payload);
  }
}
