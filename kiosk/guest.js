import { forgetGuest, showMessage } from "./draw.js";
import { noIdle } from "./idle.js";
import { byId, screen, setLanguage, show } from "./screens.js";
import { closeCamera } from "./shoot.js";
import { lower } from "./start.js";
import { recall } from "./store.js";
import { isLang } from "./texts.js";

/** @typedef {import("./visit.js").Visit} Visit */

/** @type {Visit | null} */
let visit = null;
/** The booth is closed for a while, as the server said last. */
let paused = false;

/** The guest in front of the screen. */
export const current = () => visit;

/** Whether the screen waits for its next guest. */
export const isFree = () => visit === null && (screen() === "start" || tellsOfPause());

const tellsOfPause = () => screen() === "message" && byId("message", HTMLElement).dataset.ending === "maintenance";

/**
 * A free screen tells of the pause and wakes up by itself when it ends; a guest in the middle of a visit goes on.
 * @param {boolean} on
 */
export function setPaused(on) {
  const ended = paused && !on;
  paused = on;
  if (ended && tellsOfPause()) leave();
  else if (on && isFree() && !tellsOfPause()) showMessage("maintenance");
}

/** @param {Visit} v from now on the guest in front of the screen */
export function welcome(v) {
  visit = v;
  byId("begin", HTMLElement).setAttribute("aria-busy", "true");
}

/** The language of a free screen: the event's or the tablet's. */
export function homeLanguage() {
  const wanted = [recall("local", "lang"), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find(isLang) ?? "ru";
}

/** Ends the visit, if there is one, and makes the screen the next guest's. */
export function leave() {
  const old = visit;
  visit = null;
  old?.end();
  noIdle();
  closeCamera();
  forgetGuest();
  lower(false);
  setLanguage(homeLanguage());
  byId("begin", HTMLElement).removeAttribute("aria-busy");
  if (paused) showMessage("maintenance");
  else show("start");
}

/** The visit has not begun after all; the chosen language stays. @param {Visit} v */
export function backToStart(v) {
  visit = null;
  v.end();
  forgetGuest();
  byId("begin", HTMLElement).removeAttribute("aria-busy");
}
