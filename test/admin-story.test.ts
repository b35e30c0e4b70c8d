/** A pack's story reads in the order in which it happened. */
import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { storyOf } from "../api/admin/story.ts";
import { jobStory } from "../shared/admin/jobs.ts";
import { noteStep } from "../shared/jobs.ts";
import { noteUsage, type Purpose } from "../shared/usage.ts";
import { freshDb, NOON, visitInQueue } from "./fresh.ts";

const call = (db: Database, purpose: Purpose, at: number, ms: number) =>
  noteUsage(db, {
    job_id: 1,
    provider: "gemini",
    model: "m",
    purpose,
    outcome: "ok",
    reason: null,
    input_tokens: 1,
    output_tokens: 1,
    images: 1,
    usd: 0.06,
    ms,
    at,
  });

test("a step that ends a pack within one millisecond stands before its end", () => {
  using fresh = freshDb();
  const { db } = fresh;
  visitInQueue(db, 7001, NOON);
  db.run(
    "INSERT INTO history (machine, subject, before, after, actor, at) VALUES ('jobs', '1', 'running', 'failed', 'w', ?)",
    [NOON + 5],
  );
  noteStep(db, { id: 1, attempt: 1 }, { name: "draw", outcome: "bad_sheet", at: NOON + 5, ms: 0 });
  const story = storyOf(jobStory(db, 1, "en"), "en");
  expect(story.slice(-2).map(({ what }) => what)).toEqual(["Drawing", "Failed"]);
});

test("a try that is like the one before reads like it, whichever way its milliseconds were rounded", () => {
  using fresh = freshDb();
  const { db } = fresh;
  visitInQueue(db, 7001, NOON);
  // A call that seems to begin before its step, one that takes no time at all, and one as they mostly are.
  for (const [attempt, at, drawMs, checkMs] of [
    [1, NOON + 100, 31, 5],
    [2, NOON + 200, 0, 0],
    [3, NOON + 300, 30, 4],
  ] as const) {
    const drawn = drawMs === 0 ? at : at + 30;
    call(db, "draw", drawn, drawMs);
    noteStep(db, { id: 1, attempt }, { name: "draw", outcome: "gemini", at, ms: drawMs });
    call(db, "sheet", drawn + checkMs, checkMs);
    noteStep(db, { id: 1, attempt }, { name: "check", outcome: "bad_sheet", at: drawn, ms: checkMs });
  }
  const whats = storyOf(jobStory(db, 1, "en"), "en")
    .filter(({ kind }) => kind === "step" || kind === "call")
    .map(({ what }) => what);
  expect(whats).toHaveLength(12);
  expect(whats.slice(4, 8)).toEqual(whats.slice(0, 4));
  expect(whats.slice(8)).toEqual(whats.slice(0, 4));
  expect(whats[0]).toBe("Drawing");
});

test("a call whose worker was killed, so that its step was never noted, keeps its own time", () => {
  using fresh = freshDb();
  const { db } = fresh;
  visitInQueue(db, 7001, NOON);
  call(db, "draw", NOON + 3000, 2000);
  noteStep(db, { id: 1, attempt: 2 }, { name: "draw", outcome: "gemini", at: NOON + 90_000, ms: 2000 });
  const told = storyOf(jobStory(db, 1, "en"), "en").filter(({ kind }) => kind === "step" || kind === "call");
  expect(told.map(({ kind, at }) => [kind, Date.parse(at) - NOON])).toEqual([
    ["call", 1000],
    ["step", 90_000],
  ]);
});
