/** A few seeds of the crash explorer; `bun run chaos --seeds N` runs any number, `CHAOS_SEEDS=N` here too. */
import { afterAll, expect, test } from "bun:test";
import { Booth } from "./chaos/booth.ts";
import { checkHistory } from "./chaos/check-moves.ts";
import { explore, keepStory } from "./chaos/explore.ts";
import { planOf } from "./chaos/plan.ts";
import { nameOf } from "./chaos/plan-troubles.ts";
import { nameOfPlace, Tally } from "./chaos/tally.ts";
import { watchDatabase } from "./chaos/watch.ts";
import { freshDb, visitAtCamera } from "./fresh.ts";

const SEEDS = Math.max(1, Number(process.env.CHAOS_SEEDS ?? 6) || 6);
/** With it a death is ordered at each place of a commit to which one of the seeds came. */
const PLACES = process.env.CHAOS_PLACES === "1";
/** Some places are seldom come to again; far more are. */
const MOST_POINTS = 0.9;
/** More than places have taken; a few seeds come to few of them. */
const PLACE_RUNS = 300;
const LANES = 3;
const SEED_MS = 90_000;

afterAll(Booth.leave);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => void Booth.leave().then(() => process.exit(1)));

test("the same seed is the same plan, another one another", () => {
  expect(planOf(4711)).toEqual(planOf(4711));
  expect(planOf(4711)).not.toEqual(planOf(4712));
});

test("plans have every kind of trouble", () => {
  const kinds = Array.from({ length: 200 }, (_, nth) => planOf(nth + 1).troubles.map(nameOf)).flat();
  const plain =
    "kill term pause clock lock disk hang deadline reset html truncate delayMs executeThenLose redeliver migrate skew relieve out noPage noArtist";
  const points = ["killAtCall before", "killAtCall after", "killAtCommit before", "killAtCommit after"];
  for (const kind of [...plain.split(" "), ...points, "answer 500", "answer 429", "artist refused", "artist forbidden"])
    expect(kinds).toContain(kind);
});

test("plans have all that is done at the page, and days and years that pass", () => {
  const plans = Array.from({ length: 200 }, (_, nth) => planOf(nth + 1));
  const deeds = "budget halls kiosk lead look outfit settings spent stranger tryout";
  expect([...new Set(plans.flatMap(({ office }) => office.map(({ what }) => what)))].sort().join(" ")).toBe(deeds);
  expect(new Set(plans.map(({ after }) => after?.comes))).toEqual(new Set([undefined, "day", "years"]));
});

test("whatever comes first finds a guest and a lead, and now and then there is a crowd", () => {
  const plans = Array.from({ length: 200 }, (_, nth) => planOf(nth + 1));
  for (const { guests, leads } of plans) expect([guests[0]?.comesWith, leads[0]?.comesWith]).toEqual([0, 0]);
  expect(plans.filter(({ guests, leads }) => guests.length >= 16 && leads.length >= 16)).toHaveLength(10);
});

test("the checker sees a move that is not allowed, one that no history tells, and a row that vanished", () => {
  using fresh = freshDb();
  const { db } = fresh;
  watchDatabase(db);
  const booth: Pick<Booth, "rows"> = { rows: (sql, ...values) => db.query(sql).all(...values) };
  const token = visitAtCamera(db, 7001, Date.now());
  expect(checkHistory(booth)).toEqual([]);
  db.query("UPDATE sessions SET status = 'done' WHERE token = ?").run(token);
  expect(checkHistory(booth)).toEqual([
    `sessions ${token} went template_chosen → done, which is no allowed move`,
    expect.stringContaining("its history says"),
  ]);
  db.query("UPDATE sessions SET status = 'template_chosen' WHERE token = ?").run(token);
  // It stands where its history says, and still did not go that way.
  expect(checkHistory(booth)).toHaveLength(3);
  db.query("DELETE FROM sessions WHERE token = ?").run(token);
  expect(checkHistory(booth)).toContain(`sessions ${token} was deleted at template_chosen`);
});

test(
  `nothing is lost and nothing made twice, whatever dies when (${SEEDS} seeds${PLACES ? ", and each place of a commit" : ""})`,
  async () => {
    const found: string[] = [];
    const started = performance.now();
    const tally = new Tally();
    await explore(tally, {
      seeds: Array.from({ length: SEEDS }, (_, nth) => nth + 1),
      lanes: LANES,
      places: PLACES,
      told: (report, places) => {
        const { faults, plan } = report;
        if (faults.length > 0) console.log(`seed ${plan.seed}, its plan, log and calls: ${keepStory(report)}`);
        const at = places.map((place) => ` --at "${nameOfPlace(place)}"`).join("");
        found.push(...faults.map((fault) => `bun run chaos --seed ${plan.seed}${at}: ${fault}`));
      },
      broke: (seed, error) => found.push(`seed ${seed} could not be run: ${error}`),
    });
    console.log(tally.lines((performance.now() - started) / 1000, PLACES).join("\n"));
    expect(found).toEqual([]);
    if (PLACES) expect(tally.points.reached / tally.points.all).toBeGreaterThan(SEEDS < 100 ? 0.5 : MOST_POINTS);
  },
  (SEEDS + (PLACES ? PLACE_RUNS : 0)) * SEED_MS,
);
