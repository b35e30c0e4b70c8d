/**
 * A thread beside the tests that attack. Work that never gives the event loop back also holds up every timer and every
 * deadline of its own thread, the test runner's too: only from outside can it be named and ended.
 */
import { writeSync } from "node:fs";

const LOOK_MS = 500;

/** What is judged now, and how much CPU time the process may have used before it counts as endless; null: nothing is. */
export type Watched = { what: string; endlessUs: number } | null;

const usedUs = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

let watched: Watched = null;
let sinceUs = 0;

self.onmessage = ({ data }: MessageEvent<Watched>) => {
  watched = data;
  sinceUs = usedUs();
};

setInterval(() => {
  if (!watched || usedUs() - sinceUs < watched.endlessUs) return;
  writeSync(2, `\nit hangs, and holds up all else: ${watched.what}\n`);
  process.kill(process.pid, "SIGKILL");
}, LOOK_MS);
