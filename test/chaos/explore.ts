/** Many seeds, a few at a time; and then, if wished, a death at each place of a commit that had none. */
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Report, run } from "./run.ts";
import type { Place, Tally } from "./tally.ts";

/** A place is not on everybody's way each time: so many deaths in one run at the first try, at the second, and so on. */
const PLACES_A_RUN = [4, 3, 2, 1, 1];

export type Exploration = {
  seeds: readonly number[];
  /** How many at a time. */
  lanes: number;
  /** Deaths in the runs of these seeds. */
  at?: readonly Place[];
  /** Orders a death wherever the seeds committed and nobody died. */
  places?: boolean;
  /** Asked before each run. */
  mayGoOn?(): boolean;
  told(report: Report, places: readonly Place[]): void;
  /** A run that could not be done at all. */
  broke(seed: number, error: unknown): void;
};

type Run = { seed: number; places: readonly Place[] };

/** @param tally is added to, so that whoever stops it half-way knows how far it came */
export async function explore(tally: Tally, { seeds, lanes, at = [], places, ...wishes }: Exploration) {
  const inLanes = async (runs: readonly Run[]) => {
    const left = runs.values();
    const lane = async () => {
      for (const next of left) if (wishes.mayGoOn?.() ?? true) await attempt(next);
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  };
  const attempt = async ({ seed, places: deaths }: Run) => {
    try {
      const report = await run(seed, deaths);
      tally.add(report);
      wishes.told(report, deaths);
    } catch (error) {
      wishes.broke(seed, error);
    }
  };
  await inLanes(seeds.map((seed) => ({ seed, places: at })));
  for (const [nth, most] of places ? PLACES_A_RUN.entries() : []) await inLanes(tally.runsFor(nth, most));
}

/** A run's plan, and what its processes and the simulator said. */
export const storyOf = ({ plan, log }: Report) => [JSON.stringify(plan, null, 1), ...log].join("\n");

/** Another run of the same plan may go well: what this one said is kept. @returns the file */
export function keepStory(report: Report): string {
  const file = join(tmpdir(), `chaos-seed-${report.plan.seed}.log`);
  writeFileSync(file, storyOf(report));
  return file;
}
