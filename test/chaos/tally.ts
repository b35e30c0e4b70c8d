/** What many seeds came to: figures, which troubles happened, and at which places of a commit a process has died. */

import type { Who } from "./levers.ts";
import type { Point } from "./plan-troubles.ts";
import { nameOf } from "./plan-troubles.ts";
import type { Report } from "./run.ts";
import { STATEMENT_MARK, statements } from "./statements.ts";

/** Right before or right after a commit of one of the processes, at a line of its code. */
export type Place = { who: Who; site: string; point: Point };
export const nameOfPlace = ({ who, site, point }: Place) => `${who} ${site} ${point}`;

/** @returns null when it is the name of none */
export function placeOf(name: string): Place | null {
  const [, who, site, point] = /^(api|bot) (\S+) (before|after)$/.exec(name) ?? [];
  return site ? { who: who as Who, site, point: point as Point } : null;
}

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, nth) => all.slice(nth * size, (nth + 1) * size));

const figures = ["restarts", "packs", "failures", "leads", "calls"] as const;

export class Tally {
  seeds = 0;
  readonly failed: number[] = [];
  readonly #totals = Object.fromEntries(figures.map((name) => [name, 0])) as Record<(typeof figures)[number], number>;
  /** Troubles by kind: how many happened of how many planned. */
  readonly #kinds: Record<string, { happened: number; planned: number }> = {};
  /** Who committed where, and which seeds saw it. */
  readonly #sites = new Map<string, number[]>();
  readonly #deaths = new Set<string>();
  /** Calls that were made, and with the side behind it, calls at which a process was killed. */
  readonly #calls = new Set<string>();
  /** Writing statements that were run. */
  readonly #ran = new Set<string>();

  add(report: Report) {
    const { plan, happened, faults } = report;
    this.seeds += 1;
    for (const name of figures) this.#totals[name] += report[name];
    for (const target of report.targets) this.#calls.add(target);
    for (const noted of report.sites) this.#note(noted, plan.seed);
    for (const trouble of plan.troubles) {
      const name = nameOf(trouble);
      this.#kinds[name] ??= { happened: 0, planned: 0 };
      this.#kinds[name].planned += 1;
      if (happened.includes(trouble)) this.#kinds[name].happened += 1;
    }
    if (faults.length > 0) this.failed.push(plan.seed);
  }

  #note(noted: string, seed: number) {
    if (noted.startsWith(STATEMENT_MARK)) this.#ran.add(noted.slice(STATEMENT_MARK.length));
    else if (placeOf(noted)) this.#deaths.add(noted);
    else {
      const seeds = this.#sites.get(noted) ?? [];
      if (!seeds.includes(seed)) this.#sites.set(noted, [...seeds, seed]);
    }
  }

  /** Both sides of each place at which nobody has died yet, with the seeds that come by. */
  unreached(): (Place & { seeds: number[] })[] {
    return [...this.#sites].flatMap(([name, seeds]) =>
      (["before", "after"] as const)
        .filter((point) => !this.#deaths.has(`${name} ${point}`))
        .map((point) => {
          const [who, site] = name.split(" ") as [Who, string];
          return { who, site, point, seeds };
        }),
    );
  }

  /** Points right before and right after each place of a commit: at how many a process died, of how many. */
  get points(): { reached: number; all: number } {
    return { reached: this.#deaths.size, all: 2 * this.#sites.size };
  }

  /**
   * Runs that order deaths at places that had none, each in a seed that came by.
   * @param nth the how manieth try: each is made in another seed, as long as there are others
   * @param most so many deaths in one run
   */
  runsFor(nth: number, most: number): { seed: number; places: Place[] }[] {
    const bySeed = Map.groupBy(this.unreached(), ({ seeds }) => seeds[nth % seeds.length] as number);
    return [...bySeed].flatMap(([seed, places]) => chunks(places, most).map((some) => ({ seed, places: some })));
  }

  /** @param places tells also at which places nobody has died */
  lines(seconds: number, places: boolean): string[] {
    const { packs, failures, leads, restarts, calls } = this.#totals;
    const kinds = Object.entries(this.#kinds).sort(([a], [b]) => a.localeCompare(b));
    const sum = (of: "happened" | "planned") => kinds.reduce((all, [, kind]) => all + kind[of], 0);
    const targets = [...this.#calls].filter((target) => !target.includes(" "));
    const known = statements();
    const never = known.filter(({ pattern }) => !this.#ran.values().some((sql) => pattern.test(sql)));
    return [
      `${this.seeds} seeds in ${seconds.toFixed(0)} s: ${packs} packs, ${failures} failures, ${leads} leads, ${restarts} restarts, ` +
        `${sum("happened")} of ${sum("planned")} troubles reached, ${calls} outgoing calls. ${this.#verdict()}`,
      `Reached: ${kinds.map(([kind, { happened, planned }]) => `${kind} ${happened}/${planned}`).join(", ")}`,
      `Commits at ${this.#sites.size} places; deaths right before or after at ${this.points.reached} of ${this.points.all}.`,
      `Calls of ${targets.length} kinds; deaths right before or after at ${this.#calls.size - targets.length} of ${2 * targets.length}.`,
      `Statements that write: ${known.length - never.length} of ${known.length} were run.`,
      ...(places ? never.map(({ where }) => `  never run: ${where}`) : []),
      ...(places ? this.#spared(targets).map((call) => `  nobody died at: ${call}`) : []),
      ...(places ? this.unreached().map((place) => `  not reached: ${nameOfPlace(place)}`) : []),
      ...(this.#kinds.disk?.happened === 0
        ? ["The disk was never full: that needs a tmpfs, which only root may mount."]
        : []),
    ];
  }

  #spared(targets: readonly string[]): string[] {
    return targets
      .flatMap((target) => [`${target} before`, `${target} after`])
      .filter((call) => !this.#calls.has(call));
  }

  #verdict(): string {
    if (this.failed.length > 0)
      return `Failed: ${this.failed.join(" ")} (replay with --seed N, and --at where it says so)`;
    return this.seeds > 0 ? "Nothing lost, nothing twice." : "Nothing was tried.";
  }
}
