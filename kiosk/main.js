import { startAttract } from "./attract.js";
import { startLook } from "./branding.js";
import { whenCalm } from "./calm.js";
import { watchConnection, whenBack } from "./connection.js";
import { startFaces } from "./faces.js";
import { begin } from "./flow.js";
import { forbidGestures, watchOperator } from "./gestures.js";
import { homeLanguage, isFree, leave } from "./guest.js";
import { watchHeart } from "./heartbeat.js";
import { idleAfter, watchIdle } from "./idle.js";
import { retake, takePhoto, usePhoto } from "./picture.js";
import { byId, setLanguage, show, watchFingers } from "./screens.js";
import { watchShell } from "./shell.js";
import { wireStart } from "./start.js";
import { takeSettings } from "./store.js";
import { closeLeftOver, settleOwed } from "./visit.js";
import { keepAwake } from "./wake.js";

/** What somebody chose on the first screen, and then went away, is not the next guest's. */
const HOME_AFTER_S = 60;

takeSettings();
closeLeftOver();
setLanguage(homeLanguage());
show("start");
startLook(isFree);

/** @type {[string, () => void][]} */
const buttons = [
  ["begin", begin],
  ["shoot", () => takePhoto("camera")],
  ["use", usePhoto],
  ["retake", retake],
  ["once-more", retake],
];
for (const [id, action] of buttons) byId(id, HTMLButtonElement).addEventListener("click", action);
for (const button of document.querySelectorAll("[data-do=leave]")) button.addEventListener("click", leave);
byId("file", HTMLInputElement).addEventListener("change", () => takePhoto("file"));

wireStart();
byId("start", HTMLElement).addEventListener("click", () => idleAfter(HOME_AFTER_S, leave, { ask: false }));
watchFingers();
watchIdle();
watchConnection();
whenBack(settleOwed);
watchOperator();
forbidGestures();
keepAwake();
startAttract();
watchShell(isFree);
watchHeart();
whenCalm(startFaces);

// The back button ends the visit; a page kept by the browser never comes back with a guest on it.
history.pushState(null, "");
window.addEventListener("popstate", () => {
  history.pushState(null, "");
  leave();
});
window.addEventListener("pagehide", leave);
window.addEventListener("pageshow", (event) => event.persisted && location.reload());
