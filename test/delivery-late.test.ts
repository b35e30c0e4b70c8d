/** Deliveries that go otherwise: ended by another one meanwhile, or cut short in the midst of telling the operators. */
import { expect, mock, spyOn, test } from "bun:test";
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

/** While a delivery sleeps its job fails, an operator tries again, and the next try has come as far as its own delivery. */
function tryAgain({ context: { db }, jobId, job }: ReturnType<typeof handedOver>): string {
  failJob(db, job(), "pack_refused", "another", NOON);
  retryJob(db, jobId, "operator:1", NOON);
  const again = claimJob(db, "1-y/1", NOON) as Job;
  const { name } = decidePack(db, again, "a_bot", "T", 4, NOON);
  packCreated(db, name, "second", NOON);
  handToDelivery(db, again, NOON);
  return name;
}

/** An answer that is not heard before its asker wakes. */
type Slowly = <T>(answer: () => T) => () => Promise<T>;
const gone = () => {
  throw absent();
};
const sleeps: Record<string, (booth: ReturnType<typeof handedOver>, slowly: Slowly) => void> = {
  "at the page, and hears that it shows the old set": ({ context, name }, slowly) => {
    packCreated(context.db, name, "first", NOON);
    const page = slowly(() => new Response(`<a href="tg://addstickers?set=${name}">`));
    spyOn(globalThis, "fetch").mockImplementation(page as unknown as typeof fetch);
  },
  "and hears that a dead worker's set never came": ({ context, api, jobId }, slowly) => {
    context.db.query("UPDATE jobs SET strikes = 99 WHERE id = ?").run(jobId);
    api.getStickerSet = slowly(gone);
  },
  "and hears that the old set is gone": ({ context, api, name }, slowly) => {
    packCreated(context.db, name, "first", NOON - HOUR_MS);
    api.getStickerSet = slowly(gone);
  },
  "and hears that Telegram has the old set": ({ context, api, name }, slowly) => {
    packCreated(context.db, name, "first", NOON - HOUR_MS);
    api.getStickerSet = slowly(() => ({ name, title: "T", sticker_type: "regular" as const, stickers: [] }));
  },
};

test.each(Object.keys(sleeps))("a delivery sleeps %s: nothing of it is the new try's", async (where) => {
  using booth = handedOver();
  const { context, api, name, job, pack } = booth;
  const asked = Promise.withResolvers<void>();
  const wakes = Promise.withResolvers<void>();
  const said: unknown[] = [];
  api.sendMessage = async (...words) => said.push(words) as never;
  sleeps[where]?.(booth, (answer) => async () => {
    asked.resolve();
    await wakes.promise;
    return answer();
  });
  const delivered = booth.deliver();
  await asked.promise;
  const newName = tryAgain(booth);
  const before = [job(), pack()];
  wakes.resolve();
  await delivered;
  mock.restore();
  expect([job(), pack()]).toEqual(before);
  expect(pack()).toMatchObject({ name: newName, visible_at: null, deleted_at: null });
  expect([said, booth.discarded()]).toEqual([[], [name]]);
  expect(
    context.db.query("SELECT count(*) AS n FROM history WHERE after = 'failed' AND machine = 'jobs'").get(),
  ).toEqual({
    n: 1,
  });
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
