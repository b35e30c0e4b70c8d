/**
 * Everything that operators read, on their page and in their chat. Plain text unless it says HTML; whoever quotes what a
 * person typed escapes it. One type for all languages, so that none lacks anything.
 */

import type { FailProblem, RetakeProblem } from "../../outcomes.ts";
import type { LeadStatus } from "../../status.ts";

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
  camera(id: string, state: string): Trouble;
  battery(id: string, percent: number): Trouble;
  awake(id: string): Trouble;
  messages(count: number, first: string): Trouble;
  leads(count: number, first: string, hasGroup: boolean): Trouble;
  disk(megabytes: number): Trouble;
  backup(age: string | null): Trouble;
  cameras: Record<CameraName, string>;
  problems: Record<ProblemName, Words>;
};

/** What a change or a question was refused with. A field's sentence follows its name: “must be …”. */
export type RefusalTexts = {
  logIn: string;
  lockedOut(minutes: number): string;
  noLead(number: number): string;
  leadMoved(number: number, status: LeadStatus): string;
  leadChanged(number: number, status: LeadStatus, by: string | null): string;
  budgetOfNothing: string;
  moreThanNothing: string;
  badBudget: string;
  dollars(max: number): string;
};

/** What is said in the operators' chat. HTML; names and reasons come escaped. */
export type ChatTexts = {
  /** Who changed something on the page, as the chat reads it. */
  onPage(user: string): string;
  pause: {
    already: string;
    /** @param left packs in the making */
    paused(by: string, reason: string | null, left: number): string;
    openAlready: string;
    opened(by: string): string;
    open: string;
    pause: string;
  };
  budget: {
    howTo: string;
    ofNothing: string;
    /** @param limit null: none */
    now(spent: string, limit: string | null): string;
    /** What follows when somebody has just set it. */
    setBy(name: string): string;
    noLimit: string;
    /** @param usual what holds again tomorrow; null: there is no limit on other days either */
    untilTomorrow(usual: string | null): string;
    usualAgain: string;
    /** Settings: what every day may cost. @param limit null: none */
    usually(limit: string | null, by: string): string;
  };
};

/** What the audit log says happened, as sentences. */
export type AuditTexts = {
  paused(reason: string | null): string;
  opened: string;
  /** Dollars, or null for no limit. */
  budget(before: string | null, after: string | null): string;
  /** @param changes `[name, before, after]` */
  settings(changes: [string, string, string][]): string;
  usualValue: string;
  retry(pack: string): string;
  cancel(pack: string): string;
  lead(number: string, before: string, after: string): string;
  outfitAdded(id: string): string;
  outfitChanged(id: string, fields: string[]): string;
  outfitSwitched(id: string, on: boolean): string;
  outfitDeleted(id: string): string;
  outfitsOrdered: string;
  look(fields: string[]): string;
  kioskRemoved(id: string): string;
  tryout(outfit: string): string;
  /** What an outfit's card and the kiosks' look are made of. */
  fields: Record<LookField, string>;
};
export type LookField =
  | "title_ru"
  | "title_uz"
  | "title_en"
  | "prompt"
  | "colours"
  | "image"
  | "enabled"
  | "name"
  | "welcome_ru"
  | "welcome_uz"
  | "welcome_en"
  | "logo"
  | "background"
  | "pin";

export type TeamTexts = {
  booth: BoothTexts;
  chat: ChatTexts;
  refusals: RefusalTexts;
  audit: AuditTexts;
  leadStatuses: Record<LeadStatus, string>;
};
