/** sticker-bot: Telegram's updates and every loop of the product. Exactly one runs. */
import { Api } from "grammy";
import { configOrExit } from "../shared/config.ts";
import { openDb } from "../shared/db.ts";
import { prepareFolders } from "../shared/files.ts";
import { heartbeats, keepHeartbeats, POLL } from "../shared/heartbeats.ts";
import { createLog } from "../shared/log.ts";
import { Loop } from "../shared/loop.ts";
import { effective } from "../shared/overrides.ts";
import { refuseToStart, startError, stopOnSignal } from "../shared/process.ts";
import { watchedClock } from "../shared/waits.ts";
import { onForeignCommit } from "../shared/wake.ts";
import { fetchChatPhotos } from "./chat-photos.ts";
import type { BotContext } from "./context.ts";
import { deliverDue } from "./delivery.ts";
import { guestHandlers } from "./guest.ts";
import {
  createClockWatch,
  deleteSets,
  expireVisits,
  forgetOldMarks,
  recoverDeadWork,
  removeOldFiles,
} from "./housekeeping.ts";
import { Lanes } from "./lanes.ts";
import { leadHandlers } from "./leads.ts";
import { forgetLeads, remindOfLeads, sendDigest } from "./leads-housekeeping.ts";
import { sendNotices } from "./notices.ts";
import { operatorHandlers } from "./operator.ts";
import { createAnnouncer } from "./operator-commands.ts";
import { rememberPace, runOutbox } from "./outbox.ts";
import { createPace } from "./pace.ts";
import { createArtists, hireArtists } from "./studio/artists.ts";
import { closeCutter } from "./studio/cutter/off-thread.ts";
import { sendWhole } from "./telegram.ts";
import { createTryouts } from "./tryouts.ts";
import { createBot, createPoller, prepareBot } from "./updates.ts";
import { createWatch } from "./watch.ts";
import { workOnce } from "./worker.ts";

const CALL_TIMEOUT_SECONDS = 30;
/** Telegram may hold a flooded creation for a minute before it answers 429. */
const CREATE_TIMEOUT_SECONDS = 120;
/** Less than the unit's TimeoutStopSec=30: a job in hand gets most of it to reach the end of a step. */
const STOP_WITHIN_MS = 27_000;
const WORK_GRACE_MS = 18_000;
const GRACE_MS = 5_000;

const config = configOrExit();
const log = createLog("bot", config.LOG_LEVEL);

try {
  prepareFolders(config.DATA_DIR);
  const db = openDb(config.DATA_DIR);
  const client = (timeoutSeconds: number) =>
    new Api(config.BOT_TOKEN, { apiRoot: config.TELEGRAM_API_ROOT, timeoutSeconds, fetch: sendWhole });
  const clock = watchedClock();
  const context: BotContext = {
    db,
    config: effective(db, config),
    log,
    now: clock.now,
    api: client(CALL_TIMEOUT_SECONDS),
    slowApi: client(CREATE_TIMEOUT_SECONDS),
    wake: () => {
      for (const loop of eager) loop.wake();
    },
  };
  const artists = createArtists(hireArtists(config));
  const bot = createBot(config);
  prepareBot(bot, context, [operatorHandlers(context), leadHandlers(context), guestHandlers(context)]);
  const pace = createPace();
  context.api.config.use(pace.transformer);
  rememberPace(context, pace);

  const heartbeat = heartbeats(db);
  const every = (everyMs: number, name: string, step: ConstructorParameters<typeof Loop>[0]["step"]) =>
    new Loop({ name, everyMs, step, heartbeat, log });
  const slots = Array.from({ length: config.WORKER_SLOTS }, (_, i) =>
    every(1_000, `worker-${i + 1}`, (loop) => workOnce(context, artists, i + 1, loop)),
  );
  const lanes = (name: string) => new Lanes(name, log, () => context.wake());
  const [chats, photos, packs] = [lanes("chats"), lanes("photos"), lanes("packs")];
  /** Loops that somebody waits for: woken by every commit of the api and by our own; those who pause say until when. */
  const eager = [
    ...slots,
    every(2_000, "notices", () => sendNotices(context, pace, chats)),
    every(2_000, "chat-photos", () => fetchChatPhotos(context, photos)),
    every(2_000, "delivery", () => deliverDue(context, packs)),
    every(2_000, "tryouts", createTryouts(context, artists)),
    every(2_000, "outbox", ({ signal }) => runOutbox(context, pace, signal)),
  ];
  const loops = [
    ...eager,
    every(5_000, "expiry", () => expireVisits(context)),
    every(5_000, "discarded-sets", () => deleteSets(context)),
    every(5_000, "recovery", () => recoverDeadWork(context)),
    every(5_000, "clock", createClockWatch(context, clock)),
    every(20_000, "files", () => removeOldFiles(context)),
    every(600_000, "marks", () => forgetOldMarks(context)),
    every(5_000, "watch", createWatch(context)),
    every(5_000, "commands", createAnnouncer(context)),
    every(60_000, "lead-reminders", () => remindOfLeads(context)),
    every(60_000, "lead-digest", () => sendDigest(context)),
    every(60_000, "lead-retention", () => forgetLeads(context)),
  ];
  const poller = new Loop({
    name: "updates",
    everyMs: 1_000,
    maxBackoffMs: 5_000,
    step: createPoller(bot, context, process.exit),
    log,
  });
  keepHeartbeats(db, [POLL, ...loops.map((loop) => loop.name)]);

  const unwatch = onForeignCommit(db, context.wake);
  stopOnSignal(log, STOP_WITHIN_MS, async () => {
    unwatch();
    // Rejects when Telegram cannot be told how far we got; it will repeat, and we will know. It may also say nothing.
    const told = Promise.all([bot.stop().catch(() => {}), poller.stop()]);
    await Promise.all([
      Promise.race([told, Bun.sleep(GRACE_MS)]),
      ...loops.map((loop) => loop.stop(slots.includes(loop) ? WORK_GRACE_MS : GRACE_MS)),
      ...[chats, photos, packs].map((work) => work.stop(GRACE_MS)),
    ]);
    closeCutter();
    db.close(false);
  });

  for (const loop of loops) loop.start();
  poller.start();
  // Said last: whoever reads it may already ask us to stop.
  log.info({ slots: config.WORKER_SLOTS, artists: artists.names }, "the bot works");
} catch (error) {
  refuseToStart(log, startError(error, config));
}
