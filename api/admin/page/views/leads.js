// Leads: who wants the booth, and how far the sales people are with them.
import { dayInWords, momentOf } from "../format.js";
import { say, sayWord } from "../lang.js";
import { messageOf, toast } from "../parts/dialog.js";
import { action, empty, h, soft, tag } from "../parts/dom.js";
import { chips, link, older, table } from "../parts/table.js";
import { address, get, post, Refusal } from "../server.js";
import { contact } from "./contact.js";

/** @typedef {import("../answers.ts").Answers["leads"]} Data */
/** @typedef {import("../answers.ts").Lead} Lead */
/** @typedef {Lead["status"]} Status */
/** @typedef {() => Promise<void>} Refresh */

/** Characters of a comment that are shown at once: a longer one would push the next leads off a phone's screen. */
const COMMENT_SHOWN = 280;

/** As the status machine has it. @type {Record<Status, Status[]>} */
const MOVES = {
  new: ["in_progress", "won", "lost", "spam"],
  in_progress: ["new", "won", "lost", "spam"],
  won: ["new"],
  lost: ["new"],
  spam: ["new"],
};
/** @type {Record<Status, string>} */
const TONES = { new: "warn", in_progress: "plain", won: "good", lost: "bad", spam: "plain" };
const statuses = /** @type {Status[]} */ (Object.keys(MOVES));

/** What somebody else had done when an operator wanted to: said in the row until it is touched again. @type {Map<number, string>} */
const overtaken = new Map();

/** @type {import("../views.js").View<Data>} */
export const leads = {
  load: ({ query }) => get("leads", `leads?${query}`),
  show: ({ data, query, refresh }) => {
    const status = query.get("status") ?? "";
    const all = Object.values(data.counts).reduce((a, b) => a + b, 0);
    const choices = statuses.map((value) => ({
      href: link("leads", { status: value }),
      text: `${say(`leads.only_${value}`)} ${data.counts[value]}`,
      isOn: value === status,
    }));
    return [
      h(
        "div",
        { class: "tools" },
        chips(say("leads.which"), [
          { href: "#leads", text: `${say("leads.all")} ${all}`, isOn: status === "" },
          ...choices,
        ]),
        h("a", { class: "button", href: address("leads.csv"), download: "leads.csv" }, say("leads.csv")),
      ),
      data.leads.length === 0
        ? empty(say(status === "" && !query.has("before") ? "leads.none_yet" : "leads.none"))
        : h(
            "section",
            { class: "card" },
            table(
              say("leads.heads"),
              data.leads.map((lead) => line(lead, refresh)),
            ),
          ),
      older("leads", { status, before: data.next_before }),
    ];
  },
};

/** @param {Lead} lead @param {Refresh} refresh */
const line = (lead, refresh) =>
  h(
    "tr",
    {},
    h("td", { class: "tight num" }, `#${lead.number}`),
    lead.erased_at
      ? h("td", { class: "soft" }, say("leads.erased"))
      : h("td", { class: "who" }, h("b", {}, lead.name ?? ""), h("br"), contact(lead.contact)),
    h("td", { class: "full" }, eventOf(lead) || null, lead.comment && comment(lead.number, lead.comment)),
    h("td", { class: "tight num soft" }, momentOf(lead.created_at)),
    h("td", { class: "full status" }, stand(lead), moves(lead, refresh)),
  );

/** Its beginning, and the rest unfolded by a tap. @param {number} number @param {string} text */
function comment(number, text) {
  const shown =
    text.length > COMMENT_SHOWN ? text.slice(0, COMMENT_SHOWN).replace(/\s+\S*$|[\ud800-\udbff]$/, "") : text;
  if (shown === text) return h("p", { class: "soft small" }, text);
  return h(
    "details",
    { class: "soft small", data: { key: `comment ${number}` } },
    h("summary", {}, `${shown} … `, h("span", { class: "unfold" }, say("leads.unfold"))),
    h("p", {}, text.slice(shown.length).trimStart()),
  );
}

/** @param {Lead} lead */
const eventOf = ({ event_type, event_date, guests, city }) =>
  [
    event_type && sayWord("event", event_type),
    event_date && dayInWords(event_date),
    guests && say("leads.guests", { n: guests }),
    city,
  ]
    .filter(Boolean)
    .join(" · ");

/** @param {Lead} lead */
const stand = ({ number, status, status_by }) =>
  h(
    "p",
    {},
    tag(TONES[status], say(`lead.${status}`)),
    " ",
    status_by && soft(say("leads.by", { who: status_by })),
    overtaken.has(number) && h("span", { class: "overtaken warn small", role: "status" }, overtaken.get(number) ?? ""),
  );

/** @param {Lead} lead @param {Refresh} refresh */
function moves(lead, refresh) {
  const { number, status } = lead;
  const select = h(
    "select",
    { "aria-label": say("leads.status_of", { number }), data: { key: `lead ${number}` } },
    h("option", { value: "", selected: true }, say("leads.set")),
    MOVES[status].map((to) => h("option", { value: to }, say(`lead.${to}`))),
  );
  select.addEventListener("change", () => {
    const to = statuses.find((value) => value === select.value);
    // A select that is in focus would hold up the refresh by the clock.
    select.blur();
    if (to) void set(lead, to, refresh);
  });
  return h(
    "div",
    { class: "chips" },
    status === "new" &&
      action(say("leads.take"), () => set(lead, "in_progress", refresh), {
        key: `take ${number}`,
        label: say("leads.take_label", { number }),
      }),
    select,
  );
}

/** With what was seen: whoever was overtaken hears by whom, and sees the new state. @param {Lead} lead @param {Status} to @param {Refresh} refresh */
async function set({ number, status: seen }, to, refresh) {
  overtaken.delete(number);
  try {
    await post(`leads/${number}/status`, { status: to, seen });
    toast(say("leads.is", { number, status: say(`lead.${to}`) }));
  } catch (error) {
    if (error instanceof Refusal && error.status === 409) overtaken.set(number, error.message);
    else toast(messageOf(error), "bad");
  }
  await refresh();
}
