/** What the deployed units set for memory, read from them, so that a benchmark measures the booth as it is deployed. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../world.ts";

const DROP_INS = join(import.meta.dir, "../../deploy/systemd/sticker-.service.d");

export function unitEnv(): Env {
  const lines = readdirSync(DROP_INS).flatMap((name) => readFileSync(join(DROP_INS, name), "utf8").split("\n"));
  const pairs = lines.flatMap((line) => line.match(/MALLOC_\w+=\d+/g) ?? []).map((pair) => pair.split("="));
  if (pairs.length === 0) throw new Error("the units set nothing for memory any more: this benchmark would lie");
  return Object.fromEntries(pairs);
}
