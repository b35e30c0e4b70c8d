import { Camera } from "./camera.js";
import { isHopeless } from "./frame.js";
import { startHints, stopHints } from "./hints.js";
import { BadPicture, fromFile, snap } from "./photo.js";
import { byId, clearText, screen, setText, settle } from "./screens.js";
import * as sound from "./sound.js";

/** Picking a file is offered once the camera has failed this often. */
const OFFER_FILE_AFTER = 3;
const COUNT_FROM = 3;
const COUNT_MS = 1000;
/** What went wrong stands this long before advice takes its place. */
const TROUBLE_MS = 4000;
/** A refused picture file is explained for this long, whatever the missing camera has to say meanwhile. */
const FILE_TROUBLE_MS = 8000;

const stage = byId("stage", HTMLElement);
const note = byId("stage-note", HTMLElement);
const title = byId("camera-title", HTMLElement);
const hint = byId("camera-hint", HTMLElement);
const count = byId("count", HTMLElement);
const button = byId("shoot", HTMLButtonElement);
const choose = byId("choose", HTMLElement);
const file = byId("file", HTMLInputElement);
const video = byId("preview", HTMLVideoElement);

const camera = new Camera(video, cameraSays);
/** How the guests' camera is, in the heartbeat's words. */
export const cameraCondition = () => camera.condition;

let counting = false;
/** The camera went away during the countdown; that it came back does not bring the pose back. */
let interrupted = false;
let troubleUntil = 0;
let fileTroubleUntil = 0;
/** Nobody or several people are in the frame, as far as the tablet can tell. */
let hopeless = false;
/** The guest was told so once; whoever wants the picture all the same gets it. */
let warned = false;

/** @param {import("./types.js").CameraState} state */
function cameraSays(state) {
  stage.dataset.state = state;
  if (state !== "live") interrupted = true;
  const none = state === "none" || state === "denied";
  const fallback = state !== "live" && (none || camera.failures >= OFFER_FILE_AFTER);
  setText(title, fallback ? "camera.other" : "camera.title");
  if (state === "live") clearText(note);
  else if (performance.now() > fileTroubleUntil)
    setText(note, fallback && !none ? "camera.state.down" : `camera.state.${state}`);
  // Advice about a picture that is not there helps nobody.
  if (state !== "live" && state !== "starting") clearText(hint);
  else if (!hint.dataset.t) setText(hint, "camera.hint.frame");
  button.disabled = state !== "live" || counting;
  button.hidden = fallback;
  choose.hidden = !fallback;
}

/** Opens the camera and starts advising. */
export function openCamera() {
  setText(hint, "camera.hint.frame");
  file.value = "";
  fileTroubleUntil = 0;
  warned = false;
  believe(false);
  camera.start();
  const mayLook = () => camera.state === "live" && !counting && performance.now() >= troubleUntil;
  startHints(video, mayLook, (advice) => {
    believe(isHopeless(advice));
    setText(hint, `camera.hint.${advice}`);
  });
}

/** @param {boolean} value */
function believe(value) {
  hopeless = value;
  setText(button, hopeless && warned ? "camera.anyway" : "camera.shoot");
}

/** Closes the camera and leaves no pixel behind. */
export function closeCamera() {
  stopHints();
  camera.stop();
  count.textContent = "";
  file.value = "";
}

/** Lends the camera to the operators' corner: two pages of one tablet cannot always share it. */
export function lendCamera() {
  camera.stop();
}

export function takeCameraBack() {
  if (screen() === "camera") camera.start();
}

/**
 * 3-2-1 and the shot.
 * @param {AbortSignal} signal
 * @returns {Promise<import("./types.js").Photo | null>} null when the camera went away, the shot was empty, or there
 *   is something to be told first
 */
export async function countAndShoot(signal) {
  if (camera.state !== "live" || warn()) return null;
  counting = true;
  interrupted = false;
  button.disabled = true;
  setText(hint, "camera.hint.counting");
  try {
    for (let left = COUNT_FROM; left > 0; left--) {
      count.textContent = String(left);
      sound.tick();
      await pause(COUNT_MS, signal);
      if (interrupted) return null;
    }
    count.textContent = "";
    sound.shutter();
    const flash = byId("flash", HTMLElement);
    flash.classList.add("on");
    setTimeout(() => flash.classList.remove("on"), 400);
    return await snap(video);
  } catch (error) {
    if (!(error instanceof BadPicture)) throw error;
    setText(hint, "camera.empty");
    troubleUntil = performance.now() + TROUBLE_MS;
    return null;
  } finally {
    counting = false;
    count.textContent = "";
    button.disabled = camera.state !== "live";
  }
}

/** No stickers can be drawn of nobody: that is said before the count, once. @returns whether it was said now */
function warn() {
  if (!hopeless || warned) return false;
  warned = true;
  believe(true);
  hint.classList.remove("nudge");
  // Read, so that the browser begins the motion anew.
  void hint.offsetWidth;
  hint.classList.add("nudge");
  settle();
  return true;
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<import("./types.js").Photo | null>} null when there is no usable picture in it
 */
export async function takeFile(signal) {
  const picked = file.files?.[0];
  file.value = "";
  if (!picked) return null;
  fileTroubleUntil = 0;
  try {
    const photo = await fromFile(picked);
    if (!signal.aborted) return photo;
    photo.forget();
  } catch (error) {
    if (!(error instanceof BadPicture)) throw error;
    setText(note, error.why === "empty" ? "camera.dark_file" : "camera.bad_file");
    fileTroubleUntil = performance.now() + FILE_TROUBLE_MS;
  }
  return null;
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal
 * @returns {Promise<void>} rejects with the AbortError when the visit ends first
 */
export function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
