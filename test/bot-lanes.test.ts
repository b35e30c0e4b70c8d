/** Lanes: side by side by key, one at a time within a key, drained at the stop. */
import { expect, test } from "bun:test";
import { Lanes } from "../bot/lanes.ts";
import { freshLog } from "./fresh.ts";

const turn = async () => {
  for (let i = 0; i < 3; i++) await new Promise((done) => setImmediate(done));
};

test("a key is worked on by one at a time, keys side by side, and each end asks for more", async () => {
  const { log } = freshLog();
  let more = 0;
  const lanes = new Lanes("test", log, () => more++);
  const doors = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const begun: number[] = [];
  const go = () =>
    lanes.start(
      [0, 1],
      (n) => n,
      async (n) => {
        begun.push(n);
        await doors[n]?.promise;
      },
    );
  go();
  await turn();
  go();
  await turn();
  expect([begun, lanes.busy]).toEqual([
    [0, 1],
    [0, 1],
  ]);
  doors[1]?.resolve();
  await turn();
  expect([more, lanes.busy]).toEqual([1, [0]]);
  go();
  await turn();
  expect(begun).toEqual([0, 1, 1]);
  doors[0]?.resolve();
  await turn();
  expect([more, lanes.busy]).toEqual([3, []]);
});

test("work that throws is logged, asks for nothing, and its key rests", async () => {
  const { log, lines } = freshLog();
  let more = 0;
  const lanes = new Lanes("test", log, () => more++);
  const fail = () =>
    lanes.start(
      [7],
      (n) => n,
      () => {
        throw new Error("poisoned");
      },
    );
  fail();
  await turn();
  fail();
  await turn();
  expect([more, lanes.busy]).toEqual([0, [7]]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ lane: "test", key: 7, err: "poisoned" }]);
  // A stop does not wait for the rest.
  await lanes.stop(60_000);
});

test("a stop waits for work in hand, tells it to end after the grace, and begins nothing more", async () => {
  const { log } = freshLog();
  const lanes = new Lanes("test", log, () => {});
  let told = false;
  const work = (_: number, signal: AbortSignal) =>
    new Promise<void>((done) =>
      signal.addEventListener("abort", () => {
        told = true;
        done();
      }),
    );
  lanes.start([1], (n) => n, work);
  await turn();
  await lanes.stop(1);
  expect(told).toBe(true);
  lanes.start([2], (n) => n, work);
  expect(lanes.busy).toEqual([]);
});
