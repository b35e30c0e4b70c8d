import { Camera } from "./camera.js";
import { cropOf, judge, luma } from "./frame.js";
import { BadPicture, fromFile, snap } from "./photo.js";
import { byId, clearText, setText } from "./screens.js";
import * as sound from "./sound.js";

/** Picking a file is offered once the camera has failed this often. */
const OFFER_FILE_AFTER = 3;
const COUNT_FROM = 3;
const COUNT_MS = 1000;
const HINT_EVERY_MS = 400;
/** A hint must hold this many looks before it is shown, or the line flickers. */
const HINT_STEADY = 2;
/** What went wrong stands this long before advice takes its place. */
const TROUBLE_MS = 4000;
/** A refused picture file is explained for this long, whatever the missing camera has to say meanwhile. */
const FILE_TROUBLE_MS = 8000;
const PATCH = { width: 96, height: 128 };

const stage = byId("stage", HTMLElement);
const note = byId("stage-note", HTMLElement);
const hint = byId("camera-hint", HTMLElement);
const count = byId("count", HTMLElement);
const button = byId("shoot", HTMLButtonElement);
const choose = byId("choose", HTMLElement);
const file = byId("file", HTMLInputElement);
const video = byId("preview", HTMLVideoElement);
const patch = document.createElement("canvas");

const camera = new Camera(video, cameraSays);
/** How the guests' camera is, in the heartbeat's words. */
export const cameraCondition = () => camera.condition;

let counting = false;
/** The camera went away during the countdown; that it came back does not bring the pose back. */
let interrupted = false;
let troubleUntil = 0;
let fileTroubleUntil = 0;
/** @type {ReturnType<typeof setInterval> | undefined} */
let hinting;

/** @param {import("./camera.js").CameraState} state */
function cameraSays(state) {
  stage.dataset.state = state;
  if (state !== "live") interrupted = true;
  if (state === "live") clearText(note);
  else if (performance.now() > fileTroubleUntil) setText(note, `camera.state.${state}`);
  button.disabled = state !== "live" || counting;
  const none = state === "none" || state === "denied";
  choose.hidden = state === "live" || !(none || camera.failures >= OFFER_FILE_AFTER);
  button.hidden = none;
  if (none) clearText(hint);
  else if (!hint.dataset.t) setText(hint, "camera.hint.frame");
}

/** Opens the camera and starts advising. */
export function openCamera() {
  setText(hint, "camera.hint.frame");
  file.value = "";
  fileTroubleUntil = 0;
  camera.start();
  clearInterval(hinting);
  let before = /** @type {Uint8Array | null} */ (null);
  let last = "";
  let steady = 0;
  hinting = setInterval(() => {
    if (camera.state !== "live" || counting || performance.now() < troubleUntil) return;
    const grey = look();
    if (!grey) return;
    const says = judge(grey, PATCH.width, before);
    before = grey;
    steady = says === last ? steady + 1 : 1;
    last = says;
    if (steady >= HINT_STEADY) setText(hint, `camera.hint.${says}`);
  }, HINT_EVERY_MS);
}

/** Closes the camera and leaves no pixel behind. */
export function closeCamera() {
  clearInterval(hinting);
  camera.stop();
  count.textContent = "";
  file.value = "";
  patch.width = 0;
  patch.height = 0;
}

/** The middle half of the frame, in which a face is, small. */
function look() {
  const crop = cropOf(video.videoWidth, video.videoHeight);
  if (!(crop.width > 0)) return null;
  patch.width = PATCH.width;
  patch.height = PATCH.height;
  const context = patch.getContext("2d", { willReadFrequently: true });
  if (!context) return null;
  const x = crop.x + crop.width / 4;
  const y = crop.y + crop.height / 6;
  context.drawImage(video, x, y, crop.width / 2, crop.height / 2, 0, 0, PATCH.width, PATCH.height);
  return luma(context.getImageData(0, 0, PATCH.width, PATCH.height).data);
}

/**
 * 3-2-1 and the shot.
 * @param {AbortSignal} signal
 * @returns {Promise<import("./photo.js").Photo | null>} null when the camera went away or the shot was empty
 */
export async function countAndShoot(signal) {
  if (camera.state !== "live") return null;
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

/**
 * @param {AbortSignal} signal
 * @returns {Promise<import("./photo.js").Photo | null>} null when there is no usable picture in it
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
