import { ApiError } from "./api.js";

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
