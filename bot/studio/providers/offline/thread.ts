/** Keeps the artist's thread: started at the first job, started anew if it dies, closed when idle. */
import { Worker } from "node:worker_threads";
import type { JobMessage, JobName, Jobs, ResultMessage } from "./jobs.ts";

export type Thread = {
  /** Does one job; rejects with the signal's reason on abort, else with an `Error` that says what went wrong. */
  run<N extends JobName>(name: N, input: Jobs[N]["input"], signal: AbortSignal): Promise<Jobs[N]["output"]>;
};

/** How the error of a job begins whose thread died under it. */
export const deathPrefix = "the artist's thread ended: ";

type Waiting = { resolve: (value: never) => void; reject: (reason: unknown) => void };

/** `script` is the thread's module; the thread ends after `idleMs` without a job. */
export function openThread(script: URL, idleMs: number): Thread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let idle: ReturnType<typeof setTimeout> | null = null;
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(script);
    started.on("message", (message: ResultMessage) => {
      const job = waiting.get(message.id);
      if ("fault" in message) job?.reject(new Error(message.fault));
      else job?.resolve(message.value as never);
      settle(message.id);
    });
    const died = (why: string) => {
      if (worker !== started) return;
      worker = null;
      for (const job of waiting.values()) job.reject(new Error(`${deathPrefix}${why}`));
      waiting.clear();
    };
    started.on("error", (error: Error) => {
      died(error.message);
      void started.terminate();
    });
    started.on("exit", () => died("exited"));
    return started;
  }

  function settle(id: number): void {
    waiting.delete(id);
    if (waiting.size > 0 || !worker) return;
    // An idle thread keeps no process alive, and after a while does not stay either.
    worker.unref();
    idle = setTimeout(() => {
      const done = worker;
      worker = null;
      void done?.terminate();
    }, idleMs);
    idle.unref();
  }

  return {
    run(name, input, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (idle) clearTimeout(idle);
        worker ??= start();
        worker.ref();
        const id = ++lastId;
        const stop = new SharedArrayBuffer(4);
        const onAbort = () => {
          Atomics.store(new Int32Array(stop), 0, 1);
          reject(signal.reason);
          // The thread still answers this job, soon, and only then is idle.
        };
        signal.addEventListener("abort", onAbort, { once: true });
        const release = () => signal.removeEventListener("abort", onAbort);
        waiting.set(id, {
          resolve: (value) => {
            release();
            resolve(value);
          },
          reject: (reason) => {
            release();
            reject(reason);
          },
        });
        worker.postMessage({ id, name, input, stop } as JobMessage);
      });
    },
  };
}
