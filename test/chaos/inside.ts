/**
 * Preloaded into the api and the bot under test (`BUN_OPTIONS=--preload`): gives them a clock that the harness sets and
 * deadlines that it lets run out, and lets them die right before or right after a commit. The product knows nothing of it.
 */
import { Database, type Statement } from "bun:sqlite";
import { appendFileSync } from "node:fs";
import { LEVERS_ENV, Levers, sitesOf, WHO_ENV, type Who } from "./levers.ts";
import { inOneLine, STATEMENT_MARK } from "./statements.ts";

/** Who makes calls: their longer timers are their patience with whoever is called. */
const CALLERS = /node_modules\/(grammy|openai|@google)|studio\/artists/;
const DEADLINE_MS = 5_000;
const LOOK_MS = 30;

const path = process.env[LEVERS_ENV];
const who = process.env[WHO_ENV] as Who;

const realMonotonic = performance.now.bind(performance);

if (path) {
  const levers = new Levers(path);
  const realNow = Date.now;
  Date.now = () => realNow() + levers.wallMs;
  performance.now = () => realMonotonic() + levers.monotonicMs;
  watchDeadlines(levers);
  watchCommits(levers);
}

/** A call's deadline comes after its time, or when the harness says so: nobody waits three minutes for an artist. */
function watchDeadlines(levers: Levers) {
  const patient = (end: () => void, ms: number) => {
    const { expired } = levers;
    const due = realMonotonic() + ms;
    const timer = setInterval(() => {
      if (levers.expired === expired && realMonotonic() < due) return;
      clearInterval(timer);
      end();
    }, LOOK_MS);
    return timer;
  };
  const later = setTimeout;
  const timeout = (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    ms >= DEADLINE_MS && CALLERS.test(new Error().stack ?? "")
      ? patient(() => callback(...args), ms)
      : later(callback, ms, ...args);
  globalThis.setTimeout = Object.assign(timeout, later) as typeof setTimeout;
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    patient(() => controller.abort(new DOMException("The operation timed out.", "TimeoutError")), ms).unref();
    return controller.signal;
  };
}

type Call = (...args: unknown[]) => unknown;

function watchCommits(levers: Levers) {
  const seen = new Set<string>();
  const note = (what: string) => appendFileSync(sitesOf(levers.path), `${what}\n`);
  const noteOnce = (what: string) => {
    if (!seen.has(what)) note(what);
    seen.add(what);
  };
  const atCommit = (work: () => unknown) => {
    const { stack = "" } = new Error();
    const site = siteOf(stack);
    noteOnce(`${who} ${site}`);
    const point = levers.countCommit(who, site);
    if (point !== null) note(`${who} ${site} ${point}`);
    if (point === "before") die();
    const result = work();
    if (point === "after") die();
    return result;
  };
  const run = Database.prototype.run as Call;
  Database.prototype.run = function (this: Database, ...args: unknown[]) {
    const work = () => run.apply(this, args);
    return args[0] === "COMMIT" ? atCommit(work) : work();
  } as typeof Database.prototype.run;

  // A writing statement outside of a transaction is a transaction of its own.
  const query = Database.prototype.query;
  const counted = new WeakSet<Statement>();
  Database.prototype.query = function (this: Database, sql: string) {
    const statement = query.call(this, sql) as unknown as Record<"run" | "get" | "all", Call> & Statement;
    if (counted.has(statement) || !/^\s*(INSERT|UPDATE|DELETE)/i.test(sql)) return statement;
    counted.add(statement);
    for (const name of ["run", "get", "all"] as const) {
      const original = statement[name].bind(statement) as Call;
      const told: Call = (...args) => {
        noteOnce(STATEMENT_MARK + inOneLine(sql));
        return this.inTransaction ? original(...args) : atCommit(() => original(...args));
      };
      Object.assign(statement, { [name]: told });
    }
    return statement;
  } as typeof Database.prototype.query;
}

/** Where in the product a commit was asked for: the nearest line of api/ or bot/, or else of shared/. */
function siteOf(stack: string): string {
  const lines = stack.match(/(?<=\/)(?:api|bot|shared)\/[\w/-]+\.ts:\d+/g) ?? [];
  return lines.find((line) => !line.startsWith("shared/")) ?? lines.at(-1) ?? "elsewhere";
}

function die(): never {
  process.kill(process.pid, "SIGKILL");
  for (;;) Bun.sleepSync(1000);
}
