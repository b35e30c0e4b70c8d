/** A page that has just come is left in peace this long: the first seconds are the first screen's. */
const PEACE_MS = 4000;

const idle = window.requestIdleCallback ?? ((/** @type {() => void} */ then) => setTimeout(then, 1000));

/**
 * Runs what no first screen needs, once the page has been drawn and has nothing else to do.
 * @param {() => void} task
 */
export function whenCalm(task) {
  const wait = () => setTimeout(() => idle(() => task()), PEACE_MS);
  if (document.readyState === "complete") wait();
  else window.addEventListener("load", wait, { once: true });
}
