/** How long a sheet takes against the bare floor of decoding, resizing and encoding, and what it costs in memory. */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cutSheet } from "../../../bot/studio/cutter/cutter.ts";
import { closeCutter, cutOffThread } from "../../../bot/studio/cutter/off-thread.ts";
import { bareFloor } from "./floor.ts";

const ROUNDS = 7;
const WARM_UP = 2;
const TICK_MS = 5;

export type Speed = {
  sheet: string;
  floorMs: number;
  cutMs: number;
  ratio: number;
  /** Processor time of either, all threads together, ms: where others share the machine it tells more than the clock. */
  floorCpuMs: number;
  cutCpuMs: number;
  /** The highest memory of a process that cuts this one sheet, and of one that does the floor alone, MiB. */
  peakMiB: number;
  floorPeakMiB: number;
  /** The most that a 5 ms timer was late on the main thread while the other one cut, ms. */
  lateMs: number;
};

type Took = { ms: number; cpuMs: number };

async function time(work: () => Promise<unknown>): Promise<Took> {
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { ms, cpuMs: (user + system) / 1000 };
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;

export async function measureSpeed(name: string, sheet: Uint8Array): Promise<Speed> {
  const floor: Took[] = [];
  const cut: Took[] = [];
  // In turns, so that whatever else the machine does hits both alike; the first rounds only warm up.
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const one = await time(() => bareFloor(sheet));
    const other = await time(() => cutSheet(sheet, { count: 9 }));
    if (round < 0) continue;
    floor.push(one);
    cut.push(other);
  }
  const [floorMs, cutMs] = [median(floor.map(({ ms }) => ms)), median(cut.map(({ ms }) => ms))];
  return {
    sheet: name,
    floorMs,
    cutMs,
    ratio: cutMs / floorMs,
    floorCpuMs: median(floor.map(({ cpuMs }) => cpuMs)),
    cutCpuMs: median(cut.map(({ cpuMs }) => cpuMs)),
    peakMiB: await peakMemory("cut", sheet),
    floorPeakMiB: await peakMemory("floor", sheet),
    lateMs: await lateness(sheet),
  };
}

/** The peak of a process of its own that does nothing else. */
async function peakMemory(what: "floor" | "cut", sheet: Uint8Array): Promise<number> {
  const file = join(tmpdir(), `cutter-bench-${process.pid}`);
  await Bun.write(file, sheet);
  try {
    const script = join(import.meta.dir, "peak.ts");
    const run = Bun.spawn([process.execPath, script, what, file], { stdout: "pipe", stderr: "inherit" });
    const printed = await new Response(run.stdout).text();
    if ((await run.exited) !== 0) throw new Error(`peak.ts ${what} failed`);
    return Number(printed);
  } finally {
    await rm(file, { force: true });
  }
}

async function lateness(sheet: Uint8Array): Promise<number> {
  await cutOffThread(sheet, { count: 9 });
  let [last, most] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    most = Math.max(most, now - last - TICK_MS);
    last = now;
  }, TICK_MS);
  await cutOffThread(sheet, { count: 9 });
  clearInterval(timer);
  closeCutter();
  return most;
}
