import { ApiError, api } from "./api.js";
import { current } from "./guest.js";
import { byId, cover, language, setText } from "./screens.js";

const PROBE_EVERY_MS = 2000;
/** One lost poll is a hiccup; the second in a row is worth telling. */
const TELL_AFTER = 2;

let failures = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let probing;
/** @type {(() => void)[]} */
const onBack = [];

/** @param {() => void} listener runs each time the connection has come back */
export function whenBack(listener) {
  onBack.push(listener);
}

/**
 * What passes by itself: no answer at all, or one that a proxy gives while the server starts anew.
 * @param {unknown} error
 */
export function passes(error) {
  if (!(error instanceof ApiError)) return false;
  const decided = ["maintenance", "not_ready", "disk_full", "storage"].includes(error.code);
  return error.status === 0 || (error.status >= 502 && error.status <= 504 && !decided);
}

/** An answer came: the overlay goes. */
export function reached() {
  const was = failures;
  failures = 0;
  clearTimeout(probing);
  probing = undefined;
  cover(byId("offline", HTMLElement), false);
  if (was > 0) for (const listener of onBack) listener();
}

/**
 * No answer came, or none that helps.
 * @param {boolean} [tellNow] the guest is waiting for this very answer
 * @param {unknown} [error]
 */
export function missed(tellNow = false, error = null) {
  failures += 1;
  const why = error instanceof ApiError && error.status > 0 ? "trouble" : "offline";
  setText(byId("offline-title", HTMLElement), `${why}.title`);
  setText(byId("offline-lead", HTMLElement), `${why}.lead`);
  if (tellNow || failures >= TELL_AFTER) cover(byId("offline", HTMLElement), true);
  probing ??= setTimeout(probe, PROBE_EVERY_MS);
}

/** Asks for what the guest is waiting for: that something else is answered helps nobody. */
async function probe() {
  probing = undefined;
  const visit = current();
  try {
    if (visit?.token) await api.look(visit.token, visit.signal);
    else await api.templates(language());
    reached();
  } catch (error) {
    // The guest has left meanwhile: ask again for whoever comes.
    if (visit?.ended) probing ??= setTimeout(probe, 0);
    else if (error instanceof ApiError && (error.status === 0 || error.status >= 500)) missed(false, error);
    else reached();
  }
}

export function watchConnection() {
  window.addEventListener("offline", () => missed(true));
  window.addEventListener("online", () => {
    clearTimeout(probing);
    void probe();
  });
}
