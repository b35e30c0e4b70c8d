/** A lead as the sales group sees it: a card with its buttons. HTML; nothing that a visitor typed can break or forge a line. */

import type { Lead, LeadAction } from "../shared/leads/lead.ts";
import type { Button } from "../shared/notices.ts";
import type { Lang, LeadStatus } from "../shared/status.ts";
import { escapeHtml } from "../shared/texts/index.ts";
import { localTime } from "../shared/time.ts";
import { contactHtml } from "./contacts.ts";
import { htmlLength, manyLines, oneLine, tidy } from "./visitor-text.ts";

/** Telegram takes 4096 units of text; the rest is room for what stands around the comment. */
const CARD_LENGTH = 4000;
const PAGE_LENGTH = 200;
const UTM_LENGTH = 300;

export const statusMarks: Record<LeadStatus, string> = {
  new: "🆕",
  in_progress: "🙋",
  won: "✅",
  lost: "❌",
  spam: "🚫",
};
export const statusNames: Record<LeadStatus, string> = {
  new: "new",
  in_progress: "in progress",
  won: "won",
  lost: "lost",
  spam: "spam",
};
const eventNames: Record<string, string> = {
  wedding: "Wedding",
  birthday: "Birthday",
  corporate: "Corporate event",
  other: "Another event",
};
const langNames: Record<Lang, string> = { ru: "Russian", uz: "Uzbek", en: "English" };

const actionTexts: Record<LeadAction, string> = {
  take: "🙋 Take",
  won: "✅ Won",
  lost: "❌ Lost",
  spam: "🚫 Spam",
  reopen: "↩️ Reopen",
};
const buttonRows: Record<LeadStatus, LeadAction[][]> = {
  new: [["take", "spam"]],
  in_progress: [
    ["won", "lost"],
    ["spam", "reopen"],
  ],
  won: [["reopen"]],
  lost: [["reopen"]],
  spam: [["reopen"]],
};

/** The buttons of a card; which ones stand there says in which status it was shown. */
export const cardButtons = ({ number, status }: Pick<Lead, "number" | "status">): Button[][] =>
  buttonRows[status].map((row) =>
    row.map((action) => ({ text: actionTexts[action], callback_data: data(number, action) })),
  );

const data = (number: number, action: LeadAction) => `lead:${number}:${action}`;

/**
 * In which statuses a card with these buttons was seen by whoever pressed `action` on it. When the buttons do not tell
 * (Telegram leaves them out of very old messages), all in which the action has a button.
 */
export function statusesSeen(number: number, action: LeadAction, shown: readonly string[]): LeadStatus[] {
  const offering = (Object.keys(buttonRows) as LeadStatus[]).filter((status) =>
    buttonRows[status].flat().includes(action),
  );
  const seen = offering.filter((status) => {
    const expected = buttonRows[status].flat().map((a) => data(number, a));
    return expected.length === shown.length && expected.every((d) => shown.includes(d));
  });
  return seen.length > 0 ? seen : offering;
}

export type Card = {
  /** HTML */
  text: string;
  buttons: Button[][];
  /** Only the beginning of the comment stands on it. */
  commentIsCut: boolean;
};

/** The card of a lead as it is now. The comment gives way when everything together is too long for Telegram. */
export function cardOf(lead: Lead, zone: string): Card {
  const buttons = cardButtons(lead);
  const head = [`<b>Lead ${lead.number}</b> · ${statusLine(lead, zone)}`, ""];
  if (lead.erased_at !== null) {
    const erased = `Contact data was erased on ${dayInWords(localTime(lead.erased_at, zone).date)}.`;
    return { text: joined([...head, factsLine(lead), erased]), buttons, commentIsCut: false };
  }
  const utm = lead.utm ? Object.entries(JSON.parse(lead.utm) as Record<string, string>) : [];
  const above = [
    `👤 <b>${oneLine(lead.name)}</b>`,
    `📞 ${contactHtml(lead.contact ?? "")}`,
    factsLine(lead),
    lead.city && `📍 ${oneLine(lead.city)}`,
  ];
  const below = [
    `🌐 ${langNames[lead.locale]}${lead.page ? ` · ${oneLine(lead.page, PAGE_LENGTH)}` : ""}`,
    utm.length > 0 && `📈 ${oneLine(utm.map(([key, value]) => `${key}=${value}`).join(", "), UTM_LENGTH)}`,
    // A message that the landing sent around a broken server names the same id.
    `<code>${escapeHtml(lead.request_id)}</code>`,
  ];
  if (!lead.comment) return { text: joined([...head, ...above, ...below]), buttons, commentIsCut: false };
  const room = CARD_LENGTH - htmlLength(joined([...head, ...above, ...below]));
  const comment = `<blockquote>${manyLines(lead.comment, room)}</blockquote>`;
  return {
    text: joined([...head, ...above, comment, ...below]),
    buttons,
    commentIsCut: tidy(lead.comment).length > room,
  };
}

const joined = (lines: readonly (string | false | null)[]) =>
  lines.filter((line) => typeof line === "string").join("\n");

/** What stays when contact data is erased: what sort of event, when, how large. */
function factsLine(lead: Lead): string | null {
  const facts = [
    lead.event_type && eventNames[lead.event_type],
    lead.event_date && dayInWords(lead.event_date),
    lead.guests && `${lead.guests.toLocaleString("en")} ${lead.guests === 1 ? "guest" : "guests"}`,
  ].filter(Boolean);
  return facts.length > 0 ? `🎉 ${facts.join(" · ")}` : null;
}

function statusLine(lead: Lead, zone: string): string {
  const who = lead.status_by ? `, ${oneLine(lead.status_by)}` : "";
  return `${statusMarks[lead.status]} ${statusNames[lead.status]}${who}, ${momentInWords(lead.status_at, zone)}`;
}

/** `Saturday, 1 May 2027` */
export const dayInWords = (date: string) =>
  new Intl.DateTimeFormat("en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  }).format(Date.parse(`${date}T00:00:00Z`));

/** `12 Mar, 14:05` on the sales people's clock. */
export const momentInWords = (at: number, zone: string) =>
  new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: zone,
  }).format(at);
