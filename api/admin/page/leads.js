// Leads: who wants the booth, and how far the sales people are with them.
import { empty, h, tag, toast } from "./dom.js";
import { get, post } from "./server.js";
import { leadNames, leadTones, momentOf } from "./words.js";

/** As the status machine has it. */
const MOVES = {
  new: ["in_progress", "won", "lost", "spam"],
  in_progress: ["new", "won", "lost", "spam"],
  won: ["new"],
  lost: ["new"],
  spam: ["new"],
};

export const leads = {
  title: "Leads",
  load: ({ query }) => get(`leads?${query}`),
  show: ({ data, query, refresh }) => {
    const status = query.get("status") ?? "";
    const all = Object.values(data.counts).reduce((a, b) => a + b, 0);
    return [
      h(
        "div",
        { class: "tools" },
        h(
          "nav",
          { class: "chips", "aria-label": "Which leads" },
          ["", ...Object.keys(leadNames)].map((value) =>
            h(
              "a",
              { href: value ? `#leads?status=${value}` : "#leads", "aria-current": value === status ? "true" : null },
              value === "" ? `All ${all}` : `${leadNames[value]} ${data.counts[value]}`,
            ),
          ),
        ),
        h("a", { class: "button", href: "/admin/api/leads.csv", download: "leads.csv" }, "All as a table (CSV)"),
      ),
      data.leads.length === 0 ? empty("No leads here.") : table(data.leads, refresh),
      data.next_before &&
        h(
          "p",
          { class: "empty" },
          h(
            "a",
            {
              class: "button",
              href: `#leads?${new URLSearchParams({ ...(status && { status }), before: data.next_before })}`,
            },
            "Show older ones",
          ),
        ),
    ];
  },
};

const table = (rows, refresh) =>
  h(
    "section",
    { class: "card" },
    h(
      "table",
      { class: "table" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["Lead", "Who", "What", "Came", "Status"].map((name) => h("th", { scope: "col" }, name)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((lead) => line(lead, refresh)),
      ),
    ),
  );

function line(lead, refresh) {
  const event = [lead.event_type, lead.event_date, lead.guests && `${lead.guests} guests`, lead.city]
    .filter(Boolean)
    .join(" · ");
  return h(
    "tr",
    {},
    h("td", { class: "tight num" }, `#${lead.number}`),
    lead.erased_at
      ? h("td", { class: "soft" }, "erased")
      : h("td", {}, h("b", {}, lead.name), h("br"), h("span", {}, lead.contact)),
    h("td", { class: "full" }, event || null, lead.comment && h("p", { class: "soft small" }, lead.comment)),
    h("td", { class: "tight num soft" }, momentOf(lead.created_at)),
    h("td", { class: "tight" }, tag(leadTones[lead.status], leadNames[lead.status]), " ", choice(lead, refresh)),
  );
}

function choice(lead, refresh) {
  const select = h(
    "select",
    { "aria-label": `Status of lead ${lead.number}`, data: { key: `lead ${lead.number}` } },
    h("option", { value: "", selected: true }, lead.status_by ? `by ${lead.status_by}` : "set …"),
    MOVES[lead.status].map((status) => h("option", { value: status }, leadNames[status])),
  );
  select.addEventListener("change", async () => {
    if (!select.value) return;
    await post(`leads/${lead.number}/status`, { status: select.value }).then(
      () => toast(`Lead ${lead.number} is ${leadNames[select.value]}.`),
      (error) => toast(error.message, "bad"),
    );
    await refresh();
  });
  return select;
}
