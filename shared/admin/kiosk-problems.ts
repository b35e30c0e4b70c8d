/** What is wrong with the kiosks, as they tell it themselves. Looked at during an event alone. */
import { hasCameraTrouble, isLow, isSilent, type Kiosk } from "../kiosks.ts";
import type { Lang } from "../status.ts";
import { team } from "../texts/operators/index.ts";
import type { CameraName } from "../texts/operators/types.ts";
import type { Now } from "./now.ts";
import type { Problem } from "./problems.ts";
import { minutes } from "./words.ts";

export function kioskProblems({ kiosks: all, at, eventIsOn, maintenance }: Now, lang: Lang): Problem[] {
  if (!eventIsOn || maintenance) return [];
  if (all.length > 1 && all.every((kiosk) => isSilent(kiosk, at)))
    return [{ cause: "kiosks:silent", level: "red", ...team(lang).booth.kiosksSilent(all.length) }];
  return all.flatMap((kiosk) => problemOf(kiosk, at, lang) ?? []);
}

/** The worst of one kiosk: who is silent cannot tell of the rest. */
function problemOf(kiosk: Kiosk, at: number, lang: Lang): Problem | null {
  const { id, camera, battery, wake_lock } = kiosk;
  const texts = team(lang).booth;
  if (isSilent(kiosk, at)) {
    const silent = texts.kioskSilent(id, minutes(at - kiosk.seen_at, lang));
    return { cause: `kiosk:${id}:silent`, level: "red", ...silent };
  }
  if (hasCameraTrouble(kiosk)) {
    const state = texts.cameras[camera as CameraName] ?? camera;
    return { cause: `kiosk:${id}:camera`, level: "red", ...texts.camera(id, state) };
  }
  if (isLow(kiosk)) {
    const low = texts.battery(id, Math.round((battery ?? 0) * 100));
    return { cause: `kiosk:${id}:battery`, level: "amber", ...low };
  }
  if (wake_lock !== 0) return null;
  // Nothing that has to be mended at once: the page says it, the chat does not.
  const { what, todo } = texts.awake(id);
  return { cause: `kiosk:${id}:awake`, level: "amber", what, todo };
}
