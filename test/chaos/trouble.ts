/** What goes wrong, done: each trouble of a plan in its turn. */
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openDb } from "../../shared/db.ts";
import type { Booth } from "./booth.ts";
import { A_CARD } from "./check-leads.ts";
import { idsOf, salesChat } from "./people.ts";
import type { Trouble } from "./plan-troubles.ts";
import { type AtPoint, atPoint } from "./points.ts";
import { relieve } from "./relieve.ts";

/** Longer than a lease: whoever was stopped for so long comes back to a job that is another's. */
const LEASE_AND_MORE_MS = 40_000;

/** Whether a trouble happened, asked when all is over: a named point may never be reached, a fault meet no call. */
export type Happened = () => boolean;

/** @returns what tells in the end whether it happened */
export async function make(booth: Booth, trouble: Trouble): Promise<Happened> {
  switch (trouble.kind) {
    case "fault": {
      const told = booth.sim.fault({
        target: trouble.target,
        times: trouble.times,
        skip: trouble.skip,
        do: trouble.do,
        ...(trouble.of === "cards" && { when: ({ text }) => A_CARD.test(String(text)) }),
      });
      return () => told.met > 0;
    }
    case "killAtCall":
    case "killAtCommit":
    case "hang":
    case "deadline":
    case "noPage":
    case "noArtist": {
      let happened = false;
      const came = atPoint(booth, trouble)
        .then((reached) => {
          happened = reached;
        })
        .catch((error) => void booth.faults.push(`${trouble.kind} could not be done: ${error}`))
        .finally(() => booth.points.delete(came));
      booth.points.add(came);
      return () => happened;
    }
    default: {
      const happened = await makeNow(booth, trouble);
      return () => happened;
    }
  }
}

async function makeNow(booth: Booth, trouble: Exclude<Trouble, AtPoint | { kind: "fault" }>): Promise<boolean> {
  const { sim, levers } = booth;
  switch (trouble.kind) {
    case "kill":
      return booth.slot(trouble.who).kill("SIGKILL");
    case "term":
      return booth.slot(trouble.who).kill("SIGTERM");
    case "pause": {
      const slot = booth.slot(trouble.who);
      if (slot.pid === null) return false;
      const from = Date.now();
      slot.signal("SIGSTOP");
      await Bun.sleep(trouble.forMs);
      levers.passTime(LEASE_AND_MORE_MS);
      slot.signal("SIGCONT");
      booth.stills.push({ from, to: Date.now() });
      return true;
    }
    case "relieve":
      return relieve(booth, trouble.target, LEASE_AND_MORE_MS);
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
    case "migrate": {
      const [id, movedTo] = idsOf(booth, trouble.group);
      if (id === undefined || movedTo !== undefined) return false;
      sim.migrateGroup(id);
      return true;
    }
    case "skew":
      sim.skewClock(trouble.byMs);
      return true;
    case "out":
      booth.isOut = true;
      booth.wasOut = true;
      sim.throwsBotOut(salesChat(booth));
      await Bun.sleep(trouble.forMs);
      sim.invitesBot(salesChat(booth));
      booth.isOut = false;
      return true;
  }
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
