/** What goes wrong, done: each trouble of a plan in its turn. */
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openDb } from "../../shared/db.ts";
import type { Call } from "../sim/types.ts";
import type { Booth } from "./booth.ts";
import type { Trouble } from "./plan.ts";

/** A named point that nobody comes to is not waited for longer. */
const POINT_MS = 2_500;
/** A caller whose deadline is over lets go at once; a crowded machine may be slower. */
const GIVE_UP_MS = 20_000;
/** Longer than a lease: whoever was stopped for so long comes back to a job that is another's. */
const LEASE_AND_MORE_MS = 40_000;

/** Whether a trouble happened, asked when all is over: a named point may never be reached, a fault meet no call. */
export type Happened = () => boolean;

/** @returns what tells in the end whether it happened */
export async function make(booth: Booth, trouble: Trouble): Promise<Happened> {
  if (trouble.kind === "fault") {
    const told = booth.sim.fault({ target: trouble.target, times: trouble.times, skip: trouble.skip, do: trouble.do });
    return () => told.met > 0;
  }
  const happened = await makeNow(booth, trouble);
  return () => happened;
}

async function makeNow(booth: Booth, trouble: Exclude<Trouble, { kind: "fault" }>): Promise<boolean> {
  const { sim, levers } = booth;
  switch (trouble.kind) {
    case "kill":
      await booth.slot(trouble.who).kill("SIGKILL");
      return true;
    case "term":
      await booth.slot(trouble.who).kill("SIGTERM");
      return true;
    case "pause": {
      const slot = booth.slot(trouble.who);
      slot.signal("SIGSTOP");
      await Bun.sleep(trouble.forMs);
      levers.passTime(LEASE_AND_MORE_MS);
      slot.signal("SIGCONT");
      return true;
    }
    case "killAtCall":
      return killAtCall(booth, trouble);
    case "killAtCommit":
      return killAtCommit(booth, trouble);
    case "hang": {
      const hold = sim.hold(trouble.target);
      sim.fault({ target: trouble.target, do: { reset: true } });
      const reached = await Promise.race([hold.reached, Bun.sleep(POINT_MS).then(() => null)]);
      if (reached) await Bun.sleep(trouble.forMs);
      hold.release();
      return reached !== null;
    }
    case "deadline":
      return outwait(booth, trouble);
    case "clock":
      levers.stepClock(trouble.byMs);
      return true;
    case "lock":
      await lock(booth, trouble.forMs);
      return true;
    case "disk":
      if (!booth.small) return false;
      await fill(booth, trouble.forMs, trouble.leaveKb);
      return true;
    case "redeliver":
      return sim.redeliver(trouble.count).length > 0;
    case "migrate":
      if (sim.world.chats.get(sim.salesChatId)?.movedTo === undefined) sim.migrateGroup(sim.salesChatId);
      return true;
    case "skew":
      sim.skewClock(trouble.byMs);
      return true;
  }
}

/** Kills when such a call arrives, or when it has been carried out and its answer is still on its way. */
async function killAtCall(
  booth: Booth,
  { who, target, when, point }: Trouble & { kind: "killAtCall" },
): Promise<boolean> {
  const { sim } = booth;
  if (point === "before") {
    const hold = sim.hold(target, when);
    const reached = await Promise.race([hold.reached, Bun.sleep(POINT_MS).then(() => null)]);
    if (reached) {
      await booth.slot(who).kill("SIGKILL");
      // The call died with its caller: it is not carried out.
      sim.fault({ target, when, do: { reset: true } });
    }
    hold.release();
    return reached !== null;
  }
  const seen = sim.calls.length;
  sim.fault({ target, when, do: { executeThenLose: "hang" } });
  const lost = () => sim.calls.slice(seen).some((call) => call.outcome.includes("answer lost (hang)"));
  const happened = await within(POINT_MS, lost);
  if (happened) await booth.slot(who).kill("SIGKILL");
  else sim.clearFaults();
  return happened;
}

/** Such a call is never answered, until its caller gives up; one who never does is a fault. */
async function outwait(booth: Booth, { target, isCarriedOut }: Trouble & { kind: "deadline" }): Promise<boolean> {
  const { sim, levers } = booth;
  const seen = sim.calls.length;
  sim.fault({ target, do: isCarriedOut ? { executeThenLose: "hang" } : { hang: true } });
  const silent = () => sim.calls.slice(seen).find((call) => call.ms === undefined && call.outcome.includes("hang"));
  if (!(await within(POINT_MS, () => silent() !== undefined))) {
    sim.clearFaults();
    return false;
  }
  const call = silent() as Call;
  // Other calls that are on their way are given up too, and nobody hears their answers.
  const from = Date.now();
  levers.expireDeadlines();
  const isOver = await within(GIVE_UP_MS, () => call.ms !== undefined);
  booth.deaf.push({ from, to: Date.now() });
  if (!isOver) booth.faults.push(`${target} is waited for without an end`);
  return true;
}

async function killAtCommit(
  booth: Booth,
  { who, nth, point, target }: Trouble & { kind: "killAtCommit" },
): Promise<boolean> {
  const { sim, levers } = booth;
  const { deaths } = booth.slot(who);
  const hold = target === undefined ? null : sim.hold(target);
  const reached = hold ? await Promise.race([hold.reached, Bun.sleep(POINT_MS).then(() => null)]) : true;
  const before = deaths.length;
  if (reached) levers.dieAtCommit(who, nth, point);
  hold?.release();
  // Its end must be noted before the next one is ordered, or it would look like an accident.
  const isNoted = () => deaths.length > before;
  const isOver = () => levers.fired(who) || isNoted();
  return reached !== null && (await within(POINT_MS, isOver)) && within(POINT_MS, isNoted);
}

async function within(limitMs: number, look: () => boolean): Promise<boolean> {
  const until = Date.now() + limitMs;
  while (!look()) {
    if (Date.now() > until) return false;
    await Bun.sleep(15);
  }
  return true;
}

/** A third process has a long transaction. */
async function lock(booth: Booth, forMs: number) {
  const db = openDb(booth.dataDir);
  const from = Date.now();
  try {
    db.run("BEGIN IMMEDIATE");
    await Bun.sleep(forMs);
    db.run("ROLLBACK");
  } finally {
    db.close(false);
    booth.spans.push({ from, to: Date.now() + 500 });
  }
}

async function fill(booth: Booth, forMs: number, leaveKb: number) {
  const folder = dirname(booth.dataDir);
  const ballast = join(folder, "ballast");
  const { bavail, bsize } = statfsSync(folder);
  const from = Date.now();
  try {
    try {
      writeFileSync(ballast, new Uint8Array(Math.max(0, bavail * bsize - leaveKb * 1024)));
    } catch (error) {
      // The processes wrote meanwhile: it is full all the same.
      if ((error as { code?: string }).code !== "ENOSPC") throw error;
    }
    await Bun.sleep(forMs);
  } finally {
    rmSync(ballast, { force: true });
    booth.spans.push({ from, to: Date.now() + 500 });
  }
}
