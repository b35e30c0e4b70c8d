import { api } from "./api.js";
import { byId, language } from "./screens.js";

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

/** An answer came: the overlay goes. */
export function reached() {
  const was = failures;
  failures = 0;
  clearTimeout(probing);
  probing = undefined;
  byId("offline", HTMLElement).hidden = true;
  if (was > 0) for (const listener of onBack) listener();
}

/** No answer came. @param {boolean} [tellNow] the guest is waiting for this very answer */
export function missed(tellNow = false) {
  failures += 1;
  if (tellNow || failures >= TELL_AFTER) byId("offline", HTMLElement).hidden = false;
  probing ??= setTimeout(probe, PROBE_EVERY_MS);
}

async function probe() {
  probing = undefined;
  try {
    await api.templates(language());
    reached();
  } catch (error) {
    if (error instanceof Error && "status" in error && error.status !== 0) reached();
    else missed();
  }
}

export function watchConnection() {
  window.addEventListener("offline", () => missed(true));
  window.addEventListener("online", () => {
    clearTimeout(probing);
    void probe();
  });
}
