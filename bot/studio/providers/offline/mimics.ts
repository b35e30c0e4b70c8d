/** What a mood does to the face: lids that close, hearts for eyes, a blush. Drawn over the photo, under the outfit. */
import { at, flat, heart, line, shape, stroke } from "./decor.ts";

export type Mimic = "none" | "asleep" | "merry" | "wink" | "smitten" | "shades" | "agog" | "blush" | "pleading";
/** Colours of the skin under the left and the right eye, as CSS. */
export type SkinTones = { left: string; right: string };

const eyeX = 50;

/** A patch of skin over an eye, soft at its rim. */
function lid(side: -1 | 1, tone: string): string {
  const id = side < 0 ? "lid-left" : "lid-right";
  return `<radialGradient id="${id}"><stop offset=".62" stop-color="${tone}"/><stop offset="1" stop-color="${tone}" stop-opacity="0"/></radialGradient><ellipse cx="${side * eyeX}" cy="0" rx="46" ry="29" fill="url(#${id})"/>`;
}

const shut = (side: -1 | 1, { left, right }: SkinTones): string =>
  lid(side, side < 0 ? left : right) +
  at(side * eyeX, 0, 1, 0, line("M-27 0C-14 17 14 17 27 0M-19 9L-25 18M0 13V23M19 9L25 18"));
const merry = (side: -1 | 1, { left, right }: SkinTones): string =>
  lid(side, side < 0 ? left : right) + at(side * eyeX, 0, 1, 0, line("M-28 10C-14 -17 14 -17 28 10", undefined, 8));
const eyeball = (side: -1 | 1, radius: number, pupil: number): string =>
  at(
    side * eyeX,
    0,
    1,
    0,
    `<circle r="${radius}" fill="#fff" ${stroke()}/><circle cx="${-4 * side}" r="${pupil}" fill="#2b1b34"/><circle cx="${-4 * side - pupil * 0.35}" cy="${-pupil * 0.4}" r="${pupil * 0.34}" fill="#fff"/>`,
  );
const blush = [-1, 1]
  .map((side) => `<ellipse cx="${side * 78}" cy="64" rx="26" ry="16" fill="#ff4d6d" opacity=".36"/>`)
  .join("");
const shades =
  line("M-92 -16L-126 -24M92 -16L126 -24M-14 -14C-6 -20 6 -20 14 -14", undefined, 11) +
  [-1, 1]
    .map((side) =>
      at(
        side * 54,
        0,
        1,
        0,
        shape(`M-44 -24H44C46 10 30 34 0 34C-30 34 -46 10 -44 -24Z`, "#1d1b2e", 7) +
          flat("M-30 -14H-8L-26 14ZM2 -14H12L-6 14H-14Z", "#fff", 0.75),
      ),
    )
    .join("");

/** The SVG of a mimic. */
export function drawMimic(mimic: Mimic, tones: SkinTones): string {
  switch (mimic) {
    case "none":
      return "";
    case "asleep":
      return shut(-1, tones) + shut(1, tones);
    case "merry":
      return merry(-1, tones) + merry(1, tones);
    case "wink":
      return merry(1, tones);
    case "smitten":
      return at(-eyeX, 0, 1.05, -8, heart("#ff2e55")) + at(eyeX, 0, 1.05, 8, heart("#ff2e55")) + blush;
    case "shades":
      return shades;
    case "agog":
      return eyeball(-1, 41, 15) + eyeball(1, 41, 15);
    case "pleading":
      return eyeball(-1, 34, 25) + eyeball(1, 34, 25) + blush;
    case "blush":
      return blush;
  }
}
