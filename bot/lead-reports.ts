/** Answers to the sales group's commands, and the daily digest. Each report is the messages that it takes; HTML. */
import type { Database } from "bun:sqlite";
import { countByStatus, leadFigures, type Span } from "../shared/leads/figures.ts";
import { type Lead, leadStatuses, openLeads } from "../shared/leads/lead.ts";
import { historyOf, type LeadStatus, leadMachine } from "../shared/status.ts";
import { addDays, instantOf, localTime } from "../shared/time.ts";
import { cardOf, dayInWords, momentInWords, statusMarks, statusNames } from "./cards.ts";
import { htmlLength, manyLines, oneLine } from "./visitor-text.ts";

/** Telegram takes 4096. */
const MESSAGE_LENGTH = 3900;
const LEADS_LISTED = 30;
const DIGEST_LISTED = 300;
const NAME_LENGTH = 60;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `/leads` */
export function openLeadsReport(db: Database, now: number): string[] {
  const counts = countByStatus(db);
  const open = openLeads(db, LEADS_LISTED);
  if (open.length === 0) return ["No request waits. 🎉"];
  const more = counts.new + counts.in_progress - open.length;
  return messages([
    `<b>Open requests</b>: ${counts.new} new, ${counts.in_progress} in progress`,
    ...open.map((lead) => leadLine(lead, now)),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ]);
}

/** `/lead N`: what the card does not say; the card itself comes from the outbox. */
export function leadReport(db: Database, lead: Lead, zone: string): string[] {
  const steps = historyOf(db, leadMachine, lead.number).map(({ before, after, actor, at }) => {
    const what =
      before === null
        ? "requested"
        : `${statusMarks[after as LeadStatus]} ${statusNames[after as LeadStatus]}, ${oneLine(whoOf(actor))}`;
    return `${momentInWords(at, zone)}: ${what}`;
  });
  const history = messages([`<b>Lead ${lead.number}</b>, what happened`, ...steps]);
  if (!cardOf(lead, zone).commentIsCut) return history;
  return [...history, `<blockquote>${manyLines(lead.comment ?? "", MESSAGE_LENGTH)}</blockquote>`];
}

/** The name in a history's actor, see `LeadMove`. */
const whoOf = (actor: string) => actor.replace(/^(?:operator:\d+ |admin:)/, "");

/** `/stats` */
export function statsReport(db: Database, zone: string, now: number): string[] {
  const { byStatus, conversion, medianTakeMs, bySource, weeks } = leadFigures(db, zone, now);
  const spanText = ({ leads, won }: Span) => `${leads} (${won} won)`;
  return messages([
    "<b>Requests</b>",
    ...leadStatuses.map((status) => `${statusMarks[status]} ${statusNames[status]}: ${byStatus[status]}`),
    "",
    `Conversion: ${conversion === null ? "nothing has ended yet" : `${byStatus.won} won of ${byStatus.won + byStatus.lost} ended, ${Math.round(conversion * 100)} %`}`,
    `Median time to first take: ${medianTakeMs === null ? "none was taken yet" : duration(medianTakeMs)}`,
    "",
    `This week: ${spanText(weeks.current)}`,
    `Last week by this time: ${spanText(weeks.lastByNow)}, in all: ${spanText(weeks.last)}`,
    ...(bySource.length > 0 ? ["", "<b>By source</b>"] : []),
    ...bySource.map(({ source, leads, won }) => `${oneLine(source)}: ${leads} (${won} won)`),
  ]);
}

/** The morning's message: yesterday in figures, and everything that waits. */
export function digest(db: Database, zone: string, now: number): string[] {
  const { date } = localTime(now, zone);
  const today = instantOf(date, 0, zone);
  const yesterday = countByStatus(db, instantOf(addDays(date, -1), 0, zone), today);
  const parts = leadStatuses.filter((s) => yesterday[s] > 0).map((s) => `${yesterday[s]} ${statusNames[s]}`);
  const counts = countByStatus(db);
  const open = openLeads(db, DIGEST_LISTED);
  const section = (title: string, status: LeadStatus) => {
    const lines = open.filter((lead) => lead.status === status).map((lead) => leadLine(lead, now));
    const more = counts[status] - lines.length;
    if (lines.length === 0) return [];
    return ["", `<b>${title}</b>`, ...lines, ...(more > 0 ? [`… and ${more} more: /leads`] : [])];
  };
  return messages([
    `☀️ <b>${dayInWords(date)}</b>`,
    `Requests yesterday: ${parts.length > 0 ? parts.join(", ") : "none"}`,
    ...(open.length === 0 ? ["Nothing waits."] : []),
    ...section("Waiting for somebody", "new"),
    ...section("In progress", "in_progress"),
  ]);
}

/** One message for all leads that wait too long. */
export function reminder(leads: readonly Lead[], now: number): string[] {
  const head =
    leads.length === 1
      ? "⏰ <b>Nobody has taken this request</b>"
      : `⏰ <b>Nobody has taken these ${leads.length} requests</b>`;
  return messages([head, ...leads.map((lead) => leadLine(lead, now))]);
}

function leadLine(lead: Lead, now: number): string {
  const who = lead.status === "in_progress" && lead.status_by ? `, ${oneLine(lead.status_by, NAME_LENGTH)}` : "";
  const event = lead.event_date ? ` · ${lead.event_date}` : "";
  const name = lead.erased_at === null ? oneLine(lead.name, NAME_LENGTH) : "(erased)";
  return `${statusMarks[lead.status]} /lead_${lead.number} ${name}${event} · ${duration(now - lead.created_at)}${who}`;
}

/** `12 min`, `3 h 05 min`, `2 d 4 h` */
function duration(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(0, Math.round(ms / MINUTE_MS))} min`;
  if (ms < DAY_MS)
    return `${Math.floor(ms / HOUR_MS)} h ${String(Math.floor((ms % HOUR_MS) / MINUTE_MS)).padStart(2, "0")} min`;
  return `${Math.floor(ms / DAY_MS)} d ${Math.floor((ms % DAY_MS) / HOUR_MS)} h`;
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
