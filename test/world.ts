/**
 * The product as it runs: real `api/main.ts` and `bot/main.ts` processes over a data folder of their own, against the
 * simulator. A test drives it as its users do and looks at what they would see.
 *
 *     await using world = await World.open();
 *     const token = await world.visit(7001);           // Start → scan → consent → outfit
 *     await world.sendPhoto(token, world.selfie());
 *     await world.ends(token, "done");
 */
import type { Database } from "bun:sqlite";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReadOnly } from "../shared/db.ts";
import { type Sim, type SimOptions, startSim } from "./sim/sim.ts";

const ROOT = join(import.meta.dir, "..");
const START_MS = 20_000;
const WAIT_MS = 30_000;

export const fixture = (name: string) => new Uint8Array(readFileSync(join(import.meta.dir, "fixtures", name)));

export type Env = Record<string, string>;
export type Answer = { status: number; body: Json; headers: Headers };
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
export type Json = any;

export type WorldOptions = { env?: Env; api?: boolean; bot?: boolean; sim?: SimOptions };

/** One of the two processes: its output as it comes, and how it ended. */
export class Program {
  readonly lines: string[] = [];
  readonly process: Bun.Subprocess<"ignore", "pipe", "pipe">;
  #told = Promise.withResolvers<void>();

  constructor(script: string, env: Env) {
    this.process = Bun.spawn([process.execPath, script], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", NODE_ENV: "production", ...env },
      stdout: "pipe",
      stderr: "pipe",
      stdin: "ignore",
    });
    for (const stream of [this.process.stdout, this.process.stderr]) void this.#read(stream);
    void this.process.exited.then(() => this.#tell());
  }

  get output() {
    return this.lines.join("\n");
  }

  /** The first line that has all of this. @throws when the process ends without it */
  async said(text: string, limitMs = START_MS): Promise<Json> {
    const late = AbortSignal.timeout(limitMs);
    for (;;) {
      const line = this.lines.find((l) => l.includes(text));
      if (line) return line.startsWith("{") ? JSON.parse(line) : line;
      if (this.process.exitCode !== null)
        throw new Error(`ended with ${this.process.exitCode} before “${text}”:\n${this.output}`);
      if (late.aborted) throw new Error(`no “${text}” in time:\n${this.output}`);
      await Promise.race([this.#told.promise, new Promise((r) => late.addEventListener("abort", r, { once: true }))]);
    }
  }

  /** Ends the process and waits for it. @returns its exit code, null when the signal ended it */
  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    this.process.kill(signal);
    await this.process.exited;
    return this.process.exitCode;
  }

  async #read(stream: ReadableStream<Uint8Array>) {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of stream) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      this.lines.push(...parts.filter(Boolean));
      this.#tell();
    }
    if (rest) this.lines.push(rest);
    this.#tell();
  }

  #tell() {
    const told = this.#told;
    this.#told = Promise.withResolvers();
    told.resolve();
  }
}

export class World implements AsyncDisposable {
  api: Program | null = null;
  bot: Program | null = null;
  url = "";
  #db: Database | null = null;

  private constructor(
    readonly sim: Sim,
    readonly dataDir: string,
    readonly extra: Env,
  ) {}

  static async open(options: WorldOptions = {}): Promise<World> {
    const world = new World(await startSim(options.sim), mkdtempSync(join(tmpdir(), "booth-")), options.env ?? {});
    try {
      if (options.api !== false) await world.startApi();
      if (options.bot !== false) await world.startBot();
      return world;
    } catch (error) {
      await world[Symbol.asyncDispose]();
      throw error;
    }
  }

  get env(): Env {
    return {
      ...this.sim.env(),
      BOT_USERNAME: this.sim.botUsername,
      DATA_DIR: this.dataDir,
      PORT: "0",
      PUBLIC_URL: "http://127.0.0.1:1",
      GEMINI_API_KEY: "test-gemini-key",
      OPENAI_API_KEY: "test-openai-key",
      ...this.extra,
    };
  }

  /** Starts the api, after the one before has ended: nobody would end that any more. */
  async startApi(env: Env = {}): Promise<Program> {
    await this.api?.end();
    this.api = new Program("api/main.ts", { ...this.env, ...env });
    const { port } = await this.api.said('"listening"');
    this.url = `http://127.0.0.1:${port}`;
    return this.api;
  }

  async startBot(env: Env = {}): Promise<Program> {
    this.bot = new Program("bot/main.ts", { ...this.env, ...env });
    await this.bot.said('"polling"');
    return this.bot;
  }

  /** A connection that only reads, to look at rows. */
  get db(): Database {
    this.#db ??= openReadOnly(join(this.dataDir, "app.db"));
    return this.#db;
  }

  rows(sql: string, ...values: (string | number)[]): Json[] {
    return this.db.query(sql).all(...values);
  }

  /** The newest job of a visit, as its row says. */
  jobOf = (token: string): Json =>
    this.rows("SELECT * FROM jobs WHERE session_token = ? ORDER BY id DESC LIMIT 1", token)[0];

  /** The pack of a visit's newest job. */
  packOf = (token: string): Json => this.rows("SELECT * FROM packs WHERE job_id = ?", this.jobOf(token)?.id ?? 0)[0];

  /** What the bot has said in a chat, in order; a picture or a sticker counts as "". */
  textsTo = (chat: number): string[] =>
    this.sim
      .messages(chat)
      .filter((message) => message.from?.is_bot)
      .map((message) => message.text ?? "");

  // --- what the kiosk does

  async call(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(this.url + path, init);
    const text = await response.text();
    const json = response.headers.get("content-type")?.includes("application/json");
    return { status: response.status, body: json ? JSON.parse(text) : text, headers: response.headers };
  }

  post(path: string, body: unknown = {}, headers: Env = {}): Promise<Answer> {
    return this.call(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }

  async session(token: string): Promise<Json> {
    return (await this.call(`/session/${token}`)).body;
  }

  async start(lang = "en"): Promise<string> {
    const { body } = await this.post("/session", { kiosk: "test", lang });
    return body.token;
  }

  selfie(name = "selfie.jpg"): Uint8Array {
    return fixture(name);
  }

  sendPhoto(token: string, bytes: Uint8Array, name = "selfie.jpg", type = "image/jpeg"): Promise<Answer> {
    const form = new FormData();
    form.append("photo", new Blob([Uint8Array.from(bytes)], { type }), name);
    return this.call(`/session/${token}/photo`, { method: "POST", body: form });
  }

  /** Scans the code and agrees. */
  async agree(guest: number, token: string, lang = "en") {
    this.sim.guestSays(guest, `/start ${token}`, { lang });
    await this.sim.until(
      () => this.sim.buttons(guest).some((b) => b.callback_data === `consent:${token}:yes`),
      "the question",
    );
    this.sim.guestPresses(guest, `consent:${token}:yes`);
    await this.reaches(token, "consented");
  }

  /** Start, scan, consent, outfit: ready for a photo. @returns the token */
  async visit(guest: number, lang = "en", outfit = "astronaut"): Promise<string> {
    const token = await this.start(lang);
    await this.agree(guest, token, lang);
    const chosen = await this.post(`/session/${token}/template`, { template_id: outfit });
    if (chosen.status !== 200) throw new Error(`the outfit gave ${chosen.status} ${JSON.stringify(chosen.body)}`);
    return token;
  }

  /** Asks like a kiosk until the visit is at one of these statuses. */
  async reaches(token: string, ...statuses: string[]): Promise<Json> {
    return this.eventually(
      async () => {
        const session = await this.session(token);
        return statuses.includes(session.status) ? session : null;
      },
      `session at ${statuses.join(" or ")}`,
    );
  }

  /** Asks until something is there; for what has no event to wait for, such as a row or an answer of the api. */
  async eventually<T>(look: () => T | Promise<T>, what: string, limitMs = WAIT_MS): Promise<NonNullable<T>> {
    const until = Date.now() + limitMs;
    for (;;) {
      const found = await look();
      if (found) return found as NonNullable<T>;
      if (Date.now() > until) throw new Error(`in vain waited for ${what}\n${this.bot?.output.slice(-2000)}`);
      await Bun.sleep(20);
    }
  }

  async [Symbol.asyncDispose]() {
    this.#db?.close();
    await Promise.all([this.bot, this.api].map((p) => (p && p.process.exitCode === null ? p.end("SIGKILL") : null)));
    await this.sim.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
