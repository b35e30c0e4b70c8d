import { ApiError, api } from "./api.js";
import { missed, reached } from "./connection.js";
import { byId, setText } from "./screens.js";
import { pause } from "./shoot.js";

const RETRY_MS = [1000, 2000, 4000, 5000];

/**
 * What becomes of the photo:
 * `again`  it is kept and sent anew to the same session,
 * `retake` it is of no use, the guest takes another,
 * `follow` the session has moved on, the screen goes after it,
 * `over`   nothing more can be done here: the visit ends, or the kiosk waits for its operators.
 * @typedef {"again"|"retake"|"follow"|"over"} Fate
 */

/** Every answer to a photo by its code; test/kiosk-send.test.ts holds them against the server. @type {Record<string, Fate>} */
export const FATES = {
  offline: "again",
  // The upload broke off on its way.
  bad_request: "again",
  // A proxy's own, while the server starts anew.
  unavailable: "again",
  busy: "again",
  not_ready: "again",
  too_many: "again",
  internal: "again",
  too_large: "retake",
  not_an_image: "retake",
  not_multipart: "retake",
  bad_image: "retake",
  invalid: "retake",
  wrong_status: "follow",
  // Somebody has to go to the server first, and the guest would wait for long.
  disk_full: "over",
  storage: "over",
  maintenance: "over",
  kiosk_key: "over",
  not_found: "over",
};

/** @param {unknown} error @returns {Fate} */
export function fateOf(error) {
  if (!(error instanceof ApiError)) return "over";
  const known = Object.hasOwn(FATES, error.code) ? FATES[error.code] : undefined;
  if (known) return known;
  // Words that are not ours: a proxy's page, another version.
  if (error.status === 0 || error.status === 429 || error.status >= 500) return "again";
  return error.status === 413 || error.status === 415 || error.status === 422 ? "retake" : "over";
}

/**
 * Sends the visit's photo and, when the answer is lost, sends the same again until there is one:
 * the server takes the same photo twice as one.
 * @param {import("./visit.js").Visit} visit
 * @returns {Promise<import("./api.js").Session>}
 * @throws {ApiError} a refusal; AbortError when the visit ends
 */
export async function sendPhoto(visit) {
  const { photo } = visit;
  if (!photo) throw new Error("there is no photo to send");
  setText(byId("sending-title", HTMLElement), "sending.title");
  setText(byId("sending-lead", HTMLElement), "sending.lead");
  const meter = byId("meter", HTMLElement);
  meter.hidden = false;
  for (let attempt = 0; ; attempt++) {
    try {
      progress(0);
      const session = await api.send(visit.token, photo.blob, progress, visit.signal);
      reached();
      return session;
    } catch (error) {
      const waitMs = retryIn(error, attempt);
      if (visit.ended || waitMs === null) throw error;
      if (error instanceof ApiError && error.status !== 429) missed(true, error);
      setText(byId("sending-lead", HTMLElement), "sending.kept");
      await pause(waitMs, visit.signal);
    }
  }
}

/**
 * @param {unknown} error
 * @param {number} attempt
 * @returns {number | null} ms until the next attempt; null: the server has decided
 */
function retryIn(error, attempt) {
  if (fateOf(error) !== "again") return null;
  const waitMs = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 0;
  return error instanceof ApiError ? Math.max(waitMs, error.retryAfterS * 1000) : waitMs;
}

/** @param {number} share 0…1 */
function progress(share) {
  const percent = Math.round(share * 100);
  byId("meter", HTMLElement).setAttribute("aria-valuenow", String(percent));
  byId("meter-fill", HTMLElement).style.transform = `scaleX(${share})`;
}
