/** One seed: a booth, its people and their troubles, then peace, and the question whether all is well. */
import { readFileSync } from "node:fs";
import type { Call } from "../sim/types.ts";
import { Booth, SECRET } from "./booth.ts";
import { check, checkAlways } from "./check.ts";
import { rememberFaults } from "./check-causes.ts";
import { later } from "./later.ts";
import { onlyAt, sitesOf } from "./levers.ts";
import { keepOffice } from "./office.ts";
import { operate } from "./operator.ts";
import { request, visit } from "./people.ts";
import { type Comes, type Plan, planOf } from "./plan.ts";
import type { Trouble } from "./plan-troubles.ts";
import { settle } from "./settle.ts";
import type { Place } from "./tally.ts";
import { type Happened, make } from "./trouble.ts";
import { within } from "./within.ts";

/** So long after the last trouble somebody may still come to a named point, or meet a fault; or to an ordered place. */
const POINTS_MS = 4_000;
const PLACES_MS = 12_000;
const STOP_MS = 8_000;
const PARAMS_LENGTH = 300;

export type Report = {
  plan: Plan;
  faults: string[];
  ms: number;
  restarts: number;
  packs: number;
  leads: number;
  /** Jobs that came to nothing, of which their guests were told. */
  failures: number;
  /** Troubles that happened, of those planned: not every named point is reached, nor does every fault meet a call. */
  happened: Trouble[];
  calls: number;
  /** Which calls were made, and with the side behind it, at which of them a process was killed. */
  targets: string[];
  /** Who committed at which places and, with `before` or `after` behind it, died of it there. */
  sites: string[];
  log: string[];
};

/** @param places where a process shall die besides, as soon as it comes there */
export async function run(seed: number, places: readonly Place[] = []): Promise<Report> {
  const plan = planOf(seed);
  plan.troubles.unshift(...deathsAt(places));
  const started = performance.now();
  await using booth = await Booth.open({ ...plan.env, LEADS_SECRET: SECRET });
  rememberFaults(booth);
  const made: [Trouble, Happened][] = [];
  const begun = plan.troubles.map(() => Promise.withResolvers<void>());
  const troubles = async () => {
    for (const [turn, trouble] of plan.troubles.entries()) {
      begun[turn]?.resolve();
      await Bun.sleep(trouble.afterMs);
      made.push([trouble, await make(booth, trouble)]);
    }
  };
  // Spread over all that goes wrong: each trouble finds somebody at the booth.
  const coming = async ({ comesWith, startMs }: Comes) => {
    await begun[comesWith]?.promise;
    await Bun.sleep(startMs);
  };
  const people = Promise.all([
    Promise.all(plan.guests.map((guest) => coming(guest).then(() => visit(booth, guest)))),
    Promise.all(plan.leads.map((lead, index) => coming(lead).then(() => request(booth, lead, index)))),
    operate(booth, plan.operator),
    keepOffice(booth, plan.office),
  ]);
  await troubles();
  const [visits, requests, orders, office] = await calming(booth, people, places.length > 0 ? PLACES_MS : POINTS_MS);
  await settle(booth);
  // A death that nobody came to in the evening may still come in the days after it.
  const missed = places.filter((_, nth) => !made[nth]?.[1]());
  orders.onPage.push(...office);
  const faults = check(booth, { visits, requests, orders });
  faults.push(...(await stopping(booth)));
  if (plan.after) faults.push(...(await later(booth, plan.after, missed)), ...checkAlways(booth));
  return {
    plan,
    faults: [...new Set(faults)],
    ms: performance.now() - started,
    restarts: booth.slots.reduce((sum, { deaths }) => sum + deaths.length, 0),
    packs: booth.sim.sets.length,
    failures: booth.rows("SELECT 1 FROM jobs WHERE status = 'failed'").length,
    leads: requests.filter(({ numbers }) => numbers.size > 0).length,
    happened: made.filter(([, happened]) => happened()).map(([trouble]) => trouble),
    calls: booth.sim.calls.length,
    targets: [
      ...booth.sim.calls.map(({ target }) => target),
      ...made.flatMap(([trouble, happened]) =>
        trouble.kind === "killAtCall" && happened() ? [`${trouble.target} ${trouble.point}`] : [],
      ),
    ],
    sites: readFileSync(sitesOf(booth.levers.path), "utf8").trim().split("\n"),
    log: faults.length > 0 ? [...booth.slots.flatMap(({ lines }) => lines), ...booth.sim.calls.map(inOneLine)] : [],
  };
}

/** The deaths in their order, and then a start of their processes: some places only one that starts comes to. */
function deathsAt(places: readonly Place[]): Trouble[] {
  const deaths = places.map(
    ({ who, site, point }): Trouble => ({
      kind: "killAtCommit",
      who,
      nth: 1,
      point,
      places: onlyAt(site),
      afterMs: 0,
    }),
  );
  const dying = new Set(places.map(({ who }) => who));
  return [...deaths, ...[...dying].map((who): Trouble => ({ kind: "kill", who, afterMs: 50 }))];
}

/** An outgoing call: when, what, of which sizes its uploads were, and how it ended. */
function inOneLine({ at, ms, target, params, files, outcome }: Call): string {
  const uploads = Object.entries(files).map(([name, bytes]) => `${name} of ${bytes.length} bytes`);
  const given = [JSON.stringify(params).slice(0, PARAMS_LENGTH), ...uploads].join(", ");
  return `${new Date(at).toISOString()} ${target} ${given} -> ${outcome}, ${ms ?? "no"} ms`;
}

/** People wait for packs, packs for pauses: until all have gone home, time is passed over where nothing else happens. */
async function calming<T>(booth: Booth, people: Promise<T>, pointsMs: number): Promise<T> {
  const done = Promise.withResolvers<void>();
  void people.finally(() => done.resolve());
  const home = done.promise.then(() => true);
  await Promise.race([home, within(pointsMs, () => booth.points.size + booth.sim.activeFaults.length === 0)]);
  booth.peace.abort();
  await Promise.all(booth.points);
  booth.sim.clearFaults();
  while (!(await Promise.race([home, Bun.sleep(20).then(() => false)]))) {
    await settle(booth);
    await Promise.race([home, Bun.sleep(200)]);
  }
  return people;
}

/** Both stop as asked. */
async function stopping(booth: Booth): Promise<string[]> {
  // One that was just started anew cannot be asked yet: before it listens for signals, any of them simply ends it.
  await Promise.all([booth.api.up(), booth.bot.up()]);
  const at = Date.now();
  const codes = await Promise.all([booth.api.stop("SIGTERM"), booth.bot.stop("SIGTERM")]);
  const wrong: string[] = [];
  if (codes.some((code) => code !== 0))
    wrong.push(`asked to stop, the api ended with ${codes[0]}, the bot with ${codes[1]}`);
  if (Date.now() - at > STOP_MS) wrong.push(`stopping took ${Date.now() - at} ms`);
  return wrong;
}
