// What each slot of the bot draws.
import { age, guest } from "../format.js";
import { say } from "../lang.js";
import { card, dot, empty, h, soft } from "../parts/dom.js";
import { isHeldUp, waitWords } from "./way.js";

/** @typedef {import("../answers.ts").Overview} Overview */

/** @param {Overview} overview */
export function slots({ slots: all, queue }) {
  if (all.length === 0) return card(say("slots.title"), null, empty(say("slots.none")));
  const aside = queue.queued > 0 ? say("slots.waiting", { n: queue.queued }) : say("slots.nobody");
  return card(
    say("slots.title"),
    soft(aside),
    h(
      "ul",
      { class: "rows" },
      all.map((slot) => row(slot, queue.jobs)),
    ),
  );
}

/** @param {Overview["slots"][number]} slot @param {Overview["queue"]["jobs"]} making */
function row({ slot, late, job }, making) {
  const held = making.find(({ id }) => id === job?.id);
  const trouble = held && isHeldUp(held);
  const level = late ? "red" : trouble ? "amber" : "green";
  const state = late ? say("slots.still") : job ? say("slots.busy") : say("slots.free");
  return h(
    "li",
    {},
    dot(level, state),
    h("b", {}, say("slots.slot", { n: slot })),
    job
      ? h(
          "span",
          { class: "grow" },
          `${say(`step.${job.step}`)} `,
          h("a", { href: `#jobs/${job.id}` }, say("slots.pack", { name: guest(job.name), id: job.id })),
          trouble && h("span", { class: "warn" }, ": ", waitWords(held)),
        )
      : h("span", { class: "grow soft" }, state),
    job && h("span", { class: "soft num" }, age(job.seconds)),
  );
}
