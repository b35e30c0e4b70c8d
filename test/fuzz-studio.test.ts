/** A pack in the making, whatever its artists answer: it comes to an end, and keeps no more than it may on the way. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { Api } from "grammy";
import sharp from "sharp";
import type { BotContext } from "../bot/context.ts";
import { createArtists } from "../bot/studio/artists.ts";
import { closeCutter, cutOffThread } from "../bot/studio/cutter/off-thread.ts";
import { type Provider, type Reply, selfieProblems, sheetProblems } from "../bot/studio/providers/provider.ts";
import { type Bench, type Left, MAX_DRAWS, steps } from "../bot/studio/steps.ts";
import { removeDebugSheets, removeSessionFiles, sessionDir, writeWhole } from "../shared/files.ts";
import { claimJob } from "../shared/jobs.ts";
import { freshConfig, freshDb, freshLog, NOON, TOKEN, visitInQueue } from "./fresh.ts";
import { added, attack, grown, holdingsOf, inTime } from "./fuzz-judge.ts";
import { encoded, sheets } from "./fuzz-sheets.ts";
import { damaged, FUZZ_MS, text } from "./fuzz-tools.ts";
import { fixture } from "./world.ts";

setDefaultTimeout(FUZZ_MS);

const STICKERS = 4;
const fresh = freshDb();
const { db, dataDir } = fresh;
db.run("PRAGMA synchronous = OFF");
afterAll(() => {
  closeCutter();
  fresh[Symbol.dispose]();
});

const context: BotContext = {
  db,
  config: freshConfig({ DATA_DIR: dataDir, STICKERS_PER_PACK: String(STICKERS) }),
  log: freshLog("error").log,
  now: () => NOON,
  api: new Api(TOKEN),
  slowApi: new Api(TOKEN),
  wake: () => {},
};
const holdings = holdingsOf(db, dataDir);
/** Lives as long as the process, as a loop's does: what is left there stays. */
const { signal: stopping } = new AbortController();

const spent = { inputTokens: 1, outputTokens: 1, images: 1 };
/** What an artist says: mostly this, now and then one of the other outcomes. It never asks for a rest that is waited for. */
const reply = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Reply<T>> =>
  fc.oneof(
    { weight: 6, arbitrary: value.map((value): Reply<T> => ({ model: "m", spent, outcome: "ok", value })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom("refused", "empty", "overloaded", "broken"), text)
        .map(([outcome, reason]): Reply<T> => ({ model: "m", spent, outcome, reason, retryAfterMs: 3_600_000 })),
    },
  );
const usable = fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) });
const selfieReply = reply(fc.record({ usable, faces: fc.nat(5), problem: fc.constantFrom(...selfieProblems) }));
const cells = fc.array(fc.record({ cell: fc.integer({ min: 1, max: 64 }), emoji: fc.array(text, { maxLength: 20 }) }));
const sheetReply = reply(fc.record({ usable, problem: fc.constantFrom(...sheetProblems), stickers: cells }));

/** Gives these answers in turn, over and over. */
function artistOf(answers: { [K in "selfie" | "sheet" | "draw"]: Reply<never>[] }) {
  let calls = 0;
  const next = async (kind: keyof typeof answers) => answers[kind][calls++ % answers[kind].length] as Reply<never>;
  const artist: Provider = {
    name: "gemini",
    checkSelfie: () => next("selfie"),
    checkSheet: () => next("sheet"),
    drawSheet: () => next("draw"),
  };
  return { artist, calls: () => calls };
}

test("whatever the artists answer, a pack ends, and leaves three rejected sheets at most", async () => {
  const good = await sheets();
  const [selfie] = await encoded(sharp(fixture("selfie.jpg")).resize(140));
  const sheet = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...good) },
    { weight: 2, arbitrary: damaged(good) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }) },
  );
  const answers = fc.record({
    selfie: fc.array(selfieReply, { minLength: 1, maxLength: 2 }),
    sheet: fc.array(sheetReply, { minLength: 1, maxLength: 4 }),
    draw: fc.array(reply(sheet), { minLength: 1, maxLength: 4 }),
  });
  const ends: Record<string, number> = {};
  let guest = 5000;
  // The cutter's thread is started and its code read before a clock runs.
  await cutOffThread(good[0] as Uint8Array, { count: STICKERS });
  await attack(
    fc.asyncProperty(answers, async (given) => {
      const { token } = visitInQueue(db, ++guest);
      writeWhole(join(sessionDir(dataDir, token), "selfie.jpg"), selfie as Uint8Array);
      const job = claimJob(db, "fuzz", NOON);
      if (!job) throw new Error("no job");
      const { artist, calls } = artistOf(given as Parameters<typeof artistOf>[0]);
      const signal = AbortSignal.any([stopping, new AbortController().signal]);
      const before = holdings();
      const left = await walk({ context, artists: createArtists([artist]), signal, stopping }, job);
      const after = holdings();
      ends[left] = (ends[left] ?? 0) + 1;

      // Each call has its bill; the operators hear once of an artist whose key is wrong.
      const { ai_usage, alerts = 0, notices = 0, settings = 0, ...others } = grown(before, after);
      expect({ ai_usage, others }).toEqual({ ai_usage: calls(), others: {} });
      expect(Math.max(alerts, notices, settings)).toBeLessThanOrEqual(1);

      const own = new RegExp(
        `^sessions/${token}/(sheet-${job.id}-[123]\\.(png|jpg|webp)|sticker-${job.id}-\\d\\d\\.(png|webp))$`,
      );
      const rejected = new RegExp(`^debug_sheets/job-${job.id}-[a-z0-9-]*draw-[123]\\.img$`);
      const kept = added(before, after);
      expect(kept.filter((file) => !own.test(file) && !rejected.test(file))).toEqual([]);
      expect(kept.filter((file) => rejected.test(file)).length).toBeLessThanOrEqual(MAX_DRAWS);
      expect(kept.filter((file) => own.test(file)).length).toBeLessThanOrEqual(1 + STICKERS);

      // As their time to live does: what is listed each time stays short.
      removeSessionFiles(dataDir, token);
      removeDebugSheets(dataDir, job.id);
    }),
    120,
  );
  // The answers led everywhere.
  expect(Object.keys(ends).sort()).toEqual(["bad_sheet", "cut", "pause", "refused", "retake"]);
});

/** As a worker's slot does, without its clock. @returns how the pack left the studio */
async function walk(bench: Bench, claimed: Parameters<(typeof steps)[number]["run"]>[1]): Promise<string> {
  let job = claimed;
  // A check of the selfie, and for each sheet its drawing, its check and its cut; then the word that three were enough.
  const most = 1 + 3 * MAX_DRAWS + 1;
  for (let taken = 0; taken < most; taken++) {
    const step = steps.find((one) => !one.done(job));
    if (!step) return "cut";
    const left: Left = await inTime(step.name, () => step.run(bench, job));
    if (left.kind !== "kept") return left.kind === "fail" ? left.problem : left.kind;
    job = left.job;
  }
  throw new Error("it goes round and round");
}
