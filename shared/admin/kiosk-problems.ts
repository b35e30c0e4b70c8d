/** What is wrong with the kiosks, as they tell it themselves. Looked at during an event alone. */
import { hasCameraTrouble, isLow, isSilent } from "../kiosks.ts";
import type { Now } from "./now.ts";
import type { Problem } from "./problems.ts";
import { minutes } from "./words.ts";

export function kioskProblems({ kiosks: all, at, eventIsOn, maintenance }: Now): Problem[] {
  if (!eventIsOn || maintenance) return [];
  if (all.length > 1 && all.every((kiosk) => isSilent(kiosk, at))) {
    return [
      {
        cause: "kiosks:silent",
        level: "red",
        what: `All ${all.length} kiosks are silent.`,
        todo: "Is the hall's network down, or the server's api? Open the kiosk's address on your phone to see.",
        ending: "Kiosks tell of themselves again.",
      },
    ];
  }
  return all.flatMap((kiosk): Problem[] => {
    const name = `Kiosk ${kiosk.id}`;
    if (isSilent(kiosk, at)) {
      return [
        {
          cause: `kiosk:${kiosk.id}:silent`,
          level: "red",
          what: `${name} has been silent for ${minutes(at - kiosk.seen_at)}.`,
          todo: "Go there: is the tablet on, and is it online? If you put it away, remove it under Now.",
          ending: `${name} is back.`,
        },
      ];
    }
    if (hasCameraTrouble(kiosk)) {
      return [
        {
          cause: `kiosk:${kiosk.id}:camera`,
          level: "red",
          what: `${name} has no picture from its camera (${kiosk.camera}).`,
          todo: "Go there: allow the camera, close other apps, or reload the page. Guests may send a selfie in the chat meanwhile.",
          ending: `The camera of kiosk ${kiosk.id} works again.`,
        },
      ];
    }
    if (isLow(kiosk)) {
      return [
        {
          cause: `kiosk:${kiosk.id}:battery`,
          level: "amber",
          what: `${name} has ${Math.round((kiosk.battery ?? 0) * 100)} % of battery left and does not charge.`,
          todo: "Plug it in.",
          ending: "",
        },
      ];
    }
    if (kiosk.wake_lock !== 0) return [];
    return [
      {
        cause: `kiosk:${kiosk.id}:awake`,
        level: "amber",
        what: `${name} cannot keep its screen awake.`,
        todo: "Set the tablet's screen timeout to never.",
      },
    ];
  });
}
