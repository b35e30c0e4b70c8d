import { isBlack, luma } from "./frame.js";
import { recall } from "./store.js";

/** @typedef {"starting"|"live"|"lost"|"busy"|"denied"|"none"} CameraState */
/** @typedef {"off"|"starting"|"ok"|"busy"|"blocked"|"missing"|"frozen"|"black"|"error"} Condition */

/** What operators are told of a state; guests need not know why a camera was lost. @type {Record<string, Condition>} */
const CONDITIONS = { starting: "starting", live: "ok", busy: "busy", denied: "blocked", none: "missing" };

/** A live camera that brings no new frame for this long is frozen. */
const FROZEN_AFTER_MS = 2000;
/** All black for this long: after sleep some tablets bring frames without a picture. */
const BLACK_AFTER_MS = 4000;
const WATCH_EVERY_MS = 500;
const RETRY_MS = [300, 1000, 2000, 4000, 5000];
const WANTED = { width: { ideal: 1920 }, height: { ideal: 1440 } };
const PROBE_PX = 32;

/**
 * A front camera that is kept alive: whatever stops it (unplugged, taken by another program, revoked, frozen,
 * black after sleep), it is opened again until `stop()`.
 */
export class Camera {
  /** @type {MediaStream | null} */
  #stream = null;
  /** Rises with every opening and stop: an answer to an older one is thrown away, its tracks stopped. */
  #turn = 0;
  #failures = 0;
  #lastFrameAt = 0;
  #blackSince = 0;
  #blackTried = false;
  #lastTime = -1;
  /** Why the camera was lost last. @type {Condition} */
  #trouble = "error";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #watch;
  #probe = document.createElement("canvas");

  /** @type {CameraState} */
  state = "starting";

  /**
   * @param {HTMLVideoElement} video where the picture is shown
   * @param {(state: CameraState) => void} onState
   */
  constructor(video, onState) {
    this.video = video;
    this.onState = onState;
    this.#probe.width = PROBE_PX;
    this.#probe.height = PROBE_PX;
    const again = () => this.#watch !== undefined && this.state !== "live" && this.#open();
    navigator.mediaDevices?.addEventListener?.("devicechange", again);
    document.addEventListener("visibilitychange", () => {
      this.#lastFrameAt = performance.now();
      if (!document.hidden) again();
    });
  }

  /** How often opening has failed in a row. */
  get failures() {
    return this.#failures;
  }

  /** In the heartbeat's words. @returns {Condition} */
  get condition() {
    if (this.#watch === undefined) return "off";
    if (this.state === "live" && this.#blackTried && this.#blackSince > 0) return "black";
    return CONDITIONS[this.state] ?? this.#trouble;
  }

  start() {
    if (this.#watch !== undefined) return;
    this.#failures = 0;
    this.#blackTried = false;
    this.#watch = setInterval(() => this.#look(), WATCH_EVERY_MS);
    this.#say("starting");
    this.#open();
  }

  /** Switches the camera off and forgets its picture. */
  stop() {
    this.#turn++;
    clearInterval(this.#watch);
    clearTimeout(this.#retry);
    this.#watch = undefined;
    this.#release();
    this.#say("starting");
  }

  #release() {
    for (const track of this.#stream?.getTracks() ?? []) {
      track.onended = null;
      track.stop();
    }
    this.#stream = null;
    this.video.srcObject = null;
    this.#probe.getContext("2d")?.clearRect(0, 0, PROBE_PX, PROBE_PX);
  }

  /** @param {CameraState} state */
  #say(state) {
    this.state = state;
    this.onState(state);
  }

  async #open() {
    const turn = ++this.#turn;
    clearTimeout(this.#retry);
    this.#release();
    try {
      const stream = await openStream();
      if (turn !== this.#turn) {
        for (const track of stream.getTracks()) track.stop();
        return;
      }
      this.#stream = stream;
      for (const track of stream.getVideoTracks()) track.onended = () => this.#lose("lost");
      this.video.srcObject = stream;
      this.#lastFrameAt = performance.now();
      this.#lastTime = -1;
      this.#blackSince = 0;
      await this.video.play();
      if (turn !== this.#turn) return;
      // "live" is said by #look, when a frame has really come.
    } catch (error) {
      if (turn === this.#turn) this.#lose(reasonOf(error));
    }
  }

  /**
   * @param {CameraState} state
   * @param {Condition} [trouble]
   */
  #lose(state, trouble = "error") {
    this.#turn++;
    this.#trouble = trouble;
    this.#release();
    this.#say(state);
    const wait = RETRY_MS[Math.min(this.#failures++, RETRY_MS.length - 1)] ?? 0;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#open(), wait);
  }

  #look() {
    if (!this.#stream || document.hidden) return;
    const now = performance.now();
    const time = this.video.currentTime;
    if (time !== this.#lastTime && this.video.videoWidth > 0) {
      this.#lastTime = time;
      this.#lastFrameAt = now;
      if (this.state !== "live") this.#say("live");
      this.#lookForBlack(now);
    } else if (now - this.#lastFrameAt > FROZEN_AFTER_MS) this.#lose("lost", "frozen");
  }

  /** @param {number} now */
  #lookForBlack(now) {
    const context = this.#probe.getContext("2d", { willReadFrequently: true });
    if (!context) return;
    context.drawImage(this.video, 0, 0, PROBE_PX, PROBE_PX);
    if (!isBlack(luma(context.getImageData(0, 0, PROBE_PX, PROBE_PX).data))) {
      this.#blackSince = 0;
      this.#blackTried = false;
      this.#failures = 0;
      return;
    }
    this.#blackSince ||= now;
    // Opened anew once only: a covered lens stays black, and the hint tells the guest that it is dark.
    if (!this.#blackTried && now - this.#blackSince > BLACK_AFTER_MS) {
      this.#blackTried = true;
      this.#lose("lost", "black");
    }
  }
}

/** The operator's chosen camera, else the front one; never the one at the back if there is a choice. */
async function openStream() {
  const devices = navigator.mediaDevices;
  if (!devices?.getUserMedia) throw new DOMException("no camera in this browser", "NotFoundError");
  const chosen = recall("local", "camera");
  if (chosen) {
    try {
      return await devices.getUserMedia({ audio: false, video: { ...WANTED, deviceId: { exact: chosen } } });
    } catch (error) {
      // Unplugged for good, or the browser has renamed it: any other camera is better than none.
      if (reasonOf(error) !== "none") throw error;
    }
  }
  return devices.getUserMedia({ audio: false, video: { ...WANTED, facingMode: "user" } });
}

/**
 * @param {unknown} error of getUserMedia, https://www.w3.org/TR/mediacapture-streams/#dom-mediadevices-getusermedia
 * @returns {CameraState}
 */
function reasonOf(error) {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  if (name === "NotFoundError" || name === "OverconstrainedError") return "none";
  return name === "NotReadableError" ? "busy" : "lost";
}
