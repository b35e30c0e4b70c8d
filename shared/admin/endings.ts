/**
 * Whether a state that operators were told of is over. That it is not seen any more does not mean that: a kiosk of a
 * paused booth is not looked at, a silent one tells nothing of its camera, and a bot that has just started knows nothing
 * of Telegram yet. An all-clear is only said when it is known to be true.
 */
import { isSilent } from "../kiosks.ts";
import { hasTrouble, isMany } from "./kiosk-problems.ts";
import type { Now } from "./now.ts";
import type { Problem } from "./problems.ts";

/** `over`: say so. `gone`: what it was about is no more, which is nothing to be said. `open`: nobody can tell. */
export type Fate = "over" | "gone" | "open";

/**
 * @param problems all that hold at this moment, those included of which the chat is not told
 * @param settled the bot runs for long enough to know its own troubles
 * @param cause of a state that was told and is not among those to be told now
 */
export function fateOf(problems: readonly Problem[], now: Now, settled: boolean, cause: string): Fate {
  if (problems.some((problem) => problem.cause === cause)) return "open";
  const [what = "", id = "", which = ""] = cause.split(":");
  switch (what) {
    case "telegram":
    case "loop":
      // Of a bot that stands still nothing is known; and a loop that is no more has nothing to tell.
      if (!settled || problems.some((problem) => problem.cause === "bot")) return "open";
      return what === "loop" && !now.loops.some(({ loop }) => loop === cause.slice("loop:".length)) ? "gone" : "over";
    case "kiosk":
      return fateOfKiosk(now, id, which);
    case "kiosks":
      return fateOfKiosks(now, id);
    case "queue":
      return now.budget.held ? "open" : "over";
    case "budget":
      // Another limit, or another day, that is used up too: that has an alert of its own.
      return now.budget.held ? "gone" : "over";
    case "disk":
      return now.diskFreeBytes === null ? "open" : "over";
    default:
      return "over";
  }
}

function fateOfKiosk({ kiosks, at }: Now, id: string, which: string): Fate {
  const kiosk = kiosks.find((known) => known.id === id);
  if (!kiosk) return "gone";
  if (isSilent(kiosk, at)) return "open";
  return hasTrouble(kiosk, which, at) ? "open" : "over";
}

/** A group is there while that many have the trouble, or had it when they fell silent. */
function fateOfKiosks({ kiosks, at }: Now, which: string): Fate {
  if (kiosks.length === 0) return "gone";
  const still = kiosks.filter((kiosk) => hasTrouble(kiosk, which, at));
  return isMany(which, still.length, kiosks.length) ? "open" : "over";
}
