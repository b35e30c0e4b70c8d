/** The loop that draws operators' try-outs: one at a time, on the bill like everything else, and no guest waits for it. */
import { isHeld } from "../shared/budget.ts";
import { describe } from "../shared/errors.ts";
import { readIfThere, writeWhole } from "../shared/files.ts";
import type { StepContext } from "../shared/loop.ts";
import { coloursOf } from "../shared/templates.ts";
import {
  dropStrayTryouts,
  endTryout,
  hasTryout,
  TRYOUT_PHOTO,
  type Tryout,
  type TryoutEnd,
  takeTryout,
  tryoutFile,
} from "../shared/tryouts.ts";
import type { BotContext } from "./context.ts";
import type { Artists } from "./studio/artists.ts";
import { noteBill } from "./studio/bill.ts";
import { chooseKey } from "./studio/cutter/choose-key.ts";
import { SheetUnusable } from "./studio/cutter/cutter.ts";
import { cutOffThread } from "./studio/cutter/off-thread.ts";
import { mimeOf } from "./studio/providers/gemini.ts";

const BEAT_MS = 5_000;

/** @returns the loop's step */
export function createTryouts(context: BotContext, artists: Artists) {
  const { db, now, log } = context;
  dropStrayTryouts(db, now());
  return async (loop: StepContext) => {
    if (!hasTryout(db)) return;
    const tryout = takeTryout(db, now());
    if (!tryout) return;
    const beating = setInterval(loop.beat, BEAT_MS);
    try {
      const end = await draw(context, artists, tryout, loop.signal);
      endTryout(db, tryout.id, end, now());
      log.info({ tryout: tryout.id, problem: end.problem }, "a try-out ended");
    } catch (error) {
      endTryout(db, tryout.id, { problem: describe(error) }, now());
      throw error;
    } finally {
      clearInterval(beating);
    }
    return "again";
  };
}

async function draw(context: BotContext, artists: Artists, tryout: Tryout, signal: AbortSignal): Promise<TryoutEnd> {
  const { db, config, now } = context;
  if (isHeld(db, config, now())) return { problem: "budget_used" };
  const file = (name: string) => tryoutFile(config.DATA_DIR, tryout, name);
  const selfie = await readIfThere(file(TRYOUT_PHOTO));
  if (!selfie) return { problem: "photo_gone" };
  const count = config.STICKERS_PER_PACK;
  const outfit = { id: tryout.template_id, prompt: tryout.prompt };
  const key = await chooseKey(selfie, coloursOf(tryout));
  const order = { selfie, outfit, count, key, lang: "en", attempt: 0 } as const;
  const asked = await artists.ask("tryout", (artist, stop) => artist.drawSheet(order, stop), {
    signal,
    billed: (bill) => noteBill(context, null, bill),
  });
  if (asked.outcome !== "ok") return { problem: asked.reason };
  const sheet = `sheet.${extensions[mimeOf(asked.value)] ?? "jpg"}`;
  writeWhole(file(sheet), asked.value);
  try {
    const cut = await cutOffThread(asked.value, { count }, signal);
    const stickers = cut.stickers.map(({ cell, type, bytes }) => {
      const name = `sticker-${String(cell).padStart(2, "0")}.${type}`;
      writeWhole(file(name), bytes);
      return name;
    });
    return { sheet, stickers, problem: cut.problems[0] };
  } catch (error) {
    if (!(error instanceof SheetUnusable)) throw error;
    return { sheet, problem: `uncuttable: ${error.code}` };
  }
}

const extensions: Record<string, string> = { "image/png": "png", "image/webp": "webp" };
