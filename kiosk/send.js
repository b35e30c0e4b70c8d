import { ApiError, api } from "./api.js";
import { missed, reached } from "./connection.js";
import { fateOf } from "./fate.js";
import { byId, setText } from "./screens.js";
import { pause } from "./shoot.js";

const RETRY_MS = [1000, 2000, 4000, 5000];

/**
 * Sends the visit's photo and, when the answer is lost, sends the same again until there is one:
 * the server takes the same photo twice as one.
 * @param {import("./visit.js").Visit} visit
 * @returns {Promise<import("./types.js").Session>}
 * @throws {ApiError} a refusal; AbortError when the photo is given up
 */
export async function sendPhoto(visit) {
  const { photo, photoSignal } = visit;
  if (!photo) throw new Error("there is no photo to send");
  setText(byId("sending-title", HTMLElement), "sending.title");
  setText(byId("sending-lead", HTMLElement), "sending.lead");
  const meter = byId("meter", HTMLElement);
  meter.hidden = false;
  for (let attempt = 0; ; attempt++) {
    try {
      progress(0);
      const session = await api.send(visit.token, photo.blob, progress, photoSignal);
      reached();
      return session;
    } catch (error) {
      const waitMs = retryIn(error, attempt);
      if (photoSignal.aborted || waitMs === null) throw error;
      if (error instanceof ApiError && error.status !== 429) missed(true, error);
      setText(byId("sending-lead", HTMLElement), "sending.kept");
      await pause(waitMs, photoSignal);
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
