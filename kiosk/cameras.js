// Which cameras there are, which one is taken, and what is known of them while none is open.
import { recall } from "./store.js";

/** @import { CameraState, Condition } from "./types.js" */

const WANTED = { width: { ideal: 1920 }, height: { ideal: 1440 } };
const FRONT = /front|user|facetime/i;
const BACK = /back|rear|environment/i;
const LOOK_EVERY_MS = 30_000;

/** What went wrong when a camera was open last, until one shows a picture again. @type {Condition | null} */
let trouble = null;
/** What the browser says of cameras without opening one. @type {"blocked" | "missing" | null} */
let found = null;

/** How the cameras are as far as can be told while none is open, in the heartbeat's words. @returns {Condition} */
export const restingCondition = () => found ?? trouble ?? "off";

/** Remembers how an open camera is. @param {Condition} condition */
export function noteCondition(condition) {
  if (condition === "ok") trouble = null;
  else if (condition !== "off" && condition !== "starting") trouble = condition;
}

/** Keeps an eye on the cameras while nobody is being photographed; opens none. */
export function watchCameras() {
  navigator.mediaDevices?.addEventListener?.("devicechange", () => {
    // Plugged in or out: what was busy or frozen before may be another one.
    trouble = null;
    void lookAround();
  });
  setInterval(lookAround, LOOK_EVERY_MS);
  void lookAround();
}

async function lookAround() {
  const [allowed, list] = await Promise.all([
    navigator.permissions?.query({ name: "camera" }).then(
      ({ state }) => state !== "denied",
      () => null,
    ),
    cameras().catch(() => null),
  ]);
  if (allowed === false) found = "blocked";
  else if (list?.length === 0) found = "missing";
  else found = null;
  if (trouble === "blocked" && allowed) trouble = null;
  if (trouble === "missing" && list && list.length > 0) trouble = null;
}

/** @returns {Promise<MediaDeviceInfo[]>} without labels until a camera has been allowed */
export async function cameras() {
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  return devices.filter(({ kind }) => kind === "videoinput");
}

/**
 * The operator's chosen camera, else the front one; never the one at the back if there is a choice.
 * @returns {Promise<MediaStream>}
 * @throws {DOMException} see `reasonOf`
 */
export async function openStream() {
  const chosen = recall("local", "camera");
  if (chosen) {
    try {
      return await open({ deviceId: { exact: chosen } });
    } catch (error) {
      // Unplugged for good, or the browser has renamed it: any other camera is better than none.
      if (reasonOf(error) !== "none") throw error;
    }
  }
  const stream = await open({ facingMode: "user" });
  const better = await betterThan(stream).catch(() => null);
  if (!better) return stream;
  stopTracks(stream);
  return open({ deviceId: { exact: better } }).catch(() => open({ facingMode: "user" }));
}

/** @param {MediaTrackConstraints} which @returns {Promise<MediaStream>} */
async function open(which) {
  const devices = navigator.mediaDevices;
  if (!devices?.getUserMedia) throw new DOMException("no camera in this browser", "NotFoundError");
  return devices.getUserMedia({ audio: false, video: { ...WANTED, ...which } });
}

/** Where the browser gave the camera at the back, the one to take instead. @param {MediaStream} stream */
async function betterThan(stream) {
  const [track] = stream.getVideoTracks();
  const { facingMode, deviceId } = track?.getSettings() ?? {};
  if (facingMode !== "environment" && !BACK.test(track?.label ?? "")) return null;
  const others = (await cameras()).filter((other) => other.deviceId && other.deviceId !== deviceId);
  return (others.find(({ label }) => FRONT.test(label)) ?? others.find(({ label }) => !BACK.test(label)))?.deviceId;
}

/** The chosen camera is there, and the stream is another's. @param {MediaStream | null} stream */
export async function hasStrayed(stream) {
  const chosen = recall("local", "camera");
  const shown = stream?.getVideoTracks()[0]?.getSettings().deviceId;
  if (!chosen || !shown || shown === chosen) return false;
  return (await cameras().catch(() => [])).some(({ deviceId }) => deviceId === chosen);
}

/** @param {MediaStream | null} stream */
export function stopTracks(stream) {
  for (const track of stream?.getTracks() ?? []) {
    track.onended = null;
    track.stop();
  }
}

/**
 * @param {unknown} error of getUserMedia, https://www.w3.org/TR/mediacapture-streams/#dom-mediadevices-getusermedia
 * @returns {CameraState}
 */
export function reasonOf(error) {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  if (name === "NotFoundError" || name === "OverconstrainedError") return "none";
  return name === "NotReadableError" ? "busy" : "lost";
}
