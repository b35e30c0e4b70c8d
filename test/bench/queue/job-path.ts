/**
 * Jobs a second, each inserted, claimed and finished on its own: ours, which leaves three lines of history a job, and the
 * peers. Every measurement has a process to itself: `bun job-path.ts KIND JOBS`, which prints the rate.
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { openDb, transact } from "../../../shared/db.ts";
import { claimJob, endJob, enqueueJob } from "../../../shared/jobs.ts";
import { relaxed } from "../../../shared/relaxed.ts";
import { createSession } from "../../../shared/sessions.ts";
import { freshFolder } from "../../fresh.ts";
import { bunqueue, plainjob, silent } from "./peers.ts";

/**
 * FULL: a commit outlives a power cut. NORMAL: it outlives the process. `mixed` is how the booth ships: the photo's job
 * waits for the disk, the claim and the end (found again from what stands) do not.
 */
type Synchronous = "FULL" | "NORMAL" | "mixed";

const WARM_UP_JOBS = 200;

const perSecond = (jobs: number, since: number) => jobs / ((performance.now() - since) / 1000);
const lost = () => new Error("a job was lost");

function ours(jobs: number, synchronous: Synchronous): number {
  // What has begun as a plain transaction stays one.
  const ended = synchronous === "mixed" ? relaxed : transact;
  const claimed = synchronous === "mixed" ? <T>(_: Database, work: () => T) => work() : transact;
  using folder = freshFolder();
  const db = openDb(folder.path);
  const now = Date.now();
  // The visits are the kiosk's work, not the queue's: they stand there before the clock starts.
  const sessions = transact(db, () =>
    Array.from({ length: jobs }, () => ({
      ...createSession(db, { kiosk: null, lang: "en", ttl: { SESSION_TTL_MINUTES: 10 }, now }),
      template_id: "chef",
    })),
  );
  if (synchronous !== "mixed") db.run(`PRAGMA synchronous = ${synchronous}`);
  const started = performance.now();
  for (const session of sessions) {
    transact(db, () => enqueueJob(db, session, "selfie.jpg", "bench", now));
    const job = claimed(db, () => claimJob(db, "1-bench/1", now));
    if (!job) throw lost();
    // Whichever way a job ends, it costs the same: one guarded move and its line of history.
    if (!ended(db, () => endJob(db, job, "cancelled", { actor: "bench", now, hand: "worker" }))) throw lost();
  }
  const rate = perSecond(jobs, started);
  db.close(false);
  return rate;
}

/**
 * plainjob on a connection with the same pragmas.
 * @param history whether each step also leaves a line, in the step's own transaction, as ours does
 */
async function plain(jobs: number, synchronous: "FULL" | "NORMAL", history: boolean): Promise<number> {
  using folder = freshFolder();
  const { bun, defineQueue } = await plainjob();
  const db = new Database(join(folder.path, "jobs.db"), { create: true, strict: true });
  const queue = defineQueue({ connection: bun(db), logger: silent });
  for (const pragma of ["journal_mode = WAL", `synchronous = ${synchronous}`, "wal_autocheckpoint = 4000"])
    db.run(`PRAGMA ${pragma}`);
  db.run(
    `CREATE TABLE history (id INTEGER PRIMARY KEY AUTOINCREMENT, machine TEXT NOT NULL, subject TEXT NOT NULL, before TEXT,
       after TEXT NOT NULL, actor TEXT NOT NULL, reason TEXT, at INTEGER NOT NULL) STRICT;`,
  );
  db.run("CREATE INDEX history_subject ON history (machine, subject, id)");
  const note = db.query(
    "INSERT INTO history (machine, subject, before, after, actor, at) VALUES ('jobs', ?, ?, ?, ?, ?)",
  );
  const step = <T>(work: () => T, id: (value: T) => number, before: string | null, after: string): T => {
    if (!history) return work();
    return db.transaction(() => {
      const value = work();
      note.run(String(id(value)), before, after, "bench", Date.now());
      return value;
    })();
  };
  const started = performance.now();
  for (let i = 0; i < jobs; i++) {
    step(
      () => queue.add("pack", { session: i, selfie: "selfie.jpg" }),
      ({ id }) => id,
      null,
      "queued",
    );
    const job = step(
      () => {
        const claimed = queue.getAndMarkJobAsProcessing("pack");
        if (!claimed) throw lost();
        return claimed;
      },
      ({ id }) => id,
      "queued",
      "running",
    );
    step(
      () => queue.markJobAsDone(job.id),
      () => job.id,
      "running",
      "done",
    );
  }
  const rate = perSecond(jobs, started);
  queue.close();
  return rate;
}

/** Its pragmas are its own and cannot be set: `synchronous = NORMAL`. `durable` is its word for a job that is in the file before `add` resolves. */
async function bunq(jobs: number): Promise<number> {
  using folder = freshFolder();
  const { Queue, Worker, shutdownManager } = await bunqueue();
  const dataPath = join(folder.path, "jobs.db");
  const queue = new Queue("pack", { embedded: true, dataPath });
  const all = Promise.withResolvers<void>();
  let done = 0;
  const worker = new Worker("pack", async () => ({}), { embedded: true, dataPath, concurrency: 1 });
  worker.on("completed", () => {
    done += 1;
    if (done === jobs) all.resolve();
  });
  const started = performance.now();
  for (let i = 0; i < jobs; i++) await queue.add("pack", { session: i, selfie: "selfie.jpg" }, { durable: true });
  await all.promise;
  const rate = perSecond(jobs, started);
  await worker.close();
  await queue.close();
  shutdownManager();
  return rate;
}

/** Who is measured: the booth as it ships, with every step on the disk, with none; the peers. */
export const kinds = {
  booth: (jobs: number) => ours(jobs, "mixed"),
  booth_full: (jobs: number) => ours(jobs, "FULL"),
  booth_normal: (jobs: number) => ours(jobs, "NORMAL"),
  plainjob: (jobs: number) => plain(jobs, "FULL", false),
  plainjob_with_history: (jobs: number) => plain(jobs, "FULL", true),
  plainjob_normal_with_history: (jobs: number) => plain(jobs, "NORMAL", true),
  bunqueue: (jobs: number) => bunq(jobs),
};
export type Kind = keyof typeof kinds;

/** Jobs a second of one kind, in a process of its own. */
export async function jobsPerSecond(kind: Kind, jobs: number): Promise<number> {
  const child = Bun.spawn([process.execPath, import.meta.path, kind, String(jobs)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const said = await new Response(child.stdout).text();
  const rate = Number(said.trim().split("\n").at(-1));
  if ((await child.exited) !== 0 || !(rate > 0)) throw new Error(`${kind} measured nothing: ${said}`);
  return rate;
}

if (import.meta.main) {
  const [kind, jobs] = process.argv.slice(2);
  const measure = kinds[kind as Kind];
  // Once for the just-in-time compiler.
  await measure(WARM_UP_JOBS);
  console.log(await measure(Number(jobs)));
  process.exit(0);
}
