import { ApiError } from "./api.js";
import { missed, passes } from "./connection.js";
import { forgetGuest, showMessage } from "./draw.js";
import { backToStart, leave, setPaused } from "./guest.js";
import { idleAfter } from "./idle.js";
import { screen } from "./screens.js";
import { closeCamera } from "./shoot.js";

/** How long a last word stands, seconds. */
const FAREWELL_S = 20;
const BUSY_AT_LEAST_S = 5;

/** @typedef {import("./visit.js").Visit} Visit */

/**
 * Runs a step of a visit; what goes wrong in it becomes a screen, unless the visit is over already.
 * @param {Visit} v
 * @param {() => Promise<void>} step
 */
export async function guarded(v, step) {
  try {
    await v.once(step);
  } catch (error) {
    if (!v.ended) failed(v, error);
  }
}

/**
 * A last word, then home by itself. Nothing of the guest is kept meanwhile.
 * @param {Visit} v
 * @param {import("./types.js").Ending} ending
 * @param {number} [seconds]
 */
export function end(v, ending, seconds = FAREWELL_S) {
  // What the server has ended needs no expire of ours.
  if (["failed", "blocked", "timeout", "declined", "reset"].includes(ending)) v.sent = true;
  v.end();
  closeCamera();
  forgetGuest();
  showMessage(ending);
  // From here the heartbeat knows when the pause ends.
  if (ending === "maintenance") setPaused(true);
  idleAfter(seconds, leave, { ask: false });
}

/**
 * @param {Visit} v
 * @param {unknown} error
 */
export function failed(v, error) {
  if (!(error instanceof ApiError)) {
    console.error(error);
    return end(v, "server");
  }
  if (passes(error)) {
    missed(true, error);
    // Before the code is shown there is nothing to go on with: back to Start, under the overlay.
    if (screen() === "start") backToStart(v);
    return;
  }
  if (error.code === "wrong_status") return;
  if (error.code === "maintenance" || error.code === "not_ready") return end(v, error.code);
  if (error.code === "pack_limit") return end(v, "blocked");
  if (error.status === 429) return end(v, "busy", Math.max(error.retryAfterS, BUSY_AT_LEAST_S));
  if (error.status === 401 || error.status === 403) return end(v, "unpaired");
  if (error.status === 404) return end(v, v.token ? "timeout" : "unpaired");
  end(v, "server");
}
