/** The booth at this moment: who is where, what each slot does, what waits, and the machine around it. */
import type { Database } from "bun:sqlite";
import { lastBackupAt } from "../backup/list.ts";
import { type Budget, budgetOf, startOfDay } from "../budget.ts";
import type { Config } from "../config.ts";
import { diskFree } from "../files.ts";
import { allHeartbeats, type Heartbeat, POLL } from "../heartbeats.ts";
import { allKiosks, eventIsOn, type Kiosk } from "../kiosks.ts";
import { outboxState } from "../leads/outbox.ts";
import { type Maintenance, maintenance } from "../settings.ts";
import type { JobStatus, Lang, SessionStatus } from "../status.ts";
import { type Today, todayOf } from "./today.ts";

/** So many are named; beside them their number is told. */
const VISITS_SHOWN = 50;
/** More than wait on any evening: what is said of all of them counts them all. */
const MAX_JOBS = 1000;

/** Between Start and the photo. */
const waitingStatuses = ["created", "linked", "consented", "template_chosen"] as const satisfies SessionStatus[];
type WaitingStatus = (typeof waitingStatuses)[number];
const WAITING = `status IN (${waitingStatuses.map((status) => `'${status}'`).join(", ")})`;

export type Visit = {
  status: WaitingStatus;
  kiosk: string | null;
  name: string | null;
  problem: string | null;
  since: number;
};
export type ActiveJob = {
  id: number;
  status: JobStatus;
  owner: string | null;
  attempt: number;
  name: string | null;
  template: string;
  /** The step that is being done: the first one without a result. */
  step: "selfie" | "draw" | "check" | "cut" | "pack" | "delivery";
  created_at: number;
  updated_at: number;
  not_before: number;
  /** While it is made: claims that no worker ended in its own words. In delivery: tries that were in vain. */
  strikes: number;
  /** Rounds in which every artist failed. */
  rounds: number;
  /** Tries to create its set that Telegram left open. */
  telegram_tries: number;
};

export type Now = {
  at: number;
  maintenance: Maintenance | null;
  /** Some of them, the latest first. */
  visits: Visit[];
  /** All of them, by how far they are. */
  visiting: Record<WaitingStatus, number>;
  jobs: ActiveJob[];
  counts: { queued: number; running: number; delivering: number };
  oldestQueuedMs: number | null;
  poll: Heartbeat | null;
  loops: Heartbeat[];
  outbox: {
    notices: number;
    oldestNoticeMs: number | null;
    /** How often the least lucky of them was tried in vain. */
    noticeTries: number;
    leads: number;
    oldestLeadMs: number | null;
  };
  /** Photos from chats that could not be fetched at the first try. */
  stuckPhotos: number;
  kiosks: Kiosk[];
  eventIsOn: boolean;
  budget: Budget;
  today: Today;
  /** The latest pack of today that stands as failed. */
  lastFailed: { id: number; name: string | null; problem: string | null } | null;
  diskFreeBytes: number | null;
  lastBackupAt: number | null;
  /** When the database got its first visit: a new booth need not have a backup yet. */
  firstVisitAt: number | null;
};

export type NowConfig = Pick<Config, "DATA_DIR" | "TZ_NAME" | "DAY_STARTS_HOUR" | "DAILY_BUDGET_USD" | "TEAM_LANG">;

/** @param lang of the outfits' titles */
export function nowOf(db: Database, config: NowConfig, now: number, lang: Lang = config.TEAM_LANG): Now {
  const beats = allHeartbeats(db);
  const leads = outboxState(db, now);
  const queue = db
    .query(
      `SELECT sum(status = 'queued') AS queued, sum(status = 'running') AS running, sum(status = 'delivering') AS delivering,
         min(CASE status WHEN 'queued' THEN created_at END) AS oldest
       FROM jobs WHERE status IN ('queued', 'running', 'delivering')`,
    )
    .get() as { queued: number | null; running: number | null; delivering: number | null; oldest: number | null };
  const notices = db
    .query("SELECT count(*) AS n, min(created_at) AS oldest, max(tries) AS tries FROM notices WHERE sent_at IS NULL")
    .get() as { n: number; oldest: number | null; tries: number | null };
  const age = (at: number | null) => (at === null ? null : Math.max(0, now - at));
  return {
    at: now,
    maintenance: maintenance(db),
    visits: openVisits(db),
    visiting: countVisits(db),
    jobs: activeJobs(db, lang),
    counts: { queued: queue.queued ?? 0, running: queue.running ?? 0, delivering: queue.delivering ?? 0 },
    oldestQueuedMs: age(queue.oldest),
    poll: beats.find((beat) => beat.loop === POLL) ?? null,
    loops: beats.filter((beat) => beat.loop !== POLL),
    outbox: {
      notices: notices.n,
      oldestNoticeMs: age(notices.oldest),
      noticeTries: notices.tries ?? 0,
      leads: leads.waiting,
      oldestLeadMs: leads.oldestMs,
    },
    stuckPhotos: (db.query("SELECT count(*) AS n FROM chat_photos WHERE tries > 0").get() as { n: number }).n,
    kiosks: allKiosks(db),
    eventIsOn: eventIsOn(db, now),
    budget: budgetOf(db, config, now),
    today: todayOf(db, config, now),
    lastFailed: lastFailed(db, startOfDay(now, config)),
    diskFreeBytes: diskFree(config.DATA_DIR),
    lastBackupAt: lastBackupAt(config.DATA_DIR),
    firstVisitAt: (db.query("SELECT min(created_at) AS at FROM sessions").get() as { at: number | null }).at,
  };
}

/** Guests between Start and the photo; whoever is still a mere code comes last. The plus keeps SQLite at the index of the few open visits. */
function openVisits(db: Database): Visit[] {
  return db
    .query(
      `SELECT s.status, s.kiosk, u.first_name AS name, s.problem, s.updated_at AS since FROM sessions s
       LEFT JOIN users u ON u.id = s.user_id
       WHERE s.${WAITING} ORDER BY s.status = 'created', +s.created_at DESC LIMIT ?`,
    )
    .all(VISITS_SHOWN) as Visit[];
}

function countVisits(db: Database): Now["visiting"] {
  const rows = db.query(`SELECT status, count(*) AS n FROM sessions WHERE ${WAITING} GROUP BY status`).all();
  const counted = new Map((rows as { status: WaitingStatus; n: number }[]).map(({ status, n }) => [status, n]));
  return Object.fromEntries(waitingStatuses.map((status) => [status, counted.get(status) ?? 0])) as Now["visiting"];
}

function activeJobs(db: Database, lang: Lang): ActiveJob[] {
  return db
    .query(
      `SELECT j.id, j.status, j.owner, j.attempt, u.first_name AS name, coalesce(t.title_${lang}, j.template_id) AS template,
         CASE WHEN j.status = 'delivering' THEN 'delivery' WHEN j.selfie_check IS NULL THEN 'selfie'
           WHEN j.sheet IS NULL THEN 'draw' WHEN j.sheet_check IS NULL THEN 'check'
           WHEN j.stickers IS NULL THEN 'cut' ELSE 'pack' END AS step,
         j.created_at, j.updated_at, j.not_before, j.strikes, j.rounds,
         (SELECT count(*) FROM steps s WHERE s.job_id = j.id AND s.name = 'pack'
           AND s.outcome IN ('telegram_busy', 'telegram_silent')) AS telegram_tries
       FROM jobs j LEFT JOIN users u ON u.id = j.user_id LEFT JOIN templates t ON t.id = j.template_id
       WHERE j.status IN ('queued', 'running', 'delivering') ORDER BY j.id LIMIT ?`,
    )
    .all(MAX_JOBS) as ActiveJob[];
}

function lastFailed(db: Database, since: number): Now["lastFailed"] {
  return db
    .query(
      `SELECT j.id, u.first_name AS name, j.problem FROM jobs j LEFT JOIN users u ON u.id = j.user_id
       WHERE j.status = 'failed' AND j.finished_at >= ? ORDER BY j.id DESC LIMIT 1`,
    )
    .get(since) as Now["lastFailed"];
}
