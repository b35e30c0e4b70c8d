/**
 * What is wrong with the booth now, worst first, each with what to do. The page's sentence on top, `/status` and the
 * operators' alerts all come from here, so that they never contradict each other.
 */
import { BACKUP_MAX_AGE_MS } from "../backups.ts";
import { BUDGET_WARNING } from "../budget.ts";
import type { Config } from "../config.ts";
import { isLate } from "../heartbeats.ts";
import { hasCameraTrouble, isLow, isSilent } from "../kiosks.ts";
import type { Now } from "./now.ts";
import { wordsOf } from "./words.ts";

const MINUTE_MS = 60_000;
/** The bot leaves a sign at least every half minute; after this nobody hears the guests. */
const DEAF_AFTER_MS = 90_000;
const QUEUE_AMBER_MS = 3 * MINUTE_MS;
const QUEUE_RED_MS = 6 * MINUTE_MS;
const NOTICES_LATE_MS = 2 * MINUTE_MS;
const LEADS_LATE_MS = 5 * MINUTE_MS;
const DISK_AMBER_BYTES = 2 * 1024 ** 3;
const DISK_RED_BYTES = 500 * 1024 ** 2;
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
    ...kiosks(now),
    ...outboxes(now, config),
    ...machine(now),
    ...pause(now),
  ];
  return [...found.filter((p) => p.level === "red"), ...found.filter((p) => p.level === "amber")];
}

const minutes = (ms: number) => {
  const n = Math.max(1, Math.round(ms / MINUTE_MS));
  return n < 120 ? `${n} min` : `${Math.round(n / 60)} h`;
};
export const dollars = (usd: number) => `$${usd.toFixed(2)}`;

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
  if (!poll?.last_ok_at || at - poll.last_ok_at > DEAF_AFTER_MS) {
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

function kiosks({ kiosks: all, at, eventIsOn, maintenance }: Now): Problem[] {
  if (!eventIsOn || maintenance) return [];
  if (all.length > 1 && all.every((kiosk) => isSilent(kiosk, at))) {
    return [
      {
        cause: "kiosks:silent",
        level: "red",
        what: `All ${all.length} kiosks are silent.`,
        todo: "Is the hall's network down, or the server's api? Open the kiosk's address on your phone to see.",
        ending: "Kiosks tell of themselves again.",
      },
    ];
  }
  return all.flatMap((kiosk): Problem[] => {
    const name = `Kiosk ${kiosk.id}`;
    if (isSilent(kiosk, at)) {
      return [
        {
          cause: `kiosk:${kiosk.id}:silent`,
          level: "red",
          what: `${name} has been silent for ${minutes(at - kiosk.seen_at)}.`,
          todo: "Go there: is the tablet on, and is it online? If you put it away, remove it under Now.",
          ending: `${name} is back.`,
        },
      ];
    }
    if (hasCameraTrouble(kiosk)) {
      return [
        {
          cause: `kiosk:${kiosk.id}:camera`,
          level: "red",
          what: `${name} has no picture from its camera (${kiosk.camera}).`,
          todo: "Go there: allow the camera, close other apps, or reload the page. Guests may send a selfie in the chat meanwhile.",
          ending: `The camera of kiosk ${kiosk.id} works again.`,
        },
      ];
    }
    if (isLow(kiosk)) {
      return [
        {
          cause: `kiosk:${kiosk.id}:battery`,
          level: "amber",
          what: `${name} has ${Math.round((kiosk.battery ?? 0) * 100)} % of battery left and does not charge.`,
          todo: "Plug it in.",
          ending: "",
        },
      ];
    }
    if (kiosk.wake_lock !== 0) return [];
    return [
      {
        cause: `kiosk:${kiosk.id}:awake`,
        level: "amber",
        what: `${name} cannot keep its screen awake.`,
        todo: "Set the tablet's screen timeout to never.",
      },
    ];
  });
}

function outboxes({ outbox, at, poll }: Now, { LEADS_CHAT_ID }: Settings): Problem[] {
  const found: Problem[] = [];
  const deaf = !poll?.last_ok_at || at - poll.last_ok_at > DEAF_AFTER_MS;
  if (!deaf && (outbox.oldestNoticeMs ?? 0) > NOTICES_LATE_MS) {
    found.push({
      cause: "notices",
      level: "amber",
      what: `${outbox.notices} messages wait for Telegram, the first for ${minutes(outbox.oldestNoticeMs ?? 0)}.`,
      todo: "They are tried again by themselves. If it stays, look at the bot's log.",
    });
  }
  if ((outbox.oldestLeadMs ?? 0) > LEADS_LATE_MS) {
    found.push({
      cause: "leads",
      level: "amber",
      what: `${outbox.leads} ${outbox.leads === 1 ? "lead waits" : "leads wait"} for the sales group, the first for ${minutes(outbox.oldestLeadMs ?? 0)}.`,
      todo: LEADS_CHAT_ID
        ? "They are safe and listed under Leads. Check that the bot may write in the sales group."
        : "They are safe and listed under Leads. Set LEADS_CHAT_ID on the server to send them to a group.",
    });
  }
  return found;
}

function machine({ diskFreeBytes, lastBackupAt, firstVisitAt, at }: Now): Problem[] {
  const found: Problem[] = [];
  if (diskFreeBytes !== null && diskFreeBytes < DISK_AMBER_BYTES) {
    const megabytes = Math.round(diskFreeBytes / 1024 ** 2);
    found.push({
      cause: "disk",
      level: diskFreeBytes < DISK_RED_BYTES ? "red" : "amber",
      what: `The server's disk is nearly full: ${megabytes} MB are left.`,
      todo: "Make room on the server; photos cannot be stored without it.",
      ending: "The server's disk has room again.",
    });
  }
  const age = at - (lastBackupAt ?? firstVisitAt ?? at);
  if (age > BACKUP_MAX_AGE_MS) {
    found.push({
      cause: "backup",
      level: "amber",
      what: lastBackupAt ? `The last backup is ${minutes(age)} old.` : "There is no backup yet.",
      todo: "Look at sticker-backup on the server, or run: bun run backup.",
      ending: "There is a fresh backup again.",
    });
  }
  return found;
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
