// The sentence on top: how the booth is, and the buttons that mend it.
import { action, askFor, dot, field, h, swap, toast } from "./dom.js";
import { post } from "./server.js";
import { many, usd } from "./words.js";

const box = document.getElementById("verdict");
const OTHERS_SHOWN = 4;

export function showVerdict(overview, refresh) {
  const { verdict, problems, maintenance } = overview;
  const [worst, ...others] = problems;
  box.dataset.level = verdict.level;
  swap(
    box,
    h("span", { class: "lamp", "aria-hidden": "true" }),
    h("div", { class: "sentence" }, h("h1", {}, verdict.what), h("p", { class: "todo" }, verdict.todo)),
    h(
      "div",
      { class: "actions" },
      worst && remedy(worst, overview, refresh),
      maintenance ? openButton(refresh, verdict.cause === "pause") : pauseButton(refresh),
    ),
    others.length > 0 &&
      h(
        "ul",
        { class: "more" },
        others.slice(0, OTHERS_SHOWN).map((problem) => line(problem, overview, refresh)),
        others.length > OTHERS_SHOWN && h("li", { class: "soft" }, `and ${many(others.length - OTHERS_SHOWN, "more")}`),
      ),
  );
}

const line = (problem, overview, refresh) =>
  h(
    "li",
    {},
    dot(problem.level, problem.level),
    h("span", { class: "grow" }, h("b", {}, problem.what), ` ${problem.todo}`),
    problem.cause !== "pause" && remedy(problem, overview, refresh),
  );

export function showNoAnswer(error) {
  box.dataset.level = "red";
  const todo =
    error.status === 401
      ? "Reload the page and log in again."
      : "What you see below is old. It is asked for again by itself.";
  swap(
    box,
    h("span", { class: "lamp", "aria-hidden": "true" }),
    h("div", { class: "sentence" }, h("h1", {}, error.message ?? String(error)), h("p", { class: "todo" }, todo)),
  );
}

/** What mends a problem, where a button can. */
function remedy({ cause, job }, { budget }, refresh) {
  const link = (href, text) => h("a", { class: "button", href }, text);
  if (job) return [retryButton(job, refresh), link(`#jobs/${job}`, "See why")];
  if (cause === "failures") return link("#jobs?status=failed", "Look at failed packs");
  if (cause === "queue") return link("#jobs", "Look at packs");
  if (cause === "leads") return link("#leads?status=new", "Look at leads");
  return cause.startsWith("budget:") ? budgetButton(budget, refresh) : null;
}

const retryButton = (job, refresh) =>
  action(
    `Retry pack ${job}`,
    async () => {
      await post(`jobs/${job}/retry`).then(
        () => toast(`Pack ${job} is tried again.`),
        (error) => toast(error.message, "bad"),
      );
      await refresh();
    },
    { kind: "main" },
  );

export const budgetButton = (budget, refresh) =>
  action("Raise today's budget", () =>
    askFor(
      "AI budget for today",
      [
        h("p", {}, `${usd(budget.spent_usd)} spent of ${budget.limit_usd > 0 ? usd(budget.limit_usd) : "no limit"}.`),
        field(
          "Dollars for today",
          h("input", {
            name: "usd",
            type: "number",
            min: 0,
            max: 100000,
            step: "0.01",
            required: true,
            value: String(Math.ceil(Math.max(budget.limit_usd, budget.spent_usd) * 1.5) || 10),
          }),
          "It holds until the day ends; tomorrow the usual limit is back.",
        ),
      ],
      "Set for today",
      async (values) => {
        await post("budget", values);
        toast("Today's budget is set.");
        refresh();
      },
    ),
  );

const pauseButton = (refresh) =>
  action("Pause", () =>
    askFor(
      "Pause the booth",
      [
        h("p", {}, "Kiosks show a friendly break within seconds. Packs in the making are finished; leads go on."),
        field("Reason, for your team (optional)", h("input", { name: "reason", maxlength: 200, autocomplete: "off" })),
      ],
      "Pause the booth",
      async ({ reason }) => {
        await post("maintenance", { on: true, reason });
        toast("The booth is paused.");
        refresh();
      },
    ),
  );

const openButton = (refresh, main) =>
  action(
    "Open the booth",
    async () => {
      await post("maintenance", { on: false }).then(
        () => toast("The booth is open."),
        (error) => toast(error.message, "bad"),
      );
      await refresh();
    },
    { kind: main ? "main" : "" },
  );
