// What each slot of the bot draws.
import { age, guest } from "../format.js";
import { say } from "../lang.js";
import { card, dot, empty, h, soft } from "../parts/dom.js";
import { isStuck, waitNote } from "../parts/waits.js";

/** @typedef {import("../answers.ts").Overview} Overview */

/** @param {Overview} overview */
export function slots({ slots: all, queue, problems }) {
  if (all.length === 0) return card(say("slots.title"), null, empty(say("slots.none")));
  const aside = queue.queued > 0 ? say("slots.waiting", { n: queue.queued }) : say("slots.nobody");
  return card(
    say("slots.title"),
    soft(aside),
    h(
      "ul",
      { class: "rows" },
      all.map((slot) => row(slot, queue.jobs, problems)),
    ),
  );
}

/** @param {Overview["slots"][number]} slot @param {Overview["queue"]["jobs"]} making @param {Overview["problems"]} problems */
function row({ slot, late, job }, making, problems) {
  const held = making.find(({ id }) => id === job?.id);
  const isLate = held && isStuck(held, problems);
  const note = waitNote(held, problems);
  const level = late ? "red" : isLate ? "amber" : "green";
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
          note && [": ", note],
        )
      : h("span", { class: "grow soft" }, state),
    job && h("span", { class: "soft num" }, age(job.seconds)),
  );
}
