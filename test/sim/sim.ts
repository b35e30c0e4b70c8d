/**
 * One stateful simulator of Telegram, Gemini and OpenAI on one loopback port, for tests, benchmarks and the demo.
 *
 *     await using sim = await startSim();
 *     // api and bot: BOT_TOKEN=sim.token, TELEGRAM_API_ROOT=TELEGRAM_WEB_ROOT=GEMINI_BASE_URL=sim.root,
 *     //              OPENAI_BASE_URL=sim.root + "/v1", ADMIN_CHAT_ID, LEADS_CHAT_ID: all in sim.env()
 *     sim.guestSays(7001, `/start ${token}`, { lang: "uz" });
 *     await sim.until(() => sim.buttons(7001).length > 0, "consent buttons");
 *     const press = sim.guestPresses(7001, /^consent:.*:yes$/);
 *     await sim.until(() => press.answers.length > 0);
 *     sim.fault({ target: "telegram:createNewStickerSet", do: { executeThenLose: "reset" } });
 *     expect(sim.violations).toEqual([]);
 *
 * What people do: `guestSays`, `guestSendsPhoto`, `guestSendsFile`, `guestSendsSticker`, `guestPresses`,
 *   `guestBlocks`, `guestUnblocks`, `guestDeletesAccount`, `operatorSays` (`{ anonymous: true }`), `operatorPresses`, `joins`, `migrateGroup`,
 *   `throwsBotOut`, `invitesBot`, `redeliver`, `expirePresses` (people.ts).
 * What may be looked at: `messages(chatId)`, `buttons(chatId)`, `sets`, `calls`, `sent(method, chatId?)`,
 *   `violations` (calls that no sound bot makes), `world` (the rest of Telegram's state).
 * What may be changed: `models` (the usual answers of the models), `fault`, `hold`, `clearFaults`, `skewClock`,
 *   `limits`, `setWebhook`.
 * Another process does the same over HTTP: control.ts.
 */
import type { Server } from "bun";
import { Changes } from "./changes.ts";
import { control } from "./control.ts";
import type { Fault, FaultTold, Hold } from "./faults.ts";
import { Journal } from "./journal.ts";
import { People } from "./people.ts";
import { servePhone } from "./phone.ts";
import { GeminiServer } from "./providers/gemini.ts";
import { Models } from "./providers/models.ts";
import { OpenAiServer } from "./providers/openai.ts";
import { addStickersPage } from "./telegram/page.ts";
import { RateLimits } from "./telegram/rates.ts";
import { TelegramServer } from "./telegram/server.ts";
import { World } from "./telegram/world.ts";
import type { Call, JsonObject, StickerSet, TgChat } from "./types.ts";

const MAX_BODY_BYTES = 200 * 1024 * 1024;
const IDLE_TIMEOUT_S = 255;
const UNTIL_MS = 25_000;

export type SimOptions = {
  /** 0 (the default) takes a free port. */
  port?: number;
  token?: string;
  botUsername?: string;
  botName?: string;
  /** Groups in which the bot is a member from the start; by default an operators' and a sales group. */
  groups?: TgChat[];
  /** Answer 429 to bots that are too fast. */
  limits?: boolean;
};

export const OPERATORS_CHAT_ID = -1001900000001;
/** A basic group, so that it can grow into a supergroup. */
export const SALES_CHAT_ID = -4900000002;

const defaultGroups: TgChat[] = [
  { id: OPERATORS_CHAT_ID, type: "supergroup", title: "Booth operators" },
  { id: SALES_CHAT_ID, type: "group", title: "Sales" },
];

/** Starts a simulator; stop it with `stop()` or `await using`. */
export async function startSim(options: SimOptions = {}): Promise<Sim> {
  return new Sim(options);
}

export class Sim extends People implements AsyncDisposable {
  readonly operatorsChatId: number;
  readonly salesChatId: number;
  readonly models = new Models();
  readonly limits: RateLimits;
  /** How often each set's page was asked for. */
  readonly pageVisits = new Map<string, number>();
  private readonly journal: Journal;
  private readonly stopping = new AbortController();
  private readonly changes: Changes;
  private readonly server: Server<undefined>;
  private readonly telegram: TelegramServer;
  private readonly gemini: GeminiServer;
  private readonly openai: OpenAiServer;

  constructor(options: SimOptions) {
    const changes = new Changes();
    const username = options.botUsername ?? "sim_booth_bot";
    const bot = { id: 7_100_000_001, is_bot: true, first_name: options.botName ?? "Sticker Booth", username };
    const token = options.token ?? `${bot.id}:SIM-not-a-real-token-0123456789abcd`;
    super(new World(bot, token, () => changes.tell()));
    this.world.users.set(bot.id, bot);
    this.changes = changes;
    const groups = options.groups ?? defaultGroups;
    for (const group of groups) this.world.addGroup(group);
    this.operatorsChatId = groups[0]?.id ?? OPERATORS_CHAT_ID;
    this.salesChatId = groups[1]?.id ?? this.operatorsChatId;
    this.journal = new Journal(() => changes.tell());
    this.limits = new RateLimits(options.limits ?? false, () => this.world.nowMs());
    this.telegram = new TelegramServer(this.world, this.journal, this.limits);
    this.gemini = new GeminiServer(this.models, this.journal);
    this.openai = new OpenAiServer(this.models, this.journal);
    this.server = Bun.serve({
      hostname: "127.0.0.1",
      port: options.port ?? 0,
      reusePort: false,
      idleTimeout: IDLE_TIMEOUT_S,
      maxRequestBodySize: MAX_BODY_BYTES,
      fetch: (request) => this.handle(request),
    });
  }

  get root(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  get token(): string {
    return this.world.token;
  }

  get botUsername(): string {
    return this.world.bot.username ?? "";
  }

  /** Sticker sets by name, as their owners named them. */
  get sets(): StickerSet[] {
    return [...this.world.sets.values()];
  }

  /** Every call so far, `getUpdates` too. */
  get calls(): Call[] {
    return this.journal.calls;
  }

  get violations(): string[] {
    return this.journal.violations;
  }

  /** Calls of one Telegram method that were carried out, also those whose answer was lost. */
  sent(method: string, chatId?: number): Call[] {
    return this.calls.filter(
      (call) =>
        call.target === `telegram:${method}` &&
        call.outcome.startsWith("ok") &&
        (chatId === undefined || Number(call.params.chat_id) === chatId),
    );
  }

  /** The settings with which api and bot meet this simulator. Keys of the providers are accepted as they are. */
  env(): Record<string, string> {
    return {
      BOT_TOKEN: this.token,
      ADMIN_CHAT_ID: String(this.operatorsChatId),
      LEADS_CHAT_ID: String(this.salesChatId),
      TELEGRAM_API_ROOT: this.root,
      TELEGRAM_WEB_ROOT: this.root,
      GEMINI_BASE_URL: this.root,
      OPENAI_BASE_URL: `${this.root}/v1`,
      GEMINI_API_KEY: "sim-gemini-key",
      OPENAI_API_KEY: "sim-openai-key",
    };
  }

  /** Makes coming calls fail; see faults.ts for targets and kinds. @returns what tells whether it met any */
  fault(fault: Fault): FaultTold {
    return this.journal.faults.add(fault);
  }

  clearFaults(): void {
    this.journal.faults.clear();
  }

  get activeFaults(): Fault[] {
    return this.journal.faults.active;
  }

  /** Lets the next matching call stand still: `await hold.reached`, look around, `hold.release()`. */
  hold(target: string, when?: Fault["when"]): Hold {
    return this.journal.faults.hold(target, when);
  }

  /** Telegram's clock runs ahead of this machine's by so much (`Date` header, message dates). */
  skewClock(ms: number): void {
    this.world.skewMs = ms;
  }

  /** As if somebody had set a webhook: `getUpdates` answers 409 until `deleteWebhook`. */
  setWebhook(url: string): void {
    this.world.updates.webhookUrl = url;
  }

  /**
   * Waits until `condition` gives something true and returns that. It is looked at after every change here; for
   * conditions about other processes give `everyMs` too. After `timeoutMs` it throws and tells what happened last.
   */
  async until<T>(
    condition: () => T | Promise<T>,
    what = "the condition",
    options: { timeoutMs?: number; everyMs?: number } = {},
  ): Promise<NonNullable<T>> {
    const timeoutMs = options.timeoutMs ?? UNTIL_MS;
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const seen = this.changes.count;
      const value = await condition();
      if (value) return value;
      const leftMs = deadline - Date.now();
      if (leftMs <= 0) throw new Error(`${what}: not within ${timeoutMs} ms. Last calls:\n${this.lastCalls()}`);
      await this.changes.next(seen, Math.min(leftMs, options.everyMs ?? leftMs));
    }
  }

  /** Runs `listener` after every change until the returned function is called. */
  onChange(listener: () => void): () => void {
    return this.changes.listen(listener);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.world.updates.close();
    await this.server.stop(true);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  private async handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const signal = AbortSignal.any([request.signal, this.stopping.signal]);
    const answer =
      this.telegram.handle(request, pathname, signal) ??
      this.gemini.handle(request, pathname, signal) ??
      this.openai.handle(request, pathname, signal) ??
      control(this, request, pathname) ??
      servePhone(this, request, pathname, signal) ??
      this.page(pathname, signal);
    return (await answer) ?? new Response("Not found", { status: 404 });
  }

  private page(path: string, signal: AbortSignal): Promise<Response> | undefined {
    const name = /^\/addstickers\/(\w+)$/.exec(path)?.[1];
    if (name === undefined) return undefined;
    this.pageVisits.set(name, (this.pageVisits.get(name) ?? 0) + 1);
    const params: JsonObject = { name };
    return this.journal.pass("page", params, {}, signal, (_call, special) =>
      addStickersPage(this.world, name, special !== undefined && "missing" in special),
    );
  }

  private lastCalls(): string {
    const told = this.calls.filter((call) => call.target !== "telegram:getUpdates").slice(-8);
    return told
      .map((call) => `  ${call.target} ${JSON.stringify(call.params).slice(0, 160)} → ${call.outcome}`)
      .join("\n");
  }
}
