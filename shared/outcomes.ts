/** How a job ends for everybody at once: the job, its visit and the guest's message move in one transaction. */
import type { Database } from "bun:sqlite";
import { transact } from "./db.ts";
import { endJob, type Hand, type Job, jobById, LeaseLost } from "./jobs.ts";
import { notify } from "./notices.ts";
import { discardUnknownSetOf, replacePackOf, withdrawPackOf } from "./packs.ts";
import { relaxed } from "./relaxed.ts";
import { askRetake, endSession, type Ttl } from "./sessions.ts";
import { jobMachine, move, sessionMachine } from "./status.ts";
import { speak } from "./texts/index.ts";

/** Problems of a selfie as the vision check names them; the guest may try again. */
export const retakeProblems = ["no_face", "many_faces", "too_dark", "blurred", "face_hidden", "not_a_photo"] as const;
export type RetakeProblem = (typeof retakeProblems)[number];

/** Why a job failed, in the database's words; every one has a sentence for the guest. */
export const failProblems = [
  "refused",
  "bad_sheet",
  "providers_down",
  "worker_died",
  "pack_refused",
  "photo_gone",
  "cancelled",
] as const;
export type FailProblem = (typeof failProblems)[number];

/** The selfie cannot be used: the visit goes back to the camera and the guest reads why. @throws LeaseLost */
export function refuseSelfie(db: Database, job: Job, problem: RetakeProblem, ttl: Ttl, now: number) {
  transact(db, () => {
    if (!endJob(db, job, "cancelled", { problem, actor: job.owner ?? "worker", now, hand: "worker" }))
      throw new LeaseLost(job);
    askRetake(db, job.session_token, problem, ttl, now);
    if (job.user_id)
      notify(db, { chatId: job.user_id, text: speak(job.lang).retake[problem], once: `retake:${job.id}`, now });
  });
}

/** The job cannot be finished: the visit fails and the guest is told, once. @returns whether it failed now */
export function failJob(
  db: Database,
  job: Job,
  problem: FailProblem,
  actor: string,
  now: number,
  hand?: Hand,
): boolean {
  return transact(db, () => {
    const to = problem === "cancelled" ? "cancelled" : "failed";
    if (!endJob(db, job, to, { problem, actor, now, hand })) return false;
    endSession(db, job.session_token, "failed", problem, actor, now);
    if (job.user_id) {
      notify(db, {
        chatId: job.user_id,
        text: speak(job.lang).failed[problem],
        // One that failed and was stopped before its next attempt has ended twice.
        once: `failed:${job.id}:${job.attempt}:${problem}`,
        now,
      });
    }
    // After the guest's message: while a chat's call waits for Telegram, all that comes after it waits too.
    if (to === "cancelled") withdrawPackOf(db, job, now);
    else discardUnknownSetOf(db, job.id, now);
    return true;
  });
}

/** The guest has the pack, which its own row says already. @returns whether it ended now */
export function finishJob(db: Database, job: Job, now: number): boolean {
  return relaxed(db, () => {
    if (!endJob(db, job, "done", { actor: "delivery", now, hand: "delivery" })) return false;
    endSession(db, job.session_token, "done", null, "delivery", now);
    return true;
  });
}

/** An operator gives a failed job another chance; it goes on from the last finished step. @returns whether it did */
export function retryJob(db: Database, id: number, actor: string, now: number): boolean {
  return transact(db, () => {
    const moved = move(db, jobMachine, id, "failed", "queued", {
      now,
      actor,
      set: { problem: null, finished_at: null, not_before: now, strikes: 0, rounds: 0, draws: 0 },
    });
    const job = moved ? jobById(db, id) : null;
    if (!job) return false;
    replacePackOf(db, id, now);
    move(db, sessionMachine, job.session_token, "failed", "photo_taken", { now, actor, set: { problem: null } });
    return true;
  });
}
