// Jobs: the packs, and one pack's story: what happened, why, and what to do.
import { action, card, empty, h, tag, toast } from "./dom.js";
import { get, post } from "./server.js";
import { age, cents, exactTimeOf, guest, jobNames, jobTones, momentOf, span } from "./words.js";

const FILTERS = ["", "failed", "queued", "running", "delivering", "done", "cancelled"];
const MORE = "Show older ones";

export const jobs = {
  title: "Jobs",
  load: ({ id, query }) => get(id ? `jobs/${encodeURIComponent(id)}` : `jobs?${query}`),
  show: ({ data, id, query, refresh }) => (id ? story(data, refresh) : list(data, query, refresh)),
};

function list({ jobs: rows, next_before }, query, refresh) {
  const status = query.get("status") ?? "";
  const search = h("input", {
    type: "search",
    id: "search",
    placeholder: "Name or number",
    "aria-label": "Guest's name or pack number",
    value: query.get("search") ?? "",
    maxlength: 64,
  });
  const to = (values) => `#jobs?${new URLSearchParams(Object.entries(values).filter(([, value]) => value))}`;
  const form = h("form", { role: "search" }, search);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = to({ status, search: search.value.trim() });
  });
  return [
    h(
      "div",
      { class: "tools" },
      h(
        "nav",
        { class: "chips", "aria-label": "Which packs" },
        FILTERS.map((value) =>
          h(
            "a",
            {
              href: to({ status: value, search: query.get("search") }),
              "aria-current": value === status ? "true" : null,
            },
            value === "" ? "All" : jobNames[value],
          ),
        ),
      ),
      form,
    ),
    rows.length === 0
      ? empty(status === "failed" ? "No pack has failed. 🎉" : "No packs here.")
      : h(
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
                ["Pack", "Guest", "Status", "Outfit", "Time", "Cost", "Came", "To do"].map((name) =>
                  h("th", { scope: "col" }, name),
                ),
              ),
            ),
            h(
              "tbody",
              {},
              rows.map((row) => line(row, refresh)),
            ),
          ),
        ),
    next_before &&
      h(
        "p",
        { class: "empty" },
        h("a", { class: "button", href: to({ status, search: query.get("search"), before: next_before }) }, MORE),
      ),
  ];
}

function line(row, refresh) {
  return h(
    "tr",
    {},
    h("td", { class: "tight num" }, h("a", { href: `#jobs/${row.id}`, data: { key: `job ${row.id}` } }, `#${row.id}`)),
    h("td", {}, h("b", {}, guest(row.name)), row.kiosk && h("span", { class: "soft small" }, ` ${row.kiosk}`)),
    h(
      "td",
      { class: "full" },
      tag(jobTones[row.status] ?? "plain", jobNames[row.status]),
      row.problem_text && h("span", { class: "small" }, ` ${row.problem_text}`),
    ),
    h("td", { class: "soft" }, row.template ?? row.template_id),
    h("td", { class: "tight num" }, age(row.seconds)),
    h("td", { class: "tight num soft" }, cents(row.usd)),
    h("td", { class: "tight num soft" }, momentOf(row.created_at)),
    h("td", { class: "tight end" }, row.status === "failed" && retryButton(row, refresh)),
  );
}

const retryButton = (row, refresh) =>
  action("Retry", () => act(row.id, "retry", `Pack ${row.id} is tried again.`, refresh), {
    kind: "main",
    key: `retry ${row.id}`,
    label: `Retry pack ${row.id} of ${guest(row.name)}`,
  });

async function act(id, what, done, refresh) {
  await post(`jobs/${id}/${what}`).then(
    () => toast(done),
    (error) => toast(error.message, "bad"),
  );
  await refresh();
}

function story(job, refresh) {
  const open = ["queued", "running", "delivering"].includes(job.status);
  return [
    h("p", {}, h("a", { href: "#jobs" }, "← All packs")),
    h(
      "section",
      { class: "card" },
      h(
        "header",
        {},
        h("h2", {}, `Pack ${job.id} · ${guest(job.name)}`),
        tag(jobTones[job.status] ?? "plain", jobNames[job.status]),
      ),
      job.problem_text &&
        h(
          "p",
          { class: job.status === "failed" ? "bad" : "" },
          h("b", {}, capital(job.problem_text)),
          ". ",
          job.todo ?? "",
        ),
      h(
        "p",
        { class: "soft" },
        [
          job.template ?? job.template_id,
          job.kiosk && `kiosk ${job.kiosk}`,
          job.sheet_by && `drawn by ${job.sheet_by}`,
          `${age(job.seconds)} ${open ? "so far" : "in all"}`,
          cents(job.usd),
        ]
          .filter(Boolean)
          .join(" · "),
      ),
      h(
        "div",
        { class: "chips" },
        job.status === "failed" && retryButton(job, refresh),
        open &&
          action(
            "Stop this pack",
            () => act(job.id, "cancel", `Pack ${job.id} was stopped; its guest was told.`, refresh),
            {
              kind: "danger",
            },
          ),
        job.pack_url &&
          h("a", { class: "button", href: job.pack_url, target: "_blank", rel: "noreferrer" }, "The pack in Telegram"),
      ),
    ),
    pictures(job),
    card(
      "What happened",
      null,
      h(
        "ol",
        { class: "story" },
        job.timeline.map(({ at, kind, tone, what, detail, ms, usd }) =>
          h(
            "li",
            { data: { kind, tone } },
            h("time", { class: "soft num small", datetime: at }, exactTimeOf(at)),
            h("span", {}, what),
            h(
              "span",
              { class: "length soft num small" },
              [ms !== null && span(ms), usd !== null && cents(usd)].filter(Boolean).join(" · "),
            ),
            detail && h("span", { class: "detail soft small" }, detail),
          ),
        ),
      ),
    ),
  ];
}

function pictures({ files, files_removed_at }) {
  if (files.length === 0) {
    return files_removed_at
      ? card(
          "Pictures",
          null,
          h("p", { class: "soft" }, `They were removed ${momentOf(files_removed_at)}, as promised to the guest.`),
        )
      : null;
  }
  const names = { sheet: "the sheet", sticker: "a sticker", rejected: "a sheet that was rejected" };
  return card(
    "Pictures",
    h("span", { class: "soft small" }, "kept for a short time"),
    h(
      "div",
      { class: "pictures" },
      files.map(({ kind, url, name }) =>
        h(
          "a",
          { href: url, target: "_blank", class: kind === "sticker" ? "" : "large", title: names[kind] },
          h("img", { src: url, alt: `${names[kind]}: ${name}`, loading: "lazy" }),
        ),
      ),
    ),
  );
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
