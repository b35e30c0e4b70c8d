/** What time does to rows and files: visits expire, dead workers' jobs go on, photos vanish. */
import { brandingPictures } from "../shared/branding.ts";
import { transact } from "../shared/db.ts";
import { sweepFiles } from "../shared/files.ts";
import { lastBeat } from "../shared/heartbeats.ts";
import { noteFilesRemoved } from "../shared/jobs.ts";
import { sweepNotices } from "../shared/notices.ts";
import { deleteDiscardedSets } from "../shared/packs.ts";
import { sweepPictures } from "../shared/pictures.ts";
import { ownerIsGone } from "../shared/process.ts";
import { recoverJobs } from "../shared/recovery.ts";
import { expireOverdue } from "../shared/sessions.ts";
import { sweepUpdates } from "../shared/updates.ts";
import {
  createTraces,
  endStrayMarks,
  endStrayPauses,
  endStrayVisits,
  LONGEST_PAUSE_MS,
  LONGEST_WAIT_MS,
  type watchedClock,
} from "../shared/waits.ts";
import type { BotContext } from "./context.ts";
import { failPack } from "./failing.ts";
import { isAtWork } from "./worker.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Telegram redelivers for a day; with a margin. */
const REDELIVERY_MS = 48 * HOUR_MS;

export function expireVisits({ db, now, log }: BotContext) {
  const count = expireOverdue(db, now());
  if (count > 0) log.info({ count }, "visits expired");
}

export function deleteSets({ db, now, log }: BotContext) {
  const count = deleteDiscardedSets(db, now());
  if (count > 0) log.info({ count }, "sets that nobody wants are deleted");
}

/**
 * When the clock is set back, nobody waits for it to catch up. Make it before the loops begin: it looks at when the last
 * process was alive.
 */
export function createClockWatch({ db, config, log, wake }: BotContext, clock: ReturnType<typeof watchedClock>) {
  const newest = createTraces(db);
  clock.trace(lastBeat(db));
  return () => {
    clock.trace(newest());
    const count = endStrayPauses(db, clock.now(), clock.setBack() ? LONGEST_PAUSE_MS : LONGEST_WAIT_MS);
    clock.forget();
    const marks =
      endStrayMarks(db, clock.now()) + endStrayVisits(db, clock.now(), config.SESSION_TTL_MINUTES * MINUTE_MS);
    if (marks > 0)
      log.warn({ marks }, "what bears a time that has not come yet counts as of now: the clock was set back");
    if (count === 0) return;
    log.warn({ count }, "pauses reached too far ahead and were ended: the clock was set back");
    wake();
  };
}

export function recoverDeadWork(context: BotContext) {
  const { db, now, log, wake } = context;
  const { requeued, asked, hopeless } = recoverJobs(db, { isGone: ownerIsGone, isHeld: isAtWork }, now());
  for (const job of requeued)
    log.warn({ job: job.id, strikes: job.strikes }, "a job was taken back from a dead worker");
  for (const job of asked)
    log.warn(
      { job: job.id, strikes: job.strikes },
      "the delivery asks Telegram for the pack of a job whose workers died",
    );
  for (const job of hopeless) failPack(context, job, { problem: "worker_died", actor: "clock" });
  if (requeued.length + asked.length + hopeless.length > 0) wake();
}

export function removeOldFiles({ db, config, now, log }: BotContext) {
  const { files, tokens } = sweepFiles(config.DATA_DIR, config.PHOTO_TTL_HOURS * HOUR_MS, now());
  transact(db, () => {
    for (const token of tokens) noteFilesRemoved(db, token, now());
  });
  if (files > 0) log.info({ files }, "old files were removed");
}

export function forgetOldMarks({ db, now }: BotContext) {
  const before = now() - REDELIVERY_MS;
  sweepUpdates(db, before);
  sweepPictures(db, brandingPictures(db), now());
  sweepNotices(db, before);
}
