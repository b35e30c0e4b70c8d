/** Steps by themselves: a cutter that dies, a job that has become another's or nobody's while its step was under way. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Api } from "grammy";
import type { BotContext } from "../bot/context.ts";
import { createArtists } from "../bot/studio/artists.ts";
import { closeCutter } from "../bot/studio/cutter/off-thread.ts";
import type { Provider } from "../bot/studio/providers/provider.ts";
import { type Bench, type Step, steps } from "../bot/studio/steps.ts";
import { eraseGuest } from "../shared/erase.ts";
import { sessionDir, writeWhole } from "../shared/files.ts";
import { claimJob, type Job, keepResult, LeaseLost } from "../shared/jobs.ts";
import { type Fresh, freshConfig, freshDb, freshLog, NOON, visitInQueue } from "./fresh.ts";
import { fixture } from "./world.ts";

/** A claimed job with its selfie, and a bench without artists. */
function claimedJob({ db, dataDir }: Fresh) {
  const { log } = freshLog();
  const config = freshConfig({ DATA_DIR: dataDir });
  const api = new Api(config.BOT_TOKEN);
  const context: BotContext = { db, config, log, now: () => NOON, api, slowApi: api, wake: () => {} };
  const stopping = new AbortController().signal;
  const bench: Bench = { context, artists: createArtists([]), signal: stopping, stopping };
  const { token } = visitInQueue(db, 1);
  const folder = sessionDir(dataDir, token);
  const job = claimJob(db, "1-x/1", NOON) as Job;
  writeWhole(join(folder, job.selfie), fixture("selfie.jpg"));
  return { bench, job, folder };
}

const nothing = { inputTokens: 0, outputTokens: 0, images: 0 };
const stepNamed = (name: string) => steps.find((step) => step.name === name) as Step;

/** One whose sheet was drawn and found good. */
function aboutToCut(fresh: Fresh) {
  const claimed = claimedJob(fresh);
  writeWhole(join(claimed.folder, "sheet-1-1.png"), fixture("sheet-3x3.png"));
  const verdict = JSON.stringify({ usable: true, problem: "none", stickers: [] });
  const job = keepResult(fresh.db, claimed.job, { sheet: "sheet-1-1.png", sheet_check: verdict, draws: 1 }, NOON);
  return { ...claimed, job, cut: stepNamed("cut") };
}

test("a cutter that dies once: the same sheet is cut again; twice: it is drawn again", async () => {
  using fresh = freshDb();
  const { cut, bench, job, folder } = aboutToCut(fresh);
  const sheet = join(folder, "sheet-1-1.png");

  /** Runs the step and stops the cutter in the middle of it. */
  const interrupted = async (strikes: number) => {
    const running = cut.run(bench, { ...job, strikes });
    let ended = false;
    const end = () => {
      ended = true;
    };
    void running.then(end, end);
    while (!ended) {
      closeCutter();
      await new Promise((done) => setImmediate(done));
    }
    return running;
  };
  await expect(interrupted(1)).rejects.toMatchObject({ code: "cutter_failed" });
  expect(existsSync(sheet)).toBe(true);
  const again = await cut.run(bench, job);
  expect(again).toMatchObject({ kind: "kept", outcome: "ok" });
  expect(await interrupted(2)).toMatchObject({ kind: "kept", outcome: "cutter_failed", job: { sheet: null } });
  expect(existsSync(sheet)).toBe(false);
  closeCutter();
});

test("stickers of a job that has become another's are not written over those of the other", async () => {
  using fresh = freshDb();
  const { cut, bench, job, folder } = aboutToCut(fresh);
  const other = new TextEncoder().encode("the other one's sticker");
  const running = cut.run(bench, job);
  fresh.db.query("UPDATE jobs SET attempt = attempt + 1 WHERE id = ?").run(job.id);
  const names = ["png", "webp"].map((type) => join(folder, `sticker-${job.id}-01.${type}`));
  for (const name of names) writeWhole(name, other);
  await expect(running).rejects.toBeInstanceOf(LeaseLost);
  for (const name of names) expect(new Uint8Array(readFileSync(name))).toEqual(other);
  closeCutter();
});

for (const isErased of [true, false]) {
  test(`a sheet that comes ${isErased ? "after its guest was erased is not" : "for a job on its way is"} written`, async () => {
    using fresh = freshDb();
    const { bench, job, folder } = claimedJob(fresh);
    const reply = { outcome: "ok", value: fixture("sheet-3x3.png"), model: "x", spent: nothing } as const;
    const artist = {
      name: "gemini",
      drawSheet: async () => {
        if (isErased) eraseGuest(fresh.db, fresh.dataDir, 1, false, NOON);
        return reply;
      },
    } as unknown as Provider;
    const run = stepNamed("draw").run({ ...bench, artists: createArtists([artist]) }, { ...job, selfie_check: "{}" });
    if (isErased) await expect(run).rejects.toBeInstanceOf(LeaseLost);
    else expect(await run).toMatchObject({ kind: "kept" });
    // Whoever dies before it tidies up leaves nothing behind.
    expect(existsSync(join(folder, `sheet-${job.id}-1.png`))).toBe(!isErased);
  });
}

test("a verdict on a selfie that contradicts itself sends it back, which costs nothing", async () => {
  using fresh = freshDb();
  const { bench, job } = claimedJob(fresh);
  const value = { usable: true, faces: 1, problem: "blurred" };
  const checkSelfie = async () => ({ outcome: "ok", value, model: "x", spent: nothing }) as const;
  const artists = createArtists([{ name: "gemini", checkSelfie } as unknown as Provider]);
  expect(await stepNamed("selfie").run({ ...bench, artists }, job)).toEqual({ kind: "retake", problem: "blurred" });
});

test("a sheet that cannot be stored is on the bill all the same", async () => {
  using fresh = freshDb();
  const { bench, job, folder } = claimedJob(fresh);
  const drawSheet = async () => {
    // As if the disk were full: nothing can be written where the sheet belongs.
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "");
    return { outcome: "ok", value: fixture("sheet-3x3.png"), model: "x", spent: nothing } as const;
  };
  const artists = createArtists([{ name: "gemini", drawSheet } as unknown as Provider]);
  const run = stepNamed("draw").run({ ...bench, artists }, { ...job, selfie_check: "{}" });
  await expect(run).rejects.toThrow();
  expect(fresh.db.query("SELECT purpose, outcome FROM ai_usage").all()).toEqual([{ purpose: "draw", outcome: "ok" }]);
});

test("a sheet of another format that came first is the one that the job goes on with", async () => {
  using fresh = freshDb();
  const { bench, job, folder } = claimedJob(fresh);
  const first = `sheet-${job.id}-1.jpg`;
  const drawSheet = async () => {
    writeWhole(join(folder, first), fixture("selfie.jpg"));
    return { outcome: "ok", value: fixture("sheet-3x3.png"), model: "x", spent: nothing } as const;
  };
  const artists = createArtists([{ name: "gemini", drawSheet } as unknown as Provider]);
  const left = await stepNamed("draw").run({ ...bench, artists }, { ...job, selfie_check: "{}" });
  expect(left).toMatchObject({ kind: "kept", job: { sheet: first } });
  expect(existsSync(join(folder, `sheet-${job.id}-1.png`))).toBe(false);
});
