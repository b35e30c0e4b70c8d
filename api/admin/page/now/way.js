// The way of guests, from the code to the stickers: who is where, and who waits for something that fails.
import { age, guest } from "../format.js";
import { say } from "../lang.js";
import { card, dot, h, soft } from "../parts/dom.js";
import { isStuck, waitWords } from "../parts/waits.js";

/** @typedef {import("../answers.ts").Making} Making */
/** @typedef {{name: import("../lang.js").TextKey, count: number, who: string[], late: boolean}} Stage */

const NAMES_SHOWN = 4;
const LATE_SHOWN = 8;

/** @param {import("../answers.ts").Overview} overview */
export function way({ guests, visiting, queue, problems }) {
  /** @param {keyof typeof visiting} status @returns {Omit<Stage, "name">} */
  const visits = (status) => {
    const there = guests.filter((visit) => visit.status === status);
    const who = there.map(({ name, kiosk }) => (status === "created" ? (kiosk ?? "") : guest(name)));
    return { count: visiting[status], who: who.filter(Boolean), late: false };
  };
  /** @param {"queued"|"running"|"delivering"} status @returns {Omit<Stage, "name">} */
  const packs = (status) => {
    const there = queue.jobs.filter((job) => job.status === status);
    const who = there.map(({ name, seconds }) => `${guest(name)} ${age(seconds)}`);
    return { count: queue[status], who, late: there.some((job) => isStuck(job, problems)) };
  };
  const late = queue.jobs.filter((job) => isStuck(job, problems));
  const unlisted = queue.queued + queue.running + queue.delivering - queue.jobs.length;
  // Where every listed one waits, so do the rest, which began after them.
  const more = late.length - LATE_SHOWN + (late.length === queue.jobs.length ? unlisted : 0);
  return card(
    say("now.guests"),
    queue.oldest_seconds !== null && soft(say("now.first_waits", { age: age(queue.oldest_seconds) })),
    h(
      "ol",
      { class: "way" },
      stage({ name: "way.code", ...visits("created") }),
      stage({ name: "way.consent", ...visits("linked") }),
      stage({ name: "way.outfit", ...visits("consented") }),
      stage({ name: "way.camera", ...visits("template_chosen") }),
      stage({ name: "way.queue", ...packs("queued") }),
      stage({ name: "way.drawn", ...packs("running") }),
      stage({ name: "way.sent", ...packs("delivering") }),
    ),
    late.length > 0 &&
      h(
        "ul",
        { class: "rows" },
        late.slice(0, LATE_SHOWN).map(lateRow),
        more > 0 && h("li", {}, h("a", { href: "#jobs" }, say("verdict.more", { n: more }))),
      ),
  );
}

/** @param {Stage} stage */
const stage = ({ name, count, who, late }) =>
  h(
    "li",
    { data: { busy: String(count > 0), late: String(late) } },
    h("span", { class: "small" }, say(name)),
    h("b", {}, String(count)),
    who.length > 0 &&
      h(
        "span",
        { class: "who" },
        who.slice(0, NAMES_SHOWN).join(", "),
        count > Math.min(who.length, NAMES_SHOWN) &&
          ` ${say("verdict.more", { n: count - Math.min(who.length, NAMES_SHOWN) })}`,
      ),
  );

/** @param {Making} job */
const lateRow = (job) =>
  h(
    "li",
    {},
    dot("amber", say("level.amber")),
    h("a", { href: `#jobs/${job.id}` }, say("slots.pack", { name: guest(job.name), id: job.id })),
    h("span", { class: "grow warn" }, waitWords(job)),
    h("span", { class: "soft num" }, age(job.seconds)),
  );
