/** Commits that nobody waits for: they are there at once, and what comes after them is as durable as ever. */
import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { transact } from "../shared/db.ts";
import { claimJob, jobById } from "../shared/jobs.ts";
import { relaxed } from "../shared/relaxed.ts";
import { putSetting } from "../shared/settings.ts";
import { freshDb, NOON, visitInQueue } from "./fresh.ts";

const FULL = 2;
const NORMAL = 1;
const level = (db: Database) => (db.query("PRAGMA synchronous").get() as { synchronous: number }).synchronous;

test("a relaxed commit does not wait for the disk; the next one does again, also after a throw", () => {
  using fresh = freshDb();
  const { db } = fresh;
  expect(level(db)).toBe(FULL);
  expect(relaxed(db, () => level(db))).toBe(NORMAL);
  expect(level(db)).toBe(FULL);
  const throwing = () =>
    relaxed(db, () => {
      putSetting(db, "half", 1, NOON);
      throw new Error("no");
    });
  expect(throwing).toThrow("no");
  expect(db.inTransaction).toBe(false);
  expect(db.query("SELECT 1 FROM settings WHERE name = 'half'").get()).toBeNull();
  expect(transact(db, () => level(db))).toBe(FULL);
});

test("inside a durable transaction nothing is relaxed, and who asked for less is not given more", () => {
  using fresh = freshDb();
  const { db } = fresh;
  expect(transact(db, () => relaxed(db, () => level(db)))).toBe(FULL);
  db.run("PRAGMA synchronous = OFF");
  expect(relaxed(db, () => level(db))).toBe(0);
  expect(level(db)).toBe(0);
});

test("a claim leaves the connection durable, and is seen by everybody at once", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const { jobId } = visitInQueue(db, 7);
  expect(claimJob(db, "1-test/1", NOON)?.id).toBe(jobId);
  expect(jobById(db, jobId)?.status).toBe("running");
  expect(level(db)).toBe(FULL);
});
