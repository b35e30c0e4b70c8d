/**
 * What is wrong with the booth now, worst first, each with what to do. The page's sentence on top, `/status` and the
 * operators' alerts all come from here, so that they never contradict each other.
 */
import { BUDGET_WARNING } from "../budget.ts";
import type { Config } from "../config.ts";
import { isLate } from "../heartbeats.ts";
import { kioskProblems } from "./kiosk-problems.ts";
import { DEAF_AFTER_MS, isDeaf, machineProblems, outboxProblems } from "./machine-problems.ts";
import type { Now } from "./now.ts";
import { dollars, minutes, wordsOf } from "./words.ts";

const MINUTE_MS = 60_000;
const QUEUE_AMBER_MS = 3 * MINUTE_MS;
const QUEUE_RED_MS = 6 * MINUTE_MS;
/** A loop that fails so often in a row is not having a hiccup. */
const FAILING = 3;

export type Level = "red" | "amber";
export type Problem = {
  cause: string;
  level: Level;
  /** A sentence: what is wrong. */
  what: string;
  /** A sentence: what to do. */
  todo: string;
  /** Said in the operators' chat when it is over; without it nobody is told there at all. */
  ending?: string;
  /** The pack that it is about. */
  job?: number;
};

type Settings = Pick<Config, "AI_PROVIDERS" | "GEMINI_API_KEY" | "OPENAI_API_KEY" | "LEADS_CHAT_ID">;

export function problemsOf(now: Now, config: Settings): Problem[] {
  const found = [
    ...artists(config),
    ...bot(now),
    ...money(now),
    ...queue(now),
    ...failures(now),
    ...kioskProblems(now),
    ...outboxProblems(now, config),
    ...machineProblems(now),
    ...pause(now),
  ];
  return [...found.filter((p) => p.level === "red"), ...found.filter((p) => p.level === "amber")];
}

function artists({ AI_PROVIDERS, GEMINI_API_KEY, OPENAI_API_KEY }: Settings): Problem[] {
  const hired = AI_PROVIDERS.filter(
    (name) => name === "offline" || (name === "gemini" ? GEMINI_API_KEY : OPENAI_API_KEY),
  );
  if (hired.length > 0) return [];
  return [
    {
      cause: "artists",
      level: "red",
      what: "No artist is configured: nothing can be drawn.",
      todo: "Set GEMINI_API_KEY or OPENAI_API_KEY on the server and restart both services.",
      ending: "An artist is configured again.",
    },
  ];
}

function bot({ poll, loops, at, maintenance }: Now): Problem[] {
  const lastSign = Math.max(0, ...[poll, ...loops].map((beat) => beat?.last_ok_at ?? 0));
  if (lastSign === 0 || at - lastSign > DEAF_AFTER_MS) {
    const since = lastSign === 0 ? "It has never run." : `Its last sign of life was ${minutes(at - lastSign)} ago.`;
    return [
      {
        cause: "bot",
        level: "red",
        what: `The bot does not run. ${since}`,
        todo: `On the server: systemctl restart sticker-bot.${maintenance ? "" : " Until then pause the booth."}`,
      },
    ];
  }
  const found: Problem[] = [];
  if (isDeaf(poll, at)) {
    found.push({
      cause: "telegram",
      level: "red",
      what: `Telegram has not answered for ${poll?.last_ok_at ? minutes(at - poll.last_ok_at) : "as long as the bot runs"}: guests cannot link, nothing is delivered.`,
      todo: "Check the server's network. If another program uses the same bot, stop it.",
      ending: "Telegram answers again.",
    });
  }
  for (const loop of loops.filter((beat) => isLate(beat, at))) {
    if (loop.failures > 0 && loop.failures < FAILING) continue;
    const why = loop.failures > 0 && loop.last_error ? ` fails: ${loop.last_error}` : " has stood still.";
    found.push({
      cause: `loop:${loop.loop}`,
      level: "red",
      what: `The bot's part “${loop.loop}”${why}`,
      todo: "Look at the bot's log; restart sticker-bot if it does not mend itself.",
      ending: `The bot's part “${loop.loop}” works again.`,
    });
  }
  return found;
}

function money({ budget, counts }: Now): Problem[] {
  const { limit, spent, share, held, day } = budget;
  if (limit === 0 || share < BUDGET_WARNING) return [];
  const waiting = counts.queued > 0 ? ` ${counts.queued} ${counts.queued === 1 ? "pack waits" : "packs wait"}.` : "";
  if (held) {
    return [
      {
        cause: `budget:100:${day}:${limit}`,
        level: "red",
        what: `Today's AI budget of ${dollars(limit)} is used up: nothing is drawn.${waiting}`,
        todo: "Raise it for today: the button here, or /budget and an amount in Telegram.",
        ending: "There is money for today again: the queue goes on.",
      },
    ];
  }
  return [
    {
      cause: `budget:80:${day}:${limit}`,
      level: "amber",
      what: `${Math.floor(share * 100)} % of today's AI budget is used: ${dollars(spent)} of ${dollars(limit)}.`,
      todo: "At 100 % the queue waits. Raise it for today if the evening is long.",
      ending: "",
    },
  ];
}

function queue({ oldestQueuedMs, counts, budget }: Now): Problem[] {
  if (budget.held || oldestQueuedMs === null || oldestQueuedMs < QUEUE_AMBER_MS) return [];
  const red = oldestQueuedMs >= QUEUE_RED_MS;
  return [
    {
      cause: "queue",
      level: red ? "red" : "amber",
      what: `Guests wait long: ${counts.queued} in the queue, the first for ${minutes(oldestQueuedMs)}.`,
      todo: "Look at Jobs: are the artists slow or failing? Pause new visits until it is short again.",
      ...(red ? { ending: "The queue is short again." } : {}),
    },
  ];
}

/** Each is alerted by itself when it happens; here it is a reminder that somebody left without stickers. */
function failures({ today, lastFailed }: Now): Problem[] {
  if (today.failed === 0 || lastFailed === null) return [];
  if (today.failed === 1) {
    const { id, name, problem } = lastFailed;
    const words = wordsOf(problem);
    return [
      {
        cause: "failures",
        level: "amber",
        what: `${name ?? "One guest"} got no stickers (pack ${id}): ${words?.what ?? "it failed"}.`,
        todo: words?.todo ?? "",
        job: id,
      },
    ];
  }
  const most = today.failed >= 3 && today.failed > today.packs;
  return [
    {
      cause: "failures",
      level: most ? "red" : "amber",
      what: `${today.failed} guests got no stickers today${most ? ", more than got some" : ""}.`,
      todo: "Open Jobs, look why, and retry.",
    },
  ];
}

function pause({ maintenance }: Now): Problem[] {
  if (!maintenance) return [];
  return [
    {
      cause: "pause",
      level: "amber",
      what: `The booth is paused${maintenance.reason ? `: ${maintenance.reason}` : ""}. New guests are asked to come back later.`,
      todo: "Open it again when you are ready: the button here, or /resume in Telegram.",
    },
  ];
}
