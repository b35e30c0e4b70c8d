// Seconds that run down between two refreshes.
import { age, boothNow } from "../format.js";
import { say } from "../lang.js";
import { h } from "./dom.js";

/** `next in 20 s`, and running down. @param {string | number} at */
export function countdown(at) {
  const until = typeof at === "number" ? at : Date.parse(at);
  return h("span", { class: "num", data: { until: String(until) } }, words(until));
}

/** @param {Element} root */
export function tick(root) {
  for (const element of root.querySelectorAll("[data-until]")) {
    if (element instanceof HTMLElement) element.textContent = words(Number(element.dataset.until));
  }
}

/** @param {number} until */
function words(until) {
  const seconds = (until - boothNow()) / 1000;
  return seconds < 1 ? say("waits.now") : say("waits.next", { age: age(seconds) });
}
