/** The updates of the bot and `getUpdates`, as core.telegram.org/bots/api#getting-updates describes them. */
import { Refusal } from "../errors.ts";
import type { TgUpdate } from "../types.ts";

const MAX_LIMIT = 100;
const MAX_TIMEOUT_S = 50;
/** So many updates can be handed over again. */
const DELIVERED_KEPT = 200;
const FIRST_UPDATE_ID = 700_000;

type Queued = { update: TgUpdate; owed: boolean };
type Waiting = { wake(): void; finish(result: TgUpdate[] | Refusal): void };
export type UpdateBody = TgUpdate extends infer U ? (U extends TgUpdate ? Omit<U, "update_id"> : never) : never;

export class UpdateQueue {
  /** How often `getUpdates` was called. */
  polls = 0;
  /** Set while a webhook is registered: `getUpdates` is then refused. */
  webhookUrl = "";
  /** What the last `allowed_updates` said; undefined means everything the simulator makes. */
  allowed: string[] | undefined;
  private queue: Queued[] = [];
  private delivered: TgUpdate[] = [];
  private waiting: Waiting | undefined;
  private nextId = FIRST_UPDATE_ID;

  constructor(private readonly changed: () => void) {}

  /** Updates that wait or were handed over but not confirmed. */
  get pending(): TgUpdate[] {
    return this.queue.map((queued) => queued.update);
  }

  /** True while a long poll stands open. */
  get polling(): boolean {
    return this.waiting !== undefined;
  }

  /** Queues one update, or drops it if the bot did not ask for its kind. */
  push(body: UpdateBody): TgUpdate {
    const update = { update_id: this.nextId++, ...body } as TgUpdate;
    const kind = Object.keys(body)[0] ?? "";
    if (!this.allowed || this.allowed.includes(kind)) this.queue.push({ update, owed: false });
    this.wake();
    return update;
  }

  /**
   * Hands the last `count` delivered updates over once more under their old ids, as Telegram does when a
   * confirmation was lost.
   */
  redeliver(count: number): TgUpdate[] {
    const again = this.delivered.slice(-count);
    const ids = new Set(again.map((update) => update.update_id));
    this.queue = [
      ...again.map((update) => ({ update, owed: true })),
      ...this.queue.filter((queued) => !ids.has(queued.update.update_id)),
    ];
    this.wake();
    return again;
  }

  /** `signal` tells that the caller has gone: its poll then ends without a conflict for the next one. */
  async poll(
    params: { offset?: number; limit?: number; timeout?: number; allowed?: string[] },
    signal: AbortSignal,
  ): Promise<TgUpdate[]> {
    this.polls += 1;
    if (this.webhookUrl !== "")
      throw new Refusal(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    this.waiting?.finish(
      new Refusal(
        409,
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
      ),
    );
    if (params.allowed) this.allowed = params.allowed.length > 0 ? params.allowed : undefined;
    this.confirm(params.offset ?? 0);
    const limit = Math.min(Math.max(params.limit ?? MAX_LIMIT, 1), MAX_LIMIT);
    const timeoutMs = Math.min(params.timeout ?? 0, MAX_TIMEOUT_S) * 1000;
    if (this.queue.length > 0 || timeoutMs === 0) return this.take(limit);
    return await this.wait(limit, timeoutMs, signal);
  }

  /** Forgets what waits, as `deleteWebhook` with `drop_pending_updates` does. */
  drop(): void {
    this.queue = [];
  }

  /** Ends an open poll with nothing. */
  close(): void {
    this.waiting?.finish([]);
  }

  private confirm(offset: number) {
    if (offset < 0) this.queue = this.queue.slice(offset);
    else this.queue = this.queue.filter((queued) => queued.owed || queued.update.update_id >= offset);
  }

  private take(limit: number): TgUpdate[] {
    const taken = this.queue.slice(0, limit);
    for (const queued of taken) {
      queued.owed = false;
      if (!this.delivered.includes(queued.update)) this.delivered.push(queued.update);
    }
    this.delivered = this.delivered.slice(-DELIVERED_KEPT);
    return taken.map((queued) => queued.update);
  }

  private wait(limit: number, timeoutMs: number, signal: AbortSignal): Promise<TgUpdate[]> {
    return new Promise((resolve, reject) => {
      const finish = (result: TgUpdate[] | Refusal) => {
        clearTimeout(timer);
        if (this.waiting === mine) this.waiting = undefined;
        this.changed();
        if (result instanceof Refusal) reject(result);
        else resolve(result);
      };
      const mine: Waiting = { finish, wake: () => finish(this.take(limit)) };
      const timer = setTimeout(() => finish([]), timeoutMs);
      signal.addEventListener("abort", () => finish([]), { once: true });
      this.waiting = mine;
      this.changed();
    });
  }

  private wake() {
    if (this.queue.length > 0) this.waiting?.wake();
  }
}
