import { hasStrayed, noteCondition, openStream, reasonOf, restingCondition, stopTracks } from "./cameras.js";
import { isBlack, luma } from "./frame.js";

/** @import { CameraState, Condition } from "./types.js" */

/** What operators are told of a state; guests need not know why a camera was lost. @type {Record<string, Condition>} */
const CONDITIONS = { starting: "starting", live: "ok", busy: "busy", denied: "blocked", none: "missing" };

/** A camera that brings no new frame for this long is frozen. */
const FROZEN_AFTER_MS = 2000;
/** Opening that takes longer will never end: some drivers hang. */
const OPEN_TIMEOUT_MS = 8000;
/** All black for this long: after sleep some tablets bring frames without a picture. */
const BLACK_AFTER_MS = 4000;
/** Drawing a frame costs memory that browsers give back late. */
const BLACK_LOOK_EVERY_MS = 2000;
const WATCH_EVERY_MS = 500;
const RETRY_MS = [300, 1000, 2000, 4000, 5000];
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
  #opening = false;
  #openedAt = 0;
  #lastFrameAt = 0;
  #blackLookedAt = 0;
  #blackSince = 0;
  #blackTried = false;
  #frames = -1;
  /** Why the camera was lost last. @type {Condition} */
  #trouble = "error";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #watch;
  #listening = new AbortController();
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
  }

  /** How often opening has failed in a row. */
  get failures() {
    return this.#failures;
  }

  /** In the heartbeat's words. @returns {Condition} */
  get condition() {
    if (this.#watch === undefined) return restingCondition();
    if (this.state === "live" && this.#blackTried && this.#blackSince > 0) return "black";
    return CONDITIONS[this.state] ?? this.#trouble;
  }

  start() {
    if (this.#watch !== undefined) return;
    this.#failures = 0;
    this.#blackTried = false;
    this.#watch = setInterval(() => this.#look(), WATCH_EVERY_MS);
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    navigator.mediaDevices?.addEventListener?.("devicechange", () => void this.#devicesChanged(), { signal });
    document.addEventListener("visibilitychange", () => this.#pageChanged(), { signal });
    this.#say("starting");
    void this.#open();
  }

  /** Switches the camera off and forgets its picture. */
  stop() {
    if (this.#watch === undefined) return;
    noteCondition(this.condition);
    this.#turn++;
    this.#listening.abort();
    clearInterval(this.#watch);
    clearTimeout(this.#retry);
    this.#watch = undefined;
    this.#release();
    this.#say("starting");
  }

  async #devicesChanged() {
    const { state } = this;
    if (state === "live" && !(await hasStrayed(this.#stream))) return;
    if (state === "live") this.#say("starting");
    void this.#open();
  }

  #pageChanged() {
    // While the page was hidden nobody looked, and no frame was asked for.
    this.#lastFrameAt = performance.now();
    this.#openedAt = performance.now();
    if (!document.hidden && this.state !== "live") void this.#open();
  }

  #release() {
    stopTracks(this.#stream);
    this.#stream = null;
    this.video.srcObject = null;
    this.#probe.getContext("2d", { willReadFrequently: true })?.clearRect(0, 0, PROBE_PX, PROBE_PX);
  }

  /** @param {CameraState} state */
  #say(state) {
    this.state = state;
    this.onState(state);
  }

  async #open() {
    if (this.#watch === undefined) return;
    const turn = ++this.#turn;
    clearTimeout(this.#retry);
    this.#release();
    this.#opening = true;
    this.#openedAt = performance.now();
    try {
      const stream = await openStream();
      if (turn !== this.#turn) return stopTracks(stream);
      this.#opening = false;
      this.#stream = stream;
      for (const track of stream.getVideoTracks()) track.onended = () => this.#lose("lost");
      this.video.srcObject = stream;
      this.#lastFrameAt = performance.now();
      this.#frames = -1;
      this.#blackLookedAt = 0;
      this.#blackSince = 0;
      // "live" is said by #look, when a frame has really come; if none does, playing has failed.
      await this.video.play().catch(() => {});
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
    this.#opening = false;
    this.#trouble = trouble;
    this.#release();
    this.#say(state);
    const wait = RETRY_MS[Math.min(this.#failures++, RETRY_MS.length - 1)] ?? 0;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#open(), wait);
  }

  #look() {
    if (document.hidden) return;
    const now = performance.now();
    if (!this.#stream) {
      if (this.#opening && now - this.#openedAt > OPEN_TIMEOUT_MS) this.#lose("lost");
      return;
    }
    const frames = framesOf(this.video);
    if (frames !== this.#frames && this.video.videoWidth > 0) {
      this.#frames = frames;
      this.#lastFrameAt = now;
      if (this.state !== "live") this.#say("live");
      this.#lookForBlack(now);
    } else if (now - this.#lastFrameAt > FROZEN_AFTER_MS) this.#lose("lost", "frozen");
  }

  /** @param {number} now */
  #lookForBlack(now) {
    const context = this.#probe.getContext("2d", { willReadFrequently: true });
    if (!context || now - this.#blackLookedAt < BLACK_LOOK_EVERY_MS) return;
    this.#blackLookedAt = now;
    context.drawImage(this.video, 0, 0, PROBE_PX, PROBE_PX);
    if (!isBlack(luma(context.getImageData(0, 0, PROBE_PX, PROBE_PX).data))) {
      this.#blackSince = 0;
      this.#blackTried = false;
      this.#failures = 0;
      noteCondition("ok");
      return;
    }
    this.#blackSince ||= now;
    // Opened anew once only: a covered lens stays black, and the hint tells the guest that it is dark.
    if (!this.#blackTried && now - this.#blackSince >= BLACK_AFTER_MS) {
      this.#blackTried = true;
      this.#lose("lost", "black");
    }
  }
}

/** Rises with every frame. The clock of a stream (`currentTime`) runs on in Chromium when no frames come. @param {HTMLVideoElement} video */
const framesOf = (video) => video.getVideoPlaybackQuality?.().totalVideoFrames || video.currentTime;
