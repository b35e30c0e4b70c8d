/** The cutting step when the cutter itself dies: the sheet was paid for, and is not thrown away at once. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Api } from "grammy";
import type { BotContext } from "../bot/context.ts";
import { createArtists } from "../bot/studio/artists.ts";
import { closeCutter } from "../bot/studio/cutter/off-thread.ts";
import { type Bench, steps } from "../bot/studio/steps.ts";
import { sessionDir, writeWhole } from "../shared/files.ts";
import { claimJob, keepResult } from "../shared/jobs.ts";
import { freshConfig, freshDb, freshLog, NOON, visitInQueue } from "./fresh.ts";
import { fixture } from "./world.ts";

const cut = steps.find((step) => step.name === "cut");

test("a cutter that dies once: the same sheet is cut again; twice: it is drawn again", async () => {
  using fresh = freshDb();
  const { db, dataDir } = fresh;
  const { log } = freshLog();
  const config = freshConfig({ DATA_DIR: dataDir });
  const api = new Api(config.BOT_TOKEN);
  const context: BotContext = { db, config, log, now: () => NOON, api, slowApi: api, wake: () => {} };
  const stopping = new AbortController().signal;
  const bench: Bench = { context, artists: createArtists([]), signal: stopping, stopping };
  const { token } = visitInQueue(db, 1);
  const sheet = join(sessionDir(dataDir, token), "sheet-1-1.png");
  writeWhole(sheet, fixture("sheet-3x3.png"));
  const claimed = claimJob(db, "1-x/1", NOON);
  if (!claimed || !cut) throw new Error("nothing to cut");
  const verdict = JSON.stringify({ usable: true, problem: "none", stickers: [] });
  const job = keepResult(db, claimed, { sheet: "sheet-1-1.png", sheet_check: verdict, draws: 1 }, NOON);

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
