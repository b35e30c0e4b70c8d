/**
 * The memory that the harness shares with the processes under test: their clocks, their deadlines, and the commits at which
 * they shall die.
 * A mapped file of numbers, so that a change is seen at once and costs nothing to look at.
 */
import { writeFileSync } from "node:fs";

export type Who = "api" | "bot";
/** Where the processes note each place at which they commit, and where they died of it. */
export const sitesOf = (path: string) => `${path}.sites`;
export const LEVERS_ENV = "CHAOS_LEVERS";
export const WHO_ENV = "CHAOS_WHO";

const WALL = 0;
const MONOTONIC = 1;
const EXPIRED = 2;
/** So many deaths of a process can be ordered at once; each order has these cells. */
const ORDERS = 6;
const COUNTDOWN = 0;
const AFTER = 1;
const WANTED = 2;
const OF = 3;
const ORDER_CELLS = 4;
/** Of each process: which order was carried out, counted from 1, and after it the orders. */
const PROCESS_CELLS = 1 + ORDERS * ORDER_CELLS;
const SLOTS = 8 + 2 * PROCESS_CELLS;
const base = (who: Who) => (who === "api" ? 8 : 8 + PROCESS_CELLS);

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
   * @returns the order's number, null when there are too many already
   */
  dieAtCommit(who: Who, nth: number, point: "before" | "after", places: Places = { nth: 0, of: 1 }): number | null {
    const order = this.#orders(who).find(({ cell }) => this.#cells[cell + COUNTDOWN] === 0);
    if (!order) return null;
    this.#cells[order.cell + AFTER] = point === "after" ? 1 : 0;
    this.#cells[order.cell + WANTED] = places.nth;
    this.#cells[order.cell + OF] = places.of;
    this.#cells[order.cell + COUNTDOWN] = nth;
    return order.number;
  }

  /** Calls off whatever has not come. */
  disarm(who: Who) {
    for (const { cell } of this.#orders(who)) this.#cells[cell + COUNTDOWN] = 0;
  }

  /** The order of which the process died, if it did. Takes the note away: the next death is a new matter. */
  takeFired(who: Who): number | null {
    const number = this.#cells[base(who)] as number;
    this.#cells[base(who)] = 0;
    const order = this.#orders(who).find((one) => one.number === number);
    if (!order) return null;
    this.#cells[order.cell + COUNTDOWN] = 0;
    return number;
  }

  /** Counts a commit of this process at this place. @returns whether it must die before or after it */
  countCommit(who: Who, site: string): "before" | "after" | null {
    for (const { number, cell } of this.#orders(who)) {
      const left = this.#cells[cell + COUNTDOWN] as number;
      if (left === 0 || numberOf(site) % (this.#cells[cell + OF] as number) !== this.#cells[cell + WANTED]) continue;
      if (left > 1) {
        this.#cells[cell + COUNTDOWN] = left - 1;
        continue;
      }
      // Its cell is free again when the death has been noted.
      this.#cells[base(who)] = number;
      return this.#cells[cell + AFTER] === 1 ? "after" : "before";
    }
    return null;
  }

  #orders(who: Who) {
    return Array.from({ length: ORDERS }, (_, nth) => ({ number: nth + 1, cell: base(who) + 1 + nth * ORDER_CELLS }));
  }
}
