/** English: what happened to a pack, and what the chat is told of by itself. */
import type { AlertTexts, StoryTexts } from "../types.ts";

const who = (name: string | null) => name ?? "The guest";

export const story: StoryTexts = {
  steps: { selfie: "Selfie check", draw: "Drawing", check: "Sheet check", cut: "Cutting", pack: "Sticker set" },
  start: (kiosk) => `Start was tapped${kiosk ? ` at kiosk ${kiosk}` : ""}`,
  scanned: (name) => `${who(name)} scanned the code`,
  agreed: (name) => `${who(name)} agreed to the photo`,
  choseOutfit: (name) => `${who(name)} chose an outfit`,
  photo: "A photo came in",
  askedAgain: (name) => `${who(name)} was asked for another photo`,
  queued: "The pack went into the queue",
  retried: (by) => `Tried again by ${by}`,
  back: "It went back into the queue",
  slot: (slot) => `In the making: slot ${slot}`,
  awaited: "Telegram has the set; its page is awaited",
  delivered: "Delivered",
  failed: "Failed",
  stopped: (by) => `Stopped (${by})`,
  pageShows: "The pack's page shows it",
  linked: "The guest got the link",
  attempt: (n) => `attempt ${n}`,
  did: (artist, what) =>
    `${artist} ${{ selfie: "looked at the selfie", sheet: "looked at the sheet", draw: "drew", tryout: "drew" }[what]}`,
  didNot: (artist, outcome) => `${artist} did not deliver (${outcome})`,
};

export const alerts: AlertTexts = {
  retry: (pack) => `Retry pack ${pack}`,
  together: (count, packs, latest) =>
    `${count} more of the same since then.${packs.length > 0 ? ` Packs: ${packs.join(", ")}.` : ""} The latest: ${latest}`,
  packsAgain: "Packs come out again: one that was drawn after the failure is with its guest.",
  answersAgain: (artist) => `${artist} answers again.`,
  notYet: (who) => `Not yet: ${who}.`,
  pack: (id, parts) => `Pack ${id}${parts.length > 0 ? ` (${parts.join(", ")})` : ""}`,
  kiosk: (id) => `kiosk ${id}`,
  failed: (pack, what, why, todo) => `${pack} failed: ${what}${why ? ` (${why})` : ""}. The guest was told. ${todo}`,
  metError: (pack, error) => `${pack} met an error and is tried again: ${error}`,
  setGone: (pack) =>
    `Telegram no longer has the set of pack ${pack}. The guest was told. Retry; the finished stickers are used again.`,
  notDelivered: (what, pack, reason) => `Telegram refused the ${what} of pack ${pack}: ${reason}`,
  broken: (artist, reason) => `${artist} rejects our calls: ${reason}. Check its key, model name and balance.`,
  lockedOut:
    "Somebody tried five wrong passwords at /admin and is locked out for 15 minutes. If it was none of you, nothing has to be done; if it goes on, change ADMIN_PASSWORD.",
};
