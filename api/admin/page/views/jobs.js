// Jobs: the packs, and by its number one pack's story.
import { age, cents, guest, momentOf } from "../format.js";
import { say } from "../lang.js";
import { tell } from "../parts/dialog.js";
import { action, empty, h, soft, tag } from "../parts/dom.js";
import { chips, link, older, outfitName, table } from "../parts/table.js";
import { waitNote } from "../parts/waits.js";
import { get, post } from "../server.js";
import { story } from "./story.js";

/** @typedef {import("../answers.ts").Job} Job */
/** @typedef {import("../answers.ts").Making} Making */
/** @typedef {() => unknown} Refresh */

/** @type {(Job["status"] | "")[]} */
const FILTERS = ["", "failed", "queued", "running", "delivering", "done", "cancelled"];
const MAX_SEARCH_LENGTH = 64;
/** @type {Record<Job["status"], string>} */
const TONES = { done: "good", failed: "bad", queued: "warn", running: "warn", delivering: "warn", cancelled: "plain" };

/** @typedef {{list: import("../answers.ts").Answers["jobs"], one: null} | {list: null, one: import("../answers.ts").Story}} Data */

/** @type {import("../views.js").View<Data>} */
export const jobs = {
  load: async ({ id, query }) =>
    id
      ? { list: null, one: await get("job", `jobs/${encodeURIComponent(id)}`) }
      : { list: await get("jobs", `jobs?${query}`), one: null },
  show: ({ data: { list, one }, overview, query, refresh }) =>
    one ? story(one, overview, refresh) : page(list, overview, query, refresh),
};

/** @param {import("../answers.ts").Answers["jobs"]} answer @param {import("../answers.ts").Overview} overview @param {URLSearchParams} query @param {Refresh} refresh */
function page({ jobs: rows, next_before }, { queue, problems }, query, refresh) {
  const status = query.get("status") ?? "";
  const search = query.get("search") ?? "";
  const isAll = status === "" && search === "" && !query.has("before");
  const none = status === "failed" && search === "" ? "jobs.none_failed" : isAll ? "jobs.none_yet" : "jobs.none";
  return [
    h(
      "div",
      { class: "tools" },
      chips(
        say("jobs.which"),
        FILTERS.map((value) => ({
          href: link("jobs", { status: value, search }),
          text: value === "" ? say("jobs.all") : say(`jobs.only_${value}`),
          isOn: value === status,
        })),
      ),
      searchForm(status, search),
    ),
    rows.length === 0
      ? empty(say(none))
      : h(
          "section",
          { class: "card" },
          table(
            say("jobs.heads"),
            rows.map((row) => line(row, waitNote(making(queue.jobs, row.id), problems, "small"), refresh)),
          ),
        ),
    older("jobs", { status, search, before: next_before }),
  ];
}

/** @param {string} status @param {string} search */
function searchForm(status, search) {
  const input = h("input", {
    type: "search",
    id: "search",
    placeholder: say("jobs.search"),
    "aria-label": say("jobs.search_label"),
    maxlength: MAX_SEARCH_LENGTH,
  });
  input.defaultValue = search;
  const form = h("form", { role: "search" }, input);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = link("jobs", { status, search: input.value.trim() });
  });
  return form;
}

/** @param {Making[]} all @param {number} id */
export const making = (all, id) => all.find((job) => job.id === id);

/** @param {Job} row @param {HTMLElement | null} wait what it waits for @param {Refresh} refresh */
const line = (row, wait, refresh) =>
  h(
    "tr",
    {},
    h("td", { class: "tight num" }, h("a", { href: `#jobs/${row.id}`, data: { key: `job ${row.id}` } }, `#${row.id}`)),
    h("td", { class: "guest" }, h("b", {}, guest(row.name)), " ", row.kiosk && soft(row.kiosk)),
    h(
      "td",
      { class: "full" },
      statusTag(row.status),
      wait && [" ", wait],
      row.problem_text && h("span", { class: "small" }, ` ${row.problem_text}`),
    ),
    h("td", { class: "soft" }, outfitName(row.template ?? row.template_id)),
    h("td", { class: "tight num" }, age(row.seconds)),
    h("td", { class: "tight num soft roomy" }, cents(row.usd)),
    h("td", { class: "tight num soft" }, momentOf(row.created_at)),
    h("td", { class: "tight end" }, row.status === "failed" && !row.files_removed_at && retryButton(row, refresh)),
  );

/** @param {Job["status"]} status */
export const statusTag = (status) => tag(TONES[status], say(`job.${status}`));

/** @param {Job} row @param {Refresh} refresh */
export const retryButton = ({ id, name }, refresh) =>
  action(say("jobs.retry"), () => tell(post(`jobs/${id}/retry`), say("jobs.retried", { id }), refresh), {
    kind: "main",
    key: `retry ${id}`,
    label: say("jobs.retry_label", { id, name: guest(name) }),
  });
