/** How long a sheet takes against the bare floor of decoding, resizing and encoding, and what it costs in memory. */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { cutSheet } from "../../../bot/studio/cutter/cutter.ts";
import { closeCutter, cutOffThread } from "../../../bot/studio/cutter/off-thread.ts";

const ROUNDS = 7;
const TICK_MS = 5;

export type Speed = {
  sheet: string;
  floorMs: number;
  cutMs: number;
  ratio: number;
  /** The highest memory of a process that cuts this one sheet, MiB. */
  peakMiB: number;
  /** The most that a 5 ms timer was late on the main thread while the other one cut, ms. */
  lateMs: number;
};

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;

export async function measureSpeed(name: string, sheet: Uint8Array): Promise<Speed> {
  const floor: number[] = [];
  const cut: number[] = [];
  // In turns, so that whatever else the machine does hits both alike; the first round only warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    const start = performance.now();
    await bareFloor(sheet);
    const middle = performance.now();
    await cutSheet(sheet, { count: 9 });
    if (round === 0) continue;
    floor.push(middle - start);
    cut.push(performance.now() - middle);
  }
  const [floorMs, cutMs] = [median(floor), median(cut)];
  return {
    sheet: name,
    floorMs,
    cutMs,
    ratio: cutMs / floorMs,
    peakMiB: await peakMemory(sheet),
    lateMs: await lateness(sheet),
  };
}

/** Decoding the sheet, then nine crops resized and encoded, with nothing else. */
async function bareFloor(sheet: Uint8Array): Promise<void> {
  const { data, info } = await sharp(sheet).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const [w, h] = [Math.floor(info.width / 3), Math.floor(info.height / 3)];
  for (let i = 0; i < 9; i++) {
    await sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
      .extract({ left: (i % 3) * w, top: Math.floor(i / 3) * h, width: w, height: h })
      .resize(512, 512, { fit: "inside" })
      .png()
      .toBuffer();
  }
}

async function peakMemory(sheet: Uint8Array): Promise<number> {
  const file = join(tmpdir(), `cutter-bench-${process.pid}`);
  await Bun.write(file, sheet);
  const cli = join(import.meta.dir, "../../../bot/studio/cutter/cli.ts");
  const run = Bun.spawn([process.execPath, cli, file, `${file}-out`], { stdout: "ignore", stderr: "ignore" });
  await run.exited;
  await rm(file, { force: true });
  await rm(`${file}-out`, { recursive: true, force: true });
  return (run.resourceUsage()?.maxRSS ?? 0) / 1024 / 1024;
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
