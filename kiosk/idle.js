import { byId, cover, settle } from "./screens.js";

const TICK_MS = 200;
/** The question "are you still here?" stands this long before the end. */
const ASK_BEFORE_S = 10;
/** While the guest is on the phone the seconds are shown only when they run out. */
const HELD_SHOWN_S = 30;

/**
 * `ask`: warn with an overlay; otherwise the seconds stand in the screen's `.left`.
 * `held`: the guest is on the phone, and the end is the session's.
 * @type {{limitMs: number, end: number, ask: boolean, held: boolean, onEnd: () => void} | null}
 */
let running = null;

/**
 * Starts the current screen's idle end, replacing the last one. Any touch or key starts it anew.
 * @param {number} limitS
 * @param {() => void} onEnd
 * @param {{ask?: boolean}} [options] `ask`: warn with an overlay; otherwise the seconds stand in the screen's `.left`
 */
export function idleAfter(limitS, onEnd, { ask = true } = {}) {
  const limitMs = limitS * 1000;
  running = { limitMs, end: performance.now() + limitMs, ask, held: false, onEnd };
  draw();
}

/**
 * The guest is busy on the phone: nobody is asked, and the end waits for the session's own, which no touch puts off.
 * @param {number} leftMs until then
 */
export function holdIdle(leftMs) {
  if (!running) return;
  running.held = true;
  running.end = performance.now() + leftMs;
  draw();
}

export function noIdle() {
  running = null;
  draw();
}

/** Wires touches, keys, sleep and the tick, once. */
export function watchIdle() {
  const overlay = byId("idle", HTMLElement);
  const touched = (/** @type {Event} */ event) => {
    if (!running?.ask || running.held) return;
    running.end = performance.now() + running.limitMs;
    if (overlay.hidden) return;
    // The touch that answers the question does nothing else.
    event.preventDefault();
    event.stopPropagation();
    draw();
    settle();
  };
  for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, touched, { capture: true });
  watchSleep();
  setInterval(draw, TICK_MS);
}

/**
 * The page's clock stands still while a tablet sleeps; the guest has gone all the same. Only the wall clock tells how
 * long that was, and it is believed for no other time: it may be set while a guest stands here.
 */
function watchSleep() {
  let wall = 0;
  let own = 0;
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      wall = Date.now();
      own = performance.now();
      return;
    }
    const sleptMs = Date.now() - wall - (performance.now() - own);
    if (running && wall > 0 && sleptMs > 0) running.end -= sleptMs;
    draw();
  });
}

function draw() {
  const left = running ? Math.ceil((running.end - performance.now()) / 1000) : Number.POSITIVE_INFINITY;
  const overlay = byId("idle", HTMLElement);
  const asking = running?.ask === true && !running.held && left > 0 && left <= ASK_BEFORE_S;
  if (overlay.hidden === asking) {
    cover(overlay, asking);
    if (asking) byId("idle-stay", HTMLElement).focus({ preventScroll: true });
  }
  byId("idle-left", HTMLElement).textContent = asking ? String(left) : "";
  const counting = running?.held ? left <= HELD_SHOWN_S : running?.ask === false;
  const shown = counting && left > 0 ? String(left) : "";
  for (const place of document.querySelectorAll(".left")) {
    if (place.textContent !== shown) place.textContent = shown;
  }
  if (running && left <= 0) {
    const { onEnd } = running;
    running = null;
    onEnd();
  }
}
