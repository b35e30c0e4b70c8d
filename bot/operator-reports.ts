/** Answers to the operators' commands, in the team's language. HTML, short enough for one message each. */
import { costsOf } from "../shared/admin/costs.ts";
import { type JobRow, listJobs } from "../shared/admin/jobs.ts";
import { type ActiveJob, type Now, nowOf } from "../shared/admin/now.ts";
import { triesOf } from "../shared/admin/pack-problems.ts";
import { type Problem, problemsOf } from "../shared/admin/problems.ts";
import { openButton, pauseButton, type Saying } from "../shared/admin/said.ts";
import { todayOf } from "../shared/admin/today.ts";
import { funnelOf } from "../shared/admin/visits.ts";
import { isFailing, waitingOf } from "../shared/admin/waiting.ts";
import { age, dollars, wordsOf } from "../shared/admin/words.ts";
import { withoutDirections } from "../shared/alerts.ts";
import type { Config } from "../shared/config.ts";
import { isSilent } from "../shared/kiosks.ts";
import type { Lang } from "../shared/status.ts";
import { escapeHtml } from "../shared/texts/index.ts";
import { team } from "../shared/texts/operators/index.ts";
import type { WaitsFor } from "../shared/texts/operators/types.ts";
import { localTime } from "../shared/time.ts";
import type { BotContext } from "./context.ts";
import { oneLine } from "./visitor-text.ts";

const JOBS_LISTED = 15;
const FAILED_LISTED = 10;
const PROBLEMS_LISTED = 6;
const KIOSKS_LISTED = 12;
const NAME_LENGTH = 40;
/** Telegram refuses longer messages than 4096; a report that does not arrive is worse than one without its last lines. */
const REPORT_LENGTH = 4000;
const COST_DAYS = 7;

type Booth = Pick<BotContext, "db" | "config" | "now">;
export type Report = Saying;

const name = (guest: string | null, lang: Lang) =>
  guest === null ? team(lang).booth.guest : oneLine(guest, NAME_LENGTH);

/** Whole lines, as many as one message takes: each closes the markup that it opens. */
function bounded(lines: readonly string[]): string {
  let length = 0;
  const fitting = lines.filter((line) => {
    length += line.length + 1;
    return length <= REPORT_LENGTH;
  });
  return [...fitting, ...(fitting.length < lines.length ? ["…"] : [])].join("\n");
}

/** A line for those that have none. */
const moreThan = (listed: number, all: number, lang: Lang): string[] =>
  all > listed ? [team(lang).chat.jobs.more(all - listed)] : [];

/** `/status` */
export function statusReport({ db, config, now }: Booth): Report {
  const state = nowOf(db, config, now());
  const problems = problemsOf(state, config);
  const lines = [
    head(problems, state, config.TEAM_LANG),
    ...problems.slice(1, PROBLEMS_LISTED).map(problemLine),
    ...moreThan(PROBLEMS_LISTED, problems.length, config.TEAM_LANG),
    "",
    ...figures(state, config.TEAM_LANG),
  ];
  return { text: bounded(lines), buttons: [[state.maintenance ? openButton(config) : pauseButton(config)]] };
}

function head(problems: Problem[], { today }: Now, lang: Lang): string {
  const [worst] = problems;
  if (worst) return problemLine(worst);
  const { well, ready, served } = team(lang).chat.status;
  return `🟢 <b>${well}</b> ${today.packs === 0 ? ready : served(today.served)}`;
}

const problemLine = ({ level, what, todo }: Problem) =>
  `${level === "red" ? "🔴" : "🟠"} <b>${escapeHtml(withoutDirections(what))}</b> ${escapeHtml(todo)}`;

function figures(
  { visiting, counts, oldestQueuedMs, jobs, kiosks, budget, today, outbox, at }: Now,
  lang: Lang,
): string[] {
  const texts = team(lang).chat.status;
  const waits = oldestQueuedMs === null ? null : age(oldestQueuedMs, lang);
  const busy = jobs.filter(({ status }) => status === "running");
  const kiosk = (id: string, silent: boolean, ms: number) =>
    `${silent ? "⚪️" : "🟢"} ${escapeHtml(id)} (${age(ms, lang)})`;
  const list = kiosks.slice(0, KIOSKS_LISTED).map((each) => kiosk(each.id, isSilent(each, at), at - each.seen_at));
  list.push(...moreThan(KIOSKS_LISTED, kiosks.length, lang));
  return [
    texts.atKiosk(Object.values(visiting).reduce((sum, n) => sum + n, 0)),
    texts.queue(counts.queued, waits, counts.running, counts.delivering),
    ...busy.map((job) => `   ${texts.pack(job.id, name(job.name, lang), job.step, age(at - job.created_at, lang))}`),
    texts.today(today.packs, today.failed, today.medianSeconds),
    texts.money(dollars(budget.spent, lang), budget.limit > 0 ? dollars(budget.limit, lang) : null),
    ...(kiosks.length > 0 ? [texts.kiosks(list.join(", "))] : []),
    ...(outbox.leads > 0 ? [texts.leads(outbox.leads)] : []),
  ];
}

/** `/jobs`: what is being made, and what failed today. */
export function jobsReport({ db, config, now }: Booth): Report {
  const lang = config.TEAM_LANG;
  const texts = team(lang).chat.jobs;
  const state = nowOf(db, config, now());
  const { jobs, counts, today } = state;
  const failed = listJobs(db, { status: "failed" })
    .filter((job) => (job.finished_at ?? 0) >= today.since)
    .slice(0, FAILED_LISTED);
  const all = counts.queued + counts.running + counts.delivering;
  const lines = [
    all === 0 ? texts.none : texts.made(all),
    ...jobs.slice(0, JOBS_LISTED).map((job) => activeLine(job, state, config)),
    ...moreThan(JOBS_LISTED, all, lang),
    ...(failed.length > 0 ? ["", texts.failed, ...failed.map((job) => failedLine(job, lang))] : []),
    ...(failed.length > 0 ? moreThan(failed.length, today.failed, lang) : []),
  ];
  return { text: bounded(lines) };
}

function activeLine(job: ActiveJob, state: Now, config: Config): string {
  const { id, name: guest, template, status, created_at } = job;
  const lang = config.TEAM_LANG;
  const parts = [
    id,
    name(guest, lang),
    escapeHtml(template),
    doing(job, state, config),
    age(state.at - created_at, lang),
  ];
  return `${status === "queued" ? "⏳" : "🎨"} ${parts.join(" · ")}`;
}

/** The step that it is at, or what it waits for when that fails. */
function doing(job: ActiveJob, state: Now, config: Config): string {
  const lang = config.TEAM_LANG;
  const { waits, waitsFor, steps } = team(lang).chat.jobs;
  const waiting = waitingOf(job, state, config);
  if (waiting && isFailing(job, waiting, state.at))
    return `${waitsFor[waiting.for as WaitsFor]}, ${triesOf(waiting, state.at, lang)}`;
  return job.status === "queued" ? waits : steps[job.step];
}

const failedLine = ({ id, name: guest, problem }: JobRow, lang: Lang) =>
  `❌ ${id} · ${name(guest, lang)} · ${escapeHtml(wordsOf(problem, lang)?.what ?? "")} · /retry_${id}`;

/** `/stats`: the event's day. */
export function statsReport({ db, config, now }: Booth): Report {
  const texts = team(config.TEAM_LANG).chat.stats;
  const today = todayOf(db, config, now());
  const { stages } = funnelOf(db, config, now());
  const first = stages[0]?.visits ?? 0;
  const best = today.hours.reduce((a, b) => (b.packs > a.packs ? b : a));
  const share = (visits: number) => ` (${Math.round((visits / first) * 100)} %)`;
  const lines = [
    texts.day(today.day, config.DAY_STARTS_HOUR),
    `🎁 ${texts.packs(today.packs, today.medianSeconds)}`,
    `❌ ${texts.ended(today.failed, today.cancelled, today.retakes)}`,
    `🙂 ${texts.guests(today.guests, today.visits)}`,
    ...(best.packs > 0 ? [`🔝 ${texts.busiest(localTime(best.at, config.TZ_NAME).hour, best.packs)}`] : []),
    "",
    ...stages.map(
      ({ stage, visits }) => `${texts.stages[stage](visits)}${first > 0 && stage !== "started" ? share(visits) : ""}`,
    ),
  ];
  return { text: bounded(lines) };
}

/** `/costs`: today, and the week. */
export function costsReport({ db, config, now }: Booth): Report {
  const lang = config.TEAM_LANG;
  const texts = team(lang).chat.costs;
  const { budget } = nowOf(db, config, now());
  const { days, total } = costsOf(db, config, COST_DAYS, now());
  const today = days.at(-1);
  const limit =
    budget.limit > 0 ? texts.of(dollars(budget.limit, lang), Math.floor(budget.share * 100)) : texts.noLimit;
  const lines = [
    `${texts.today(dollars(budget.spent, lang))}${limit}`,
    ...(today?.perPack ? [texts.perPack(dollars(today.perPack, lang))] : []),
    ...(today?.rows ?? []).map(({ provider, purpose, calls, failed, usd }) =>
      texts.line(provider, purpose, dollars(usd, lang), calls, failed),
    ),
    "",
    texts.days(
      COST_DAYS,
      dollars(total.usd, lang),
      total.packs,
      total.perPack === null ? null : dollars(total.perPack, lang),
    ),
    ...(budget.held ? ["", texts.held] : []),
  ];
  return { text: bounded(lines) };
}
