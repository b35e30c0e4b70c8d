/**
 * `bun run chaos`: attacks the whole booth from outside and checks that nothing was lost and nothing made twice.
 *
 *     bun run chaos --help
 */
import { parseArgs } from "node:util";
import { Booth } from "./booth.ts";
import { explore, keepStory, storyOf } from "./explore.ts";
import type { Report } from "./run.ts";
import { nameOfPlace, type Place, placeOf, Tally } from "./tally.ts";

const USAGE = `bun run chaos --seeds 200 [--from 1] [--lanes 2]    that many seeds (20 without), so many at a time
bun run chaos --seeds 40 --places                   and then a death at each place of a commit that had none
bun run chaos --seed 4711                           one again, with its plan and log
bun run chaos --seed 4711 --at "bot bot/delivery.ts:31 after"    one again, with a death at this place; more may follow`;
/** A week of runs. */
const MOST = 100_000;
const values = given();

let isStopped = false;
/** Nobody came to a place that was asked for. */
let isMissed = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, async () => {
    // `bun run` passes on what the terminal sent to both: the second one must not cut the first one's tidying short.
    if (isStopped) return;
    isStopped = true;
    await Booth.leave();
    summary("Stopped early. ");
    process.exit(1);
  });

function given() {
  const option = (value?: string) => ({ type: "string", default: value }) as const;
  try {
    const places = { type: "boolean", default: false } as const;
    const options = {
      seed: option(),
      at: { type: "string", multiple: true, default: [] as string[] } as const,
      seeds: option(),
      from: option(),
      lanes: option(),
      places,
      help: { type: "boolean", short: "h", default: false } as const,
    };
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function whole(name: "seed" | "seeds" | "from" | "lanes", otherwise?: number): number {
  const number = Number(values[name] ?? otherwise);
  const isFit = Number.isSafeInteger(number) && number > 0 && number <= MOST;
  return isFit ? number : refuse(`--${name} must be a whole number from 1 to ${MOST}`);
}

function givenPlaces(): Place[] {
  if (values.at.length > 0 && !one) return refuse("--at goes with --seed");
  return values.at.map((name) => placeOf(name) ?? refuse('--at must be like "bot bot/delivery.ts:31 after"'));
}

function refuse(why: string): never {
  console.error(`${why}\nUsage:\n${USAGE}`);
  process.exit(2);
}

if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const one = values.seed !== undefined;
if (one && (values.places || [values.seeds, values.from, values.lanes].some((value) => value !== undefined)))
  refuse("--seed runs one alone: it goes with --at, and with nothing else");
const first = one ? whole("seed") : whole("from", 1);
const last = one ? first : first + whole("seeds", 20) - 1;
const at = givenPlaces();
const tally = new Tally();
const started = performance.now();

await explore(tally, {
  seeds: Array.from({ length: last - first + 1 }, (_, nth) => first + nth),
  lanes: one ? 1 : whole("lanes", 2),
  at,
  places: values.places,
  mayGoOn: () => !isStopped,
  told: tell,
  broke,
});
// The rest is said by whoever stopped us.
if (isStopped) await new Promise(() => {});
summary();
process.exit(tally.failed.length === 0 && !isMissed ? 0 : 1);

function summary(prefix = "") {
  const [head, ...rest] = tally.lines((performance.now() - started) / 1000, values.places);
  console.log(`\n${prefix}${head}\n${rest.join("\n")}`);
}

function broke(seed: number, error: unknown) {
  // Its booth was taken away.
  if (isStopped) return;
  tally.seeds += 1;
  tally.failed.push(seed);
  console.log(`seed ${seed} could not be run: ${error instanceof Error ? error.stack : error}`);
}

function tell(report: Report, places: readonly Place[]) {
  const { plan, faults, ms } = report;
  const verdict = faults.length === 0 ? "ok" : "FAILED";
  const figures = `${plan.guests.length} guests, ${report.packs} packs, ${report.leads} leads, ${report.restarts} restarts, ${report.happened.length}/${plan.troubles.length} troubles`;
  const where = places.map((place) => ` --at "${nameOfPlace(place)}"`).join("");
  console.log(`seed ${plan.seed}${where} ${verdict} in ${(ms / 1000).toFixed(1)} s: ${figures}`);
  for (const name of one ? places.map(nameOfPlace) : []) {
    const died = report.sites.includes(name);
    if (!died) isMissed = true;
    console.log(`  ${name}: ${died ? "died there" : "nobody came there"}`);
  }
  if (faults.length === 0 && !one) return;
  for (const fault of faults) console.log(`  - ${fault}`);
  if (one) return console.log(storyOf(report));
  console.log(`  its plan, log and calls: ${keepStory(report)}`);
}
