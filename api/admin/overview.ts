/** `GET /admin/api/overview`: the booth at this moment, with one sentence that says how it is. */
import { type ActiveJob, type Now, nowOf } from "../../shared/admin/now.ts";
import { triesOf } from "../../shared/admin/pack-problems.ts";
import { type Problem, problemsOf } from "../../shared/admin/problems.ts";
import { waitingOf } from "../../shared/admin/waiting.ts";
import type { Budget } from "../../shared/budget.ts";
import type { Config } from "../../shared/config.ts";
import { isLate } from "../../shared/heartbeats.ts";
import { hasCameraTrouble, isSilent, type Kiosk } from "../../shared/kiosks.ts";
import type { Lang } from "../../shared/status.ts";
import { team } from "../../shared/texts/operators/index.ts";
import { iso, isoOrNull } from "../../shared/time.ts";
import type { ApiContext } from "../context.ts";

/** As many packs in the making are listed; all are counted. */
const JOBS_SHOWN = 100;

const seconds = (ms: number) => Math.max(0, Math.round(ms / 1000));
const secondsOrNull = (ms: number | null) => (ms === null ? null : seconds(ms));

export function overviewOf({ db, config, now, version }: ApiContext, lang: Lang) {
  const state = nowOf(db, config, now(), lang);
  const problems = problemsOf(state, config, lang);
  const { at, today, budget, outbox } = state;
  return {
    at: iso(at),
    version,
    /** The event's clock, whatever the browser's own is set to. */
    timezone: config.TZ_NAME,
    /** The team's language: what the page begins with. */
    lang: config.TEAM_LANG,
    verdict: verdictOf(state, problems, lang),
    problems: problems.map(({ ending: _, parts: __, ...problem }) => problem),
    maintenance: state.maintenance && { ...state.maintenance, since: iso(state.maintenance.since) },
    /** All who are at a kiosk, by how far they are; `guests` are some of them. */
    visiting: state.visiting,
    guests: state.visits.map((visit) => ({ ...visit, since: iso(visit.since), seconds: seconds(at - visit.since) })),
    queue: {
      ...state.counts,
      oldest_seconds: secondsOrNull(state.oldestQueuedMs),
      jobs: state.jobs.slice(0, JOBS_SHOWN).map((job) => ({
        id: job.id,
        status: job.status,
        attempt: job.attempt,
        name: job.name,
        template: job.template,
        step: job.step,
        waiting: waitingView(job, state, config, lang),
        created_at: iso(job.created_at),
        updated_at: iso(job.updated_at),
        not_before: iso(job.not_before),
        seconds: seconds(at - job.created_at),
      })),
    },
    slots: slotsOf(state),
    bot: {
      last_poll_at: isoOrNull(state.poll?.last_ok_at ?? null),
      loops: state.loops.map((beat) => ({
        name: beat.loop,
        last_ok_at: isoOrNull(beat.last_ok_at),
        late: isLate(beat, at),
        failures: beat.failures,
        error: beat.failures > 0 ? beat.last_error : null,
      })),
    },
    outbox: {
      notices: outbox.notices,
      oldest_notice_seconds: secondsOrNull(outbox.oldestNoticeMs),
      leads: outbox.leads,
      oldest_lead_seconds: secondsOrNull(outbox.oldestLeadMs),
    },
    disk_free_bytes: state.diskFreeBytes,
    last_backup_at: isoOrNull(state.lastBackupAt),
    kiosks: state.kiosks.map((kiosk) => kioskView(kiosk, at)),
    today: {
      day: today.day,
      since: iso(today.since),
      packs: today.packs,
      failed: today.failed,
      cancelled: today.cancelled,
      retakes: today.retakes,
      visits: today.visits,
      guests: today.guests,
      median_seconds: today.medianSeconds,
      hours: today.hours.map(({ at: hour, packs, failed, medianSeconds }) => ({
        at: iso(hour),
        packs,
        failed,
        median_seconds: medianSeconds,
      })),
    },
    budget: budgetView(budget, config),
  };
}

function waitingView(job: ActiveJob, state: Now, config: Config, lang: Lang) {
  const waiting = waitingOf(job, state, config);
  if (!waiting) return null;
  const { for: what, attempt, nextAt } = waiting;
  return { for: what, attempt, next_at: isoOrNull(nextAt), words: triesOf(waiting, state.at, lang) };
}

/** Dollars; a limit of 0 is none. `usual_usd` is what the settings say, whatever holds for today. */
export const budgetView = ({ limit, spent, share, held, raisedBy }: Budget, { DAILY_BUDGET_USD }: Config) => ({
  limit_usd: limit,
  usual_usd: DAILY_BUDGET_USD,
  spent_usd: spent,
  share,
  held,
  raised_by: raisedBy,
});

export function kioskView(kiosk: Kiosk, at: number) {
  const flag = (value: number | null) => (value === null ? null : value === 1);
  return {
    id: kiosk.id,
    version: kiosk.version,
    screen: kiosk.screen,
    camera: kiosk.camera,
    camera_ok: !hasCameraTrouble(kiosk),
    battery: kiosk.battery,
    charging: flag(kiosk.charging),
    wake_lock: flag(kiosk.wake_lock),
    last_seen_at: iso(kiosk.seen_at),
    silent: isSilent(kiosk, at),
    seconds: seconds(at - kiosk.seen_at),
  };
}

/** The one sentence on top. */
function verdictOf({ today, visits, counts, kiosks }: Now, problems: Problem[], lang: Lang) {
  const [worst] = problems;
  if (worst) return { level: worst.level, cause: worst.cause, what: worst.what, todo: worst.todo };
  const busy = visits.length + counts.queued + counts.running + counts.delivering;
  const texts = team(lang).booth;
  if (today.packs === 0 && kiosks.length === 0) return { level: "green", cause: "none", ...texts.noKioskYet };
  return {
    level: "green",
    cause: "none",
    what: today.packs === 0 ? texts.ready : texts.served(today.served),
    todo: busy === 0 ? texts.nobody : texts.nothingToDo,
  };
}

/** What each slot of the bot does; owners are named `<process>/<slot>`. */
function slotsOf({ loops, jobs, at }: Now) {
  return loops
    .filter((beat) => beat.loop.startsWith("worker-"))
    .map((beat) => {
      const slot = Number(beat.loop.slice("worker-".length));
      const job = jobs.find(({ status, owner }) => status === "running" && owner?.endsWith(`/${slot}`));
      return {
        slot,
        late: isLate(beat, at),
        job: job ? { id: job.id, step: job.step, name: job.name, seconds: seconds(at - job.created_at) } : null,
      };
    })
    .sort((a, b) => a.slot - b.slot);
}
