/** A pack's story and the alerts, in words: their shapes. */
import type { Purpose } from "../../../usage.ts";
import type { StepName } from "./booth.ts";

/** What happened to one pack, line by line. */
export type StoryTexts = {
  steps: Record<Exclude<StepName, "delivery">, string>;
  /** @param who the guest's name; null: not known */
  start(kiosk: string | null): string;
  scanned(who: string | null): string;
  agreed(who: string | null): string;
  choseOutfit(who: string | null): string;
  photo: string;
  askedAgain(who: string | null): string;
  queued: string;
  retried(by: string): string;
  back: string;
  slot(slot: string): string;
  awaited: string;
  delivered: string;
  failed: string;
  stopped(by: string): string;
  pageShows: string;
  linked: string;
  attempt(n: number): string;
  did(artist: string, what: Purpose): string;
  didNot(artist: string, outcome: CallOutcome): string;
};

export type CallOutcome = "refused" | "empty" | "overloaded" | "broken";

/** What the operators' chat is told of by itself. Plain text. */
export type AlertTexts = {
  /** On a button. */
  retry(pack: number): string;
  together(count: number, packs: number[], latest: string): string;
  packsAgain: string;
  answersAgain(artist: string): string;
  /** After "the cameras work again": whose do not. */
  notYet(who: string): string;
  /** A pack by its number, and who and what in brackets. */
  pack(id: number, parts: string[]): string;
  kiosk(id: string): string;
  failed(pack: string, what: string, why: string | null, todo: string): string;
  metError(pack: string, error: string): string;
  setGone(pack: number): string;
  notDelivered(what: "link" | "sticker", pack: number, reason: string): string;
  /** @param reason null: another artist stands in */
  broken(artist: string, reason: string): string;
  lockedOut: string;
};
