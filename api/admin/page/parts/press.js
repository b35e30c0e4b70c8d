// A finger or a mouse button that is down. What is replaced under it loses its tap, so drawing waits until it is up.

/** The click follows the finger's rising: at once for a mouse, in an event of its own for a touch. */
const CLICK_MS = 50;
/** A finger that rests on the page, or whose rising nobody heard of, keeps nothing from being shown for longer. */
const LONGEST_MS = 5000;

let isDown = false;
/** @type {ReturnType<typeof setTimeout>} */
let rising;
/** @type {(() => void)[]} */
let waiting = [];

function up() {
  clearTimeout(rising);
  rising = setTimeout(() => {
    isDown = false;
    for (const go of waiting) go();
    waiting = [];
  }, CLICK_MS);
}

addEventListener("pointerdown", () => {
  clearTimeout(rising);
  isDown = true;
});
addEventListener("pointerup", up);
addEventListener("pointercancel", up);
// A button that was let go outside of the window.
addEventListener("pointermove", (event) => {
  const isLetGo = event instanceof PointerEvent && event.pointerType === "mouse" && event.buttons === 0;
  if (isDown && isLetGo) up();
});

/** Is something being pressed, dragged or selected? */
export const isPressed = () => isDown;

/** Resolves when nothing is pressed, or has been for too long. @returns {Promise<void>} */
export const released = () =>
  new Promise((resolve) => {
    if (!isDown) return resolve();
    waiting.push(resolve);
    setTimeout(resolve, LONGEST_MS);
  });
