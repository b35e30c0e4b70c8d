/** English: what is said in the operators' chat. */
import type { ChatTexts } from "../types.ts";

export const chat: ChatTexts = {
  budget: {
    howTo: "Write dollars: <code>/budget 30</code>; <code>/budget off</code> means no limit today.",
    ofNothing: "A budget of nothing would mean no limit. To stop spending use /pause; otherwise write more than 0.",
    now: (spent, limit) => `AI today: ${spent} spent, ${limit === null ? "no limit" : `${limit} allowed`}.`,
    setBy: (name) => ` Set for today by ${name}.`,
    noLimit: "<b>No limit for today.</b> Packs are drawn, whatever they cost.",
    untilTomorrow: (usual) => (usual === null ? "" : ` Tomorrow the usual ${usual} holds again.`),
    usualAgain: " This is the usual limit again.",
  },
};
