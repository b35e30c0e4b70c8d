/**
 * The one supervised loop, on `setInterval`. A step never overlaps itself and never brings the process down;
 * failures back off; each success leaves a heartbeat; stopping waits for the step in hand.
 */
import { describe } from "./errors.ts";
import type { Log } from "./log.ts";

/** What a step may use: a signal that fires when the loop has to stop, and a sign of life for long steps. */
export type StepContext = { signal: AbortSignal; beat: () => void };

export type LoopOptions = {
  name: string;
  everyMs: number;
  /** One round of work. `"again"` asks for another at once: there is more. A number asks for one after so many ms. */
  step: (context: StepContext) => Promise<unknown> | unknown;
  /** Told of each good round and each failed one. */
  heartbeat?: { ok(loop: Loop): void; failed(loop: Loop, error: unknown): void };
  log: Log;
  maxBackoffMs?: number;
  /** A clock in milliseconds that nobody sets back. */
  now?: () => number;
};

const MAX_BACKOFF_MS = 60_000;
const monotonic = () => performance.now();

export class Loop {
  readonly name: string;
  readonly everyMs: number;
  /** Failed rounds in a row. */
  failures = 0;
  #timer: ReturnType<typeof setInterval> | null = null;
  #running: Promise<void> | null = null;
  #later: ReturnType<typeof setTimeout> | undefined;
  #wanted = false;
  #notBefore = 0;
  #stop = new AbortController();
  readonly #options: LoopOptions;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.name = options.name;
    this.everyMs = options.everyMs;
  }

  start(): this {
    this.#timer ??= setInterval(() => this.#tick(), this.everyMs);
    this.#tick();
    return this;
  }

  /** Asks for a round now; during one, for another right after it. A backing-off loop does not hurry. */
  wake() {
    if (!this.#timer) return;
    this.#wanted = true;
    this.#tick();
  }

  /**
   * No further rounds; resolves when the one in hand has ended.
   * @param graceMs how long it may go on before its signal fires
   */
  async stop(graceMs = 0): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    clearTimeout(this.#later);
    this.#timer = null;
    this.#wanted = false;
    const abort = setTimeout(() => this.#stop.abort(), graceMs);
    await this.#running;
    clearTimeout(abort);
    this.#stop.abort();
  }

  #tick() {
    if (this.#running || this.#stop.signal.aborted) return;
    if (this.#now() < this.#notBefore) return;
    this.#running = this.#rounds().finally(() => {
      this.#running = null;
    });
  }

  async #rounds() {
    do {
      this.#wanted = false;
      try {
        const more = await this.#options.step({
          signal: this.#stop.signal,
          beat: () => this.#options.heartbeat?.ok(this),
        });
        this.failures = 0;
        this.#notBefore = 0;
        if (more === "again") this.#wanted = true;
        if (typeof more === "number") this.#comeBack(more);
        this.#options.heartbeat?.ok(this);
      } catch (error) {
        this.#failed(error);
        return;
      }
    } while (this.#wanted && this.#timer);
  }

  #comeBack(afterMs: number) {
    clearTimeout(this.#later);
    if (this.#timer && afterMs < this.everyMs) this.#later = setTimeout(() => this.wake(), Math.max(0, afterMs));
  }

  #failed(error: unknown) {
    if (this.#stop.signal.aborted) return;
    this.failures++;
    const pauseMs = Math.min(this.everyMs * 2 ** this.failures, this.#options.maxBackoffMs ?? MAX_BACKOFF_MS);
    this.#notBefore = this.#now() + pauseMs;
    this.#options.log.error({ loop: this.name, failures: this.failures, pauseMs, err: error }, "a loop's round failed");
    try {
      this.#options.heartbeat?.failed(this, error);
    } catch (second) {
      this.#options.log.error({ loop: this.name, err: describe(second) }, "the failure could not be recorded");
    }
  }

  #now() {
    return (this.#options.now ?? monotonic)();
  }
}
