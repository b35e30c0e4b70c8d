/** A page that has just come is left in peace this long: the first seconds are the first screen's. */
const PEACE_MS = 4000;
/** A picture may hang on its way for ever; the page has come all the same. */
const COME_AFTER_MS = 20_000;
/** Where every frame is work, a page is never idle. */
const IDLE_WITHIN = { timeout: 5000 };

const idle = window.requestIdleCallback ?? ((/** @type {() => void} */ then) => setTimeout(then, 1000));

/**
 * Runs what no first screen needs, once the page has been drawn and has nothing else to do.
 * @param {() => void} task
 */
export function whenCalm(task) {
  let waits = true;
  const come = () => {
    if (waits) setTimeout(() => idle(() => task(), IDLE_WITHIN), PEACE_MS);
    waits = false;
  };
  if (document.readyState === "complete") return come();
  window.addEventListener("load", come);
  setTimeout(come, COME_AFTER_MS);
}
