/** A lead as the sales group sees it: a card with its buttons. HTML; nothing that a visitor typed can break or forge a line. */

import type { Lead, LeadAction } from "../shared/leads/lead.ts";
import type { Button } from "../shared/notices.ts";
import type { Lang, LeadStatus } from "../shared/status.ts";
import { escapeHtml } from "../shared/texts/index.ts";
import { type SalesTexts, sales } from "../shared/texts/sales/index.ts";
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
const cardButtons = ({ number, status }: Lead, { actions }: SalesTexts): Button[][] =>
  buttonRows[status].map((row) =>
    row.map((action) => ({ text: actions[action], callback_data: data(number, action) })),
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

/**
 * The card of a lead as it is now, in the team's language. The comment gives way when everything together is too long
 * for Telegram.
 */
export function cardOf(lead: Lead, zone: string, now: number, lang: Lang = "en"): Card {
  const texts = sales(lang);
  const buttons = cardButtons(lead, texts);
  const head = [`<b>${texts.lead(lead.number)}</b> · ${statusLine(lead, zone, now, texts)}`, ""];
  if (lead.erased_at !== null) {
    const erased = texts.erasedOn(localTime(lead.erased_at, zone).date);
    return { text: joined([...head, factsLine(lead, texts), erased]), buttons, commentIsCut: false };
  }
  const utm = lead.utm ? Object.entries(JSON.parse(lead.utm) as Record<string, string>) : [];
  // Fields of nothing but spaces are kept as sent; on a card they would be empty lines.
  const [city, page, comment] = [oneLine(lead.city), oneLine(lead.page, PAGE_LENGTH), tidy(lead.comment ?? "")];
  const above = [
    `👤 <b>${oneLine(lead.name)}</b>`,
    `📞 ${contactHtml(lead.contact ?? "")}`,
    factsLine(lead, texts),
    city !== "" && `📍 ${city}`,
  ];
  const below = [
    `🌐 ${texts.langs[lead.locale]}${page ? ` · ${page}` : ""}`,
    utm.length > 0 && `📈 ${oneLine(utm.map(([key, value]) => `${key}=${value}`).join(", "), UTM_LENGTH)}`,
    // A message that the landing sent around a broken server names the same id.
    `<code>${escapeHtml(lead.request_id)}</code>`,
  ];
  if (comment === "") return { text: joined([...head, ...above, ...below]), buttons, commentIsCut: false };
  const room = CARD_LENGTH - htmlLength(joined([...head, ...above, ...below]));
  const quote = `<blockquote>${manyLines(comment, room)}</blockquote>`;
  return { text: joined([...head, ...above, quote, ...below]), buttons, commentIsCut: comment.length > room };
}

const joined = (lines: readonly (string | false | null)[]) =>
  lines.filter((line) => typeof line === "string").join("\n");

/** What stays when contact data is erased: what sort of event, when, how large. */
function factsLine(lead: Lead, texts: SalesTexts): string | null {
  const facts = [
    lead.event_type && texts.events[lead.event_type],
    lead.event_date && texts.day(lead.event_date),
    lead.guests && texts.guests(lead.guests),
  ].filter(Boolean);
  return facts.length > 0 ? `🎉 ${facts.join(" · ")}` : null;
}

function statusLine(lead: Lead, zone: string, now: number, { statuses, moment }: SalesTexts): string {
  const who = lead.status_by ? `, ${oneLine(lead.status_by)}` : "";
  return `${statusMarks[lead.status]} ${statuses[lead.status]}${who}, ${moment(lead.status_at, zone, now)}`;
}
