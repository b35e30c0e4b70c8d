/** From the photo's commit in one process to the claim in another, and what waiting for it costs while nothing comes. */
import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openDb, transact } from "../../../shared/db.ts";
import { enqueueJob } from "../../../shared/jobs.ts";
import { createSession } from "../../../shared/sessions.ts";
import { freshFolder } from "../../fresh.ts";
import { plainjob, silent } from "./peers.ts";

const TICKS_PER_SECOND = 100;
/** Jobs come at no beat of anybody's timer. */
const GAP_MS = { least: 70, more: 90 };

export type Wake = { p50_ms: number; p99_ms: number; idle_cpu_percent: number };

/** @param pollMs how often plainjob looks; ours looks at its own beat */
export async function wake(kind: "ours" | "plainjob", jobs: number, idleMs: number, pollMs = 1_000): Promise<Wake> {
  using folder = freshFolder();
  const { add, close } = kind === "ours" ? adder(folder.path) : await plainAdder(folder.path);
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "wake-child.ts"), kind, folder.path, String(pollMs)],
    {
      stdout: "pipe",
      stderr: "inherit",
    },
  );
  const claims = linesOf(child.stdout);
  try {
    if ((await claims.next()).value !== "ready") throw new Error("the claiming process did not start");
    const waits: number[] = [];
    for (let i = 0; i < jobs; i++) {
      await Bun.sleep(GAP_MS.least + Math.random() * GAP_MS.more);
      add();
      const at = performance.timeOrigin + performance.now();
      waits.push(Number((await claims.next()).value) - at);
    }
    const before = cpuSeconds(child.pid);
    await Bun.sleep(idleMs);
    const idle = ((cpuSeconds(child.pid) - before) / (idleMs / 1000)) * 100;
    waits.sort((a, b) => a - b);
    const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] as number;
    return { p50_ms: at(0.5), p99_ms: at(0.99), idle_cpu_percent: idle };
  } finally {
    child.kill("SIGKILL");
    await child.exited;
    close();
  }
}

function adder(path: string) {
  const db = openDb(path);
  const add = () => {
    const now = Date.now();
    transact(db, () => {
      const session = createSession(db, { kiosk: null, lang: "en", ttl: { SESSION_TTL_MINUTES: 10 }, now });
      enqueueJob(db, { ...session, template_id: "chef" }, "selfie.jpg", "bench", now);
    });
  };
  return { add, close: () => db.close(false) };
}

async function plainAdder(path: string) {
  const { bun, defineQueue } = await plainjob();
  const db = new Database(join(path, "jobs.db"), { strict: true });
  const queue = defineQueue({ connection: bun(db), logger: silent });
  db.run("PRAGMA synchronous = FULL");
  const close = () => {
    queue.close();
    db.close(false);
  };
  return { add: () => void queue.add("pack", { selfie: "selfie.jpg" }), close };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}

function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(stat[11]) + Number(stat[12])) / TICKS_PER_SECOND;
}
