import { api } from "./api.js";
import { followLook } from "./branding.js";
import { watchCameras } from "./cameras.js";
import { isFree, setPaused } from "./guest.js";
import { screen } from "./screens.js";
import { cameraCondition } from "./shoot.js";
import { kioskId } from "./store.js";
import { isAwake } from "./wake.js";

/** A little below five seconds: within those a pause must be on the screen. */
const BEAT_EVERY_MS = 4500;
/** The page draws itself first. */
const FIRST_BEAT_MS = 1000;

/** @import { Battery } from "./types.js" */

/** @type {Battery | null} */
let battery = null;
let beating = false;

/** Tells the server while the page lives that it does, and hears whether the booth is paused. */
export function watchHeart() {
  const { getBattery } = /** @type {{getBattery?: () => Promise<Battery>}} */ (navigator);
  getBattery?.call(navigator).then(
    (found) => {
      battery = found;
    },
    () => {},
  );
  watchCameras();
  setInterval(beat, BEAT_EVERY_MS);
  document.addEventListener("visibilitychange", () => !document.hidden && void beat());
  window.addEventListener("online", () => void beat());
  setTimeout(beat, FIRST_BEAT_MS);
}

/** One sign of life at a time. Of the guest it says nothing but which screen is shown. */
async function beat() {
  if (beating) return;
  beating = true;
  try {
    const { maintenance, look } = await api.beat({
      kiosk: kioskId(),
      version: document.querySelector("meta[name=version]")?.getAttribute("content") ?? null,
      screen: screen(),
      camera: cameraCondition(),
      battery: battery && Number.isFinite(battery.level) ? Math.min(Math.max(battery.level, 0), 1) : null,
      charging: battery?.charging ?? null,
      wake_lock: isAwake(),
    });
    setPaused(maintenance);
    followLook(look, isFree);
  } catch {
    // Silent: what concerns a guest is told by the guest's own calls, and the next beat comes soon.
  } finally {
    beating = false;
  }
}
