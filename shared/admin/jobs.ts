/** Packs as operators look at them: the list, and one with everything that happened to it. */
import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { audit } from "../audit.ts";
import { conditions } from "../conditions.ts";
import { transact } from "../db.ts";
import { sessionDir } from "../files.ts";
import { type Job, jobById } from "../jobs.ts";
import { failJob, retryJob } from "../outcomes.ts";
import { type Pack, packOf } from "../packs.ts";
import { Refusal, type Say } from "../refusal.ts";
import { type HistoryRow, historyOf, type JobStatus, jobMachine, type Lang, sessionMachine } from "../status.ts";
import { templateById, titleOf } from "../templates.ts";
import { team } from "../texts/operators/index.ts";
import { userById } from "../users.ts";

export const PAGE = 50;

export type JobRow = Pick<
  Job,
  | "id"
  | "status"
  | "problem"
  | "attempt"
  | "lang"
  | "template_id"
  | "sheet_by"
  | "created_at"
  | "started_at"
  | "finished_at"
> & {
  name: string | null;
  template: string | null;
  kiosk: string | null;
  pack: string | null;
  usd: number;
  /** When its photo's time was over; without it there is no other try. */
  files_removed_at: number | null;
};

export type JobFilter = {
  status?: JobStatus;
  /** A pack's number, or the beginning of a guest's name in any case. */
  search?: string;
  /** Only older ones: the last row's id of the page before. */
  before?: number;
  /** Of the outfits' titles; English when it does not matter. */
  lang?: Lang;
};

/** The newest first, a page at a time. */
export function listJobs(db: Database, { status, search, before, lang = "en" }: JobFilter): JobRow[] {
  const number = search !== undefined && /^#?\d+$/.test(search) ? Number(search.replace("#", "")) : undefined;
  const called = search && number === undefined ? JSON.stringify(guestsCalled(db, search)) : undefined;
  const { where, values } = conditions([
    ["j.status = ?", status],
    ["j.id < ?", before],
    ["j.id = ?", number],
    ["j.user_id IN (SELECT value FROM json_each(?))", called],
  ]);
  return db
    .query(
      `SELECT j.id, j.status, j.problem, j.attempt, j.lang, j.template_id, j.sheet_by, j.created_at, j.started_at,
         j.finished_at, j.files_removed_at, u.first_name AS name, t.title_${lang} AS template, s.kiosk,
         (SELECT p.name FROM packs p WHERE p.job_id = j.id AND p.created_at IS NOT NULL AND p.deleted_at IS NULL) AS pack,
         (SELECT coalesce(sum(a.usd), 0) FROM ai_usage a WHERE a.job_id = j.id) AS usd
       FROM jobs j JOIN sessions s ON s.token = j.session_token LEFT JOIN users u ON u.id = j.user_id
       LEFT JOIN templates t ON t.id = j.template_id ${where} ORDER BY j.id DESC LIMIT ${PAGE}`,
    )
    .all(...values) as JobRow[];
}

/** SQLite folds the case of ASCII alone, and guests are called Артём too. */
function guestsCalled(db: Database, name: string): number[] {
  const wanted = name.trim().toLocaleLowerCase();
  const users = db.query("SELECT id, first_name AS name FROM users").all() as { id: number; name: string }[];
  return users.filter((user) => user.name.toLocaleLowerCase().startsWith(wanted)).map((user) => user.id);
}

export type StepRow = { name: string; outcome: string; attempt: number; at: number; ms: number };
export type CallRow = {
  provider: string;
  model: string;
  purpose: string;
  outcome: string;
  reason: string | null;
  images: number;
  usd: number;
  ms: number;
  at: number;
};

export type JobStory = {
  job: Job;
  row: JobRow;
  visit: HistoryRow[];
  moves: HistoryRow[];
  steps: StepRow[];
  calls: CallRow[];
  pack: Pack | null;
};

/** @throws AppError `not_found` */
export function jobStory(db: Database, id: number, lang: Lang): JobStory {
  const job = jobById(db, id);
  const [row] = listJobs(db, { search: String(id), lang });
  if (!job || !row) throw new Refusal("not_found", (t) => t.noPack(id));
  return {
    job,
    row,
    visit: historyOf(db, sessionMachine, job.session_token),
    moves: historyOf(db, jobMachine, id),
    steps: db
      .query("SELECT name, outcome, attempt, at, ms FROM steps WHERE job_id = ? ORDER BY id")
      .all(id) as StepRow[],
    calls: db
      .query(
        "SELECT provider, model, purpose, outcome, reason, images, usd, ms, at FROM ai_usage WHERE job_id = ? ORDER BY id",
      )
      .all(id) as CallRow[],
    pack: packOf(db, id),
  };
}

/** A pack as alerts name it: its number, whose it is, and where that guest stood. Plain text. */
export function inWords(
  db: Database,
  job: Pick<Job, "id" | "session_token" | "user_id" | "template_id">,
  lang: Lang,
): string {
  const texts = team(lang).alerts;
  const { kiosk } = db.query("SELECT kiosk FROM sessions WHERE token = ?").get(job.session_token) as {
    kiosk: string | null;
  };
  const guest = job.user_id === null ? null : userById(db, job.user_id)?.first_name;
  const outfit = templateById(db, job.template_id);
  const parts = [guest, outfit && titleOf(outfit, lang), kiosk && texts.kiosk(kiosk)];
  return texts.pack(
    job.id,
    parts.filter((part): part is string => Boolean(part)),
  );
}

/** What an operator's word did to a pack, or why it did nothing. */
export type Word = { done: true } | { done: false; why: Say };

/** Gives a failed pack another try, as long as its photo is there. */
export function retryByOperator(db: Database, dataDir: string, id: number, actor: string, now: number): Word {
  return transact(db, () => {
    const job = jobById(db, id);
    if (!job) return { done: false, why: (t) => t.noPack(id) };
    if (job.status === "failed" && !existsSync(join(sessionDir(dataDir, job.session_token), job.selfie)))
      return { done: false, why: (t) => t.photoGone(id) };
    if (!retryJob(db, id, actor, now)) return { done: false, why: (t) => t.notFailed(id, job.status) };
    audit(db, {
      actor,
      action: "retry",
      target: `pack ${id}`,
      before: { status: job.status, problem: job.problem },
      after: { status: "queued" },
      now,
    });
    return { done: true };
  });
}

/** Stops a pack that has not ended; its guest is told. */
export function cancelByOperator(db: Database, id: number, actor: string, now: number): Word {
  return transact(db, () => {
    const job = jobById(db, id);
    if (!job) return { done: false, why: (t) => t.noPack(id) };
    if (!failJob(db, job, "cancelled", actor, now)) return { done: false, why: (t) => t.notStoppable(id, job.status) };
    audit(db, {
      actor,
      action: "cancel",
      target: `pack ${id}`,
      before: { status: job.status },
      after: { status: "cancelled" },
      now,
    });
    return { done: true };
  });
}
