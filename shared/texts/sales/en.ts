/** English for the sales people. */
import { dayIn, momentIn } from "./dates.ts";
import type { SalesTexts, Who } from "./types.ts";

const statuses = { new: "new", in_progress: "in progress", won: "won", lost: "lost", spam: "spam" };
const day = dayIn("en-GB");
const by = (who: Who) => (who === null ? "" : who === "you" ? ", by you" : ` by ${who.name}`);

export const en: SalesTexts = {
  lead: (number) => `Lead ${number}`,
  statuses,
  counted: (count, status) => `${count} ${statuses[status]}`,
  actions: { take: "🙋 Take", won: "✅ Won", lost: "❌ Lost", spam: "🚫 Spam", reopen: "↩️ Reopen" },
  events: { wedding: "Wedding", birthday: "Birthday", corporate: "Corporate event", other: "Another event" },
  langs: { ru: "Russian", uz: "Uzbek", en: "English" },
  guests: (count) => `${count.toLocaleString("en")} ${count === 1 ? "guest" : "guests"}`,
  erased: "(erased)",
  erasedOn: (date) => `Contact data was erased on ${day(date)}.`,
  day,
  moment: momentIn("en-GB"),
  units: { minutes: "min", hours: "h", days: "d" },
  press: {
    mine: (number) => `Lead ${number} is yours.`,
    moved: (number, status) => `Lead ${number} is ${statuses[status]} now.`,
    takeFirst: (number) => `Lead ${number} is new: take it first.`,
    already: (number, status, who) =>
      `Lead ${number} is already ${status === "in_progress" ? "taken" : statuses[status]}${by(who)}.`,
    elsewhere: "This works in the sales group only.",
  },
  unknown: (number) => `There is no lead ${number}.`,
  askNumber: "Write the number too: <code>/lead 12</code>",
  commands: { leads: "Leads that wait", lead: "One lead by its number", stats: "Figures" },
  open: {
    none: "No lead waits. 🎉",
    title: "Open leads",
    counts: (fresh, inProgress) => `${fresh} new, ${inProgress} in progress`,
  },
  more: (count) => `… and ${count} more`,
  history: { title: "what happened", requested: "requested" },
  stats: {
    title: "Leads",
    conversion: "Conversion",
    ended: (won, ended, percent) => `${won} won of ${ended} ended, ${percent} %`,
    nothingEnded: "nothing has ended yet",
    median: "Median time to first take",
    nothingTaken: "none was taken yet",
    thisWeek: "This week",
    lastWeekByNow: "Last week by this time",
    lastWeek: "in all",
    sources: "By source",
    source: { direct: "direct", other: "other" },
  },
  digest: {
    yesterday: "Leads yesterday",
    none: "none",
    nothingWaits: "Nothing waits.",
    waiting: "Waiting for somebody",
    inProgress: "In progress",
  },
  reminder: (count) => (count === 1 ? "Nobody has taken this lead" : `Nobody has taken these ${count} leads`),
  alerts: {
    thrownOut: (waiting) => `The bot was taken out of the sales group. Leads waiting: ${waiting}.`,
    forbidden: (reason, waiting) => `The bot cannot write in the sales group (${reason}). Leads waiting: ${waiting}.`,
    failing: (reason, waiting) => `Leads do not reach the sales group (${reason}). Waiting: ${waiting}.`,
    refused: (number, reason, waiting) =>
      `Telegram refuses the card of lead ${number} (${reason}). Leads waiting: ${waiting}.`,
    remedy: {
      failing: "They are tried again by themselves. If this stays, look at the bot's log.",
      refused:
        "They are tried again, and the cards behind them go on. Look at the bot's log, and at the lead by /lead.",
      out: "Add the bot to the sales group and let it write there, or fix LEADS_CHAT_ID. The cards wait and follow then.",
    },
    flows: "Leads reach the sales group again.",
    lockout:
      "A caller of POST /leads presented five wrong secrets and is locked out for 15 minutes. If it is your landing, set the same LEADS_SECRET on both sides.",
    flood:
      "A visitor floods the request form: more than 5 requests in 10 minutes. The rest is refused. You hear of this once an hour.",
  },
};
