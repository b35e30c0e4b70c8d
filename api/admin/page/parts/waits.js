// What a pack waits for, in words, and whether somebody has to know.
import { say } from "../lang.js";
import { countdown } from "./countdown.js";
import { h } from "./dom.js";

/** @typedef {import("../answers.ts").Making} Making */
/** @typedef {import("../answers.ts").Problem} Problem */

/**
 * Does it wait for something that fails? The server says so: Telegram's servers are a few seconds late with every pack.
 * @param {Making} job
 * @param {Problem[]} problems
 */
export const isStuck = ({ waiting }, problems) =>
  waiting !== null && (waiting.for === "budget" || problems.some(({ cause }) => cause === `waiting:${waiting.for}`));

/** `waiting for Telegram, attempt 3, next in 8 s`; nothing while only its turn is awaited. @param {Making} job */
export function waitWords({ waiting }) {
  if (!waiting || waiting.for === "slot") return [];
  const { for: what, attempt, next_at } = waiting;
  if (what === "budget") return [say("waits.budget")];
  const next = next_at ? countdown(next_at) : say("waits.now");
  return [`${say(`waits.${what}`)}, ${say("waits.attempt", { n: attempt })}, `, next];
}

/**
 * The words in the colour that they deserve; null when there are none.
 * @param {Making | undefined} job
 * @param {Problem[]} problems
 * @param {string} kind more classes
 */
export function waitNote(job, problems, kind = "") {
  const words = job ? waitWords(job) : [];
  if (!job || words.length === 0) return null;
  return h("span", { class: `${isStuck(job, problems) ? "warn" : "soft"} ${kind}` }, words);
}
