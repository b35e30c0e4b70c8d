// Today's money for AI: another limit, or none, until the day ends.
import { usd } from "./format.js";
import { say } from "./lang.js";
import { askFor, messageOf, toast } from "./parts/dialog.js";
import { action, h } from "./parts/dom.js";
import { field } from "./parts/form.js";
import { post } from "./server.js";

/** @typedef {import("./answers.ts").Budget} Budget */

/** Offered at first: room for half as much again as was allowed or spent. */
const HALF_AGAIN = 1.5;
const OFFERED_AT_LEAST = 10;
const MAX_USD = 100_000;

/** @param {Budget} budget @param {() => unknown} refresh */
export const budgetButton = (budget, refresh) =>
  action(say(budget.limit_usd > 0 ? "budget.raise" : "budget.set"), () => ask(budget, refresh), { key: "budget" });

/** @param {Budget} budget @param {() => unknown} refresh */
function ask({ limit_usd: limit, usual_usd: usual, spent_usd: spent }, refresh) {
  const stands = say(limit > 0 ? "budget.spent" : "budget.spent_free", { spent: usd(spent), limit: usd(limit) });
  const dialog = askFor(
    say("budget.title"),
    [h("p", {}, stands), field(say("budget.dollars"), amount(limit, spent), say("budget.until"), "$")],
    say("budget.send"),
    async ({ usd: dollars }) => {
      // Null would mean no limit, which is a button of its own.
      await post("budget", { usd: dollars ?? "" });
      done(say("budget.done"));
    },
    {
      more: [
        usual > 0 && limit !== usual && sets(usual, say("budget.usual", { limit: usd(usual) })),
        limit > 0 && sets(null, say("budget.none")),
      ],
    },
  );

  /** @param {number | null} dollars @param {string} words */
  function sets(dollars, words) {
    return action(words, async () => {
      try {
        await post("budget", { usd: dollars });
        done(say(dollars === null ? "budget.none_done" : "budget.done"));
      } catch (error) {
        toast(messageOf(error), "bad");
      }
    });
  }

  /** @param {string} words */
  function done(words) {
    dialog.close();
    toast(words);
    refresh();
  }
}

/** @param {number} limit @param {number} spent */
function amount(limit, spent) {
  const offered = Math.max(OFFERED_AT_LEAST, Math.ceil(Math.max(limit, spent) * HALF_AGAIN));
  const value = String(offered);
  return h("input", { name: "usd", type: "number", min: 0.01, max: MAX_USD, step: "0.01", required: true, value });
}
