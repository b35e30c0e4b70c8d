import { findFaces, LOOK_PX } from "./faces.js";
import { cropOf, judge, luma } from "./frame.js";
import { judgeFraming } from "./framing.js";

/** @typedef {import("./frame.js").Hint | import("./framing.js").Framing} Advice */

const LOOK_EVERY_MS = 400;
/** Advice must hold for so many looks before it is given, or the line flickers. */
const STEADY = 2;
/** What was seen of faces is worth nothing after this long. */
const FRESH_MS = 2500;

const patch = document.createElement("canvas");
/** @type {ReturnType<typeof setInterval> | undefined} */
let looking;

/**
 * Looks at the preview now and then: first at its pixels, then, when they are good, for faces.
 * @param {HTMLVideoElement} video
 * @param {() => boolean} mayLook
 * @param {(advice: Advice) => void} onAdvice
 */
export function startHints(video, mayLook, onAdvice) {
  stopHints();
  let before = /** @type {Uint8Array | null} */ (null);
  let framing = /** @type {import("./framing.js").Framing} */ ("ready");
  let framedAt = 0;
  let last = "";
  let steady = 0;
  const mine = setInterval(() => {
    if (!mayLook()) return;
    const crop = cropOf(video.videoWidth, video.videoHeight);
    const middle = pixels(video, middleOf(crop));
    if (!middle) return;
    const grey = luma(middle.data);
    const light = judge(grey, LOOK_PX.width, before);
    before = grey;
    if (light === "ready") {
      const whole = pixels(video, crop);
      if (whole) {
        void findFaces(whole).then((faces) => {
          if (!faces || mine !== looking) return;
          framing = judgeFraming(faces);
          framedAt = performance.now();
        });
      }
    }
    const known = performance.now() - framedAt < FRESH_MS;
    const advice = light === "ready" && known ? framing : light;
    steady = advice === last ? steady + 1 : 1;
    last = advice;
    if (steady >= STEADY) onAdvice(advice);
  }, LOOK_EVERY_MS);
  looking = mine;
}

/** Stops looking and leaves no pixel behind. */
export function stopHints() {
  clearInterval(looking);
  looking = undefined;
  patch.width = 0;
  patch.height = 0;
}

/**
 * Who is on a picture that has been taken.
 * @param {HTMLImageElement} picture
 * @returns {Promise<import("./framing.js").Framing | null>} null: not known
 */
export async function framingOf(picture) {
  const { naturalWidth: width, naturalHeight: height } = picture;
  const seen = pixels(picture, { x: 0, y: 0, width, height });
  const faces = seen && (await findFaces(seen));
  return faces && judgeFraming(faces);
}

/** The middle half of the frame, in which a face is. @param {import("./frame.js").Box} crop */
function middleOf({ x, y, width, height }) {
  return { x: x + width / 4, y: y + height / 6, width: width / 2, height: height / 2 };
}

/**
 * A part of a picture, small.
 * @param {CanvasImageSource} source
 * @param {import("./frame.js").Box} part
 */
function pixels(source, { x, y, width, height }) {
  if (!(width > 0 && height > 0)) return null;
  patch.width = LOOK_PX.width;
  patch.height = LOOK_PX.height;
  const context = patch.getContext("2d", { willReadFrequently: true });
  if (!context) return null;
  context.drawImage(source, x, y, width, height, 0, 0, patch.width, patch.height);
  return context.getImageData(0, 0, patch.width, patch.height);
}
