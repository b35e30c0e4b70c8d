/**
 * `bun run chaos`: attacks the whole booth from outside and checks that nothing was lost and nothing made twice.
 *
 *     bun run chaos --seeds 200 [--from 1] [--lanes 2]    that many seeds, so many at a time
 *     bun run chaos --seeds 40 --places                   and then a death at each place of a commit that had none
 *     bun run chaos --seed 4711                           one again, with its plan and log
 */
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Booth } from "./booth.ts";
import { onlyAt, type Who } from "./levers.ts";
import { nameOf, type Trouble } from "./plan-troubles.ts";
import { type Report, run } from "./run.ts";
import { STATEMENT_MARK, statements } from "./statements.ts";

const USAGE = "bun run chaos [--seeds 20] [--from 1] [--lanes 2] [--places], or one again: bun run chaos --seed N";
const values = given();

let isStopped = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, async () => {
    // `bun run` passes on what the terminal sent to both: the second one must not cut the first one's tidying short.
    if (isStopped) return;
    isStopped = true;
    // Nothing of ours stays: no process, no mounted disk.
    await Promise.all([...Booth.standing].map((booth) => booth[Symbol.asyncDispose]()));
    summary("Stopped early. ");
    process.exit(1);
  });

function given() {
  const option = (value?: string) => ({ type: "string", default: value }) as const;
  try {
    const places = { type: "boolean", default: false } as const;
    return parseArgs({
      options: { seed: option(), seeds: option("20"), from: option("1"), lanes: option("2"), places },
    }).values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function whole(name: "seed" | "seeds" | "from" | "lanes"): number {
  const number = Number(values[name]);
  return Number.isSafeInteger(number) && number > 0 ? number : refuse(`--${name} must be a whole number from 1 on`);
}

function refuse(why: string): never {
  console.error(`${why}\nUsage: ${USAGE}`);
  process.exit(2);
}

const one = values.seed !== undefined;
const first = one ? whole("seed") : whole("from");
const last = one ? first : first + whole("seeds") - 1;
const totals = { seeds: 0, restarts: 0, packs: 0, failures: 0, leads: 0, happened: 0, planned: 0, calls: 0 };
const failed: number[] = [];
/** Troubles by kind: how many happened of how many planned. */
const kinds: Record<string, { happened: number; planned: number }> = {};
/** Who committed where, by the last seed that saw it; and, with the side behind it, where a process died of it. */
const sites = new Map<string, number>();
/** Writing statements that were run. */
const ran = new Set<string>();
const started = performance.now();
let next = first;

const inLanes = async (work: () => Promise<void>) =>
  Promise.all(Array.from({ length: one ? 1 : whole("lanes") }, work));
await inLanes(lane);
if (values.places) {
  const left = unreached();
  await inLanes(() => visitPlaces(left));
}
// The rest is said by whoever stopped us.
if (isStopped) await new Promise(() => {});
summary();
process.exit(failed.length === 0 ? 0 : 1);

function summary(prefix = "") {
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `\n${prefix}${totals.seeds} seeds in ${seconds.toFixed(0)} s: ${totals.packs} packs, ${totals.failures} failures, ${totals.leads} leads, ${totals.restarts} restarts, ` +
      `${totals.happened} of ${totals.planned} troubles reached, ${totals.calls} outgoing calls. ` +
      verdict(),
  );
  const sorted = Object.entries(kinds).sort(([a], [b]) => a.localeCompare(b));
  console.log(`Reached: ${sorted.map(([kind, { happened, planned }]) => `${kind} ${happened}/${planned}`).join(", ")}`);
  const places = [...sites.keys()].filter(isPlace).length;
  console.log(`Commits at ${places} places; deaths right before or after at ${sites.size - places} of ${2 * places}.`);
  const unrun = statements().filter(({ pattern }) => !ran.values().some((sql) => pattern.test(sql)));
  const rest = unrun.length > 0 ? `; never ${unrun.map(({ where }) => where).join(", ")}` : "";
  console.log(`Of the ${statements().length} statements that write, ${statements().length - unrun.length} were run${rest}.`);
  if (values.places) for (const { name } of unreached()) console.log(`  not reached: ${name}`);
  if (kinds.disk?.happened === 0)
    console.log("The disk was never full: that needs a tmpfs, which only root may mount.");
}

function verdict(): string {
  if (failed.length > 0)
    return `Failed: ${failed.join(" ")} (replay with --seed N; a death ordered by --places stands in the log)`;
  return totals.seeds > 0 ? "Nothing lost, nothing twice." : "Nothing was tried.";
}

function isPlace(site: string) {
  return site.split(" ").length === 2;
}

/** Both sides of each place at which nobody has died yet. */
function unreached() {
  return [...sites.keys()]
    .filter(isPlace)
    .flatMap((site) =>
      (["before", "after"] as const)
        .map((point) => ({ site, point, name: `${site} ${point}` }))
        .filter(({ name }) => !sites.has(name)),
    );
}

/** Once more a seed that came by, with a death ordered at just that place. */
async function visitPlaces(left: ReturnType<typeof unreached>) {
  for (let at = left.pop(); at !== undefined && !isStopped; at = left.pop()) {
    const [who, site] = at.site.split(" ") as [Who, string];
    const seed = sites.get(at.site) as number;
    const death = { kind: "killAtCommit", who, nth: 1, point: at.point, places: onlyAt(site), afterMs: 0 } as const;
    await attempt(seed, death);
  }
}

async function lane() {
  while (next <= last && !isStopped) {
    await attempt(next++);
  }
}

async function attempt(seed: number, first?: Trouble) {
  try {
    note(await run(seed, first));
  } catch (error) {
    // Its booth was taken away.
    if (isStopped) return;
    failed.push(seed);
    totals.seeds += 1;
    console.log(`seed ${seed} could not be run: ${error instanceof Error ? error.stack : error}`);
  }
}

function note(report: Report) {
  const { plan, faults } = report;
  totals.seeds += 1;
  for (const name of ["restarts", "packs", "failures", "leads", "calls"] as const) totals[name] += report[name];
  totals.happened += report.happened.length;
  for (const site of report.sites)
    if (site.startsWith(STATEMENT_MARK)) ran.add(site.slice(STATEMENT_MARK.length));
    else sites.set(site, plan.seed);
  for (const trouble of plan.troubles) {
    const name = nameOf(trouble);
    const before = kinds[name] ?? { happened: 0, planned: 0 };
    kinds[name] = {
      happened: before.happened + Number(report.happened.includes(trouble)),
      planned: before.planned + 1,
    };
  }
  totals.planned += plan.troubles.length;
  if (faults.length > 0) failed.push(plan.seed);
  const figures = `${plan.guests.length} guests, ${report.packs} packs, ${report.leads} leads, ${report.restarts} restarts, ${report.happened.length}/${plan.troubles.length} troubles`;
  console.log(
    `seed ${plan.seed} ${faults.length === 0 ? "ok" : "FAILED"} in ${(report.ms / 1000).toFixed(1)} s: ${figures}`,
  );
  if (faults.length === 0 && !one) return;
  for (const fault of faults) console.log(`  - ${fault}`);
  // Another run of the same plan may go well: what this one said is kept.
  const story = [JSON.stringify(plan, null, 1), ...report.log].join("\n");
  if (one) return console.log(story);
  const file = join(tmpdir(), `chaos-seed-${plan.seed}.log`);
  writeFileSync(file, story);
  console.log(`  its plan, log and calls: ${file}`);
}
