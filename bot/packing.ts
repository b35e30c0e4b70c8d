/**
 * Creating the sticker set: once, whatever Telegram answers. The name stands in the database before the first call, so
 * every later call asks for the same set, and `getStickerSet` decides whenever an answer left it open.
 */
import { join } from "node:path";
import { InputFile } from "grammy";
import type { InputSticker } from "grammy/types";
import { readIfThere, sessionDir } from "../shared/files.ts";
import { assertHeld, type Job } from "../shared/jobs.ts";
import { decidePack, fitting, type Pack, packCreated, packOf } from "../shared/packs.ts";
import { speak } from "../shared/texts/index.ts";
import { markUnreachable, userById } from "../shared/users.ts";
import { type BotContext, usernameOf } from "./context.ts";
import type { Bench, Left, StoredSticker } from "./studio/steps.ts";
import { ask } from "./telegram.ts";

/** How long Telegram may be silent before the job is given up and the operators decide. */
const GIVE_UP_MS = 6 * 3_600_000;
/** Telegram keeps title and names apart from markup, so the guest's name goes in as it is, within 64 characters. */
const TITLE_NAME_LENGTH = 40;

/** @returns `kept` once Telegram has the set */
export async function createPack({ context, signal, stopping }: Bench, job: Job): Promise<Left> {
  const { db, log, now } = context;
  const guest = job.user_id === null ? null : userById(db, job.user_id);
  if (!guest) return { kind: "fail", problem: "cancelled" };
  const stickers = JSON.parse(job.stickers as string) as StoredSticker[];
  const askedBefore = packOf(db, job.id) !== null;
  const name = fitting(guest.first_name, TITLE_NAME_LENGTH);
  const pack = decidePack(db, job, usernameOf(context), speak(job.lang).pack.title(name), stickers.length, now());

  if (askedBefore) {
    const known = await lookUp(context, job, pack, signal);
    if (known !== "absent") return known;
  }
  const input = await inputStickers(context, job, stickers);
  if (!input) return { kind: "fail", problem: "photo_gone" };
  assertHeld(db, job);
  // Its end is waited for although the job may be nobody's any more: what Telegram makes after that, nobody would delete.
  const answer = await ask(() => context.slowApi.createNewStickerSet(guest.id, pack.name, pack.title, input), stopping);
  if (answer.kind !== "ok")
    log.warn({ job: job.id, answer: answer.kind, reason: answer.reason }, "the set was not plainly created");
  switch (answer.kind) {
    case "wait":
      return { kind: "pause", reason: "telegram_busy", untilMs: now() + answer.retryAfterMs };
    case "unreachable":
      markUnreachable(db, guest.id, now());
      return { kind: "fail", problem: "pack_refused", reason: answer.reason };
    case "bug":
      return { kind: "fail", problem: "pack_refused", reason: answer.reason };
    default: {
      const known = await lookUp(context, job, pack, signal);
      if (known !== "absent") return known;
      // Occupied and yet not there: Telegram is between the two, or somebody deleted it. Asked again later, under the same name.
      return waitForTelegram(pack, now());
    }
  }
}

/** What `getStickerSet` knows of the pack. */
async function lookUp(
  { api, db, log, now }: BotContext,
  job: Job,
  pack: Pack,
  signal: AbortSignal,
): Promise<Left | "absent"> {
  const answer = await ask(() => api.getStickerSet(pack.name), signal);
  if (answer.kind === "ok") {
    packCreated(db, pack.name, answer.value.stickers[0]?.file_id ?? "", now());
    return { kind: "kept", job, outcome: "created" };
  }
  if (answer.kind === "absent") return "absent";
  log.warn({ job: job.id, answer: answer.kind, reason: answer.reason }, "Telegram did not say whether the set exists");
  if (answer.kind === "wait") return { kind: "pause", reason: "telegram_busy", untilMs: now() + answer.retryAfterMs };
  return waitForTelegram(pack, now());
}

/** Longer and longer, from two seconds to a minute. */
function waitForTelegram(pack: Pack, now: number): Left {
  const waitedMs = now - pack.decided_at;
  if (waitedMs > GIVE_UP_MS) return { kind: "fail", problem: "pack_refused", reason: "telegram_silent" };
  return { kind: "pause", reason: "telegram_silent", untilMs: now + Math.min(60_000, Math.max(2_000, waitedMs / 2)) };
}

async function inputStickers(
  { config }: BotContext,
  job: Job,
  stickers: StoredSticker[],
): Promise<InputSticker[] | null> {
  const folder = sessionDir(config.DATA_DIR, job.session_token);
  const input: InputSticker[] = [];
  for (const { file, emoji } of stickers) {
    const bytes = await readIfThere(join(folder, file));
    if (!bytes) return null;
    input.push({ sticker: new InputFile(bytes, file), format: "static", emoji_list: emoji });
  }
  return input;
}
