import { whenCalm } from "./calm.js";

const ASK_EVERY_MS = 60_000;
const TAKE_UP_EVERY_MS = 2000;

/**
 * Puts the page into the service worker's keeping, so that a reload without network still shows it,
 * and takes up a new version between guests only.
 * @param {() => boolean} isFree no guest is at the screen
 */
export function watchShell(isFree) {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  let waiting = false;
  workers.addEventListener("message", (event) => {
    if (event.data === "new version") waiting = true;
  });
  setInterval(() => waiting && isFree() && location.reload(), TAKE_UP_EVERY_MS);
  const keep = () =>
    void workers.register("/sw.js").catch((error) => console.warn("the page will not open without network:", error));
  setInterval(() => {
    if (!isFree()) return;
    // A worker that did not come, or not with the whole shell, is asked for again.
    if (workers.controller) workers.controller.postMessage("look for a new version");
    else keep();
  }, ASK_EVERY_MS);
  whenCalm(keep);
}
