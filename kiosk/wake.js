/** @type {WakeLockSentinel | null} */
let lock = null;

/** Whether the screen is being kept on; false where the browser cannot. */
export const isAwake = () => lock !== null && !lock.released;

/** Keeps the screen on, and again each time the page comes back: the browser drops the lock when it is hidden. */
export function keepAwake() {
  void acquire();
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void acquire();
  });
  // Some browsers give the lock only after a touch.
  document.addEventListener("pointerdown", () => void acquire());
}

async function acquire() {
  if (isAwake() || !("wakeLock" in navigator)) return;
  try {
    lock = await navigator.wakeLock.request("screen");
  } catch {
    // Low battery or a policy: the next touch tries again.
  }
}
