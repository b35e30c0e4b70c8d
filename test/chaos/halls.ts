/** Kiosks of many halls, and what the operators hear of them. */
import { TOGETHER_AFTER_MS } from "../../shared/alerts.ts";
import type { Booth } from "./booth.ts";

/** So many that they are told as one. */
const HALLS = 5;
const ALL_DARK = "kiosks:camera";
const darkOne = (nth: number) => `kiosk:dark-${nth}:camera`;
const BEAT_MS = 500;
/** In so many the booth has looked at itself at least once. */
const BEATS_A_LOOK = 16;

/** In many halls at once the camera fails: the operators are told of all together, and again when they are well. */
export async function darken(booth: Booth) {
  const halls = Array.from({ length: HALLS + 1 }, (_, nth) => `dark-${nth}`);
  const from = Date.now();
  let [dark, well] = [HALLS, 0];
  // As kiosks do it: a silent one has another trouble.
  const beat = () =>
    Promise.all(
      halls.slice(0, dark).map((kiosk, nth) => {
        const camera = nth < well ? "ok" : "blocked";
        return booth.call("POST", "/kiosk/heartbeat", { kiosk, screen: "start", camera });
      }),
    );
  // Kiosks are looked at while there are guests; a clock may have been set far ahead since the last one came.
  const begin = () => booth.insist("POST", "/session", () => ({ kiosk: halls[0], lang: "en" }));
  const isOpen = (cause: string) =>
    booth.rows("SELECT 1 FROM alerts WHERE cause = ? AND over_at IS NULL", cause).length > 0;
  const beatUntil = (what: string, isSo: () => boolean) => {
    let beats = 0;
    const look = async () => {
      await beat();
      beats += 1;
      // What was told a while ago is not told again at once; somebody may have set the clock besides.
      if (beats % BEATS_A_LOOK === 0) {
        booth.levers.passTime(TOGETHER_AFTER_MS);
        await begin();
      }
      return isSo();
    };
    return booth.eventually(what, look, BEAT_MS);
  };
  await begin();
  await beatUntil("an alert of many kiosks", () => isOpen(ALL_DARK));
  // Others that join them later are told of too.
  booth.levers.passTime(TOGETHER_AFTER_MS);
  dark = halls.length;
  await beatUntil("one more dark kiosk", () => isOpen(darkOne(dark - 1)));
  well = 1;
  await beatUntil("one kiosk to be well again", () => !isOpen(darkOne(0)));
  well = dark;
  await beatUntil("the end of that alert", () => !isOpen(ALL_DARK));
  const isOver = booth.rows("SELECT 1 FROM alerts WHERE cause = ? AND over_at IS NOT NULL", ALL_DARK).length > 0;
  const clears = booth.rows("SELECT 1 FROM chaos_promises WHERE payload LIKE '%cameras work again%' AND at >= ?", from);
  if (isOver && clears.length === 0) booth.faults.push("all cameras work again, and no operator was told");
}
