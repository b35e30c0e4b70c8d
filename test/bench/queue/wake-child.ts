/** The process that claims, for wake.ts: `bun wake-child.ts ours|plainjob FOLDER [POLL_MS]`; says a claim's time for each job. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { openDb } from "../../../shared/db.ts";
import { claimJob, hasWork } from "../../../shared/jobs.ts";
import { onForeignCommit } from "../../../shared/wake.ts";
import { plainjob, silent } from "./peers.ts";

const [kind, folder = "", pollMs] = process.argv.slice(2);
const say = () => console.log(performance.timeOrigin + performance.now());

if (kind === "ours") {
  const db = openDb(folder);
  const look = () => {
    while (hasWork(db, Date.now()) && claimJob(db, `${process.pid}-bench/1`, Date.now())) say();
  };
  setInterval(look, 1_000);
  onForeignCommit(db, look);
} else {
  const { bun, defineQueue, defineWorker } = await plainjob();
  const db = new Database(join(folder, "jobs.db"), { strict: true });
  const queue = defineQueue({ connection: bun(db), logger: silent });
  void defineWorker("pack", say, { queue, logger: silent, pollIntervall: Number(pollMs) }).start();
}
console.log("ready");
