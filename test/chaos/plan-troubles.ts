/** What goes wrong in a plan: which deeds, of whom, at which calls. How each is done: trouble.ts. */
import { speak } from "../../shared/texts/index.ts";
import type { Fault, FaultAction } from "../sim/faults.ts";
import type { Places, Who } from "./levers.ts";
import type { Random } from "./random.ts";

export type Point = "before" | "after";
type Deed =
  | { kind: "kill" | "term"; who: Who }
  | { kind: "pause"; who: Who; forMs: number }
  | { kind: "killAtCall"; who: Who; target: string; when?: Fault["when"]; point: Point }
  /** With a target the commits are counted from the answer to such a call; with places only those there. */
  | { kind: "killAtCommit"; who: Who; nth: number; point: Point; target?: string; places?: Places }
  /** The bot stands still at such a call until another one has done its work, and then goes on as if nothing had been. */
  | { kind: "relieve"; target: string }
  | { kind: "fault"; target: string; times: number; skip: number; do: FaultAction; of?: "cards" }
  /** Silence for a while, then a broken connection. */
  | { kind: "hang"; target: string; forMs: number }
  /** Silence until the caller gives up, whether the call was carried out or not. */
  | { kind: "deadline"; target: string; isCarriedOut: boolean }
  | { kind: "clock"; byMs: number }
  | { kind: "lock"; forMs: number }
  | { kind: "disk"; forMs: number; leaveKb: number }
  | { kind: "redeliver"; count: number }
  | { kind: "migrate"; group: "sales" | "operators" }
  | { kind: "skew"; byMs: number }
  /** The bot is thrown out of the sales group, and let in again. */
  | { kind: "out"; forMs: number }
  /** A pack's page does not show it for as long as the booth looks at it. */
  | { kind: "noPage" }
  /** No artist draws, however often they are asked. */
  | { kind: "noArtist" };
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

/** Whom the troubles can meet: the artists in the order in which they are asked, and whether photos come in the chat. */
export type Meets = { artists: [first: string, second: string]; chatPhotos: boolean };

/** More than a job is given. */
const DEATHS_OF_A_JOB = 7;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Deaths are ordered by place, so that the rare places are met too. */
const CLASSES = 16;
const TELEGRAM = [
  "sendMessage",
  "sendSticker",
  "createNewStickerSet",
  "getStickerSet",
  "getUpdates",
  "editMessageText",
].map((method) => `telegram:${method}`);
/** What a worker does between claim and delivery. */
const workOf = (artist: string) => ["selfie", "image", "sheet"].map((purpose) => `${artist}:${purpose}`);

/** The calls that this booth makes. The second artist's are made when the first one fails. */
const callsOf = ({ artists: [first, second], chatPhotos }: Meets) => [
  ...TELEGRAM,
  ...(chatPhotos ? ["telegram:getFile", "file"] : []),
  "page",
  ...workOf(first),
  `${second}:image`,
];

const atCall = (who: Who, target: string, when?: Fault["when"]): Deed => {
  return { kind: "killAtCall", who, target, when, point: "before" };
};
/** Nobody draws this guest, or these: the job ends, and the guest is told. */
const refusal = (artist: string, times: number): Deed => {
  return { kind: "fault", target: `${artist}:image`, times, skip: 0, do: { outcome: "refused" } };
};
/** The first artist cannot: the second one is asked the same. */
const standIn = (artist: string, purpose: string, outcome: "overloaded" | "forbidden"): Deed => {
  return { kind: "fault", target: `${artist}:${purpose}`, times: 2, skip: 0, do: { outcome } };
};

/** What `troubleOf` does not think of. */
const rare = ({ artists: [first, second] }: Meets): Deed[][] => [
  [standIn(first, "selfie", "forbidden"), atCall("bot", `${second}:selfie`)],
  [standIn(first, "sheet", "forbidden"), atCall("bot", `${second}:sheet`)],
  [atCall("bot", "telegram:answerCallbackQuery")],
  [atCall("bot", "telegram:deleteStickerSet")],
  // Only a process that starts asks these.
  ...["getMe", "deleteWebhook", "setMyCommands"].map((method): Deed[] => [
    { kind: "kill", who: "bot" },
    atCall("bot", `telegram:${method}`),
  ]),
  // The one message that the api sends by itself in a visit.
  [atCall("api", "telegram:sendMessage", { text: speak("en").photo.taken })],
  [atCall("api", "telegram:sendMessage", { text: speak("en").photo.taken })],
  // A sheet was paid for, and is on the disk or in the bill alone.
  [{ kind: "killAtCommit", who: "bot", nth: 1, point: "after", target: `${first}:image` }],
  [{ kind: "killAtCommit", who: "bot", nth: 2, point: "before", target: `${first}:image` }],
  // Between a pack's two messages.
  [atCall("bot", "telegram:sendSticker")],
];

/** What goes wrong in the sales group, or after all is made. */
const seldom = (random: Random, artist: string): Deed[][] => {
  const cards = (method: string, times: number, action: FaultAction): Deed => {
    return { kind: "fault", target: `telegram:${method}`, times, skip: 0, do: action, of: "cards" };
  };
  const deeds: Deed[] = [
    cards("sendMessage", random.int(1, 2), toWait),
    cards("editMessageText", random.int(1, 2), toWait),
    cards("sendMessage", 6, { status: 500, body: failing }),
    cards("sendMessage", 1, { status: 400, body: refusing("can't parse entities") }),
    { kind: "out", forMs: random.int(300, 3000) },
    // Telegram will not have a guest's set.
    {
      kind: "fault",
      target: "telegram:createNewStickerSet",
      times: random.int(1, 2),
      skip: 0,
      do: { status: 400, body: refusing("STICKER_PNG_NOPNG") },
    },
    { kind: "noPage" },
    { kind: "noArtist" },
  ];
  // Whoever draws dies of it, again and again, until the job is given up.
  return [
    ...deeds.map((deed) => [deed]),
    Array.from({ length: DEATHS_OF_A_JOB }, () => atCall("bot", `${artist}:image`)),
  ];
};

/** @param turns how many troubles there are at least: some take more than one deed */
export function troublesOf(random: Random, turns: number, meets: Meets): Trouble[] {
  const troubles = random.list(turns, () => inTurn(random, deedsOf(random, meets)));
  const anywhere = (deeds: Deed[]) => troubles.splice(random.int(0, troubles.length), 0, inTurn(random, deeds));
  if (random.chance(0.5)) {
    const point = random.pick(["before", "after"] as const);
    anywhere(random.pick(rare(meets)).map((deed) => ("point" in deed ? { ...deed, point } : deed)));
  }
  if (random.chance(0.4)) {
    const isCarriedOut = random.chance(0.5);
    anywhere(aimed(random, meets, (target) => ({ kind: "deadline", target, isCarriedOut })));
  }
  // From the beginning, or the drawing may be over.
  if (random.chance(0.3)) troubles.unshift([{ ...refusal(meets.artists[0], random.pick([1, 1, 3])), afterMs: 50 }]);
  if (random.chance(0.15))
    troubles.unshift([{ kind: "relieve", target: random.pick(workOf(meets.artists[0])), afterMs: 50 }]);
  if (random.chance(0.4)) anywhere(random.pick(seldom(random, meets.artists[0])));
  return troubles.flat();
}

/** The first deed after a while, what belongs to it at once. */
const inTurn = (random: Random, deeds: Deed[]) =>
  deeds.map((deed, nth): Trouble => ({ ...deed, afterMs: nth === 0 ? random.int(50, 900) : 0 }));

/** A deed at one of the calls; the second artist's are brought about. */
function aimed(random: Random, meets: Meets, deed: (target: string) => Deed): Deed[] {
  const [first, second] = meets.artists;
  const target = random.pick(callsOf(meets));
  if (!target.startsWith(second)) return [deed(target)];
  return [standIn(first, "image", random.pick(["overloaded", "forbidden"] as const)), deed(target)];
}

function deedsOf(random: Random, meets: Meets): Deed[] {
  const who: Who = random.chance(0.7) ? "bot" : "api";
  const point = random.pick(["before", "after"] as const);
  const kind = random.weighted({
    kill: 3,
    term: 2,
    pause: 2,
    killAtCall: 6,
    killAtCommit: 8,
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
      return [{ kind, who }];
    case "pause":
      return [{ kind, who, forMs: random.int(100, 1500) }];
    case "killAtCall":
      return aimed(random, meets, (target) => ({ kind, who: "bot", target, point }));
    case "killAtCommit":
      if (random.chance(0.3)) return [{ kind, who, nth: random.int(1, who === "bot" ? 40 : 8), point }];
      return [
        { kind, who, nth: random.pick([1, 1, 2, 3]), point, places: { nth: random.int(0, CLASSES - 1), of: CLASSES } },
      ];
    case "fault":
      return faultOf(random, meets);
    case "hang": {
      const forMs = random.int(300, 2500);
      return aimed(random, meets, (target) => ({ kind, target, forMs }));
    }
    case "clock":
      // The last leaves a short visit open for a few minutes more.
      return [{ kind, byMs: random.pick([-HOUR_MS, HOUR_MS, 7 * MINUTE_MS]) }];
    case "skew":
      return [{ kind, byMs: random.pick([-HOUR_MS, HOUR_MS]) }];
    case "lock":
      return [{ kind, forMs: random.pick([400, 900, 1500, 6200, 12_000]) }];
    case "disk":
      return [{ kind, forMs: fullFor(random.int(400, 2000)), leaveKb: random.pick([0, 0, 16, 64]) }];
    case "redeliver":
      return [{ kind, count: random.int(1, 10) }];
    case "migrate":
      return [{ kind, group: random.pick(["sales", "sales", "operators"] as const) }];
  }
}

/** Some disks are full for long. */
const fullFor = (ms: number) => (ms > 1_700 ? 5 * ms : ms);

function faultOf(random: Random, meets: Meets): Deed[] {
  const common: FaultAction[] = [
    { status: 500, body: failing },
    { html: "<html><body>502 Bad Gateway</body></html>" },
    { reset: true },
    { delayMs: random.int(200, 2500) },
    { executeThenLose: random.pick(["reset", "502"] as const) },
    { truncate: true },
    toWait,
  ];
  const often = { times: random.pick([1, 1, 2, 3, 6]), skip: random.pick([0, 0, 0, 1]) };
  const target = random.pick([...workOf(meets.artists[0]), "*:image"]);
  const action = random.pick(common);
  switch (random.weighted({ anywhere: 6, telegram: 1, artist: 2, answer: 1 })) {
    case "anywhere":
      return aimed(random, meets, (call) => ({ kind: "fault", target: call, ...often, do: action }));
    case "telegram":
      return [{ kind: "fault", target: "telegram:*", ...often, do: action }];
    case "artist":
      return [{ kind: "fault", target, ...often, do: { outcome: random.pick(outcomes) } }];
    case "answer":
      return [{ kind: "fault", ...often, ...random.pick(answers) }];
  }
}

const outcomes = ["overloaded", "rate_limited", "no_image", "bad_json", "wrong_mime"] as const;
/** What artists say that is of no use, whoever of them is asked. */
const answers: { target: string; do: FaultAction }[] = [
  { target: "*:selfie", do: { answer: { usable: false, faces: 2, problem: "many_faces" } } },
  { target: "*:sheet", do: { answer: { usable: false, problem: "cropped", stickers: [] } } },
  { target: "*:image", do: { imageBase64: Buffer.from("no picture at all").toString("base64") } },
];
const failing = { ok: false, error_code: 500, description: "Internal Server Error" };
const refusing = (why: string) => ({ ok: false, error_code: 400, description: `Bad Request: ${why}` });
const tooMany = {
  ok: false,
  error_code: 429,
  description: "Too Many Requests: retry after 2",
  parameters: { retry_after: 2 },
};
const toWait: FaultAction = { status: 429, body: tooMany, headers: { "retry-after": "2" } };
