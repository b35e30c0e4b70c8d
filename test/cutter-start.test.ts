/** A cutter that cannot start its thread for a moment: the sheet hears of it, and the next one is cut. */
import { afterAll, expect, test } from "bun:test";
import { closeCutter, cutOffThread } from "../bot/studio/cutter/off-thread.ts";
import { fixture } from "./world.ts";

afterAll(closeCutter);

test("sheets go on after a thread that could not be started", async () => {
  const RealWorker = globalThis.Worker;
  const sheet = fixture("sheet-3x3.png");
  const noThreads = class {
    constructor() {
      throw new TypeError("no more threads");
    }
  };
  Object.assign(globalThis, { Worker: noThreads });
  const both = await Promise.allSettled([cutOffThread(sheet, { count: 9 }), cutOffThread(sheet, { count: 9 })]);
  Object.assign(globalThis, { Worker: RealWorker });
  for (const one of both) expect(one).toMatchObject({ status: "rejected", reason: { code: "cutter_failed" } });
  expect((await cutOffThread(sheet, { count: 9 })).stickers).toHaveLength(9);
});
