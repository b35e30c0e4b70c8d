/**
 * The cutter on a thread of its own, so that the bot keeps talking while pixels are counted. One thread
 * is kept; sheets wait their turn; a thread that dies or overruns is replaced and only its sheet suffers.
 */
import type { Worker as NodeWorker } from "node:worker_threads";
import type { Cut, CutOptions } from "./cutter.ts";
import { SheetUnusable, type UnusableCode } from "./unusable.ts";

/** The longest a sheet may take before its thread is given up. */
export const CUT_DEADLINE_MS = 60_000;

export type CutRequest = { id: number; sheet: Uint8Array; options: CutOptions };
export type CutAnswer =
  | { id: number; ok: true; cut: Cut & { matte?: Uint8Array } }
  | { id: number; ok: false; code: UnusableCode; message: string };

type Job = {
  request: CutRequest;
  resolve: (cut: Cut & { matte?: Uint8Array }) => void;
  reject: (error: unknown) => void;
  signal?: AbortSignal;
  onAbort: () => void;
};

/** Bun's Worker has both faces: the web's messages, and Node's say in whether it keeps the process alive. */
type Thread = Worker & Pick<NodeWorker, "ref" | "unref">;

let thread: Thread | null = null;
let running: Job | null = null;
let deadline: Timer | null = null;
let nextId = 1;
const waiting: Job[] = [];

/**
 * `cutSheet` on the cutter's thread.
 * @param signal gives up: a waiting sheet leaves the queue, a running one takes its thread along
 * @throws SheetUnusable (with `cutter_failed` when the thread died or overran), or the signal's reason
 */
export function cutOffThread(
  sheet: Uint8Array,
  options: CutOptions = {},
  signal?: AbortSignal,
): Promise<Cut & { matte?: Uint8Array }> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const job: Job = {
      request: { id: nextId++, sheet, options },
      resolve,
      reject,
      signal,
      onAbort: () => abandon(job),
    };
    signal?.addEventListener("abort", job.onAbort, { once: true });
    waiting.push(job);
    next();
  });
}

/** Stops the thread; sheets in hand and in the queue are rejected. */
export function closeCutter(): void {
  dropThread();
  const error = new SheetUnusable("cutter_failed", "The cutter was closed.");
  const left = running ? [running, ...waiting] : [...waiting];
  running = null;
  waiting.length = 0;
  for (const job of left) settle(job, () => job.reject(error));
}

function next(): void {
  if (running) return;
  const job = waiting.shift();
  if (!job) return;
  running = job;
  try {
    thread ??= start();
    thread.ref();
    deadline = setTimeout(() => fail("The sheet took too long to cut."), CUT_DEADLINE_MS);
    // The caller keeps its bytes (they are on disk and in the job): a copy is what gets transferred.
    // (Not `slice`: that of a Buffer is a window on the caller's own memory.)
    const sheet = new Uint8Array(job.request.sheet);
    thread.postMessage({ ...job.request, sheet }, [sheet.buffer as ArrayBuffer]);
  } catch {
    // No thread to be had just now: this sheet hears of it, and those behind it do not wait for ever.
    fail("The cutter's thread could not be started.");
  }
}

function start(): Thread {
  const worker = new Worker(new URL("./thread.ts", import.meta.url).href, { name: "cutter" }) as Thread;
  worker.onmessage = ({ data }: MessageEvent<CutAnswer>) => {
    if (worker !== thread || data.id !== running?.request.id) return;
    const job = running;
    finishRunning();
    if (data.ok) settle(job, () => job.resolve(data.cut));
    else settle(job, () => job.reject(new SheetUnusable(data.code, data.message)));
    next();
  };
  const died = () => {
    if (worker === thread) fail("The cutter's thread died.");
  };
  worker.onerror = died;
  worker.addEventListener("close", died);
  return worker;
}

function fail(message: string): void {
  dropThread();
  const job = running;
  running = null;
  if (job) settle(job, () => job.reject(new SheetUnusable("cutter_failed", message)));
  next();
}

function abandon(job: Job): void {
  const at = waiting.indexOf(job);
  if (at >= 0) waiting.splice(at, 1);
  settle(job, () => job.reject(job.signal?.reason));
  if (job !== running) return;
  dropThread();
  running = null;
  next();
}

function finishRunning(): void {
  if (deadline) clearTimeout(deadline);
  deadline = null;
  running = null;
  // An idle cutter must not keep a process alive that wants to end.
  thread?.unref();
}

function dropThread(): void {
  if (deadline) clearTimeout(deadline);
  deadline = null;
  const old = thread;
  thread = null;
  old?.terminate();
}

function settle(job: Job, how: () => void): void {
  job.signal?.removeEventListener("abort", job.onAbort);
  how();
}
