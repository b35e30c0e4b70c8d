// What a guest could do better with where the face is. Pure arithmetic, in parts of the frame.

/** @typedef {import("./faces/find.js").Face} Face */
/** @typedef {"nobody"|"several"|"far"|"near"|"aside"|"ready"} Framing */

/** The middle of the oval that is drawn over the preview. */
const OVAL = { x: 0.5, y: 0.42 };
/** A face is found from ear to ear and from brow to chin: in a filled oval it is half as wide as the frame. */
const FAR_BELOW = 0.22;
const NEAR_ABOVE = 0.72;
const ASIDE_ABOVE = { x: 0.19, y: 0.22 };
/** Whoever is this much smaller than the guest stands in the background. */
const BACKGROUND_BELOW = 0.5;

/**
 * @param {Face[]} faces in the frame
 * @returns {Framing}
 */
export function judgeFraming(faces) {
  const [face, second] = [...faces].sort((one, other) => other.width - one.width);
  if (!face) return "nobody";
  if (second && second.width > face.width * BACKGROUND_BELOW) return "several";
  if (face.width < FAR_BELOW) return "far";
  if (face.width > NEAR_ABOVE) return "near";
  const aside = Math.abs(face.x - OVAL.x) > ASIDE_ABOVE.x || Math.abs(face.y - OVAL.y) > ASIDE_ABOVE.y;
  return aside ? "aside" : "ready";
}

/** From such a picture no stickers can be drawn. @param {string | null} framing */
export const isHopeless = (framing) => framing === "nobody" || framing === "several";
