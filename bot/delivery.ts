/**
 * The last part of a job: wait until the pack's page shows the set, then give the guest the link and a first sticker.
 * A page that keeps failing holds nobody's pack hostage.
 */
import { alertOperators } from "../shared/alerts.ts";
import { transact } from "../shared/db.ts";
import { type Job, jobById, nextDeliveries, postponeDelivery } from "../shared/jobs.ts";
import { failJob, finishJob } from "../shared/outcomes.ts";
import { type Pack, packCreated, packGone, packOf, packSeen, packSent, packVisible } from "../shared/packs.ts";
import { spoken } from "../shared/plain-words.ts";
import { speak } from "../shared/texts/index.ts";
import { team } from "../shared/texts/operators/index.ts";
import { markUnreachable } from "../shared/users.ts";
import type { BotContext } from "./context.ts";
import { failPack } from "./failing.ts";
import type { Lanes } from "./lanes.ts";
import { type Answer, ask } from "./telegram.ts";

const AT_ONCE = 20;
/** Good looks at the page in a row before it is believed: Telegram's servers do not all know a set at once. */
const LOOKS = 2;
const LOOK_AGAIN_MS = 400;
const MAX_LOOK_MS = 5_000;
const PAGE_TIMEOUT_MS = 10_000;
/** So many looks, over a quarter of a minute at least, are enough for what a dead worker asked for to come to be. */
const LOOKS_FOR_SET = 8;
/** After this `getStickerSet` alone is enough. */
const PAGE_PATIENCE_MS = 10 * 60_000;
const SEND_AGAIN_MS = 2_000;
const MAX_SEND_MS = 60_000;

/**
 * Goes on with every delivery that is due, a lane a job.
 * @returns milliseconds until the next one is due, if there is one
 */
export function deliverDue(context: BotContext, packs: Lanes): number | undefined {
  const { db, now } = context;
  const waiting = nextDeliveries(db, AT_ONCE, packs.busy);
  const later = waiting.findIndex((job) => job.not_before > now());
  packs.start(
    later < 0 ? waiting : waiting.slice(0, later),
    (job) => job.id,
    (job, signal) => deliver(context, job, signal),
  );
  return later < 0 ? undefined : (waiting[later] as Job).not_before - now();
}

async function deliver(context: BotContext, job: Job, signal: AbortSignal) {
  const { db, log, now } = context;
  const pack = packOf(db, job.id);
  if (!pack) throw new Error(`job ${job.id} is in delivery without a pack`);
  if (pack.created_at === null && !(await wasCreated(context, job, pack, signal))) return;
  if (pack.visible_at === null && !(await isVisible(context, job, pack, signal))) return;
  for (const what of ["link", "sticker"] as const) {
    if (isOwed(context, job, what) && !(await send(context, job, what, signal))) return;
  }
  if (finishJob(db, job, now())) log.info({ job: job.id, ms: now() - job.created_at }, "a pack was delivered");
}

/** Asked right before each message: meanwhile the guest may have erased everything, or another process have sent it. */
function isOwed({ db }: BotContext, { id, attempt }: Job, what: "link" | "sticker"): boolean {
  const job = jobById(db, id);
  const isOurs = job?.status === "delivering" && job.attempt === attempt && job.user_id !== null;
  return isOurs && packOf(db, id)?.[`${what}_sent_at`] === null;
}

/** The last of its workers died before it heard of the set: Telegram knows whether it came to be. */
async function wasCreated(context: BotContext, job: Job, pack: Pack, signal: AbortSignal): Promise<boolean> {
  const { db, now, api } = context;
  const answer = await ask(() => api.getStickerSet(pack.name), signal);
  if (signal.aborted) return false;
  if (answer.kind === "ok") {
    packCreated(db, pack.name, answer.value.stickers[0]?.file_id ?? "", now());
    return true;
  }
  if (answer.kind === "absent" && job.strikes >= LOOKS_FOR_SET) {
    transact(db, () => {
      // Unless another delivery has found it meanwhile.
      if (packOf(db, job.id)?.created_at === null)
        failPack(context, job, { problem: "worker_died", actor: "delivery", hand: "delivery" });
    });
  } else {
    postponeDelivery(db, job, now() + pauseAfter(answer, job, now()));
  }
  return false;
}

/** Looks once more at the pack's page; a second look follows at once when the first was good. */
async function isVisible(context: BotContext, job: Job, pack: Pack, signal: AbortSignal): Promise<boolean> {
  const { db, config, now, api, log } = context;
  const seen = await pageShows(`${config.TELEGRAM_WEB_ROOT}/addstickers/${pack.name}`, pack.name, signal);
  if (signal.aborted) return false;
  const looked = packSeen(db, pack.name, seen, LOOKS, now());
  if (!looked) return false;
  if (looked.visible_at !== null) return true;
  const waitedMs = now() - (pack.created_at ?? pack.decided_at);
  if (waitedMs > PAGE_PATIENCE_MS) {
    const known = (await ask(() => api.getStickerSet(pack.name), signal)).kind;
    if (known === "ok") {
      log.warn({ job: job.id }, "the page never showed the set; Telegram itself has it");
      packVisible(db, pack.name, now());
      return true;
    }
    if (known === "absent") {
      giveUp(context, job, pack);
      return false;
    }
  }
  postponeDelivery(
    db,
    job,
    now() + (seen ? LOOK_AGAIN_MS : Math.min(MAX_LOOK_MS, Math.max(LOOK_AGAIN_MS, waitedMs / 4))),
  );
  return false;
}

/** Does the web page of a set offer it? A page for a set that does not exist has no such link. */
async function pageShows(url: string, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(PAGE_TIMEOUT_MS)]) });
    const page = await response.text();
    return response.ok && page.includes(`tg://addstickers?set=${name}`) && !/doesn.t seem to exist/i.test(page);
  } catch {
    return false;
  }
}

/** Telegram had the set and has it no more: somebody deleted it before the guest ever saw it. */
function giveUp({ db, config, now }: BotContext, job: Job, pack: Pack) {
  transact(db, () => {
    if (!failJob(db, job, "pack_refused", "delivery", now(), "delivery")) return;
    packGone(db, pack.name, now());
    alertOperators(db, config, {
      cause: "delivery:absent",
      text: team(config.TEAM_LANG).alerts.setGone(job.id),
      job: job.id,
      now: now(),
    });
  });
}

/** @returns whether the guest has it, or can never have it; false when it has to be tried again */
async function send(context: BotContext, job: Job, what: "link" | "sticker", signal: AbortSignal): Promise<boolean> {
  const { db, config, log, now } = context;
  const guest = job.user_id as number;
  const pack = packOf(db, job.id) as Pack;
  const call = () =>
    what === "link" ? sendLink(context, job, pack) : context.api.sendSticker(guest, pack.first_sticker ?? "");
  const answer = await ask<unknown>(call, signal);
  if (answer.kind === "ok") {
    packSent(db, pack.name, what, now());
    return true;
  }
  log.warn({ job: job.id, what, answer: answer.kind, reason: answer.reason }, "a delivery did not go through");
  if (answer.kind === "unreachable") {
    // The pack is the guest's all the same: it waits under /packs.
    markUnreachable(db, guest, now());
    packSent(db, pack.name, what, now());
    return true;
  }
  if (answer.kind === "bug" || answer.kind === "absent") {
    transact(db, () => {
      alertOperators(db, config, {
        cause: `delivery:${what}`,
        text: team(config.TEAM_LANG).alerts.notDelivered(what, job.id, spoken(answer.reason, config.TEAM_LANG)),
        now: now(),
      });
      packSent(db, pack.name, what, now());
    });
    return true;
  }
  postponeDelivery(db, job, now() + pauseAfter(answer, job, now()));
  return false;
}

function pauseAfter(answer: Answer<unknown>, job: Job, now: number): number {
  if (answer.kind === "wait") return answer.retryAfterMs;
  return Math.min(MAX_SEND_MS, Math.max(SEND_AGAIN_MS, (now - job.updated_at) / 4));
}

function sendLink({ api, config }: BotContext, job: Job, pack: Pack) {
  const texts = speak(job.lang).pack;
  const url = `${config.TELEGRAM_WEB_ROOT}/addstickers/${pack.name}`;
  const reply_markup = { inline_keyboard: [[{ text: texts.add, url }]] };
  return api.sendMessage(job.user_id as number, `${texts.ready(pack.stickers)}\n${url}`, { reply_markup });
}
