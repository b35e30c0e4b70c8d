/** The loop that fetches photos sent in the chat and hands them to the queue, like the kiosk's. */
import { join } from "node:path";
import {
  type ChatPhoto,
  chatPhotoWaits,
  delayChatPhoto,
  dropChatPhoto,
  dueChatPhotos,
  untilNextChatPhoto,
} from "../shared/chat-photos.ts";
import { transact } from "../shared/db.ts";
import { AppError } from "../shared/errors.ts";
import { removeFile, sessionDir } from "../shared/files.ts";
import { gate } from "../shared/gate.ts";
import { selfieInUse } from "../shared/jobs.ts";
import { notify } from "../shared/notices.ts";
import { MAX_PHOTO_BYTES, readPhoto, storePhoto } from "../shared/photos.ts";
import { placeOf } from "../shared/queue.ts";
import { findSession, takePhoto } from "../shared/sessions.ts";
import { photoTaken, speak } from "../shared/texts/index.ts";
import type { BotContext } from "./context.ts";
import type { Lanes } from "./lanes.ts";
import { ask } from "./telegram.ts";

const AT_ONCE = 4;
/** A decoded photo takes tens of megabytes: they are fetched side by side, and opened one after the other. */
const decoding = gate(1);
const MAX_TRIES = 4;
const PAUSE_MS = 3_000;
const DOWNLOAD_TIMEOUT_MS = 30_000;

/**
 * Begins to fetch the photos that wait, a lane a photo.
 * @returns milliseconds until the next one is due, if there is one
 */
export function fetchChatPhotos(context: BotContext, photos: Lanes): number | undefined {
  const { busy } = photos;
  photos.start(
    dueChatPhotos(context.db, context.now(), AT_ONCE - busy.length, busy),
    (photo) => photo.id,
    (photo, signal) => fetchOne(context, photo, signal),
  );
  return untilNextChatPhoto(context.db, context.now());
}

async function fetchOne(context: BotContext, row: ChatPhoto, signal: AbortSignal) {
  const { db, now, log } = context;
  if (row.size > MAX_PHOTO_BYTES) return settle(context, row, "tooLarge");
  const fetched = await download(context, row, signal);
  // Our own stop is no fault of Telegram's.
  if (signal.aborted && fetched.kind !== "ok") return;
  if (fetched.kind === "wait") return delayChatPhoto(db, row.id, now() + fetched.retryAfterMs, false);
  // A file sent as a document may come without its size.
  if (fetched.kind !== "ok" && /too big/i.test(fetched.reason)) return settle(context, row, "tooLarge");
  if (fetched.kind !== "ok") {
    if (row.tries + 1 >= MAX_TRIES) return settle(context, row, "tooSlow");
    log.warn({ reason: fetched.reason }, "a photo could not be fetched yet");
    return delayChatPhoto(db, row.id, now() + PAUSE_MS, true);
  }
  try {
    accept(context, row, await decoding(() => readPhoto(fetched.value)));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    settle(context, row, error.code === "too_large" ? "tooLarge" : "unreadable");
  }
}

function accept(
  { db, config, now, log, wake }: BotContext,
  row: ChatPhoto,
  photo: Awaited<ReturnType<typeof readPhoto>>,
) {
  // A file for a guest who was erased meanwhile would outlast a kill.
  if (!chatPhotoWaits(db, row.id)) return;
  const file = storePhoto(config.DATA_DIR, row.session_token, photo);
  const jobId = transact(db, () => {
    const session = dropChatPhoto(db, row.id) ? findSession(db, row.session_token, now()) : null;
    if (!session) return null;
    const taken = takePhoto(db, {
      token: session.token,
      sha256: photo.sha256,
      file,
      actor: `guest:${row.user_id}`,
      now: now(),
    });
    const etaSeconds = placeOf(db, session, config.WORKER_SLOTS, now())?.etaSeconds ?? null;
    const tell = (text: string) => notify(db, { chatId: row.user_id, text, now: now() });
    // An album is one photo: those that come too late for the visit need no answer while it goes on.
    if (taken) tell(photoTaken(session.lang, etaSeconds));
    else if (session.status !== "photo_taken" && session.status !== "done") tell(speak(session.lang).photo.notNow);
    return taken;
  });
  if (jobId) log.info({ job: jobId }, "a photo from the chat was accepted");
  else if (!selfieInUse(db, row.session_token, file))
    removeFile(join(sessionDir(config.DATA_DIR, row.session_token), file));
  wake();
}

function settle({ db, now, wake }: BotContext, row: ChatPhoto, why: "tooLarge" | "tooSlow" | "unreadable") {
  transact(db, () => {
    if (!dropChatPhoto(db, row.id)) return;
    const lang = findSession(db, row.session_token, now())?.lang ?? "ru";
    notify(db, { chatId: row.user_id, text: speak(lang).photo[why], now: now() });
  });
  wake();
}

async function download({ api, config }: BotContext, row: ChatPhoto, signal: AbortSignal) {
  const file = await ask(() => api.getFile(row.file_id), signal);
  if (file.kind !== "ok") return file;
  const url = `${config.TELEGRAM_API_ROOT}/file/bot${config.BOT_TOKEN}/${file.value.file_path}`;
  return ask(async () => {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]) });
    if (!response.ok) throw new Error(`the file answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  });
}
