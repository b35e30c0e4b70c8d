// A finger or a mouse button that is down. What is replaced under it loses its tap, so drawing waits until it is up.

/** The click follows the finger's rising: at once for a mouse, in an event of its own for a touch. */
const CLICK_MS = 100;
/** Of some presses the end is not heard, as behind a menu of the browser's own: they hold up nothing for longer. */
const LONGEST_MS = 5000;

let isDown = false;
/** @type {ReturnType<typeof setTimeout>} */
let ending;
/** @type {(() => void)[]} */
const waiting = [];

/** @param {number} ms */
function endAfter(ms) {
  clearTimeout(ending);
  ending = setTimeout(() => {
    isDown = false;
    for (const go of waiting.splice(0)) go();
  }, ms);
}

addEventListener("pointerdown", () => {
  isDown = true;
  endAfter(LONGEST_MS);
});
addEventListener("pointerup", () => endAfter(CLICK_MS));
addEventListener("pointercancel", () => endAfter(0));
addEventListener("click", () => endAfter(0), { capture: true });

/** Is something being pressed, dragged or selected? */
export const isPressed = () => isDown;

/** Resolves when nothing is pressed, or has been for too long. @returns {Promise<void>} */
export const released = () => new Promise((resolve) => (isDown ? waiting.push(resolve) : resolve()));
