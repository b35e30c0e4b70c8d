/** A pack's story reads in the order in which it happened. */
import { expect, test } from "bun:test";
import { storyOf } from "../api/admin/story.ts";
import { jobStory } from "../shared/admin/jobs.ts";
import { noteStep } from "../shared/jobs.ts";
import { freshDb, NOON, visitInQueue } from "./fresh.ts";

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
