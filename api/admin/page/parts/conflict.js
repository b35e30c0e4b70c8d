// Two operators fill in one form: the second sees what the first changed, and chooses whose words hold.
import { say } from "../lang.js";
import { Refusal } from "../server.js";
import { messageOf, toast } from "./dialog.js";
import { action, h } from "./dom.js";

/** What a form shows, in words, by the name of the field. @typedef {Record<string, string>} Fields */
/** @typedef {{label: string, was: string, theirs: string, mine: string, isMine: boolean}} Difference */
/**
 * @template {{version: number}} Saved
 * @typedef {object} Saving
 * @property {import("../lang.js").TextKey} stale what happened, when somebody was first
 * @property {Saved} base as the form was opened
 * @property {() => Promise<Saved | undefined>} latest as it stands now
 * @property {(saved: Saved) => Fields} fieldsOf
 * @property {Fields} mine
 * @property {Record<string, string>} labels of the fields that are compared
 * @property {HTMLElement} place where the question is asked
 * @property {(version: number) => Promise<unknown>} send what was changed here, and nothing else
 * @property {() => unknown} done the save ends when it does
 * @property {(theirs: Saved) => void} take shows theirs in place of the form
 */

/**
 * Saves a form, or asks whose words hold.
 * @template {{version: number}} Saved
 * @param {Saving<Saved>} saving
 * @param {number} [version] of what this save stands on
 * @returns {Promise<boolean>} whether it was saved
 * @throws what was refused for another reason
 */
export async function saveOrAsk(saving, version = saving.base.version) {
  try {
    await saving.send(version);
    await saving.done();
    return true;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "conflict") throw error;
    const theirs = await saving.latest();
    if (!theirs || theirs.version === version) throw error;
    saving.place.replaceChildren(question(saving, theirs));
    saving.place.scrollIntoView({ block: "nearest" });
    return false;
  }
}

/**
 * @template {{version: number}} Saved
 * @param {Saving<Saved>} saving
 * @param {Saved} theirs
 */
function question(saving, theirs) {
  const { stale, labels, base, fieldsOf, mine, take } = saving;
  const keep = async () => {
    try {
      await saveOrAsk(saving, theirs.version);
    } catch (error) {
      toast(messageOf(error), "bad");
    }
  };
  return h(
    "section",
    { class: "conflict", role: "alert" },
    h("h3", {}, say(stale)),
    h("ul", { class: "rows" }, differences(labels, fieldsOf(base), fieldsOf(theirs), mine).map(row)),
    h("p", { class: "small" }, say("conflict.about")),
    h(
      "div",
      { class: "chips" },
      action(say("conflict.keep"), keep, { kind: "main" }),
      action(say("conflict.take"), () => take(theirs)),
    ),
  );
}

/** @param {Difference} difference */
const row = ({ label, was, theirs, mine, isMine }) =>
  h(
    "li",
    {},
    h("b", {}, label),
    h(
      "dl",
      {},
      value(say("conflict.was"), was),
      value(say("conflict.theirs"), theirs),
      isMine ? value(say("conflict.mine"), mine) : h("dd", { class: "soft" }, say("conflict.untouched")),
    ),
  );

/** @param {string} name @param {string} text */
const value = (name, text) => [h("dt", {}, name), h("dd", {}, text === "" ? say("conflict.nothing") : text)];

/**
 * What they changed, beside what was typed here.
 * @param {Record<string, string>} labels @param {Fields} was @param {Fields} theirs @param {Fields} mine
 * @returns {Difference[]}
 */
export const differences = (labels, was, theirs, mine) =>
  Object.entries(labels)
    .map(([name, label]) => {
      const old = was[name] ?? "";
      const own = mine[name] ?? old;
      return { label, was: old, theirs: theirs[name] ?? "", mine: own, isMine: own !== old };
    })
    .filter((difference) => difference.was !== difference.theirs);
