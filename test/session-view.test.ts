/** A visit is shown whole: not as it was before a commit of the bot's, with its place in the queue after it. */
import { expect, test } from "bun:test";
import { sessionView } from "../api/session-view.ts";
import { claimJob, handToDelivery, type Job, jobById } from "../shared/jobs.ts";
import { failJob, finishJob, retryJob } from "../shared/outcomes.ts";
import { placeOf } from "../shared/queue.ts";
import { findSession, type Session, takePhoto } from "../shared/sessions.ts";
import { photoTaken, speak } from "../shared/texts/index.ts";
import { freshConfig, freshDb, NOON, visitAtCamera, visitInQueue } from "./fresh.ts";

const read = (db: ReturnType<typeof freshDb>["db"], token: string) => findSession(db, token, NOON) as Session;
const shown = (db: ReturnType<typeof freshDb>["db"], session: Session) => {
  const context = { db, config: freshConfig({ BOT_USERNAME: "a_bot" }), now: () => NOON };
  const { status, queue_position, eta_seconds } = sessionView(context, session);
  return { status, queue_position, hasEta: eta_seconds !== null };
};

test("the pack is delivered between the two looks", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const { token, jobId } = visitInQueue(db, 1);
  const before = read(db, token);
  expect(shown(db, before)).toEqual({ status: "photo_taken", queue_position: 1, hasEta: true });
  handToDelivery(db, claimJob(db, "1-x/1", NOON) as Job, NOON);
  finishJob(db, jobById(db, jobId) as Job, NOON);
  expect(shown(db, before)).toEqual({ status: "done", queue_position: null, hasEta: false });
});

test("the photo is taken between the two looks", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const token = visitAtCamera(db, 1);
  const before = read(db, token);
  expect(shown(db, before)).toEqual({ status: "template_chosen", queue_position: null, hasEta: false });
  takePhoto(db, { token, sha256: "x", file: "selfie.jpg", actor: "kiosk", now: NOON });
  expect(shown(db, before)).toEqual({ status: "photo_taken", queue_position: 1, hasEta: true });
});

test("the time left counts down from when the pack is begun, also by another try, and never to nothing", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const { token, jobId } = visitInQueue(db, 1);
  const leftAt = (now: number) => placeOf(db, read(db, token), 2, now);
  expect(leftAt(NOON + 60_000)).toEqual({ position: 1, etaSeconds: 90 });
  const job = claimJob(db, "1-x/1", NOON + 60_000) as Job;
  expect(leftAt(NOON + 60_000)).toEqual({ position: 0, etaSeconds: 45 });
  expect(leftAt(NOON + 70_000)).toEqual({ position: 0, etaSeconds: 35 });
  expect(leftAt(NOON + 600_000)).toEqual({ position: 0, etaSeconds: 1 });
  failJob(db, job, "providers_down", "worker", NOON + 600_000);
  retryJob(db, jobId, "operator:1", NOON + 700_000);
  claimJob(db, "1-x/1", NOON + 700_000);
  expect(leftAt(NOON + 701_000)).toEqual({ position: 0, etaSeconds: 44 });
});

test("a guest with many ahead is told how long it takes, as the kiosk says it", () => {
  const { taken, takenQueued } = speak("en").photo;
  expect([null, 1, 119].map((seconds) => photoTaken("en", seconds))).toEqual([taken, taken, taken]);
  expect([120, 780].map((seconds) => photoTaken("en", seconds))).toEqual([takenQueued(2), takenQueued(13)]);
});
