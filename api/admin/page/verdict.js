// The sentence on top: how the booth is, and the buttons that mend it.
import { action, askFor, dot, field, h, swap, toast } from "./dom.js";
import { post } from "./server.js";
import { many, usd } from "./words.js";

const box = document.getElementById("verdict");
const OTHERS_SHOWN = 4;

export function showVerdict(overview, refresh) {
  const { verdict, problems, maintenance, budget } = overview;
  const others = problems.slice(1);
  box.dataset.level = verdict.level;
  swap(
    box,
    h("span", { class: "lamp", "aria-hidden": "true" }),
    h("div", { class: "sentence" }, h("h1", {}, verdict.what), h("p", { class: "todo" }, verdict.todo)),
    h(
      "div",
      { class: "actions" },
      remedies(problems, budget, refresh),
      maintenance ? openButton(refresh, verdict.cause === "pause") : pauseButton(refresh),
    ),
    others.length > 0 &&
      h(
        "ul",
        { class: "more" },
        others
          .slice(0, OTHERS_SHOWN)
          .map(({ level, what, todo }) => h("li", {}, dot(level, level), " ", h("b", {}, what), ` ${todo}`)),
        others.length > OTHERS_SHOWN && h("li", { class: "soft" }, `and ${many(others.length - OTHERS_SHOWN, "more")}`),
      ),
  );
}

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

function remedies(problems, budget, refresh) {
  const causes = problems.map(({ cause }) => cause);
  const failed = problems.find(({ cause }) => cause === "failures");
  return [
    failed?.job && retryButton(failed.job, refresh),
    failed?.job && h("a", { class: "button", href: `#jobs/${failed.job}` }, "See why"),
    ((failed && !failed.job) || causes.includes("queue")) &&
      h("a", { class: "button", href: failed ? "#jobs?status=failed" : "#jobs" }, "Look at packs"),
    causes.some((cause) => cause.startsWith("budget:")) && budgetButton(budget, refresh),
    causes.includes("leads") && h("a", { class: "button", href: "#leads?status=new" }, "Look at leads"),
  ];
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
