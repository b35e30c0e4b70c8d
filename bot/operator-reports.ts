/** Answers to the operators' commands. HTML, short enough for one message each. */
import { costsOf } from "../shared/admin/costs.ts";
import { type JobRow, listJobs } from "../shared/admin/jobs.ts";
import { type ActiveJob, type Now, nowOf } from "../shared/admin/now.ts";
import { type Problem, problemsOf } from "../shared/admin/problems.ts";
import { openButton, pauseButton, type Saying } from "../shared/admin/said.ts";
import { todayOf } from "../shared/admin/today.ts";
import { funnelOf } from "../shared/admin/visits.ts";
import { dollars, wordsOf } from "../shared/admin/words.ts";
import { isSilent } from "../shared/kiosks.ts";
import { escapeHtml } from "../shared/texts/index.ts";
import { localTime } from "../shared/time.ts";
import type { BotContext } from "./context.ts";
import { oneLine } from "./visitor-text.ts";

const JOBS_LISTED = 15;
const FAILED_LISTED = 10;
const PROBLEMS_LISTED = 6;
const NAME_LENGTH = 40;
const COST_DAYS = 7;

type Booth = Pick<BotContext, "db" | "config" | "now">;
export type Report = Saying;

const many = (n: number, one: string, more = `${one}s`) => `${n} ${n === 1 ? one : more}`;
const age = (ms: number) =>
  ms < 90_000 ? `${Math.max(0, Math.round(ms / 1000))} s` : `${Math.round(ms / 60_000)} min`;
const name = (guest: string | null) => (guest === null ? "a guest" : oneLine(guest, NAME_LENGTH));

/** `/status` */
export function statusReport({ db, config, now }: Booth): Report {
  const state = nowOf(db, config, now());
  const problems = problemsOf(state, config);
  const lines = [head(problems, state), ...problems.slice(1, PROBLEMS_LISTED).map(problemLine), "", ...figures(state)];
  return { text: lines.join("\n"), buttons: [[state.maintenance ? openButton(config) : pauseButton(config)]] };
}

function head(problems: Problem[], { today }: Now): string {
  const [worst] = problems;
  if (worst) return problemLine(worst);
  return `🟢 <b>All is well.</b> ${today.packs === 0 ? "The booth is ready for its first guest today." : `${many(today.packs, "guest")} got stickers today.`}`;
}

const problemLine = ({ level, what, todo }: Problem) =>
  `${level === "red" ? "🔴" : "🟠"} <b>${escapeHtml(what)}</b> ${escapeHtml(todo)}`;

function figures({ visits, counts, oldestQueuedMs, jobs, kiosks, budget, today, outbox, at }: Now): string[] {
  const waits = oldestQueuedMs === null ? "" : `, the first for ${age(oldestQueuedMs)}`;
  const busy = jobs.filter(({ status }) => status === "running");
  return [
    `At the kiosk: ${many(visits.length, "guest")}`,
    `Queue: ${counts.queued} waiting${waits} · ${counts.running} drawn · ${counts.delivering} on the way`,
    ...busy.map((job) => `   pack ${job.id}, ${name(job.name)}: ${job.step}, ${age(at - job.created_at)}`),
    `Today: ${many(today.packs, "pack")}, ${today.failed} failed${today.medianSeconds === null ? "" : `, usually ${today.medianSeconds} s`}`,
    `AI: ${dollars(budget.spent)}${budget.limit > 0 ? ` of ${dollars(budget.limit)}` : ""} today`,
    ...(kiosks.length > 0
      ? [
          `Kiosks: ${kiosks.map((kiosk) => `${isSilent(kiosk, at) ? "⚪️" : "🟢"} ${escapeHtml(kiosk.id)} (${age(at - kiosk.seen_at)})`).join(", ")}`,
        ]
      : []),
    ...(outbox.leads > 0 ? [`Leads on their way: ${outbox.leads}`] : []),
  ];
}

/** `/jobs`: what is being made, and what failed today. */
export function jobsReport({ db, config, now }: Booth): Report {
  const { jobs, today, at } = nowOf(db, config, now());
  const failed = listJobs(db, { status: "failed" })
    .filter((job) => (job.finished_at ?? 0) >= today.since)
    .slice(0, FAILED_LISTED);
  const more = jobs.length - JOBS_LISTED;
  const lines = [
    jobs.length === 0 ? "No pack is being made." : `<b>Being made: ${jobs.length}</b>`,
    ...jobs.slice(0, JOBS_LISTED).map((job) => activeLine(job, at)),
    ...(more > 0 ? [`… and ${more} more`] : []),
    ...(failed.length > 0 ? ["", "<b>Failed today</b>", ...failed.map(failedLine)] : []),
  ];
  return { text: lines.join("\n") };
}

const activeLine = ({ id, name: guest, template, status, step, created_at }: ActiveJob, at: number) =>
  `${status === "queued" ? "⏳" : "🎨"} ${id} · ${name(guest)} · ${escapeHtml(template)} · ${status === "queued" ? "waits" : step} · ${age(at - created_at)}`;

const failedLine = ({ id, name: guest, problem }: JobRow) =>
  `❌ ${id} · ${name(guest)} · ${escapeHtml(wordsOf(problem)?.what ?? "")} · /retry_${id}`;

/** `/stats`: the event's day. */
export function statsReport({ db, config, now }: Booth): Report {
  const today = todayOf(db, config, now());
  const { stages } = funnelOf(db, config, now());
  const first = stages[0]?.visits ?? 0;
  const words = {
    started: "tapped Start",
    linked: "scanned",
    consented: "agreed",
    outfit: "chose an outfit",
    photo: "took a photo",
    delivered: "got stickers",
  };
  const best = today.hours.reduce((a, b) => (b.packs > a.packs ? b : a));
  const hour = localTime(best.at, config.TZ_NAME).hour;
  const lines = [
    `<b>${today.day}</b>, from ${config.DAY_STARTS_HOUR}:00`,
    `🎁 ${many(today.packs, "pack")}${today.medianSeconds === null ? "" : `, usually ${today.medianSeconds} s from photo to link`}`,
    `❌ ${today.failed} failed, ${today.cancelled} stopped, ${many(today.retakes, "photo")} sent back`,
    `🙂 ${many(today.guests, "guest")}, ${many(today.visits, "visit")}`,
    ...(best.packs > 0 ? [`🔝 Busiest hour: ${hour}:00, ${many(best.packs, "pack")}`] : []),
    "",
    ...stages.map(
      ({ stage, visits }) =>
        `${visits} ${words[stage]}${first > 0 && stage !== "started" ? ` (${Math.round((visits / first) * 100)} %)` : ""}`,
    ),
  ];
  return { text: lines.join("\n") };
}

/** `/costs`: today, and the week. */
export function costsReport({ db, config, now }: Booth): Report {
  const { budget } = nowOf(db, config, now());
  const { days, total } = costsOf(db, config, COST_DAYS, now());
  const today = days.at(-1);
  const limit = budget.limit > 0 ? ` of ${dollars(budget.limit)} (${Math.floor(budget.share * 100)} %)` : ", no limit";
  const lines = [
    `<b>Today: ${dollars(budget.spent)}</b>${limit}`,
    ...(today?.perPack ? [`A pack: ${dollars(today.perPack)}`] : []),
    ...(today?.rows ?? []).map(
      ({ provider, purpose, calls, failed, usd }) =>
        `${provider}, ${purpose}: ${dollars(usd)}, ${many(calls, "call")}${failed > 0 ? `, ${failed} in vain` : ""}`,
    ),
    "",
    `<b>${COST_DAYS} days: ${dollars(total.usd)}</b>, ${many(total.packs, "pack")}${total.perPack === null ? "" : `, ${dollars(total.perPack)} each`}`,
    ...(budget.held ? ["", "The queue waits for money: /budget and an amount raises it for today."] : []),
  ];
  return { text: lines.join("\n") };
}
