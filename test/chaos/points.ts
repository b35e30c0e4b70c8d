/**
 * Troubles at a named point: they wait, side by side, until somebody comes to it (a certain call, a certain commit), or until
 * there is peace.
 */
import type { Hold } from "../sim/faults.ts";
import type { Booth } from "./booth.ts";
import type { Trouble } from "./plan-troubles.ts";
import { within } from "./within.ts";

/** Longer than the booth looks at a page that does not show its pack. */
const PAGE_PATIENCE_MS = 20 * 60_000;
/** The longest between two rounds of the artists. */
const ROUND_PAUSE_MS = 30_000;
/** A caller whose deadline is over lets go at once; a crowded machine may be slower. */
const GIVE_UP_MS = 20_000;

export type AtPoint = Extract<
  Trouble,
  { kind: "killAtCall" | "killAtCommit" | "hang" | "deadline" | "noPage" | "noArtist" }
>;

/** @returns whether somebody came */
export function atPoint(booth: Booth, trouble: AtPoint): Promise<boolean> {
  switch (trouble.kind) {
    case "killAtCall":
      return trouble.point === "before" ? killBeforeCall(booth, trouble) : killAfterCall(booth, trouble);
    case "killAtCommit":
      return killAtCommit(booth, trouble);
    case "hang":
      return hang(booth, trouble);
    case "deadline":
      return outwait(booth, trouble);
    case "noPage":
      return hidePage(booth);
    case "noArtist":
      return silenceArtists(booth);
  }
}

/** Does somebody come to this point? */
function reaches({ peace }: Booth, hold: Hold): Promise<boolean> {
  const { promise: calm, resolve } = Promise.withResolvers<boolean>();
  peace.signal.addEventListener("abort", () => resolve(false), { once: true });
  if (peace.signal.aborted) resolve(false);
  return Promise.race([hold.reached.then(() => true), calm]);
}

/** Looks until it is so, or until there is peace. */
async function comesTrue({ peace }: Booth, look: () => boolean): Promise<boolean> {
  while (!look()) {
    if (peace.signal.aborted) return false;
    await Bun.sleep(15);
  }
  return true;
}

/** Kills when such a call arrives. */
async function killBeforeCall(booth: Booth, { who, target, when }: AtPoint & { kind: "killAtCall" }) {
  const { sim } = booth;
  const hold = sim.hold(target, when);
  const isReached = await reaches(booth, hold);
  if (isReached) {
    await booth.slot(who).kill("SIGKILL");
    // The call died with its caller: it is not carried out.
    sim.fault({ target, when, do: { reset: true } });
  }
  hold.release();
  return isReached;
}

/** Kills when such a call has been carried out and its answer is still on its way. */
async function killAfterCall(booth: Booth, { who, target, when }: AtPoint & { kind: "killAtCall" }) {
  const armed = booth.sim.fault({ target, when, do: { executeThenLose: "hang" } });
  const isReached = await comesTrue(booth, () => armed.call?.outcome.includes("answer lost") ?? false);
  armed.cancel();
  if (isReached) await booth.slot(who).kill("SIGKILL");
  return isReached;
}

async function killAtCommit(booth: Booth, { who, nth, point, target, places }: AtPoint & { kind: "killAtCommit" }) {
  const { sim, levers } = booth;
  // Perhaps it is another bot's, which relieves the first.
  const deaths = () => (who === "bot" ? booth.botDeaths : booth.api.deaths);
  const hold = target === undefined ? null : sim.hold(target);
  if (hold && !(await reaches(booth, hold))) {
    hold.release();
    return false;
  }
  let order: number | null = null;
  const isOrdered = await comesTrue(booth, () => {
    order = levers.dieAtCommit(who, nth, point, places);
    return order !== null;
  });
  const before = new Set(deaths());
  hold?.release();
  return isOrdered && comesTrue(booth, () => deaths().some((death) => !before.has(death) && death.order === order));
}

async function hang(booth: Booth, { target, forMs }: AtPoint & { kind: "hang" }) {
  const { sim } = booth;
  const hold = sim.hold(target);
  const isReached = await reaches(booth, hold);
  if (isReached) {
    sim.fault({ target, do: { reset: true } });
    await Bun.sleep(forMs);
  }
  hold.release();
  return isReached;
}

/** Such a call is never answered, until its caller gives up; one who never does is a fault. */
async function outwait(booth: Booth, { target, isCarriedOut }: AtPoint & { kind: "deadline" }) {
  const { sim, levers } = booth;
  const armed = sim.fault({ target, do: isCarriedOut ? { executeThenLose: "hang" } : { hang: true } });
  const isReached = await comesTrue(booth, () => armed.call?.outcome.includes("hang") ?? false);
  armed.cancel();
  const { call } = armed;
  if (!isReached || call === undefined) return false;
  // Other calls that are on their way are given up too, and nobody hears their answers.
  const from = Date.now();
  levers.expireDeadlines();
  const isOver = await within(GIVE_UP_MS, () => call.ms !== undefined);
  booth.deaf.push({ from, to: Date.now() });
  if (!isOver) booth.faults.push(`${target} is waited for without an end`);
  return true;
}

/** No page shows its pack: the booth goes on all the same once it has waited long and Telegram says that it has the set. */
async function hidePage(booth: Booth) {
  const { sim, levers } = booth;
  const armed = sim.fault({ target: "page", times: 1_000, do: { status: 404, body: {} } });
  const waiting = () =>
    booth.rows("SELECT 1 FROM packs WHERE created_at IS NOT NULL AND visible_at IS NULL").length > 0;
  const isReached = await comesTrue(booth, () => armed.met > 0 && waiting());
  if (isReached) {
    levers.passTime(PAGE_PATIENCE_MS);
    await comesTrue(booth, () => !waiting());
  }
  armed.cancel();
  return isReached;
}

/** The artists fail round after round: the job that waits for them longest comes to nothing, and is told. */
async function silenceArtists(booth: Booth) {
  const { sim, levers } = booth;
  const armed = sim.fault({ target: "*:image", times: 1_000, do: { outcome: "forbidden" } });
  const ended = () => booth.rows("SELECT 1 FROM jobs WHERE problem = 'providers_down'").length > 0;
  const waits = () =>
    booth.rows("SELECT 1 FROM jobs WHERE status = 'queued' AND rounds > 0 AND not_before > ?", booth.now());
  const isReached = await comesTrue(booth, () => {
    if (waits().length > 0) levers.passTime(ROUND_PAUSE_MS);
    return ended();
  });
  armed.cancel();
  return isReached;
}
