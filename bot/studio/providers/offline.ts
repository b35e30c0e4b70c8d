/**
 * The artist that needs no network, no account and no model: it cuts the guest out of the selfie and
 * draws outfit, mood and caption around them. The demo runs on it, and a booth whose line is down can too.
 */

import type { JobName, Jobs } from "./offline/jobs.ts";
import { deathPrefix, openThread } from "./offline/thread.ts";
import type { Outcome, Provider, Reply } from "./provider.ts";

const model = "offline-1";
const nothingSpent = { inputTokens: 0, outputTokens: 0, images: 0 };
/** A thread that has had nothing to do for this long is closed and gives its memory back. */
const idleMs = 30_000;

/**
 * The offline artist. Its selfie check judges what pixels can tell and claims no more; an outfit that it
 * does not know is drawn as its first one. An abort or a dead thread is `overloaded`; a photo or sheet that
 * cannot be decoded fails its check, or the drawing as `refused`. It never rejects.
 */
export function offlineArtist(): Provider {
  const thread = openThread(new URL("./offline/worker.ts", import.meta.url), idleMs);

  async function reply<N extends JobName>(
    name: N,
    input: Jobs[N]["input"],
    signal: AbortSignal,
  ): Promise<Reply<Jobs[N]["output"]>> {
    try {
      return { model, spent: nothingSpent, outcome: "ok", value: await thread.run(name, input, signal) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { model, spent: nothingSpent, outcome: outcomeOf(reason, signal), reason };
    }
  }

  return {
    name: "offline",
    checkSelfie: (selfie, signal) => reply("checkSelfie", { selfie }, signal),
    drawSheet: (order, signal) => reply("drawSheet", order, signal),
    checkSheet: (sheet, count, signal) => reply("checkSheet", { sheet, count }, signal),
  };
}

function outcomeOf(reason: string, signal: AbortSignal): Exclude<Outcome, "ok"> {
  if (signal.aborted || reason.startsWith(deathPrefix)) return "overloaded";
  if (reason.startsWith("the photo")) return "refused";
  return "broken";
}
