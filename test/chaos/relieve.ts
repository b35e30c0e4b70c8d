/**
 * A second bot while the first one stands still. Nobody runs two on purpose; but a machine that was frozen, or a hand that
 * started one beside the service, leaves a worker behind which believes that a job is still its own.
 */
import { openDb } from "../../shared/db.ts";
import type { Json } from "../world.ts";
import type { Booth } from "./booth.ts";
import { within } from "./within.ts";

/** Somebody comes as the evening begins. */
const POINT_MS = 6_000;
const SIGNAL_MS = 5;
/** Another bot starts, takes the jobs over and ends them or puts them off. */
const RELIEF_MS = 10_000;

/**
 * What one who stood still was at is done by another; awake again, it must find that nothing of it is its own any more.
 * @param leaseMs how much time passes meanwhile: more than a lease
 */
export async function relieve(booth: Booth, target: string, leaseMs: number): Promise<boolean> {
  const { sim, levers, bot, relief } = booth;
  const hold = sim.hold(target);
  const isReached = await Promise.race([hold.reached.then(() => true), Bun.sleep(POINT_MS).then(() => false)]);
  if (!isReached) {
    hold.release();
    return false;
  }
  const from = Date.now();
  await standStill(booth);
  const held = booth.rows("SELECT id, attempt FROM jobs WHERE status = 'running'");
  // It is answered, and does not hear it yet.
  hold.release();
  relief.start();
  await relief.up();
  levers.passTime(leaseMs);
  const isPast = ({ id, attempt }: Json) =>
    booth.rows(
      "SELECT 1 FROM jobs WHERE id = ? AND (attempt > ? AND status <> 'running' OR status IN ('failed', 'cancelled'))",
      id,
      attempt,
    ).length > 0;
  const isDone = await within(RELIEF_MS, () => held.every(isPast));
  await relief.stop("SIGTERM");
  bot.signal("SIGCONT");
  booth.deaf.push({ from, to: Date.now() });
  booth.stills.push({ from, to: Date.now() });
  return isDone && held.length > 0;
}

/** Stops the bot, though not in a transaction: the other one would wait for its end. */
async function standStill({ bot, dataDir }: Booth) {
  const db = openDb(dataDir);
  db.run("PRAGMA busy_timeout = 0");
  try {
    for (;;) {
      bot.signal("SIGSTOP");
      // A signal takes its moment.
      await Bun.sleep(SIGNAL_MS);
      try {
        db.run("BEGIN IMMEDIATE");
        db.run("ROLLBACK");
        return;
      } catch {
        bot.signal("SIGCONT");
        await Bun.sleep(SIGNAL_MS);
      }
    }
  } finally {
    db.close(false);
  }
}
