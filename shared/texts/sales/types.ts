/**
 * Everything that the sales people read in Telegram, and what operators are told about leads. Plain text unless it says
 * HTML; whoever quotes what a person typed escapes it. One type for all languages, so that none lacks anything.
 */
import type { Trouble } from "../../leads/group.ts";
import type { EventType, LeadAction } from "../../leads/lead.ts";
import type { Lang, LeadStatus } from "../../status.ts";

/** Who moved a lead: the one who reads it, somebody by name, or nobody knows. */
export type Who = "you" | { name: string } | null;

export type SalesTexts = {
  /** `Lead 12` */
  lead(number: number): string;
  statuses: Record<LeadStatus, string>;
  /** `2 won` */
  counted(count: number, status: LeadStatus): string;
  /** On buttons. */
  actions: Record<LeadAction, string>;
  events: Record<EventType, string>;
  /** The visitor's language. */
  langs: Record<Lang, string>;
  guests(count: number): string;
  /** Instead of a name that the retention has erased. */
  erased: string;
  /** @param date `YYYY-MM-DD` */
  erasedOn(date: string): string;
  /** `Saturday, 1 May 2027`. @param date `YYYY-MM-DD` */
  day(date: string): string;
  /** `12 Mar, 14:05` on the clock of a time zone; of another year than that of `now`: `12 Mar 2025, 14:05` */
  moment(at: number, zone: string, now: number): string;
  units: { minutes: string; hours: string; days: string };
  /** What the person who pressed a button reads for a moment. */
  press: {
    mine(number: number): string;
    moved(number: number, status: LeadStatus): string;
    takeFirst(number: number): string;
    already(number: number, status: LeadStatus, who: Who): string;
    elsewhere: string;
  };
  unknown(number: number): string;
  /** HTML */
  askNumber: string;
  /** As Telegram lists them: at most 256 characters each. */
  commands: { leads: string; lead: string; stats: string };
  open: {
    none: string;
    title: string;
    counts(fresh: number, inProgress: number): string;
  };
  /** At the end of a list that is cut. */
  more(count: number): string;
  history: { title: string; requested: string };
  stats: {
    title: string;
    conversion: string;
    ended(won: number, ended: number, percent: number): string;
    nothingEnded: string;
    median: string;
    nothingTaken: string;
    thisWeek: string;
    lastWeekByNow: string;
    lastWeek: string;
    sources: string;
    /** What stands for no source, and for one that is no plain word. */
    source: { direct: string; other: string };
  };
  digest: {
    yesterday: string;
    none: string;
    nothingWaits: string;
    waiting: string;
    inProgress: string;
  };
  reminder(count: number): string;
  /** To the operators. Sentences. */
  alerts: {
    thrownOut(waiting: number): string;
    forbidden(reason: string, waiting: number): string;
    failing(reason: string, waiting: number): string;
    refused(number: number, reason: string, waiting: number): string;
    remedy: Record<Trouble, string>;
    flows: string;
    lockout: string;
    flood: string;
  };
};
