/** The operators' chat in words: its shapes. */
import type { Purpose } from "../../../usage.ts";
import type { StepName, WaitsFor } from "./booth.ts";

/** What is said in the operators' chat. HTML; names and reasons come escaped. */
export type ChatTexts = {
  /** As Telegram lists them: at most 256 characters each, plain. */
  commands: Record<Command, string>;
  anonymous: string;
  elsewhere: string;
  /** Who changed something on the page, as the chat reads it. */
  onPage(user: string): string;
  retry: { howTo: string; done(id: number, by: string): string };
  status: {
    well: string;
    ready: string;
    served(guests: number): string;
    atKiosk(guests: number): string;
    /** @param first how long the first has waited; null: nobody waits */
    queue(queued: number, first: string | null, drawn: number, onTheWay: number): string;
    pack(id: number, guest: string, step: StepName, age: string): string;
    today(packs: number, failed: number, seconds: number | null): string;
    money(spent: string, limit: string | null): string;
    kiosks(list: string): string;
    leads(count: number): string;
  };
  jobs: {
    none: string;
    made(count: number): string;
    waits: string;
    waitsFor: Record<WaitsFor, string>;
    steps: Record<StepName, string>;
    more(count: number): string;
    failed: string;
  };
  stats: {
    day(day: string, hour: number): string;
    packs(count: number, seconds: number | null): string;
    ended(failed: number, stopped: number, retakes: number): string;
    guests(guests: number, visits: number): string;
    busiest(hour: number, packs: number): string;
    stages: Record<Stage, (visits: number) => string>;
  };
  costs: {
    today(spent: string): string;
    of(limit: string, percent: number): string;
    noLimit: string;
    perPack(sum: string): string;
    line(artist: string, purpose: Purpose, sum: string, calls: number, failed: number): string;
    days(days: number, sum: string, packs: number, each: string | null): string;
    held: string;
  };
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

export type Command = "status" | "pause" | "resume" | "jobs" | "retry" | "stats" | "costs" | "budget";
export type Stage = "started" | "linked" | "consented" | "outfit" | "photo" | "delivered";
