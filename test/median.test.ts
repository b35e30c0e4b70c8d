/** "Usually": one true median for all, and no operator's nap in it. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { todayOf } from "../shared/admin/today.ts";
import { eraseGuest } from "../shared/erase.ts";
import { claimJob, handToDelivery, type Job } from "../shared/jobs.ts";
import { median } from "../shared/median.ts";
import { failJob, finishJob, retryJob } from "../shared/outcomes.ts";
import { usualJobMs } from "../shared/queue.ts";
import { freshConfig, freshDb, NOON, visitInQueue } from "./fresh.ts";

const SECOND = 1_000;
const config = freshConfig();

test("the middle one, or the mean of the two middle ones", () => {
  expect(median([])).toBeNull();
  expect(median([7])).toBe(7);
  expect(median([40, 20])).toBe(30);
  expect(median([30, 10, 20])).toBe(20);
  expect(median([1, 100, 2, 3])).toBe(2.5);
  const given = [3, 1, 2];
  median(given);
  expect(given).toEqual([3, 1, 2]);
});

test("a guest who got three packs is one guest, also once erased", () => {
  using fresh = freshDb();
  const { db, dataDir } = fresh;
  for (const [minute, guest] of [7001, 7001, 7001, 7002].entries()) {
    visitInQueue(db, guest, NOON + minute);
    const job = claimJob(db, "me", NOON + minute) as Job;
    handToDelivery(db, job, NOON + minute);
    finishJob(db, job, NOON + minute);
  }
  const { packs, served } = todayOf(db, config, NOON + SECOND);
  expect([packs, served]).toEqual([4, 2]);
  eraseGuest(db, dataDir, 7002, false, NOON + SECOND);
  expect(todayOf(db, config, NOON + SECOND).served).toBe(2);
});

test("a pack that an operator tried again counts as a pack, and its wait for nobody's", () => {
  using fresh = freshDb();
  const { db } = fresh;
  let guest = 7000;
  const begin = () => {
    const { jobId } = visitInQueue(db, ++guest, NOON);
    const job = claimJob(db, "me", NOON);
    if (job?.id !== jobId) throw new Error("another job was claimed");
    return job;
  };
  const finish = (afterS: number, job: NonNullable<ReturnType<typeof claimJob>>) => {
    handToDelivery(db, job, NOON + afterS * SECOND);
    finishJob(db, job, NOON + afterS * SECOND);
  };
  finish(20, begin());
  finish(40, begin());
  const failed = begin();
  failJob(db, failed, "bad_sheet", "me", NOON + 50 * SECOND);
  retryJob(db, failed.id, "operator:1", NOON + 3000 * SECOND);
  const again = claimJob(db, "me", NOON + 3000 * SECOND);
  if (!again) throw new Error("nothing to claim");
  finish(3030, again);

  const today = todayOf(db, config, NOON + 3100 * SECOND);
  expect(today).toMatchObject({ packs: 3, failed: 0, medianSeconds: 30 });
  expect(today.hours.at(-1)).toMatchObject({ packs: 3, medianSeconds: 30 });
  expect(usualJobMs(db)).toBe(30 * SECOND);
});

test("nobody else computes one", () => {
  const root = join(import.meta.dir, "..");
  const files = ["api", "bot", "shared"].flatMap((folder) =>
    (readdirSync(join(root, folder), { recursive: true }) as string[])
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(folder, name)),
  );
  const own = /length \/ 2|length >> 1|percentile_|ntile\(/;
  // Medians of pixels are the cutter's and the artists' own.
  const wrong = files.filter(
    (file) => !file.startsWith("bot/studio/") && own.test(readFileSync(join(root, file), "utf8")),
  );
  expect(wrong).toEqual(["shared/median.ts"]);
});
