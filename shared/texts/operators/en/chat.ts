/** English: what is said in the operators' chat. */
import type { ChatTexts } from "../types.ts";

export const chat: ChatTexts = {
  onPage: (user) => `${user}, on the page`,
  pause: {
    already: "The booth is paused already.",
    paused: (by, reason, left) =>
      `<b>The booth is paused</b> by ${by}${reason ? `: ${reason}` : ""}. New guests are asked to come back later.${left === 0 ? "" : ` ${left} ${left === 1 ? "pack" : "packs"} in the making will be finished.`}`,
    openAlready: "The booth is open already.",
    opened: (by) => `<b>The booth is open</b>, by ${by}.`,
    open: "Open the booth",
    pause: "Pause the booth",
  },
  budget: {
    howTo: "Write dollars: <code>/budget 30</code>; <code>/budget off</code> means no limit today.",
    ofNothing: "A budget of nothing would mean no limit. To stop spending use /pause; otherwise write more than 0.",
    now: (spent, limit) => `AI today: ${spent} spent, ${limit === null ? "no limit" : `${limit} allowed`}.`,
    setBy: (name) => ` Set for today by ${name}.`,
    noLimit: "<b>No limit for today.</b> Packs are drawn, whatever they cost.",
    untilTomorrow: (usual) => (usual === null ? "" : ` Tomorrow the usual ${usual} holds again.`),
    usualAgain: " This is the usual limit again.",
    usually: (limit, by) => `<b>The AI budget of every day is ${limit ?? "without a limit"} now</b>, by ${by}.`,
  },
};
