/** A visit is shown whole: not as it was before a commit of the bot's, with its place in the queue after it. */
import { expect, test } from "bun:test";
import { sessionView } from "../api/session-view.ts";
import { claimJob, handToDelivery, type Job, jobById } from "../shared/jobs.ts";
import { finishJob } from "../shared/outcomes.ts";
import { findSession, type Session, takePhoto } from "../shared/sessions.ts";
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
