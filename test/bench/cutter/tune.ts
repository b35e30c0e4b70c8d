/** A quick look while tuning: `bun test/bench/cutter/tune.ts [main|hard] [family] [seeds]`. */
import { matteSheet, SheetUnusable } from "../../../bot/studio/cutter/cutter.ts";
import { corrupt } from "./corrupt.ts";
import { score } from "./score.ts";
import { hardCases, mainCases, TUNING_SEEDS } from "./suite.ts";
import { makeTruth } from "./truth.ts";

const [which = "main", filter = "", seeds = ""] = process.argv.slice(2);
const chosen = seeds ? seeds.split(",").map(Number) : TUNING_SEEDS;
for (const one of (which === "main" ? mainCases : hardCases)(chosen)) {
  if (!new RegExp(filter).test(one.family)) continue;
  const clean = await makeTruth(one.spec);
  const { bytes, truth } = await corrupt(clean, one.how);
  const name = `${one.family} ${one.spec.bordered ? "b" : "p"} ${one.spec.seed}`.padEnd(36);
  const start = performance.now();
  try {
    const matte = await matteSheet(bytes);
    const ms = performance.now() - start;
    const s = score(truth, { ...matte, cells: matte.stickers.map(({ cell }) => cell) });
    console.log(
      name,
      `SAD ${s.sadK.toFixed(2)}k mse ${s.mseMilli.toFixed(2)} fringe ${(s.fringe * 100).toFixed(2)}% colour ${s.colour.toFixed(2)} holes ${s.holes.toFixed(2)}`,
      `count ${s.count} own ${s.ownership.toFixed(4)} ${ms.toFixed(0)} ms`,
      matte.problems.join(),
    );
  } catch (error) {
    console.log(
      name,
      error instanceof SheetUnusable ? `refused: ${error.code}${one.refused ? " (right)" : ""}` : error,
    );
  }
}
