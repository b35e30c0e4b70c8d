/** What one seed does: who comes to the booth, and what goes wrong meanwhile. Plain data, so that a plan can be printed. */
import { speak } from "../../shared/texts/index.ts";
import type { Fault, FaultAction } from "../sim/faults.ts";
import type { Who } from "./levers.ts";
import { Random } from "./random.ts";

export type GuestPlan = {
  id: number;
  startMs: number;
  photoBy: "kiosk" | "chat";
  /** Posts the same photo so many times at once. */
  copies: number;
  chatter: string[];
  ending: "wait" | "decline" | "reset" | "erase:data" | "erase:packs" | "block";
};

export type LeadPlan = {
  startMs: number;
  copies: number;
  deeds: ("take" | "won" | "lost" | "spam" | "reopen" | "show")[];
};

/** What the one operator of the evening does, in turn; a pause is ended by the same person. */
export type OperatorDeed = { afterMs: number; what: "pause" | "retry" | "cancel" | "status"; by: "chat" | "page" };

export type Point = "before" | "after";
type Deed =
  | { kind: "kill" | "term"; who: Who }
  | { kind: "pause"; who: Who; forMs: number }
  | { kind: "killAtCall"; who: Who; target: string; when?: Fault["when"]; point: Point }
  /** With a target the commits are counted from the answer to such a call. */
  | { kind: "killAtCommit"; who: Who; nth: number; point: Point; target?: string }
  | { kind: "fault"; target: string; times: number; skip: number; do: FaultAction }
  /** Silence for a while, then a broken connection. */
  | { kind: "hang"; target: string; forMs: number }
  /** Silence until the caller gives up, whether the call was carried out or not. */
  | { kind: "deadline"; target: string; isCarriedOut: boolean }
  | { kind: "clock"; byMs: number }
  | { kind: "lock"; forMs: number }
  | { kind: "disk"; forMs: number; leaveKb: number }
  | { kind: "redeliver"; count: number }
  | { kind: "migrate" }
  | { kind: "skew"; byMs: number };
export type Trouble = { afterMs: number } & Deed;

/** What kind of trouble it is, for counting. */
export function nameOf(trouble: Trouble): string {
  if (trouble.kind === "fault") {
    const action = trouble.do as Record<string, unknown>;
    const what = Object.keys(action)[0] as string;
    return what === "status" ? `answer ${action.status}` : what === "outcome" ? `artist ${action.outcome}` : what;
  }
  return "point" in trouble ? `${trouble.kind} ${trouble.point}` : trouble.kind;
}

export type Plan = {
  seed: number;
  env: Record<string, string>;
  guests: GuestPlan[];
  leads: LeadPlan[];
  operator: OperatorDeed[];
  troubles: Trouble[];
  /** The run ends with a day going by: no file may be left. */
  dayPasses: boolean;
};

const HOUR_MS = 3_600_000;
const TELEGRAM = [
  "sendMessage",
  "sendSticker",
  "createNewStickerSet",
  "getStickerSet",
  "getUpdates",
  "editMessageText",
];
const CALLS = [
  ...TELEGRAM.map((method) => `telegram:${method}`),
  "telegram:getFile",
  "page",
  "file",
  "gemini:selfie",
  "gemini:image",
  "gemini:sheet",
  "openai:image",
];

const atCall = (who: Who, target: string, when?: Fault["when"]): Deed => {
  return { kind: "killAtCall", who, target, when, point: "before" };
};
/** Nobody draws this guest: the job ends, and the guest is told. */
const refusal = (artist: string): Deed => {
  return { kind: "fault", target: `${artist}:image`, times: 1, skip: 0, do: { outcome: "refused" } };
};
/** What the lists above have not. */
const RARE: Deed[][] = [
  [atCall("bot", "openai:selfie")],
  [atCall("bot", "openai:sheet")],
  [atCall("bot", "telegram:answerCallbackQuery")],
  [atCall("bot", "telegram:deleteStickerSet")],
  // Only a process that starts asks this.
  [{ kind: "kill", who: "bot" }, atCall("bot", "telegram:getMe")],
  // The one message that the api sends by itself in a visit.
  [atCall("api", "telegram:sendMessage", { text: speak("en").photo.taken })],
  [atCall("api", "telegram:sendMessage", { text: speak("en").photo.taken })],
  // A sheet was paid for, and is on the disk or in the bill alone.
  [{ kind: "killAtCommit", who: "bot", nth: 1, point: "after", target: "gemini:image" }],
  [{ kind: "killAtCommit", who: "bot", nth: 2, point: "before", target: "gemini:image" }],
  // Between a pack's two messages.
  [atCall("bot", "telegram:sendSticker")],
];

export function planOf(seed: number): Plan {
  const random = new Random(seed);
  const guests = random.list(random.int(2, 5), (i) => guestOf(random, 7001 + i));
  const leads = random.list(random.int(1, 4), () => leadOf(random));
  // Now and then everything at once: workers die at the same job again and again.
  const isStorm = random.chance(0.2);
  const troubles = random
    .list(isStorm ? random.int(9, 16) : random.int(3, 8), () => troubleOf(random))
    .map((trouble) => ({ ...trouble, afterMs: isStorm ? Math.ceil(trouble.afterMs / 4) : trouble.afterMs }));
  // Drawn apart, so that the rest of a seed's plan does not depend on it.
  const apart = new Random(~seed);
  addRare(apart, troubles);
  if (apart.chance(0.4)) troubles.splice(apart.int(0, troubles.length), 0, deadlineOf(apart));
  return {
    seed,
    env: {
      AI_PROVIDERS: random.pick(["gemini,openai", "gemini,openai", "openai,gemini"]),
      WORKER_SLOTS: String(random.pick([1, 2, 2, 3])),
      // A long one leaves visits open when the clock jumps by an hour.
      SESSION_TTL_MINUTES: random.pick(["10", "240", "240"]),
    },
    guests,
    leads,
    operator: apart.list(apart.int(0, 3), () => operatorDeedOf(apart)),
    troubles,
    dayPasses: random.chance(0.3),
  };
}

/** Into every other plan, anywhere. */
function addRare(random: Random, troubles: Trouble[]) {
  // From the beginning, or the drawing may be over.
  if (random.chance(0.3)) troubles.unshift({ ...refusal(random.pick(["gemini", "gemini", "openai"])), afterMs: 50 });
  if (random.chance(0.5)) return;
  const point = random.pick(["before", "after"] as const);
  const deeds = random.pick(RARE).map((deed, nth): Trouble => {
    const afterMs = nth === 0 ? random.int(50, 900) : 0;
    return "point" in deed ? { ...deed, afterMs, point } : { ...deed, afterMs };
  });
  troubles.splice(random.int(0, troubles.length), 0, ...deeds);
}

function deadlineOf(random: Random): Trouble {
  const afterMs = random.int(50, 900);
  return { afterMs, kind: "deadline", target: random.pick(CALLS), isCarriedOut: random.chance(0.5) };
}

function operatorDeedOf(random: Random): OperatorDeed {
  const what = random.weighted({ retry: 4, cancel: 3, pause: 2, status: 1 });
  return { afterMs: random.int(100, 1500), what, by: random.pick(["chat", "page"] as const) };
}

function guestOf(random: Random, id: number): GuestPlan {
  const ending = random.weighted({ wait: 12, decline: 1, reset: 1, "erase:data": 1, "erase:packs": 2, block: 1 });
  const chatter = random.list(random.int(0, 2), () => random.pick(["/help", "/packs", "/privacy", "/start", "hello"]));
  return {
    id,
    startMs: random.int(0, 2500),
    photoBy: random.chance(0.3) ? "chat" : "kiosk",
    copies: random.pick([1, 1, 2]),
    chatter,
    ending,
  };
}

function leadOf(random: Random): LeadPlan {
  const deeds = random.list(random.int(0, 2), () =>
    random.pick(["take", "won", "lost", "spam", "reopen", "show"] as const),
  );
  return { startMs: random.int(0, 3500), copies: random.pick([1, 1, 2, 3]), deeds };
}

function troubleOf(random: Random): Trouble {
  const afterMs = random.int(50, 900);
  const who: Who = random.chance(0.7) ? "bot" : "api";
  const point = random.pick(["before", "after"] as const);
  const kind = random.weighted({
    kill: 3,
    term: 2,
    pause: 2,
    killAtCall: 6,
    killAtCommit: 6,
    fault: 9,
    hang: 1,
    clock: 2,
    lock: 1.5,
    disk: 1.5,
    redeliver: 2,
    migrate: 0.7,
    skew: 0.5,
  });
  switch (kind) {
    case "kill":
    case "term":
      return { afterMs, kind, who };
    case "pause":
      return { afterMs, kind, who, forMs: random.int(100, 1500) };
    case "killAtCall":
      return { afterMs, kind, who: "bot", target: random.pick(CALLS), point };
    case "killAtCommit":
      return { afterMs, kind, who, nth: random.int(1, who === "bot" ? 40 : 8), point };
    case "fault":
      return { afterMs, kind, ...faultOf(random) };
    case "hang":
      return { afterMs, kind, target: random.pick(CALLS), forMs: random.int(300, 2500) };
    case "clock":
      return { afterMs, kind, byMs: random.pick([-HOUR_MS, HOUR_MS]) };
    case "lock":
      return { afterMs, kind, forMs: random.pick([400, 900, 1500, 6200]) };
    case "disk":
      return { afterMs, kind, forMs: random.int(400, 2000), leaveKb: random.pick([0, 0, 16, 64]) };
    case "redeliver":
      return { afterMs, kind, count: random.int(1, 10) };
    case "migrate":
      return { afterMs, kind };
    case "skew":
      return { afterMs, kind, byMs: random.pick([-HOUR_MS, HOUR_MS]) };
  }
}

function faultOf(random: Random): { target: string; times: number; skip: number; do: FaultAction } {
  const target = random.pick(["telegram:*", ...CALLS, ...CALLS]);
  const artist = /^(gemini|openai)/.test(target);
  const common: FaultAction[] = [
    { status: 500, body: { ok: false, error_code: 500, description: "Internal Server Error" } },
    { html: "<html><body>502 Bad Gateway</body></html>" },
    { reset: true },
    { delayMs: random.int(200, 2500) },
    { executeThenLose: random.pick(["reset", "502"] as const) },
    { truncate: true },
    { status: 429, body: tooMany, headers: { "retry-after": "2" } },
  ];
  const artists: FaultAction[] = [
    { outcome: "overloaded" },
    { outcome: "rate_limited" },
    { outcome: "no_image" },
    { outcome: "bad_json" },
    { outcome: "wrong_mime" },
    { answer: { usable: false, faces: 2, problem: "many_faces" } },
    { answer: { usable: false, problem: "cropped", stickers: [] } },
    { imageBase64: Buffer.from("no picture at all").toString("base64") },
  ];
  const action = artist && random.chance(0.5) ? random.pick(artists) : random.pick(common);
  return { target, times: random.pick([1, 1, 2, 3, 6]), skip: random.pick([0, 0, 0, 1, 2]), do: action };
}

const tooMany = {
  ok: false,
  error_code: 429,
  description: "Too Many Requests: retry after 2",
  parameters: { retry_after: 2 },
};
