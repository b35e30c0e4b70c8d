/** Jobs a second, each inserted, claimed and finished on its own, every step a durable commit: ours with history rows, and the peers. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { openDb, transact } from "../../../shared/db.ts";
import { claimJob, endJob, enqueueJob } from "../../../shared/jobs.ts";
import { createSession } from "../../../shared/sessions.ts";
import { freshFolder } from "../../fresh.ts";
import { bunqueue, plainjob, silent } from "./peers.ts";

/** The same for everybody who lets us: a commit outlives a power cut. */
const PRAGMAS = ["journal_mode = WAL", "synchronous = FULL", "busy_timeout = 5000"];

const perSecond = (jobs: number, since: number) => jobs / ((performance.now() - since) / 1000);

export function ours(jobs: number): number {
  using folder = freshFolder();
  const db = openDb(folder.path);
  const now = Date.now();
  const sessions = Array.from({ length: jobs }, () => ({
    ...createSession(db, { kiosk: null, lang: "en", ttl: { SESSION_TTL_MINUTES: 10 }, now }),
    template_id: "chef",
  }));
  const started = performance.now();
  for (const session of sessions) {
    transact(db, () => enqueueJob(db, session, "selfie.jpg", "bench", now));
    const job = claimJob(db, "1-bench/1", now);
    // Whichever way a job ends, it costs the same: one guarded move and its line of history.
    if (!job || !endJob(db, job, "cancelled", { actor: "bench", now, held: true })) throw new Error("a job was lost");
  }
  const rate = perSecond(jobs, started);
  db.close(false);
  return rate;
}

export async function plain(jobs: number): Promise<number> {
  using folder = freshFolder();
  const { bun, defineQueue } = await plainjob();
  const db = new Database(join(folder.path, "jobs.db"), { strict: true });
  const queue = defineQueue({ connection: bun(db), logger: silent });
  for (const pragma of PRAGMAS) db.run(`PRAGMA ${pragma}`);
  const started = performance.now();
  for (let i = 0; i < jobs; i++) {
    queue.add("pack", { session: i, selfie: "selfie.jpg" });
    const job = queue.getAndMarkJobAsProcessing("pack");
    if (!job) throw new Error("a job was lost");
    queue.markJobAsDone(job.id);
  }
  const rate = perSecond(jobs, started);
  queue.close();
  db.close(false);
  return rate;
}

/** Its pragmas are its own (`synchronous = NORMAL`); `durable` is its word for a job that is on disk before `add` resolves. */
export async function bunq(jobs: number): Promise<number> {
  using folder = freshFolder();
  const { Queue, Worker } = await bunqueue();
  const queue = new Queue("pack", { embedded: true, dataPath: join(folder.path, "jobs.db") });
  const all = Promise.withResolvers<void>();
  let done = 0;
  const worker = new Worker("pack", async () => ({}), { embedded: true, concurrency: 1 });
  worker.on("completed", () => {
    done += 1;
    if (done === jobs) all.resolve();
  });
  const started = performance.now();
  for (let i = 0; i < jobs; i++) await queue.add("pack", { session: i, selfie: "selfie.jpg" }, { durable: true });
  await all.promise;
  const rate = perSecond(jobs, started);
  await worker.close();
  return rate;
}
