/**
 * Writes history rows, one commit each, until its input ends, and tells after every hundred what it has committed:
 * `{"committed": n}` lines, at last `{"committed", "slowestMs", "refused"}`. Arguments: DATA_DIR NAME [alone].
 * `alone`: no commit waits for a lock at all; each that would have had to is counted in `refused`.
 */
import { isBusy, openDb } from "../../shared/db.ts";

const [dataDir = "", name = "", mode] = process.argv.slice(2);
const TELL_EVERY = 100;
const db = openDb(dataDir);
if (mode === "alone") db.run("PRAGMA busy_timeout = 0");
const insert = db.query(
  "INSERT INTO history (machine, subject, after, actor, reason, at) VALUES ('sessions', ?, 'created', 'test', ?, ?)",
);
let going = true;
process.stdin.on("end", () => {
  going = false;
});
process.stdin.resume();

const padding = "x".repeat(200);
let committed = 0;
let slowestMs = 0;
let refused = 0;
while (going) {
  const started = performance.now();
  try {
    insert.run(`${name}-${committed + 1}`, padding, Date.now());
    committed++;
    if (committed % TELL_EVERY === 0) console.log(JSON.stringify({ committed }));
  } catch (error) {
    if (!isBusy(error)) throw error;
    refused++;
  }
  slowestMs = Math.max(slowestMs, performance.now() - started);
  // SQLite's lock is not fair: a writer that never pauses starves the other one, backup or not.
  await new Promise((resolve) => (mode === "alone" ? setImmediate(resolve) : setTimeout(resolve, 1)));
}
db.close(false);
console.log(JSON.stringify({ committed, slowestMs, refused }));
