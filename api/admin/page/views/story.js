// One pack's story: what happened, why, and what to do.
import { age, cents, exactTimeOf, guest, momentOf, span } from "../format.js";
import { say } from "../lang.js";
import { askFor, toast } from "../parts/dialog.js";
import { action, card, h, soft } from "../parts/dom.js";
import { waitNote } from "../parts/waits.js";
import { post } from "../server.js";
import { folded } from "./fold.js";
import { making, retryButton, statusTag } from "./jobs.js";

/** @typedef {import("../answers.ts").Story} Story */
/** @typedef {import("../answers.ts").Told} Told */
/** @typedef {() => unknown} Refresh */

const OPEN = ["queued", "running", "delivering"];

/** @param {Story} job @param {import("../answers.ts").Overview} overview @param {Refresh} refresh */
export const story = (job, { queue, problems }, refresh) => [
  h("p", {}, h("a", { href: "#jobs" }, say("story.back"))),
  head(job, waitNote(making(queue.jobs, job.id), problems), refresh),
  pictures(job),
  card(say("story.happened"), null, h("ol", { class: "story" }, folded(job.timeline).map(entry))),
];

/** @param {Story} job @param {HTMLElement | null} wait what it waits for @param {Refresh} refresh */
function head(job, wait, refresh) {
  const isOpen = OPEN.includes(job.status);
  const facts = [
    job.template ?? job.template_id,
    job.kiosk && say("story.kiosk", { kiosk: job.kiosk }),
    job.sheet_by && say("story.drawn_by", { artist: job.sheet_by }),
    say(isOpen ? "story.so_far" : "story.in_all", { age: age(job.seconds) }),
    cents(job.usd),
  ];
  return h(
    "section",
    { class: "card" },
    h("header", {}, h("h2", {}, say("story.title", { id: job.id, name: guest(job.name) })), statusTag(job.status)),
    wait && h("p", {}, h("b", {}, wait)),
    job.problem_text &&
      h(
        "p",
        { class: job.status === "failed" ? "bad" : "" },
        h("b", {}, capital(job.problem_text)),
        ". ",
        job.todo ?? "",
      ),
    h("p", { class: "soft" }, facts.filter(Boolean).join(" · ")),
    h(
      "div",
      { class: "chips" },
      job.status === "failed" && !job.files_removed_at && retryButton(job, refresh),
      isOpen && action(say("story.stop"), () => stop(job.id, refresh), { kind: "danger" }),
      job.pack_url &&
        h("a", { class: "button", href: job.pack_url, target: "_blank", rel: "noreferrer" }, say("story.open")),
    ),
  );
}

/** It cannot be taken back, so it is asked. @param {number} id @param {Refresh} refresh */
const stop = (id, refresh) =>
  askFor(
    say("story.stop_ask", { id }),
    [h("p", {}, say("story.stop_about"))],
    say("story.stop"),
    async () => {
      await post(`jobs/${id}/cancel`);
      toast(say("story.stopped", { id }));
      refresh();
    },
    { danger: true },
  );

/** @param {import("./fold.js").Piece} piece @param {number} i */
function entry(piece, i) {
  if ("told" in piece) return line(piece.told);
  const { hidden, times } = piece;
  const [first, last] = [hidden[0], hidden.at(-1)];
  if (!first || !last) return null;
  const words = say("story.folded", { n: times, from: exactTimeOf(first.at), to: exactTimeOf(last.at) });
  return h(
    "li",
    { class: "folded" },
    h(
      "details",
      { data: { key: `fold ${i}` } },
      h("summary", { class: "small" }, words),
      h("ol", {}, hidden.map(line)),
    ),
  );
}

/** @param {Told} told */
const line = ({ at, kind, tone, what, detail, ms, usd }) =>
  h(
    "li",
    { data: { kind, tone } },
    h("time", { class: "soft num small", datetime: at }, exactTimeOf(at)),
    h("span", { class: "what" }, what, " ", h("span", { class: "length soft num small" }, lengthOf(ms, usd))),
    detail && h("span", { class: "detail soft small" }, detail),
  );

/** @param {number | null} ms @param {number | null} usd */
const lengthOf = (ms, usd) => [ms !== null && span(ms), usd !== null && cents(usd)].filter(Boolean).join(" · ");

/** @param {Story} job */
function pictures({ files, files_removed_at }) {
  if (files.length === 0) {
    if (!files_removed_at) return null;
    const words = say("story.removed", { when: momentOf(files_removed_at) });
    return card(say("story.pictures"), null, h("p", { class: "soft" }, words));
  }
  return card(
    say("story.pictures"),
    soft(say("story.kept")),
    h(
      "div",
      { class: "pictures" },
      files.map(({ kind, url, name }) => {
        const words = say(`picture.${/** @type {"sheet"|"sticker"|"rejected"} */ (kind)}`);
        return h(
          "a",
          { href: url, target: "_blank", class: kind === "sticker" ? "" : "large", title: words },
          h("img", { src: url, alt: `${words}: ${name}`, loading: "lazy" }),
        );
      }),
    ),
  );
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
