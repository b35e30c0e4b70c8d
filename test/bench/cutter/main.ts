/**
 * The cutter's benchmark: sheets with exact truth, everyday tools beside ours, speed and memory.
 * `bun test/bench/cutter/main.ts [--quick]`; the tools' own packages by `bun install` in this folder.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { cutSheet, matteSheet, SheetUnusable } from "../../../bot/studio/cutter/cutter.ts";
import { imgly, tools } from "./baselines.ts";
import { corrupt } from "./corrupt.ts";
import { isValid, outlineDeviation } from "./outcome.ts";
import { type Score, score } from "./score.ts";
import { measureSpeed, type Speed } from "./speed.ts";
import { type Case, hardCases, mainCases, REPORTING_SEEDS } from "./suite.ts";
import { makeTruth, type Truth } from "./truth.ts";

type Row = { family: string; tool: string; seed: number; score: Score };
type Finished = { family: string; seed: number; valid: boolean; outlinePx: number; problems: string[] };
export type Results = {
  rows: Row[];
  finished: Finished[];
  refusals: { family: string; right: boolean; code: string }[];
  imgly: { cells: number; sadK: number; oursSadK: number } | null;
  speed: Speed[];
  missing: string[];
};

const OURS = "ours";
const IMGLY_CELLS = 2;

/** Runs everything, prints a table, writes `artefacts/bench/cutter.json`. */
export async function run({ quick = false }: { quick?: boolean } = {}): Promise<Results> {
  const { found, missing } = tools();
  const results: Results = { rows: [], finished: [], refusals: [], imgly: null, speed: [], missing };
  const seeds = quick ? REPORTING_SEEDS.slice(0, 1) : REPORTING_SEEDS;
  for (const one of mainCases(seeds)) {
    const { bytes, truth } = await corrupt(await makeTruth(one.spec), one.how);
    await ours(one, bytes, truth, results);
    for (const tool of found) {
      const rgba = await tool.matte(bytes, one.spec.key);
      report(results, { family: one.family, tool: tool.name, seed: one.spec.seed, score: score(truth, { rgba }) });
    }
  }
  for (const one of mainCases(seeds.slice(0, 1))) {
    const { bytes, truth } = await corrupt(await makeTruth(one.spec), one.how);
    if (one.family.startsWith("bordered")) results.speed.push(await measureSpeed(one.family, bytes));
    if (one.family === "plain PNG" && !quick) results.imgly = await againstImgly(bytes, truth);
  }
  if (!results.imgly && !quick) missing.push("@imgly/background-removal-node (bun install in test/bench/cutter)");
  for (const one of hardCases(quick ? seeds : seeds.slice(0, 2))) {
    const { bytes, truth } = await corrupt(await makeTruth(one.spec), one.how);
    await ours(one, bytes, truth, results);
  }
  print(results);
  if (quick) console.log("left out by --quick: @imgly/background-removal-node, and all but one seed");
  const folder = join(import.meta.dir, "../../../artefacts/bench");
  await mkdir(folder, { recursive: true });
  await Bun.write(join(folder, "cutter.json"), `${JSON.stringify(results, null, 1)}\n`);
  return results;
}

async function ours(one: Case, bytes: Uint8Array, truth: Truth, results: Results): Promise<void> {
  const { family, spec } = one;
  try {
    const matte = await matteSheet(bytes, spec.count);
    const cells = matte.stickers.map(({ cell }) => cell);
    report(results, { family, tool: OURS, seed: spec.seed, score: score(truth, { ...matte, cells }) });
    const cut = await cutSheet(bytes, { count: spec.count });
    const valid = (await Promise.all(cut.stickers.map(isValid))).every(Boolean);
    results.finished.push({
      family,
      seed: spec.seed,
      valid,
      outlinePx: await outlineDeviation(truth, cut),
      problems: cut.problems,
    });
  } catch (error) {
    if (!(error instanceof SheetUnusable)) throw error;
    results.refusals.push({ family, right: one.refused === true, code: error.code });
  }
}

/** The first cells of a sheet, each given to the neural tool as its own picture. */
async function againstImgly(bytes: Uint8Array, truth: Truth): Promise<Results["imgly"]> {
  const remove = await imgly();
  if (!remove) return null;
  const matte = await matteSheet(bytes, truth.spec.count);
  const side = Math.floor(truth.width / 3);
  let [theirs, own] = [0, 0];
  for (let cell = 0; cell < IMGLY_CELLS; cell++) {
    const crop = await sharp(bytes)
      .extract({ left: cell * side, top: 0, width: side, height: side })
      .png()
      .toBuffer();
    const rgba = await remove(crop);
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const at = (y * truth.width + cell * side + x) * 4 + 3;
        theirs += Math.abs(rgba[(y * side + x) * 4 + 3]! - truth.rgba[at]!) / 255;
        own += Math.abs(matte.rgba[at]! - truth.rgba[at]!) / 255;
      }
    }
  }
  return { cells: IMGLY_CELLS, sadK: theirs / 1000, oursSadK: own / 1000 };
}

/** One line for each sheet and tool as it is done: the whole takes minutes. */
function report(results: Results, row: Row): void {
  results.rows.push(row);
  const { sadK, fringe, count, ownership } = row.score;
  const own = row.tool === OURS ? `, count ${count ? "right" : "WRONG"}, ownership ${ownership.toFixed(3)}` : "";
  console.error(
    `${row.family} ${row.seed}, ${row.tool}: SAD ${sadK.toFixed(2)} k, fringe ${(fringe * 100).toFixed(2)} %${own}`,
  );
}

const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
const most = (values: number[]) => Math.max(...values);

function print(results: Results): void {
  const { rows, finished, refusals, speed } = results;
  const families = [...new Set(rows.map(({ family }) => family))];
  console.log(
    "\n| sheets | tool | SAD k (mean, worst) | MSE ‰ | fringe % (mean, worst) | colour | holes | count | ownership | outline px |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|---|");
  for (const family of families) {
    for (const tool of new Set(rows.filter((row) => row.family === family).map((row) => row.tool))) {
      const of = rows.filter((row) => row.family === family && row.tool === tool).map((row) => row.score);
      const pick = (key: "sadK" | "mseMilli" | "fringe" | "colour" | "holes" | "ownership") => of.map((s) => s[key]);
      const fringe = pick("fringe").map((share) => share * 100);
      const own =
        tool === OURS
          ? [
              `${of.filter((s) => s.count).length}/${of.length}`,
              mean(pick("ownership")).toFixed(3),
              mean(finished.filter((f) => f.family === family).map((f) => f.outlinePx)).toFixed(2),
            ]
          : ["", "", ""];
      const cells = [
        family,
        tool,
        `${mean(pick("sadK")).toFixed(2)}, ${most(pick("sadK")).toFixed(2)}`,
        mean(pick("mseMilli")).toFixed(2),
        `${mean(fringe).toFixed(2)}, ${most(fringe).toFixed(2)}`,
        mean(pick("colour")).toFixed(2),
        mean(pick("holes")).toFixed(2),
        ...own,
      ];
      console.log(`| ${cells.join(" | ")} |`);
    }
  }
  for (const s of speed) {
    const cpu = `processor ${s.floorCpuMs.toFixed(0)} and ${s.cutCpuMs.toFixed(0)} ms (${(s.cutCpuMs / s.floorCpuMs).toFixed(2)}×)`;
    const memory = `peak ${s.peakMiB.toFixed(0)} MiB (floor ${s.floorPeakMiB.toFixed(0)})`;
    console.log(
      `\n${s.sheet}: floor ${s.floorMs.toFixed(0)} ms, cut ${s.cutMs.toFixed(0)} ms (${s.ratio.toFixed(2)}×), ${cpu}, ${memory}, main thread late by at most ${s.lateMs.toFixed(1)} ms`,
    );
  }
  if (results.imgly) {
    const { cells, sadK, oursSadK } = results.imgly;
    console.log(
      `\n@imgly/background-removal-node on ${cells} cells: SAD ${sadK.toFixed(2)} k, ours ${oursSadK.toFixed(2)} k`,
    );
  }
  console.log(`\nvalid for Telegram: ${finished.filter((f) => f.valid).length} of ${finished.length} sheets`);
  for (const { family, right, code } of refusals) console.log(`refused: ${family}, ${code}${right ? ", rightly" : ""}`);
  if (results.missing.length > 0) console.log(`not compared, because not installed: ${results.missing.join("; ")}`);
}

if (import.meta.main) await run({ quick: process.argv.includes("--quick") });
