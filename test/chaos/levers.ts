/**
 * The memory that the harness shares with the processes under test: their clocks, their deadlines, and the commit at which
 * one shall die.
 * A mapped file of numbers, so that a change is seen at once and costs nothing to look at.
 */
import { writeFileSync } from "node:fs";

export type Who = "api" | "bot";
/** Where the processes note each place at which they commit, and where they died of it. */
export const sitesOf = (path: string) => `${path}.sites`;
export const LEVERS_ENV = "CHAOS_LEVERS";
export const WHO_ENV = "CHAOS_WHO";

const SLOTS = 32;
const WALL = 0;
const MONOTONIC = 1;
const EXPIRED = 2;
const base = (who: Who) => (who === "api" ? 8 : 16);
const COUNTDOWN = 0;
const AFTER = 1;
const COMMITS = 2;
const FIRED = 3;
const WANTED = 4;
const OF = 5;

/** Commits are told apart by where they stand in the code: some of the places, those whose number leaves `nth` divided by `of`. */
export type Places = { nth: number; of: number };
const NUMBERS = 2 ** 32;
export const numberOf = (site: string) => Number(Bun.hash(site) & BigInt(NUMBERS - 1));
/** One place, and no other. */
export const onlyAt = (site: string): Places => ({ nth: numberOf(site), of: NUMBERS });

export class Levers {
  readonly #cells: Float64Array;
  /** When time was passed over and how much of it; without an end where somebody set the clock. */
  readonly #passed: { at: number; ms: number }[] = [];

  constructor(readonly path: string) {
    this.#cells = new Float64Array(Bun.mmap(path).buffer, 0, SLOTS);
  }

  static create(path: string): Levers {
    writeFileSync(path, new Uint8Array(SLOTS * 8), { mode: 0o600 });
    return new Levers(path);
  }

  /** How far the processes' clock of the day is ahead of this machine's, in milliseconds. */
  get wallMs(): number {
    return this.#cells[WALL] as number;
  }

  /** As `wallMs`, of the clock that never goes back. */
  get monotonicMs(): number {
    return this.#cells[MONOTONIC] as number;
  }

  /** Somebody sets the clock of the day. */
  stepClock(ms: number) {
    this.#passed.push({ at: Date.now(), ms: Number.POSITIVE_INFINITY });
    this.#cells[WALL] = this.wallMs + ms;
  }

  /** Time goes by for both clocks: what waits by the clock need not be waited for. */
  passTime(ms: number) {
    this.#passed.push({ at: Date.now(), ms });
    this.#cells[MONOTONIC] = this.monotonicMs + ms;
    this.#cells[WALL] = this.wallMs + ms;
  }

  /** How much time passed by the processes' clocks, beside the real one; without an end when one of them was set. */
  passedBetween(from: number, to: number): number {
    return this.#passed.filter(({ at }) => from <= at && at <= to).reduce((sum, { ms }) => sum + ms, 0);
  }

  /** How often all deadlines were made to run out. */
  get expired(): number {
    return this.#cells[EXPIRED] as number;
  }

  /** Whatever call is being waited for has been waited for as long as its caller ever would. */
  expireDeadlines() {
    this.#cells[EXPIRED] = this.expired + 1;
  }

  /**
   * The nth commit from now on is that process's last deed, or the one before which it dies.
   * @param places counts only commits at these
   */
  dieAtCommit(who: Who, nth: number, point: "before" | "after", places: Places = { nth: 0, of: 1 }) {
    this.#cells[base(who) + AFTER] = point === "after" ? 1 : 0;
    this.#cells[base(who) + WANTED] = places.nth;
    this.#cells[base(who) + OF] = places.of;
    this.#cells[base(who) + COUNTDOWN] = nth;
  }

  /** Is a death ordered that has not come? */
  isArmed(who: Who): boolean {
    return this.#cells[base(who) + COUNTDOWN] !== 0;
  }

  disarm(who: Who) {
    this.#cells[base(who) + COUNTDOWN] = 0;
  }

  /** Its death is written down: the next one is a new matter. */
  noted(who: Who) {
    this.disarm(who);
    this.#cells[base(who) + FIRED] = 0;
  }

  /** Did the process die at its commit? */
  fired(who: Who): boolean {
    return this.#cells[base(who) + FIRED] === 1;
  }

  commits(who: Who): number {
    return this.#cells[base(who) + COMMITS] as number;
  }

  /** Counts a commit of this process at this place. @returns whether it must die before or after it */
  countCommit(who: Who, site: string): "before" | "after" | null {
    this.#cells[base(who) + COMMITS] = this.commits(who) + 1;
    const left = this.#cells[base(who) + COUNTDOWN] as number;
    const [wanted, of] = [WANTED, OF].map((cell) => this.#cells[base(who) + cell]) as [number, number];
    if (left === 0 || numberOf(site) % of !== wanted) return null;
    this.#cells[base(who) + COUNTDOWN] = left - 1;
    if (left > 1) return null;
    this.#cells[base(who) + FIRED] = 1;
    return this.#cells[base(who) + AFTER] === 1 ? "after" : "before";
  }
}
