/** How long the operators' lists take at the server, over the database of a large event: the real api, asked over loopback. */
import { JOBS, LEADS, lists, SESSIONS, seed } from "../admin-seed.ts";
import { admin, openBooth } from "../admin-world.ts";
import { withDb } from "../leads-world.ts";

const ROUNDS = 30;

/** @returns milliseconds of each list: the median, and the slowest of `ROUNDS` */
export async function run() {
  await using world = await openBooth({ bot: false, env: { DAY_STARTS_HOUR: "0", TZ_NAME: "UTC" } });
  withDb(world, (db) => db.run(seed(new Date().setUTCHours(0, 0, 0, 0))));
  const found: Record<string, { median_ms: number; slowest_ms: number }> = {};
  for (const list of [...lists, "leads.csv"]) {
    const times: number[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      const started = performance.now();
      const { status } = await admin(world, `GET ${list}`);
      times.push(performance.now() - started);
      if (status !== 200) throw new Error(`${list} answered ${status}`);
    }
    times.sort((a, b) => a - b);
    found[list] = { median_ms: rounded(times[ROUNDS / 2]), slowest_ms: rounded(times.at(-1)) };
  }
  return { rows: { jobs: JOBS, sessions: SESSIONS, leads: LEADS }, ...found };
}

const rounded = (ms = 0) => Math.round(ms * 10) / 10;
