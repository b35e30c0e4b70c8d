/** A delivery that comes too late: another one has ended the job while this one waited for Telegram's answer. */
import { expect, test } from "bun:test";
import { Api, GrammyError } from "grammy";
import type { BotContext } from "../bot/context.ts";
import { deliverDue } from "../bot/delivery.ts";
import { Lanes } from "../bot/lanes.ts";
import { claimJob, handToDelivery, type Job, jobById } from "../shared/jobs.ts";
import { finishJob } from "../shared/outcomes.ts";
import { decidePack, packCreated, packOf } from "../shared/packs.ts";
import { freshConfig, freshDb, freshLog, NOON, visitInQueue } from "./fresh.ts";

const absent = () =>
  new GrammyError(
    "no",
    { ok: false, error_code: 400, description: "Bad Request: STICKERSET_INVALID" },
    "getStickerSet",
    {},
  );

/** Telegram has been asked in vain for the set of a job whose workers died; now it is asked for the last time. */
async function asked(meanwhile: (job: Job, context: BotContext) => void) {
  using fresh = freshDb();
  const { db, dataDir } = fresh;
  const { log } = freshLog();
  const api = new Api("1:x");
  const context = {
    db,
    config: freshConfig({ DATA_DIR: dataDir }),
    log,
    now: () => NOON,
    api,
    slowApi: api,
    wake: () => {},
  } satisfies BotContext;
  const { jobId } = visitInQueue(db, 7001);
  const job = claimJob(db, "1-x/1", NOON) as Job;
  decidePack(db, job, "a_bot", "T", 4, NOON);
  handToDelivery(db, job, NOON);
  db.query("UPDATE jobs SET strikes = 99 WHERE id = ?").run(jobId);
  api.getStickerSet = async () => {
    meanwhile(jobById(db, jobId) as Job, context);
    throw absent();
  };
  const ended = Promise.withResolvers<void>();
  const packs = new Lanes("packs", log, ended.resolve);
  deliverDue(context, packs);
  await ended.promise;
  const again = (db.query("SELECT delete_again_at AS at FROM packs").get() as { at: number | null }).at;
  return { status: jobById(db, jobId)?.status, again, pack: packOf(db, jobId) };
}

test("a set that never came: the job fails, and should it come all the same it is deleted", async () => {
  const { status, again } = await asked(() => {});
  expect(status).toBe("failed");
  expect(again).toBeGreaterThan(NOON);
});

test("a set that another delivery has found meanwhile is its guest's, and is not deleted", async () => {
  const { status, again, pack } = await asked((job, { db }) => {
    packCreated(db, job.id, "first", NOON);
    finishJob(db, job, NOON);
  });
  expect(status).toBe("done");
  expect(again).toBeNull();
  expect(pack?.deleted_at).toBeNull();
});
