/** What one seed does: who comes to the booth, and what goes wrong meanwhile. Plain data, so that a plan can be printed. */
import { type Meets, type Point, type Trouble, troublesOf } from "./plan-troubles.ts";
import { Random } from "./random.ts";

/** Whoever comes does so when this trouble begins, and so many milliseconds later. */
export type Comes = { comesWith: number; startMs: number };

export type GuestPlan = Comes & {
  id: number;
  photoBy: "kiosk" | "chat";
  /** Posts the same photo so many times at once. */
  copies: number;
  chatter: string[];
  ending: "wait" | "decline" | "flee" | "reset" | "erase:data" | "erase:packs" | "block";
  /** Once the pack is there, for another one, which nobody may have today. */
  comesAgain: boolean;
};

export type LeadPlan = Comes & {
  copies: number;
  deeds: ("take" | "won" | "lost" | "spam" | "reopen" | "show")[];
};

/** What the one operator of the evening does, in turn; a pause is ended by the same person. */
export type OperatorDeed = { afterMs: number; what: "pause" | "retry" | "cancel" | "status"; by: "chat" | "page" };

/** What somebody changes at the operators' page, in turn; or a stranger who comes to that page. */
export type OfficeDeed = {
  afterMs: number;
  what: "outfit" | "settings" | "budget" | "look" | "kiosk" | "halls" | "lead" | "tryout" | "stranger" | "spent";
};

/** What is looked at a day or some years later, and the commit at which the bot dies there. */
export type After = { comes: "day" | "years"; nth: number; point: Point };

export type Plan = {
  seed: number;
  env: Record<string, string>;
  guests: GuestPlan[];
  leads: LeadPlan[];
  operator: OperatorDeed[];
  office: OfficeDeed[];
  troubles: Trouble[];
  /** The run ends with time going by, in which the bot may die once more. */
  after: After | null;
};

/** Every so many seeds a whole wedding comes at once. */
const CROWD_EVERY = 20;

export function planOf(seed: number): Plan {
  const random = new Random(seed);
  const isCrowd = seed % CROWD_EVERY === 0;
  // Now and then everything at once: workers die at the same job again and again.
  const isStorm = random.chance(0.2);
  const turns = isStorm ? random.int(9, 16) : random.int(3, 8);
  const guests = random.list(isCrowd ? random.int(16, 24) : random.int(2, 5), (i) => guestOf(random, 7001 + i, turns));
  const leads = random.list(isCrowd ? random.int(16, 24) : random.int(1, 4), () => leadOf(random, turns));
  const artists = random.pick([
    ["gemini", "openai"],
    ["gemini", "openai"],
    ["openai", "gemini"],
  ]) as Meets["artists"];
  // Whatever comes first finds somebody at the booth.
  for (const first of [guests[0], leads[0]]) if (first) first.comesWith = 0;
  const troubles = troublesOf(random, turns, { artists, chatPhotos: guests.some(({ photoBy }) => photoBy === "chat") });
  const isLimited = random.chance(0.3);
  for (const guest of guests) guest.comesAgain = isLimited && random.chance(0.5);
  return {
    seed,
    env: {
      AI_PROVIDERS: artists.join(","),
      WORKER_SLOTS: String(random.pick([1, 2, 2, 3])),
      // A long one leaves visits open when the clock jumps by an hour.
      SESSION_TTL_MINUTES: random.pick(["10", "240", "240"]),
      // With a short one photos go in the evening, wherever their packs are, when the clock jumps.
      PHOTO_TTL_HOURS: random.pick(["1", "24"]),
      PACK_LIMIT: isLimited ? "1" : "0",
    },
    guests,
    leads,
    operator: random.list(random.int(0, 3), () => operatorDeedOf(random)),
    office: random.list(random.int(0, 3), () => officeDeedOf(random)),
    troubles: isStorm ? troubles.map((one) => ({ ...one, afterMs: Math.ceil(one.afterMs / 4) })) : troubles,
    after: random.chance(0.3) ? afterOf(random) : null,
  };
}

function operatorDeedOf(random: Random): OperatorDeed {
  const what = random.weighted({ retry: 4, cancel: 3, pause: 2, status: 1 });
  return { afterMs: random.int(100, 1500), what, by: random.pick(["chat", "page"] as const) };
}

function afterOf(random: Random): After {
  const point = random.pick(["before", "after"] as const);
  return { comes: random.pick(["day", "day", "years"] as const), nth: random.int(1, 40), point };
}

function officeDeedOf(random: Random): OfficeDeed {
  const what = random.pick([
    "outfit",
    "settings",
    "budget",
    "look",
    "kiosk",
    "halls",
    "lead",
    "tryout",
    "stranger",
    "spent",
  ] as const);
  return { afterMs: random.int(50, 1500), what };
}

function guestOf(random: Random, id: number, turns: number): GuestPlan {
  const ending = random.weighted({
    wait: 12,
    decline: 1,
    flee: 1,
    reset: 1,
    "erase:data": 1,
    "erase:packs": 2,
    block: 1,
  });
  const chatter = random.list(random.int(0, 2), () =>
    random.pick(["/help", "/packs", "/privacy", "/language", "/start", "hello"]),
  );
  return {
    id,
    ...comesOf(random, turns),
    photoBy: random.chance(0.3) ? "chat" : "kiosk",
    copies: random.pick([1, 1, 2]),
    chatter,
    ending,
    comesAgain: false,
  };
}

function leadOf(random: Random, turns: number): LeadPlan {
  const deeds = random.list(random.int(0, 3), () =>
    random.pick(["take", "won", "lost", "spam", "reopen", "show"] as const),
  );
  return { ...comesOf(random, turns), copies: random.pick([1, 1, 2, 3]), deeds };
}

const comesOf = (random: Random, turns: number): Comes => {
  return { comesWith: random.int(0, turns - 1), startMs: random.int(0, 1000) };
};
