/** The cutting step when the cutter itself dies, and when the job has become another's: what was paid for stays. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Api } from "grammy";
import type { BotContext } from "../bot/context.ts";
import { createArtists } from "../bot/studio/artists.ts";
import { closeCutter } from "../bot/studio/cutter/off-thread.ts";
import { type Bench, steps } from "../bot/studio/steps.ts";
import { sessionDir, writeWhole } from "../shared/files.ts";
import { claimJob, keepResult, LeaseLost } from "../shared/jobs.ts";
import { type Fresh, freshConfig, freshDb, freshLog, NOON, visitInQueue } from "./fresh.ts";
import { fixture } from "./world.ts";

const cut = steps.find((step) => step.name === "cut");

/** A claimed job whose sheet was drawn and found good. */
function aboutToCut({ db, dataDir }: Fresh) {
  const { log } = freshLog();
  const config = freshConfig({ DATA_DIR: dataDir });
  const api = new Api(config.BOT_TOKEN);
  const context: BotContext = { db, config, log, now: () => NOON, api, slowApi: api, wake: () => {} };
  const stopping = new AbortController().signal;
  const bench: Bench = { context, artists: createArtists([]), signal: stopping, stopping };
  const { token } = visitInQueue(db, 1);
  const folder = sessionDir(dataDir, token);
  writeWhole(join(folder, "sheet-1-1.png"), fixture("sheet-3x3.png"));
  const claimed = claimJob(db, "1-x/1", NOON);
  if (!claimed || !cut) throw new Error("nothing to cut");
  const verdict = JSON.stringify({ usable: true, problem: "none", stickers: [] });
  const job = keepResult(db, claimed, { sheet: "sheet-1-1.png", sheet_check: verdict, draws: 1 }, NOON);
  return { cut, bench, job, folder };
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
