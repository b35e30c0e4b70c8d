/** A few seeds of the crash explorer; `bun run chaos --seeds N` runs any number, `CHAOS_SEEDS=N` here too. */
import { expect, test } from "bun:test";
import { planOf } from "./chaos/plan.ts";
import { run } from "./chaos/run.ts";

const SEEDS = Math.max(1, Number(process.env.CHAOS_SEEDS ?? 6) || 6);
const LANES = 3;
const SEED_MS = 90_000;

test("the same seed is the same plan, another one another", () => {
  expect(planOf(4711)).toEqual(planOf(4711));
  expect(planOf(4711)).not.toEqual(planOf(4712));
});

test(
  `nothing is lost and nothing made twice, whatever dies when (${SEEDS} seeds)`,
  async () => {
    let next = 1;
    const found: string[] = [];
    const lane = async () => {
      while (next <= SEEDS) {
        const seed = next++;
        const { faults } = await run(seed);
        found.push(...faults.map((fault) => `seed ${seed} (bun run chaos --seed ${seed}): ${fault}`));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect(found).toEqual([]);
  },
  SEEDS * SEED_MS,
);
