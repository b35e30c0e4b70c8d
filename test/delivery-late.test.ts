/** Deliveries that go otherwise: ended by another one meanwhile, or cut short in the midst of telling the operators. */
import { expect, spyOn, test } from "bun:test";
import { Api, GrammyError } from "grammy";
import type { BotContext } from "../bot/context.ts";
import { deliverDue } from "../bot/delivery.ts";
import { Lanes } from "../bot/lanes.ts";
import { claimJob, handToDelivery, type Job, jobById } from "../shared/jobs.ts";
import { failJob, finishJob, retryJob } from "../shared/outcomes.ts";
import { decidePack, packCreated, packOf, packVisible } from "../shared/packs.ts";
import { freshConfig, freshDb, freshLog, NOON, visitInQueue } from "./fresh.ts";

const refusal = (description: string) =>
  new GrammyError("no", { ok: false, error_code: 400, description }, "getStickerSet", {});
const absent = () => refusal("Bad Request: STICKERSET_INVALID");
const HOUR_MS = 3_600_000;

/** A job that was just handed to the delivery, and a delivery that is run by hand. */
function handedOver() {
  const fresh = freshDb();
  const { db, dataDir } = fresh;
  const { log } = freshLog();
  const api = new Api("1:x");
  // Nobody listens there: no page ever shows its pack.
  const config = freshConfig({ DATA_DIR: dataDir, TELEGRAM_WEB_ROOT: "http://127.0.0.1:1" });
  const context = { db, config, log, now: () => NOON, api, slowApi: api, wake: () => {} } satisfies BotContext;
  const { jobId } = visitInQueue(db, 7001);
  const job = claimJob(db, "1-x/1", NOON) as Job;
  const { name } = decidePack(db, job, "a_bot", "T", 4, NOON);
  handToDelivery(db, job, NOON);
  const deliver = async () => {
    const packs = new Lanes("packs", log, () => {});
    deliverDue(context, packs);
    await packs.stop(HOUR_MS);
  };
  return {
    context,
    api,
    jobId,
    name,
    deliver,
    job: () => jobById(db, jobId) as Job,
    pack: () => packOf(db, jobId),
    discarded: () => db.query("SELECT name FROM discarded_sets").values().flat(),
    alerts: () => db.query("SELECT payload FROM notices WHERE chat_id = ?").values(config.ADMIN_CHAT_ID).flat(),
    /** As if the process died whenever it comes to this. */
    dieAt: (what: "INSERT ON alerts" | "UPDATE OF link_sent_at ON packs") =>
      db.run(`CREATE TRIGGER died BEFORE ${what} BEGIN SELECT RAISE(ABORT, 'died'); END`),
    liveOn: () => db.run("DROP TRIGGER died"),
    [Symbol.dispose]: () => fresh[Symbol.dispose](),
  };
}

/** Telegram has been asked in vain for the set of a job whose workers died; now it is asked for the last time. */
async function asked(meanwhile: (booth: ReturnType<typeof handedOver>) => void) {
  using booth = handedOver();
  const { context, api, jobId, name, job, pack } = booth;
  context.db.query("UPDATE jobs SET strikes = 99 WHERE id = ?").run(jobId);
  api.getStickerSet = async () => {
    meanwhile(booth);
    throw absent();
  };
  await booth.deliver();
  return { status: job().status, pack: pack(), isDiscarded: booth.discarded().includes(name) };
}

test("a set that never came: the job fails, and should it come all the same it is deleted", async () => {
  const { status, isDiscarded } = await asked(() => {});
  expect([status, isDiscarded]).toEqual(["failed", true]);
});

test("a set that another delivery has found meanwhile is its guest's, and is not deleted", async () => {
  const { status, pack, isDiscarded } = await asked(({ context: { db }, name, job }) => {
    packCreated(db, name, "first", NOON);
    finishJob(db, job(), NOON);
  });
  expect([status, isDiscarded]).toEqual(["done", false]);
  expect(pack?.deleted_at).toBeNull();
});

test("a set that is gone before its guest saw it: the job fails together with its alert, which offers another try", async () => {
  using booth = handedOver();
  const { context, api, jobId, name, job, pack, alerts } = booth;
  packCreated(context.db, name, "first", NOON - HOUR_MS);
  api.getStickerSet = () => Promise.reject(absent());
  booth.dieAt("INSERT ON alerts");
  await booth.deliver();
  expect([job().status, alerts()]).toEqual(["delivering", []]);
  booth.liveOn();
  await booth.deliver();
  expect(job()).toMatchObject({ status: "failed", problem: "pack_refused" });
  expect(alerts()).toEqual([expect.stringContaining(`op:retry:${jobId}`)]);
  // Nobody is offered it under /packs.
  expect(pack()?.deleted_at).toBe(NOON);
});

test("a delivery that has slept while its job failed and was tried again notes nothing of the new set", async () => {
  using booth = handedOver();
  const { context, jobId, name, job, pack } = booth;
  const { db } = context;
  packCreated(db, name, "first", NOON);
  const page = Promise.withResolvers<Response>();
  const asked = Promise.withResolvers<void>();
  using _ = spyOn(globalThis, "fetch").mockImplementation((() => {
    asked.resolve();
    return page.promise;
  }) as unknown as typeof fetch);
  const delivered = booth.deliver();
  await asked.promise;
  failJob(db, job(), "pack_refused", "another", NOON);
  retryJob(db, jobId, "operator:1", NOON);
  const again = claimJob(db, "1-y/1", NOON) as Job;
  const { name: newName } = decidePack(db, again, "a_bot", "T", 4, NOON);
  expect(newName).not.toBe(name);
  page.resolve(new Response(`<a href="tg://addstickers?set=${name}">`));
  await delivered;
  expect(pack()).toMatchObject({ name: newName, page_seen: 0, visible_at: null });
  expect(job().status).toBe("running");
  expect(booth.discarded()).toEqual([name]);
});

test("a link that Telegram refuses is let go together with its alert", async () => {
  using booth = handedOver();
  const { context, api, name, job, pack, alerts } = booth;
  packCreated(context.db, name, "first", NOON);
  packVisible(context.db, name, NOON);
  api.sendMessage = () => Promise.reject(refusal("Bad Request: can't parse entities"));
  const sticker = Promise.withResolvers<never>();
  api.sendSticker = () => sticker.promise;
  booth.dieAt("UPDATE OF link_sent_at ON packs");
  await booth.deliver();
  expect([pack()?.link_sent_at, alerts()]).toEqual([null, []]);
  booth.liveOn();
  sticker.reject(refusal("Bad Request: can't parse entities"));
  await booth.deliver();
  expect(pack()).toMatchObject({ link_sent_at: NOON, sticker_sent_at: NOON });
  expect(job().status).toBe("done");
  expect(alerts()).toHaveLength(2);
});
