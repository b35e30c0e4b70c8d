/** A booth with one worker whose bot stands still in a certain call, and what its guest has of it in the end. */
import { expect } from "bun:test";
import { isBusy, openDb, transact } from "../shared/db.ts";
import type { Hold } from "./sim/faults.ts";
import { type Program, World } from "./world.ts";

export type Visit = { guest: number; token: string; since: number; hold: Hold };

export async function openWorkers() {
  const world = await World.open({ env: { PACK_LIMIT: "0", WORKER_SLOTS: "1" } });
  const { sim, jobOf } = world;
  const db = openDb(world.dataDir);
  let guests = 7500;

  const calls = (target: string, since: number) => sim.calls.slice(since).filter((c) => c.target === target).length;
  const links = (guest: number) => sim.messages(guest).filter((m) => m.text?.includes("/addstickers/")).length;
  const stickers = (guest: number) => sim.messages(guest).filter((m) => m.sticker).length;

  /** A photo is on its way, and the bot stands still in this call. */
  async function standingIn(step: string): Promise<Visit> {
    const guest = ++guests;
    const token = await world.visit(guest);
    const since = sim.calls.length;
    // The sales and operators' chats may be written to at any time: only the guest's calls stand still.
    const hold = sim.hold(
      step,
      step.startsWith("telegram:send")
        ? { chat_id: guest, ...(step.endsWith("Message") && { reply_markup: {} }) }
        : undefined,
    );
    await world.sendPhoto(token, world.selfie());
    await hold.reached;
    return { guest, token, since, hold };
  }

  /** Stops the bot, but not in the midst of a transaction: the lock would be held for as long as it sleeps. */
  function putToSleep(): Program {
    const bot = world.bot as Program;
    for (let tries = 0; tries < 5; tries++) {
      bot.process.kill("SIGSTOP");
      try {
        transact(db, () => {});
        return bot;
      } catch (error) {
        if (!isBusy(error)) throw error;
        bot.process.kill("SIGCONT");
        // Its own transaction ends first: on a crowded machine it may not have run yet when it is stopped again.
        transact(db, () => {});
      }
    }
    throw new Error("the bot holds the database whenever it is looked at");
  }

  /** As if half a minute had passed: the job is another's to take. */
  function endLease(token: string) {
    db.query("UPDATE jobs SET lease_until = 1 WHERE session_token = ? AND status = 'running'").run(token);
  }

  function expectOnePack({ guest, token, since }: Visit, images: number) {
    expect(sim.sets.filter((set) => set.ownerId === guest)).toHaveLength(1);
    expect(calls("gemini:image", since)).toBe(images);
    expect(world.rows("SELECT count(*) AS n FROM packs WHERE job_id = ?", jobOf(token).id)).toEqual([{ n: 1 }]);
    expect(jobOf(token)).toMatchObject({ status: "done", strikes: 0, owner: null });
  }

  async function close() {
    db.close(false);
    await world[Symbol.asyncDispose]();
  }

  return { world, sim, db, jobOf, calls, links, stickers, standingIn, putToSleep, endLease, expectOnePack, close };
}
