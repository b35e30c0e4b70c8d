/** `bun test/bench/cutter/peak.ts floor|cut FILE`: does one of the two once and prints this process's own peak memory, MiB. */
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { cutSheet } from "../../../bot/studio/cutter/cutter.ts";
import { bareFloor } from "./floor.ts";

/**
 * The highest resident memory so far. Not the parent's `resourceUsage`: on Linux a child's figure there begins
 * with what its parent had in memory when it was started.
 */
function peakMiB(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS / 1024;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
}

const [what, file = ""] = process.argv.slice(2);
// As the cutter's own thread and command have it.
sharp.cache(false);
sharp.concurrency(1);
const sheet = await Bun.file(file).bytes();
if (what === "floor") await bareFloor(sheet);
else await cutSheet(sheet, { count: 9 });
console.log(peakMiB());
