/** The booth as it is, in words: its shapes. */
import type { FailProblem, RetakeProblem } from "../../../outcomes.ts";

/** What happened, and what to do about it: a part of a sentence, and sentences. */
export type Words = { what: string; todo: string };

/** A state that is wrong: what, what to do, and what is said when it is over (empty: nothing). Sentences. */
export type Trouble = { what: string; todo: string; ending: string };

/** Why a pack or a visit ended or was sent back, as the database names it. */
export type ProblemName =
  | FailProblem
  | RetakeProblem
  | "erased"
  | "timeout"
  | "reset"
  | "declined"
  | "pack_limit"
  | "stopped"
  | "error"
  | "telegram_busy"
  | "telegram_silent";

/** How a step or a try-out went, when it is no problem of a guest's. */
export type OutcomeName =
  | "wrong_count"
  | "cropped"
  | "distorted"
  | "text_garbage"
  | "other"
  | "weak_key"
  | "touching_unsure"
  | "floating_unsure"
  | "empty_file"
  | "not_an_image"
  | "truncated"
  | "animated"
  | "too_small"
  | "too_large"
  | "no_key"
  | "checkerboard"
  | "no_stickers"
  | "cutter_failed"
  | "unchecked"
  | "gone"
  | "found"
  | "created"
  | "budget_used"
  | "restarted"
  | "uncuttable";

export type CameraName = "blocked" | "busy" | "missing" | "frozen" | "black" | "error";
export type StepName = "selfie" | "draw" | "check" | "cut" | "pack" | "delivery";
export type WaitsFor = "telegram" | "artist" | "retry";

/** The booth as it is: the sentence on top, and all that can be wrong. */
export type BoothTexts = {
  seconds(n: number): string;
  minutes(n: number): string;
  hours(n: number): string;
  /** A guest whose name is not known. */
  guest: string;
  ready: string;
  /** No kiosk has ever connected. */
  noKioskYet: { what: string; todo: string };
  served(guests: number): string;
  nobody: string;
  nothingToDo: string;
  artists: Trouble;
  botDown(sinceLastSign: string | null, paused: boolean): Trouble;
  deaf(silentFor: string | null): Trouble;
  loop(name: string, error: string | null): Trouble;
  budgetUsed(limit: string, queued: number): Trouble;
  budgetWarning(percent: number, spent: string, limit: string): Trouble;
  queue(count: number, first: string): Trouble;
  /** @param first the pack that waits longest, and its guest */
  waiting(what: WaitsFor, count: number, first: { pack: number; guest: string; tries: string }): Trouble;
  /** `attempt 3, next in 8 s`; without `next` it is being tried now */
  tries(attempt: number, next: string | null): string;
  slow(count: number, first: { pack: number; guest: string; age: string }): Trouble;
  chatPhotos(count: number): Trouble;
  noStickers(name: string | null, pack: number, why: string | null): Omit<Trouble, "ending">;
  manyFailed(count: number, most: boolean): Omit<Trouble, "ending">;
  paused(reason: string | null): Omit<Trouble, "ending">;
  kiosksSilent(count: number): Trouble;
  kioskSilent(id: string, silentFor: string): Trouble;
  /** @param more how many beside them have no name here */
  names(names: readonly string[], more: number): string;
  /** One trouble of more than a few kiosks. */
  many: Record<"silent" | "camera" | "battery" | "awake", (count: number, who: string) => Trouble>;
  camera(id: string, state: string): Trouble;
  battery(id: string, percent: number): Trouble;
  awake(id: string): Trouble;
  messages(count: number, first: string): Trouble;
  leads(count: number, first: string, hasGroup: boolean): Trouble;
  disk(megabytes: number): Trouble;
  backup(age: string | null): Trouble;
  cameras: Record<CameraName, string>;
  problems: Record<ProblemName, Words>;
  outcomes: Record<OutcomeName, string>;
};
