/**
 * `POST /leads`, durable, beside other ways to serve the same insert; and the time from a lead's insert to its card.
 * `bun test/bench/leads/main.ts`. Hono is installed by `bun install --cwd test/bench`; FastAPI is measured where Debian's
 * python3-fastapi and python3-uvicorn are installed. What is not there is said and left out.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDb } from "../../../shared/db.ts";
import { openDesk, SECRET, store } from "../../leads-world.ts";
import { drive, type Load } from "./load.ts";

const CONNECTIONS = 64;
const WARM_MS = 1_000;
const FOR_MS = 3_000;
/** Interleaved, so that a busy moment of the disk meets all of them; the median counts. */
const ROUNDS = 3;
const START_MS = 15_000;
const MS_PER_TICK = 10;
/** Telegram takes 20 messages a minute in a group, so several groups share the work. */
const GROUPS = 3;
const CARDS_A_GROUP = 18;
const CARD_EVERY_MS = 1_100;

const root = join(import.meta.dir, "../../..");
const path = (name: string) => join(import.meta.dir, name);

/** The first in PATH may be somebody's own; Debian's packages are known to Debian's alone. */
const PYTHONS = ["python3", "/usr/bin/python3"];
const python = PYTHONS.find((name) => {
  if (!Bun.which(name)) return false;
  return Bun.spawnSync([name, "-c", "import fastapi, uvicorn"], { stdout: "ignore", stderr: "ignore" }).success;
});

/** The command of each server; it prints `"port":N` once it listens. */
type Command = (dataDir: string) => string[];
const own =
  (kind: string): Command =>
  (dataDir) => [process.execPath, path("server.ts"), kind, dataDir];
const commands: Record<string, Command> = {
  api: () => [process.execPath, join(root, "api/main.ts")],
  bare: own("bare"),
  bare_grouped: own("bare-grouped"),
  hono: own("hono"),
  fastapi: (dataDir) => [python ?? "", path("server.py"), dataDir],
};

function missing(): Record<string, string> {
  const found: Record<string, string> = {};
  if (!existsSync(path("../node_modules/hono"))) found.hono = "not measured: run `bun install --cwd test/bench`";
  if (!python) found.fastapi = "not measured: python3-fastapi and python3-uvicorn are not installed";
  return found;
}

/** CPU time of a process so far, as Linux counts it: it tells servers apart also on a busy machine. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(stat[11]) + Number(stat[12])) * MS_PER_TICK;
}

type Measured = Load & { cpuUs: number };

async function measure(command: Command): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "leads-bench-"));
  openDb(folder).close(false);
  const output = join(folder, "output");
  const server = Bun.spawn(command(folder), {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: "production",
      LEADS_SECRET: SECRET,
      BOT_TOKEN: "4242:AAaaBBbbCCccDDddEEeeFFffGGggHHhhIIi",
      ADMIN_CHAT_ID: "-1",
      DATA_DIR: folder,
      PORT: "0",
      TELEGRAM_API_ROOT: "http://127.0.0.1:9",
    },
    stdout: Bun.file(output),
    stderr: Bun.file(`${output}-errors`),
  });
  try {
    const port = await portIn(output);
    const before = cpuMs(server.pid);
    const load = await drive(port, CONNECTIONS, FOR_MS, WARM_MS);
    return { ...load, cpuUs: Math.round(((cpuMs(server.pid) - before) * 1000) / load.all) };
  } finally {
    server.kill("SIGKILL");
    await server.exited;
    rmSync(folder, { recursive: true });
  }
}

async function portIn(output: string): Promise<number> {
  const until = performance.now() + START_MS;
  for (;;) {
    const text = existsSync(output) ? readFileSync(output, "utf8") : "";
    const port = /"port":\s*(\d+)/.exec(text)?.[1];
    if (port) return Number(port);
    if (performance.now() > until) throw new Error(`the server did not start: ${text}`);
    await Bun.sleep(20);
  }
}

/** Milliseconds from a lead's insert, by another process, to its card's arrival at Telegram. */
async function cardDelays(): Promise<number[]> {
  const group = async () => {
    await using desk = await openDesk({ api: false });
    const db = openDb(desk.dataDir);
    const inserted: number[] = [];
    for (let i = 0; i < CARDS_A_GROUP; i++) {
      await Bun.sleep(CARD_EVERY_MS + Math.random() * 100);
      inserted.push(Date.now());
      store(db);
    }
    const sent = () => desk.sim.sent("sendMessage", desk.sim.salesChatId);
    await desk.sim.until(() => sent().length === CARDS_A_GROUP, "every card");
    db.close(false);
    return sent().map((call, i) => call.at - (inserted[i] ?? 0));
  };
  return (await Promise.all(Array.from({ length: GROUPS }, group))).flat().sort((a, b) => a - b);
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const ratio = (a: number | undefined, b: number | undefined) => (a && b ? Math.round((a / b) * 100) / 100 : null);

export async function run() {
  const absent = missing();
  const names = Object.keys(commands).filter((name) => !absent[name]);
  const loads: Record<string, Measured[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const name of names) loads[name]?.push(await measure(commands[name] as Command));
  const servers = Object.fromEntries(
    Object.entries(loads).map(([name, each]) => [
      name,
      {
        per_second: median(each.map((load) => load.perSecond)),
        p50_ms: median(each.map((load) => load.p50)),
        p99_ms: median(each.map((load) => load.p99)),
        cpu_us_a_request: median(each.map((load) => load.cpuUs)),
        answers: each.at(-1)?.answers,
      },
    ]),
  );
  const { api, bare, bare_grouped, hono, fastapi } = servers;
  const delays = await cardDelays();
  return {
    connections: CONNECTIONS,
    servers: { ...servers, ...absent },
    ratios: {
      api_to_bare: ratio(api?.per_second, bare?.per_second),
      api_to_bare_grouped: ratio(api?.per_second, bare_grouped?.per_second),
      api_to_hono: ratio(api?.per_second, hono?.per_second),
      api_to_fastapi: ratio(api?.per_second, fastapi?.per_second),
      fastapi_p99_to_api: ratio(fastapi?.p99_ms, api?.p99_ms),
      grouping_alone: ratio(bare_grouped?.per_second, bare?.per_second),
    },
    insert_to_card_ms: {
      cards: delays.length,
      p50: median(delays),
      p99: delays[Math.floor(delays.length * 0.99)] ?? 0,
    },
  };
}

if (import.meta.main) {
  console.log(Bun.inspect(await run(), { colors: false, depth: 6 }));
  process.exit(0);
}
