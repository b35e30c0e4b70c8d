import { byId, settle } from "./screens.js";

const TICK_MS = 200;
/** The question "are you still here?" stands this long before the end. */
const ASK_BEFORE_S = 10;

/** @type {{end: number, ask: boolean, onEnd: () => void} | null} */
let running = null;

/**
 * Starts the current screen's idle end, replacing the last one. Any touch or key starts it anew.
 * @param {number} limitS
 * @param {() => void} onEnd
 * @param {{ask?: boolean}} [options] `ask`: warn with an overlay; otherwise the seconds stand in the screen's `.left`
 */
export function idleAfter(limitS, onEnd, { ask = true } = {}) {
  limitMs = limitS * 1000;
  running = { end: performance.now() + limitMs, ask, onEnd };
  draw();
}

let limitMs = 0;

export function noIdle() {
  running = null;
  draw();
}

/** Wires touches, keys and the tick, once. */
export function watchIdle() {
  const overlay = byId("idle", HTMLElement);
  const touched = (/** @type {Event} */ event) => {
    if (!running?.ask) return;
    running.end = performance.now() + limitMs;
    if (overlay.hidden) return;
    // The touch that answers the question does nothing else.
    event.preventDefault();
    event.stopPropagation();
    draw();
    settle();
  };
  for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, touched, { capture: true });
  setInterval(draw, TICK_MS);
}

function draw() {
  const left = running ? Math.ceil((running.end - performance.now()) / 1000) : Number.POSITIVE_INFINITY;
  const overlay = byId("idle", HTMLElement);
  const asking = running?.ask === true && left > 0 && left <= ASK_BEFORE_S;
  if (overlay.hidden === asking) {
    overlay.hidden = !asking;
    if (asking) byId("idle-stay", HTMLElement).focus({ preventScroll: true });
  }
  byId("idle-left", HTMLElement).textContent = asking ? String(left) : "";
  for (const place of document.querySelectorAll(".left")) {
    const shown = running && !running.ask && left > 0 ? String(left) : "";
    if (place.textContent !== shown) place.textContent = shown;
  }
  if (running && left <= 0) {
    const { onEnd } = running;
    running = null;
    onEnd();
  }
}
