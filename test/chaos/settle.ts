/**
 * After the troubles: waits until nothing is owed to anybody. Pauses are not slept through but passed over with the clock,
 * and one that is longer than its kind allows is a fault.
 */
import type { Booth } from "./booth.ts";

const LOOK_MS = 50;
/** Loops back off by the clock too, and leave no row that says so. */
const STUCK_MS = 900;
const NUDGE_MS = 6_000;
const MAX_NUDGES = 25;
const SETTLE_MS = 45_000;
/** The clock loop looks every five seconds for pauses that a step has moved far ahead; a crowded machine may be slower. */
const STRAY_MS = 20_000;
/** Clocks were stepped and processes killed: pauses may be a little longer than their kind's longest. */
const SLACK_MS = 10_000;

/** Rows that wait, by kind: the time that each waits for, and the longest pause that the product allows itself. */
const waits = {
  job: {
    sql: "SELECT not_before AS at FROM jobs WHERE status IN ('queued', 'delivering')",
    longestMs: 60_000,
  },
  running: { sql: "SELECT 0 AS at FROM jobs WHERE status = 'running'", longestMs: 0 },
  tryout: { sql: "SELECT 0 AS at FROM tryouts WHERE status IN ('waiting', 'drawing')", longestMs: 0 },
  notice: { sql: "SELECT next_at AS at FROM notices WHERE sent_at IS NULL", longestMs: 300_000 },
  lead: { sql: "SELECT next_publish_at AS at FROM leads WHERE published_at IS NULL", longestMs: 900_000 },
  card: {
    sql: "SELECT iif(stale = 1, next_edit_at, again_at) AS at FROM lead_cards WHERE stale = 1 OR again_at IS NOT NULL",
    longestMs: 900_000,
  },
  chatPhoto: { sql: "SELECT next_at AS at FROM chat_photos", longestMs: 30_000 },
  discardedSet: { sql: "SELECT delete_at AS at FROM discarded_sets", longestMs: 600_000 },
} as const;

type Owed = { kind: string; at: number; longestMs: number };

function owed(booth: Booth): Owed[] {
  const rows = Object.entries(waits).flatMap(([kind, { sql, longestMs }]) =>
    booth.rows(sql).map(({ at }: { at: number }) => ({ kind, at, longestMs })),
  );
  const updates = booth.sim.world.updates.pending.map(() => ({ kind: "update", at: 0, longestMs: 0 }));
  return [...rows, ...updates];
}

export async function settle(booth: Booth) {
  const { sim, levers } = booth;
  if (booth.stuck) return;
  sim.clearFaults();
  for (const slot of [booth.api, booth.bot]) {
    levers.disarm(slot.who);
    slot.signal("SIGCONT");
  }
  // A call that hangs for good would be waited for as long as Telegram or an artist may take.
  if (sim.calls.some((call) => call.ms === undefined && call.outcome.includes("hang"))) await booth.bot.kill("SIGKILL");
  await Promise.all([booth.api.up(), booth.bot.up()]);

  const until = Date.now() + SETTLE_MS;
  let nudges = 0;
  let calm = Date.now();
  let before = "";
  let sane = Date.now();
  for (;;) {
    const at = Date.now();
    const left = owed(booth);
    if (left.length === 0) {
      booth.settledAt = at;
      return;
    }
    const strays = straying(booth, left);
    if (strays.length === 0) sane = Date.now();
    else if (Date.now() - sane > STRAY_MS) booth.faults.push(...strays);
    else {
      await Bun.sleep(LOOK_MS);
      continue;
    }
    const picture = `${JSON.stringify(left)} ${sim.calls.length}`;
    if (picture !== before) calm = Date.now();
    before = picture;
    if (Date.now() > until || nudges > MAX_NUDGES) {
      booth.stuck = true;
      booth.faults.push(`still owed at the end: ${JSON.stringify(left)}, now ${booth.now()}; ${standing(booth)}`);
      return;
    }
    // A call that is on its way, perhaps a dead process's, arrives in real time.
    if (!inTheAir(booth)) skipPauses(booth, left);
    if (Date.now() - calm > STUCK_MS) {
      nudges += 1;
      calm = Date.now();
      levers.passTime(NUDGE_MS);
    }
    await Bun.sleep(LOOK_MS);
  }
}

const inTheAir = ({ sim }: Booth) =>
  sim.calls.some(
    (call) => call.ms === undefined && call.outcome === "pending" && call.target !== "telegram:getUpdates",
  );

/** What the processes were at, for whoever has to find out why. */
function standing(booth: Booth): string {
  const open = booth.sim.calls.filter((call) => call.ms === undefined && call.target !== "telegram:getUpdates");
  const steps = booth.rows("SELECT job_id, name, outcome FROM steps ORDER BY id DESC LIMIT 6");
  return JSON.stringify({
    open: open.map(({ target, outcome }) => `${target} ${outcome}`),
    steps,
    said: booth.bot.program?.lines.slice(-6),
  });
}

/** What waits for longer than any pause of its kind, as faults. */
function straying(booth: Booth, left: Owed[]): string[] {
  return left
    .map(({ kind, at, longestMs }) => ({ kind, aheadMs: at - booth.now(), longestMs }))
    .filter(({ aheadMs, longestMs }) => aheadMs > longestMs + SLACK_MS)
    .map(({ kind, aheadMs }) => `a ${kind} waits for ${Math.round(aheadMs / 1000)} s, longer than any pause`);
}

/** When all that is left waits for a later time, that time comes. */
function skipPauses(booth: Booth, left: Owed[]) {
  const aheadMs = Math.min(...left.map(({ at }) => at - booth.now()));
  if (aheadMs > 0) booth.levers.passTime(aheadMs + 1);
}
