const TRY_EVERY_MS = 30_000;

/** @type {WakeLockSentinel | null} */
let lock = null;
/** @type {boolean | null} */
let awake = "wakeLock" in navigator ? null : false;
let asking = false;

/** Whether the screen is being kept on; false where the browser cannot, null while it has not said so yet. */
export const isAwake = () => awake;

/** Keeps the screen on, and again each time the page comes back: the browser drops the lock when it is hidden. */
export function keepAwake() {
  void acquire();
  document.addEventListener("visibilitychange", () => void acquire());
  // Some browsers give the lock only after a touch; others take it back when the battery is low.
  document.addEventListener("pointerdown", () => void acquire());
  setInterval(acquire, TRY_EVERY_MS);
}

async function acquire() {
  if (!("wakeLock" in navigator) || document.hidden || asking || (lock && !lock.released)) return;
  asking = true;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => {
      awake = false;
    });
    awake = true;
  } catch {
    // Low battery or a policy.
    awake = false;
  } finally {
    asking = false;
  }
}
