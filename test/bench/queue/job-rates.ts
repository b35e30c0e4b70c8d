/**
 * The job path's rates and ratios. A shared disk is quick in one minute and slow in the next: so all are measured in turn,
 * each ratio is taken within a round, and the median of the rounds counts.
 */
import { jobsPerSecond, type Kind, kinds } from "./job-path.ts";

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

export async function jobRates(jobs: number, rounds: number) {
  const all = Object.keys(kinds) as Kind[];
  const rates: Record<Kind, number>[] = [];
  for (let i = 0; i < rounds; i++) {
    const round = {} as Record<Kind, number>;
    for (const kind of all) round[kind] = await jobsPerSecond(kind, jobs);
    rates.push(round);
  }
  const ratio = (a: Kind, b: Kind) => median(rates.map((round) => round[a] / round[b]));
  return {
    jobs_per_second: Object.fromEntries(all.map((kind) => [kind, median(rates.map((round) => round[kind]))])),
    jobs_ratio: {
      to_plainjob: ratio("booth", "plainjob"),
      to_plainjob_with_history: ratio("booth", "plainjob_with_history"),
      to_plainjob_with_history_each_step_on_disk: ratio("booth_full", "plainjob_with_history"),
      to_bunqueue: ratio("booth", "bunqueue"),
      to_bunqueue_both_without_fsync: ratio("booth_normal", "bunqueue"),
    },
  };
}

if (import.meta.main) console.log(await jobRates(Number(process.argv[2] ?? 1500), Number(process.argv[3] ?? 7)));
