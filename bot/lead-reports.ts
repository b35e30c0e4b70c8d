/** Answers to the sales group's commands, and the daily digest. Each report is the messages that it takes; HTML. */
import type { Database } from "bun:sqlite";
import { countByStatus, leadFigures, type Span } from "../shared/leads/figures.ts";
import { countOpen, type Lead, leadStatuses, openLeads } from "../shared/leads/lead.ts";
import { historyOf, type Lang, type LeadStatus, leadMachine } from "../shared/status.ts";
import { type SalesTexts, sales } from "../shared/texts/sales/index.ts";
import { addDays, instantOf, localTime } from "../shared/time.ts";
import { cardOf, statusMarks } from "./cards.ts";
import { htmlLength, manyLines, oneLine } from "./visitor-text.ts";

/** Telegram takes 4096. */
const MESSAGE_LENGTH = 3900;
/** Of a comment that has a message of its own: 2000 characters of two units each. */
const COMMENT_LENGTH = 4000;
const LEADS_LISTED = 30;
const DIGEST_LISTED = 300;
const REMINDED_LISTED = 40;
/** Of a history, the last moves. */
const MOVES_LISTED = 40;
const NAME_LENGTH = 60;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `/leads` */
export function openLeadsReport(db: Database, now: number, lang: Lang = "en"): string[] {
  const texts = sales(lang);
  const counts = countOpen(db);
  const open = openLeads(db, LEADS_LISTED);
  if (open.length === 0) return [texts.open.none];
  const more = counts.new + counts.in_progress - open.length;
  return messages([
    `<b>${texts.open.title}</b>: ${texts.open.counts(counts.new, counts.in_progress)}`,
    ...open.map((lead) => leadLine(lead, now, texts)),
    ...(more > 0 ? [texts.more(more)] : []),
  ]);
}

/** `/lead N`: what the card does not say; the card itself comes from the outbox. */
export function leadReport(db: Database, lead: Lead, zone: string, now: number, lang: Lang = "en"): string[] {
  const texts = sales(lang);
  const moves = historyOf(db, leadMachine, lead.number);
  const steps = moves.slice(-MOVES_LISTED).map(({ before, after, actor, at }) => {
    const status = after as LeadStatus;
    const what =
      before === null
        ? texts.history.requested
        : `${statusMarks[status]} ${texts.statuses[status]}, ${oneLine(whoOf(actor))}`;
    return `${texts.moment(at, zone, now)}: ${what}`;
  });
  const earlier = moves.length - steps.length;
  const history = messages([
    `<b>${texts.lead(lead.number)}</b>, ${texts.history.title}`,
    ...(earlier > 0 ? [texts.more(earlier)] : []),
    ...steps,
  ]);
  if (!cardOf(lead, zone, now, lang).commentIsCut) return history;
  return [...history, `<blockquote>${manyLines(lead.comment ?? "", COMMENT_LENGTH)}</blockquote>`];
}

/** The name in a history's actor, see `LeadMove`. */
const whoOf = (actor: string) => actor.replace(/^(?:operator:\d+ |admin:)/, "");

/** `/stats` */
export function statsReport(db: Database, zone: string, now: number, lang: Lang = "en"): string[] {
  const texts = sales(lang);
  const words = texts.stats;
  const { byStatus, conversion, medianTakeMs, bySource, weeks } = leadFigures(db, zone, now);
  const ended = byStatus.won + byStatus.lost;
  const spanText = ({ leads, won }: Span) => `${leads} (${texts.counted(won, "won")})`;
  const nameOf = (source: string) =>
    source === "direct" || source === "other" ? words.source[source] : oneLine(source);
  return messages([
    `<b>${words.title}</b>`,
    ...leadStatuses.map((status) => `${statusMarks[status]} ${texts.statuses[status]}: ${byStatus[status]}`),
    "",
    `${words.conversion}: ${conversion === null ? words.nothingEnded : words.ended(byStatus.won, ended, Math.round(conversion * 100))}`,
    `${words.median}: ${medianTakeMs === null ? words.nothingTaken : duration(medianTakeMs, texts)}`,
    "",
    `${words.thisWeek}: ${spanText(weeks.current)}`,
    `${words.lastWeekByNow}: ${spanText(weeks.lastByNow)}, ${words.lastWeek}: ${spanText(weeks.last)}`,
    ...(bySource.length > 0 ? ["", `<b>${words.sources}</b>`] : []),
    ...bySource.map(({ source, ...span }) => `${nameOf(source)}: ${spanText(span)}`),
  ]);
}

/** The morning's message: yesterday in figures, and everything that waits. */
export function digest(db: Database, zone: string, now: number, lang: Lang = "en"): string[] {
  const texts = sales(lang);
  const words = texts.digest;
  const { date } = localTime(now, zone);
  const today = instantOf(date, 0, zone);
  const yesterday = countByStatus(db, instantOf(addDays(date, -1), 0, zone), today);
  const parts = leadStatuses.filter((s) => yesterday[s] > 0).map((s) => texts.counted(yesterday[s], s));
  const counts = countOpen(db);
  const open = openLeads(db, DIGEST_LISTED);
  const section = (title: string, status: keyof typeof counts) => {
    const lines = open.filter((lead) => lead.status === status).map((lead) => leadLine(lead, now, texts));
    const more = counts[status] - lines.length;
    if (lines.length === 0) return [];
    return ["", `<b>${title}</b>`, ...lines, ...(more > 0 ? [`${texts.more(more)}: /leads`] : [])];
  };
  return messages([
    `☀️ <b>${texts.day(date)}</b>`,
    `${words.yesterday}: ${parts.length > 0 ? parts.join(", ") : words.none}`,
    ...(open.length === 0 ? [words.nothingWaits] : []),
    ...section(words.waiting, "new"),
    ...section(words.inProgress, "in_progress"),
  ]);
}

/** One message for all leads that wait too long. */
export function reminder(leads: readonly Lead[], now: number, lang: Lang = "en"): string[] {
  const texts = sales(lang);
  const more = leads.length - REMINDED_LISTED;
  return messages([
    `⏰ <b>${texts.reminder(leads.length)}</b>`,
    ...leads.slice(0, REMINDED_LISTED).map((lead) => leadLine(lead, now, texts)),
    ...(more > 0 ? [`${texts.more(more)}: /leads`] : []),
  ]);
}

function leadLine(lead: Lead, now: number, texts: SalesTexts): string {
  const who = lead.status === "in_progress" && lead.status_by ? `, ${oneLine(lead.status_by, NAME_LENGTH)}` : "";
  const event = lead.event_date ? ` · ${lead.event_date}` : "";
  const name = lead.erased_at === null ? oneLine(lead.name, NAME_LENGTH) : texts.erased;
  return `${statusMarks[lead.status]} /lead_${lead.number} ${name}${event} · ${duration(now - lead.created_at, texts)}${who}`;
}

/** `12 min`, `3 h 05 min`, `2 d 4 h` */
function duration(ms: number, { units: { minutes, hours, days } }: SalesTexts): string {
  if (ms < HOUR_MS) return `${Math.max(0, Math.round(ms / MINUTE_MS))} ${minutes}`;
  if (ms < DAY_MS)
    return `${Math.floor(ms / HOUR_MS)} ${hours} ${String(Math.floor((ms % HOUR_MS) / MINUTE_MS)).padStart(2, "0")} ${minutes}`;
  return `${Math.floor(ms / DAY_MS)} ${days} ${Math.floor((ms % DAY_MS) / HOUR_MS)} ${hours}`;
}

/** Lines put together to as few messages as Telegram's length allows; a line is never divided. */
function messages(lines: readonly string[]): string[] {
  const made: string[] = [];
  for (const line of lines) {
    const last = made.at(-1);
    if (last !== undefined && htmlLength(last) + 1 + htmlLength(line) <= MESSAGE_LENGTH)
      made[made.length - 1] = `${last}\n${line}`;
    else made.push(line);
  }
  return made.filter((text) => text.trim() !== "");
}
