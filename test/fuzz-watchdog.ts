/**
 * A thread beside the tests that attack. What never gives the event loop back also holds up every timer and every
 * deadline of its own thread, the test runner's too: only from outside can it be seen, named and ended.
 */
import { writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

export type Bounds = {
  /** The turn that the watched loop is at; it writes it. */
  turnCell: Int32Array;
  /** The last turn in which the loop was blocked: for `blockedMs` of ticks with at most `idleUs` of CPU time. */
  blockedCell: Int32Array;
  tickMs: number;
  blockedMs: number;
  idleUs: number;
  /** Who is blocked for so long, or works for so long, is ended. */
  endlessMs: number;
};
/** What is judged now; null: nothing is. */
export type Watched = string | null;

const { turnCell, blockedCell, tickMs, blockedMs, idleUs, endlessMs } = workerData as Bounds;

const usedUs = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

let watched: Watched = null;
/** The CPU time when the judging began. */
let sinceUs = 0;
/** The turn that was seen last, the ticks at rest since then, and the CPU time at the first of them. */
let turn = 0;
let ticks = 0;
let restedUs = 0;

parentPort?.on("message", (given: Watched) => {
  watched = given;
  sinceUs = usedUs();
});

setInterval(() => {
  if (watched === null) return;
  const now = Atomics.load(turnCell, 0);
  const used = usedUs();
  if (now !== turn || used - restedUs > idleUs) {
    turn = now;
    ticks = 0;
    restedUs = used;
  }
  ticks += 1;
  if (ticks * tickMs >= blockedMs) Atomics.store(blockedCell, 0, now);
  if (ticks * tickMs < endlessMs && used - sinceUs < endlessMs * 1000) return;
  writeSync(2, `\nit hangs, and holds up all else: ${watched}\n`);
  process.kill(process.pid, "SIGKILL");
}, tickMs);
