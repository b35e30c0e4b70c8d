const TAPS = 5;
const TAPS_WITHIN_MS = 3000;
const CORNER_PX = 64;

/** @type {number[]} */
let taps = [];

/** A kiosk is not a browser: no pinch, long-press menu, selection, drag or pull. */
export function forbidGestures() {
  const refuse = (/** @type {Event} */ event) => event.preventDefault();
  for (const type of ["contextmenu", "dragstart", "selectstart", "gesturestart", "gesturechange", "drop", "dragover"]) {
    document.addEventListener(type, refuse);
  }
  document.addEventListener(
    "touchmove",
    (event) => {
      if (event.touches.length > 1) event.preventDefault();
    },
    { passive: false },
  );
  document.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey) event.preventDefault();
    },
    { passive: false },
  );
}

/** Five taps in the upper left corner open the operators' corner; what is behind it is loaded only then. */
export function watchOperator() {
  document.addEventListener("pointerdown", (event) => {
    const inCorner = event.clientX < CORNER_PX && event.clientY < CORNER_PX;
    const now = performance.now();
    taps = inCorner ? [...taps.filter((at) => now - at < TAPS_WITHIN_MS), now] : [];
    if (taps.length < TAPS) return;
    taps = [];
    import("./operator.js").then(({ askPin }) => askPin(), console.error);
  });
}
