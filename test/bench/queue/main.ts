/**
 * The booth's queue and server beside their peers, with the ratios: `bun install --cwd test/bench`, then
 * `bun test/bench/queue/main.ts`. `BENCH_SHORT=1` only shows that it runs.
 */
import * as http from "./http.ts";
import { jobRates } from "./job-rates.ts";
import { wake } from "./wake.ts";

const short = process.env.BENCH_SHORT === "1";
const JOBS = short ? 50 : 1_500;
const JOB_ROUNDS = short ? 1 : 7;
const WAKES = short ? 5 : 200;
const IDLE_MS = short ? 1_000 : 20_000;
const SECONDS = short ? 1 : 5;
/** The best of so many, in turn: what disturbs only slows, and it disturbs all alike. */
const ROUNDS = short ? 1 : 3;
/** How often plainjob must look to be as quick as our waking. */
const QUICK_POLL_MS = 75;

async function best<K extends string, V>(
  keys: readonly K[],
  measure: (key: K) => Promise<V>,
  better: (a: V, b: V) => V,
): Promise<Record<K, V>> {
  const found = {} as Record<K, V>;
  for (let i = 0; i < ROUNDS; i++) {
    for (const key of keys) {
      const value = await measure(key);
      found[key] = found[key] === undefined ? value : better(found[key], value);
    }
  }
  return found;
}

export async function run() {
  const jobs = await jobRates(JOBS, JOB_ROUNDS);
  const claims = {
    booth: await wake("ours", WAKES, IDLE_MS),
    plainjob: await wake("plainjob", short ? WAKES : WAKES / 4, IDLE_MS),
    [`plainjob_every_${QUICK_POLL_MS}_ms`]: await wake("plainjob", WAKES, IDLE_MS, QUICK_POLL_MS),
  };
  const rates = await best(
    ["booth", "bun_serve", "hono"] as const,
    (kind) => (kind === "booth" ? http.ours(SECONDS) : http.peer(kind, SECONDS)),
    (a, b) => ({
      get_session: Math.max(a.get_session, b.get_session),
      post_leads: Math.max(a.post_leads, b.post_leads),
    }),
  );
  return {
    ...jobs,
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
