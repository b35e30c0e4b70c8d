/**
 * The booth's queue and server beside their peers, with the ratios: `bun install --cwd test/bench`, then
 * `bun test/bench/queue/main.ts`. `BENCH_SHORT=1` only shows that it runs.
 */
import * as http from "./http.ts";
import * as path from "./job-path.ts";
import { wake } from "./wake.ts";

const short = process.env.BENCH_SHORT === "1";
const JOBS = short ? 50 : 2_000;
const WAKES = short ? 5 : 200;
const IDLE_MS = short ? 1_000 : 20_000;
const SECONDS = short ? 1 : 10;
/** The best of so many: what disturbs only slows. */
const ROUNDS = short ? 1 : 3;

async function best(measure: () => number | Promise<number>): Promise<number> {
  let most = 0;
  for (let i = 0; i < ROUNDS; i++) most = Math.max(most, await measure());
  return most;
}

export async function run() {
  const jobs = {
    booth: await best(() => path.ours(JOBS)),
    plainjob: await best(() => path.plain(JOBS)),
    bunqueue: await best(() => path.bunq(JOBS)),
  };
  const claims = { booth: await wake("ours", WAKES, IDLE_MS), plainjob: await wake("plainjob", WAKES, IDLE_MS) };
  const rates = {
    booth: await http.ours(SECONDS),
    bun_serve: await http.peer("bare", SECONDS),
    hono: await http.peer("hono", SECONDS),
  };
  return {
    jobs_per_second: jobs,
    jobs_ratio: { to_plainjob: jobs.booth / jobs.plainjob, to_bunqueue: jobs.booth / jobs.bunqueue },
    commit_to_claim: claims,
    requests_per_second: rates,
    requests_ratio: {
      get_session_to_bun_serve: rates.booth.get_session / rates.bun_serve.get_session,
      get_session_to_hono: rates.booth.get_session / rates.hono.get_session,
      post_leads_to_bun_serve: rates.booth.post_leads / rates.bun_serve.post_leads,
      post_leads_to_hono: rates.booth.post_leads / rates.hono.post_leads,
    },
  };
}

if (import.meta.main) {
  console.log(Bun.inspect(await run(), { depth: 6 }));
  process.exit(0);
}
