/** The booth under attack: the simulator, the two processes with levers in them, and a disk that can be filled. */
import type { Database } from "bun:sqlite";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDb } from "../../shared/db.ts";
import type { Zone } from "../../shared/time.ts";
import { smallDisk } from "../deploy/small-disk.ts";
import { type Sim, startSim } from "../sim/sim.ts";
import type { Env, Json } from "../world.ts";
import type { Look } from "./check-shown.ts";
import { Levers, sitesOf, type Who } from "./levers.ts";
import { drawSmall } from "./sheets.ts";
import { type Death, Slot } from "./slot.ts";
import { watchDatabase } from "./watch.ts";

/** The database and its copies. */
const OWN_FILES = /^(app\.db(-wal|-shm|-journal)?|backups\/.+)$/;
const DISK_KB = 48 * 1024;
const CALL_TIMEOUT_MS = 9_000;
const PATIENCE_MS = 60_000;
export const OPERATOR = { user: "ops", password: "the-operator's-password" };
export const SECRET = "the-form's-secret-0123456789";

export type Answer = { status: number; body: Json };
/** One that took so many calls. */
export type Insisted = Answer & { calls: number };
/** A span of real time. */
export type Span = { from: number; to: number };

export class Booth implements AsyncDisposable {
  /** Booths whose processes run and whose disk is mounted. */
  static readonly #standing = new Set<Booth>();

  /** Nothing of ours stays, whoever ends it: no process, no mounted disk. */
  static async leave() {
    await Promise.all([...Booth.#standing].map((booth) => booth[Symbol.asyncDispose]()));
  }

  readonly api: Slot;
  readonly bot: Slot;
  /** Another bot, which runs only while the first one stands still. */
  readonly relief: Slot;
  readonly levers: Levers;
  /** What was seen to be wrong so far. */
  readonly faults: string[] = [];
  /** When a process was made to stand still. */
  readonly stills: Span[] = [];
  /** What kiosks were shown. */
  readonly looks: Look[] = [];
  /** When the database could not be written. */
  readonly spans: Span[] = [];
  /** The bot may not write in the sales group now; or was not allowed to, for a while. */
  isOut = false;
  wasOut = false;
  /** When all deadlines ran out, and whatever was being answered was not heard. */
  readonly deaf: Span[] = [];
  /** Troubles that wait for somebody to come to their point. */
  readonly points = new Set<Promise<void>>();
  /** As the processes count days. Another one begins half a day from now: no step of a clock in the evening leads there. */
  readonly zone: Zone = { TZ_NAME: "Etc/GMT+12", DAY_STARTS_HOUR: new Date().getUTCHours() };
  /** Ends when nobody waits at a point any longer. */
  readonly peace = new AbortController();
  /** Something was owed that never came: nobody waits for it again. */
  stuck = false;
  /** When nothing was owed to anybody any more; what is promised later (an alert, say) may still be on its way. */
  settledAt = Number.POSITIVE_INFINITY;
  readonly until = Date.now() + PATIENCE_MS;
  #port = 0;
  #db: Database | null = null;

  private constructor(
    readonly sim: Sim,
    readonly dataDir: string,
    /** Whether the disk can be filled. */
    readonly small: boolean,
    /** The processes' settings, over the usual ones; whoever starts next has them. */
    readonly env: Env,
    private readonly close: () => void,
  ) {
    Booth.#standing.add(this);
    // Not on the disk that may be full.
    this.levers = Levers.create(join(tmpdir(), `chaos-levers-${crypto.randomUUID()}`));
    const settings = () => ({ ...this.#settings(), ...env });
    this.api = new Slot("api", this.levers, settings, (port) => {
      this.#port = port;
    });
    this.bot = new Slot("bot", this.levers, settings, () => {});
    this.relief = new Slot("bot", this.levers, settings, () => {});
  }

  static async open(env: Env): Promise<Booth> {
    const sim = await startSim();
    await drawSmall(sim);
    // Nothing is waited for until somebody knows of the mounted disk and takes it away, whatever comes.
    const disk = smallDisk(DISK_KB);
    const folder = disk?.path ?? mkdtempSync(join(tmpdir(), "chaos-"));
    const dataDir = join(folder, "data");
    mkdirSync(dataDir);
    const booth = new Booth(sim, dataDir, disk !== null, env, () => {
      if (disk) disk[Symbol.dispose]();
      else rmSync(folder, { recursive: true, force: true });
    });
    // The tables are made first, so that nothing that the processes write escapes the watch.
    watchDatabase(booth.db);
    booth.api.start();
    booth.bot.start();
    try {
      await Promise.all([booth.api.up(), booth.bot.up()]);
    } catch (error) {
      await booth[Symbol.asyncDispose]();
      throw error;
    }
    return booth;
  }

  get slots(): Slot[] {
    return [this.api, this.bot, this.relief];
  }

  /** When a bot ended, whichever. */
  get botDeaths(): Death[] {
    return [...this.bot.deaths, ...this.relief.deaths];
  }

  slot(who: Who): Slot {
    return who === "api" ? this.api : this.bot;
  }

  /** The harness's own connection. */
  get db(): Database {
    this.#db ??= openDb(this.dataDir);
    return this.#db;
  }

  rows(sql: string, ...values: (string | number)[]): Json[] {
    return this.db.query(sql).all(...values);
  }

  /** An operator has closed the booth for a while. */
  get isPaused(): boolean {
    return this.rows("SELECT 1 FROM settings WHERE name = 'maintenance'").length > 0;
  }

  /** Photos and sheets may go in the evening, when the clock jumps: their time is short. */
  get filesMayGo(): boolean {
    return this.env.PHOTO_TTL_HOURS === "1";
  }

  /** The processes' time. */
  now(): number {
    return Date.now() + this.levers.wallMs;
  }

  get isLate(): boolean {
    return Date.now() > this.until;
  }

  /** One call of the api. @returns null when there was no answer; whatever is not in the contract's form is noted */
  async call(method: string, path: string, body?: FormData | object, headers: Env = {}): Promise<Answer | null> {
    const isForm = body instanceof FormData;
    let response: Response;
    let text: string;
    try {
      response = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
        method,
        headers: {
          "x-stickers-leads-secret": SECRET,
          authorization: `Basic ${btoa(`${OPERATOR.user}:${OPERATOR.password}`)}`,
          ...(body && !isForm ? { "content-type": "application/json" } : {}),
          ...headers,
        },
        body: isForm ? body : body && JSON.stringify(body),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      text = await response.text();
    } catch {
      return null;
    }
    const found = parsed(text);
    if (response.status === 500) this.faults.push(`${method} ${path} answered 500: ${text}`);
    if (response.status >= 400 && !isErrorForm(found))
      this.faults.push(`${method} ${path} answered ${response.status} in no known form: ${text.slice(0, 200)}`);
    return { status: response.status, body: found };
  }

  /** Calls until there is an answer that says something about the call itself. @returns null when patience has ended */
  async insist(method: string, path: string, body?: () => FormData | object, headers?: Env): Promise<Insisted | null> {
    // Slower and slower, as a kiosk does it: whoever hammers is told to wait for a minute.
    for (let pauseMs = 150, calls = 1; !this.isLate; pauseMs = Math.min(pauseMs * 2, 1_200), calls += 1) {
      const answer = await this.call(method, path, body?.(), headers);
      if (answer && answer.status < 500 && answer.status !== 429) return { ...answer, calls };
      await Bun.sleep(pauseMs);
    }
    return this.#vain(`an answer to ${method} ${path}`);
  }

  /** Looks at a visit as its kiosk does. @returns its status, or null when there was no answer */
  async look(token: string): Promise<string | null> {
    const from = Date.now();
    const answer = await this.call("GET", `/session/${token}`);
    if (answer?.status !== 200) return null;
    const { status, queue_position } = answer.body;
    this.looks.push({ token, status, position: queue_position, from, to: Date.now() });
    return status;
  }

  /** Looks for `what` until it is there. @returns null when patience has ended */
  async eventually<T>(what: string, look: () => T | Promise<T>, everyMs = 60): Promise<T | null> {
    while (!this.isLate) {
      const found = await look();
      if (found) return found;
      await Bun.sleep(everyMs);
    }
    return this.#vain(what);
  }

  #vain(what: string): null {
    this.faults.push(`somebody waited in vain for ${what}`);
    return null;
  }

  /** Files that are on the disk, as paths under DATA_DIR: guests', wherever they are, and nothing of the booth's own. */
  files(): string[] {
    return readdirSync(this.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.dataDir.length + 1))
      .filter((file) => !OWN_FILES.test(file));
  }

  async [Symbol.asyncDispose]() {
    for (const slot of this.slots) slot.signal("SIGCONT");
    await Promise.all(this.slots.map((slot) => slot.stop("SIGKILL")));
    this.#db?.close(false);
    await this.sim.stop();
    for (const path of [this.levers.path, sitesOf(this.levers.path)]) rmSync(path, { force: true });
    this.close();
    Booth.#standing.delete(this);
  }

  #settings(): Env {
    return {
      ...this.sim.env(),
      BOT_USERNAME: this.sim.botUsername,
      DATA_DIR: this.dataDir,
      PORT: String(this.#port),
      LEADS_SECRET: SECRET,
      ADMIN_USER: OPERATOR.user,
      ADMIN_PASSWORD: OPERATOR.password,
      STICKERS_PER_PACK: "4",
      // No digest and no reminder: they come by the clock of the day.
      DIGEST_HOUR: "23",
      LEADS_REMIND_MINUTES: "10080",
      TZ_NAME: this.zone.TZ_NAME,
      DAY_STARTS_HOUR: String(this.zone.DAY_STARTS_HOUR),
    };
  }
}

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

function isErrorForm(body: Json): boolean {
  const extra = Object.keys(body ?? {}).filter((key) => !["error", "message", "fields"].includes(key));
  return typeof body?.error === "string" && typeof body.message === "string" && extra.length === 0;
}
