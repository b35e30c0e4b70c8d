/**
 * The booth with instant providers: from the photo's 202 to the guest's link, and where the time goes; start-up, and
 * what both processes cost while nobody is there. Memory as the deployed units have it.
 *
 *     bun test/bench/booth.ts [--packs 5]     60 packs and more show whether memory stays where it is
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { World } from "../world.ts";
import { unitEnv } from "./unit-env.ts";

/** Packs whose time counts; further ones only show the memory. */
const RUNS = 5;
const MEMORY_EVERY = 10;
const IDLE_MS = 20_000;
/** After a start the loops' first rounds and the just-in-time compiler have their say. */
const SETTLE_MS = 3_000;
const CLOCK_TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

type Figures = Record<string, number>;

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** CPU seconds and resident megabytes of a process, as Linux counts them. */
function costOf(pid: number): { cpuS: number; rssMb: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const statm = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
  return {
    cpuS: (Number(stat[11]) + Number(stat[12])) / CLOCK_TICKS_PER_SECOND,
    rssMb: (Number(statm[1]) * PAGE_BYTES) / 2 ** 20,
  };
}

/** Resident megabytes now and at most, the api's or the bot's. */
function memoryOf(pid: number, i: number): string {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mb = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return `${i === 0 ? "api" : "bot"} ${mb("VmRSS")} MB (most ${mb("VmHWM")})`;
}

/** What these processes cost of a core while nobody is there, in percent. */
async function idleCost(pids: number[]): Promise<number[]> {
  await Bun.sleep(SETTLE_MS);
  const before = pids.map(costOf);
  await Bun.sleep(IDLE_MS);
  return pids.map((pid, i) => ((costOf(pid).cpuS - (before[i]?.cpuS ?? 0)) / (IDLE_MS / 1000)) * 100);
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const at = performance.now();
  return [await work(), performance.now() - at];
}

export async function run(packs = RUNS): Promise<Figures> {
  await using world = await World.open({ api: false, bot: false, env: { PACK_LIMIT: "0", ...unitEnv() } });
  const [, apiMs] = await timed(() => world.startApi());
  const [, botMs] = await timed(() => world.startBot());

  const pids = [world.api?.process.pid, world.bot?.process.pid] as [number, number];
  const fresh = await idleCost(pids);

  const wholes: number[] = [];
  for (let i = 0; i < Math.max(RUNS, packs); i++) {
    const guest = 9000 + i;
    const token = await world.visit(guest);
    const sent = () =>
      world.sim.sent("sendMessage", guest).some((c) => String(c.params.text).includes("/addstickers/"));
    const answer = await world.sendPhoto(token, world.selfie());
    if (answer.status !== 202) throw new Error(`the photo gave ${answer.status}`);
    const [, ms] = await timed(() => world.sim.until(sent, "the guest's link", { timeoutMs: 60_000 }));
    if (i < RUNS) wholes.push(ms);
    await world.reaches(token, "done");
    if ((i + 1) % MEMORY_EVERY === 0) console.log(`${i + 1} packs: ${pids.map(memoryOf).join(", ")}`);
  }
  const steps = Object.fromEntries(
    ["selfie", "draw", "check", "cut", "pack"].map((name) => {
      const rows = world.rows("SELECT ms FROM steps WHERE name = ?", name) as { ms: number }[];
      return [`step_${name}_ms`, median(rows.map((r) => r.ms))];
    }),
  );
  const claims = world.rows("SELECT started_at - created_at AS ms FROM jobs") as { ms: number }[];
  const pages = world.rows("SELECT visible_at - created_at AS ms FROM packs") as { ms: number }[];

  const after = await idleCost(pids);
  const [apiRss, botRss] = pids.map((pid) => costOf(pid).rssMb);
  return {
    photo_to_link_ms: median(wholes),
    commit_to_claim_ms: median(claims.map((r) => r.ms)),
    ...steps,
    page_seen_twice_ms: median(pages.map((r) => r.ms)),
    api_start_ms: apiMs,
    bot_start_ms: botMs,
    api_idle_cpu_percent: fresh[0] ?? 0,
    bot_idle_cpu_percent: fresh[1] ?? 0,
    api_idle_after_work_cpu_percent: after[0] ?? 0,
    bot_idle_after_work_cpu_percent: after[1] ?? 0,
    api_rss_mb: apiRss ?? 0,
    bot_rss_mb: botRss ?? 0,
  };
}

if (import.meta.main) {
  const { packs } = parseArgs({ options: { packs: { type: "string", default: String(RUNS) } } }).values;
  for (const [name, value] of Object.entries(await run(Number(packs))))
    console.log(`${name.padEnd(32)} ${value.toFixed(1)}`);
  process.exit(0);
}
