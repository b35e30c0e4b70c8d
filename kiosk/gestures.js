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
