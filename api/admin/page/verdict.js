// The sentence on top: how the booth is, and the buttons that mend it.
import { budgetButton } from "./budget.js";
import { age } from "./format.js";
import { say } from "./lang.js";
import { askFor, messageOf, tell, toast } from "./parts/dialog.js";
import { action, button, byId, dot, h, swap } from "./parts/dom.js";
import { field } from "./parts/form.js";
import { post, remove } from "./server.js";

/** @typedef {import("./answers.ts").Overview} Overview */
/** @typedef {import("./answers.ts").Problem} Problem */
/** @typedef {() => unknown} Refresh */

const box = byId("verdict", HTMLElement);
const OTHERS_SHOWN = 4;
const MAX_REASON_LENGTH = 200;

/** @param {Overview} overview @param {Refresh} refresh */
export function showVerdict(overview, refresh) {
  const { verdict, problems, maintenance } = overview;
  const [worst, ...others] = problems;
  box.dataset.level = verdict.level;
  delete box.dataset.silent;
  swap(
    box,
    sentence(verdict.what, verdict.todo),
    h(
      "div",
      { class: "actions" },
      worst && remedy(worst, overview, refresh),
      maintenance ? openButton(refresh, verdict.cause === "pause") : pauseButton(refresh),
    ),
    verdict.level !== "green" && h("p", { class: "pulse small num" }, pulse(overview)),
    others.length > 0 &&
      h(
        "ul",
        { class: "more" },
        others.slice(0, OTHERS_SHOWN).map((problem) => line(problem, overview, refresh)),
        others.length > OTHERS_SHOWN &&
          h("li", { class: "soft" }, say("verdict.more", { n: others.length - OTHERS_SHOWN })),
      ),
  );
}

/** Whatever is wrong: do guests get in, and their stickers? @param {Overview} overview */
function pulse({ today, queue, maintenance, verdict }) {
  const making = queue.queued + queue.running + queue.delivering;
  const parts = [
    say("packs", { n: today.packs }),
    say("pulse.failed", { n: today.failed }),
    say("pulse.making", { n: making }),
    today.median_seconds !== null && say("pulse.usually", { age: age(today.median_seconds) }),
  ];
  const told = say("pulse.today", { list: parts.filter(Boolean).join(" · ") });
  return maintenance && verdict.cause !== "pause" ? `${say("pulse.paused")} · ${told}` : told;
}

/** @param {unknown} error @param {boolean} locked the password is no longer right */
export function showNoAnswer(error, locked) {
  box.dataset.level = "red";
  box.dataset.silent = "";
  swap(box, sentence(messageOf(error), say(locked ? "verdict.log_in" : "verdict.old")));
}

/** @param {string} what @param {string} todo */
const sentence = (what, todo) => [
  h("span", { class: "lamp", "aria-hidden": "true" }),
  h("div", { class: "sentence" }, h("h1", {}, what), h("p", { class: "todo" }, todo)),
];

/** @param {Problem} problem @param {Overview} overview @param {Refresh} refresh */
const line = (problem, overview, refresh) =>
  h(
    "li",
    {},
    dot(problem.level, say(`level.${problem.level}`)),
    h("span", { class: "grow" }, h("b", {}, problem.what), ` ${problem.todo}`),
    problem.cause !== "pause" && remedy(problem, overview, refresh),
  );

/** What mends a problem, where a button can. @param {Problem} problem @param {Overview} overview @param {Refresh} refresh */
function remedy({ cause, job }, { budget }, refresh) {
  if (job) return [retryButton(job, refresh), button(`#jobs/${job}`, say("verdict.why"))];
  if (cause === "failures") return button("#jobs?status=failed", say("verdict.failed"));
  if (cause === "queue" || cause === "slow" || cause.startsWith("waiting:"))
    return button("#jobs", say("verdict.packs"));
  if (cause === "leads") return button("#leads?status=new", say("verdict.leads"));
  const [, silent] = /^kiosk:(.+):silent$/.exec(cause) ?? [];
  if (silent) return forgetButton(silent, refresh);
  return cause.startsWith("budget:") && budgetButton(budget, refresh);
}

/** It was put away, and nobody has to be told that it is silent. @param {string} id @param {Refresh} refresh */
const forgetButton = (id, refresh) =>
  action(say("kiosks.forget", { id }), () => tell(remove(`kiosks/${encodeURIComponent(id)}`), null, refresh));

/** @param {number} id @param {Refresh} refresh */
const retryButton = (id, refresh) =>
  action(say("verdict.retry", { id }), () => tell(post(`jobs/${id}/retry`), say("jobs.retried", { id }), refresh), {
    kind: "main",
  });

/** @param {Refresh} refresh */
const pauseButton = (refresh) =>
  action(say("pause.do"), () =>
    askFor(
      say("pause.title"),
      [
        h("p", {}, say("pause.about")),
        field(say("pause.reason"), h("input", { name: "reason", maxlength: MAX_REASON_LENGTH, autocomplete: "off" })),
      ],
      say("pause.title"),
      async ({ reason }) => {
        await post("maintenance", { on: true, reason });
        toast(say("pause.done"));
        refresh();
      },
    ),
  );

/** @param {Refresh} refresh @param {boolean} isMain */
const openButton = (refresh, isMain) =>
  action(say("open.do"), () => tell(post("maintenance", { on: false }), say("open.done"), refresh), {
    kind: isMain ? "main" : "",
  });
