/** Work side by side, one at a time for each key: whoever is slow holds up nobody else, nor the loop that started it. */
import type { Log } from "../shared/log.ts";

/** A key whose work threw is let be for this long, so that a poisoned row does not spin. */
const AFTER_ERROR_MS = 5_000;

export class Lanes {
  readonly #busy = new Map<number, Promise<void>>();
  readonly #stop = new AbortController();

  /** @param done called after each work that ended well: there may be more for its key */
  constructor(
    readonly name: string,
    readonly log: Log,
    readonly done: () => void,
  ) {}

  /** Keys that have work in hand. */
  get busy(): number[] {
    return [...this.#busy.keys()];
  }

  /** Begins the work of each item whose key is free. `signal` fires when the process has to end. */
  start<T>(items: readonly T[], keyOf: (item: T) => number, work: (item: T, signal: AbortSignal) => Promise<unknown>) {
    for (const item of items) {
      const key = keyOf(item);
      if (this.#busy.has(key) || this.#stop.signal.aborted) continue;
      this.#busy.set(
        key,
        this.#run(key, () => work(item, this.#stop.signal)),
      );
    }
  }

  /**
   * Resolves when the work in hand has ended.
   * @param graceMs how long it may go on undisturbed
   */
  async stop(graceMs: number) {
    const abort = setTimeout(() => this.#stop.abort(), graceMs);
    await Promise.all(this.#busy.values());
    clearTimeout(abort);
    this.#stop.abort();
  }

  async #run(key: number, work: () => Promise<unknown>) {
    try {
      // One turn later: the key is entered as busy first, whatever the work does at once.
      await Promise.resolve();
      await work();
      this.#busy.delete(key);
      this.done();
    } catch (error) {
      this.log.error({ lane: this.name, key, err: error }, "a piece of work failed");
      setTimeout(() => this.#busy.delete(key), AFTER_ERROR_MS).unref();
    }
  }
}
