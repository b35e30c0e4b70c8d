import { facesFree, findFaces, LOOK_PX } from "./faces.js";
import { cropOf, judge, judgeFraming, luma } from "./frame.js";

/** @import { Box, Framing, Hint } from "./types.js" */

const LOOK_EVERY_MS = 400;
/** Advice must hold for so many looks before it is given, or the line flickers. */
const STEADY = 2;
/** What was seen of faces is worth nothing after this long. */
const FRESH_MS = 2500;

/** Each frame is drawn once, twice as large as it is judged: its middle half is then as large as the judge wants it. */
const VIEW_PX = { width: 2 * LOOK_PX.width, height: 2 * LOOK_PX.height };
/** The middle half, in which a face is. */
const MIDDLE = { x: VIEW_PX.width / 4, y: Math.round(VIEW_PX.height / 6) };

const view = document.createElement("canvas");
const small = document.createElement("canvas");
/** @type {ReturnType<typeof setInterval> | undefined} */
let looking;

/**
 * Looks at the preview now and then: first at its pixels, then, when they are good, for faces.
 * @param {HTMLVideoElement} video
 * @param {() => boolean} mayLook
 * @param {(advice: Hint | Framing) => void} onAdvice
 */
export function startHints(video, mayLook, onAdvice) {
  stopHints();
  let before = /** @type {Uint8Array | null} */ (null);
  let framing = /** @type {Framing} */ ("ready");
  let framedAt = 0;
  let last = "";
  let steady = 0;
  const mine = setInterval(() => {
    if (!mayLook()) return;
    const context = draw(view, VIEW_PX, video, cropOf(video.videoWidth, video.videoHeight));
    if (!context) return;
    const grey = luma(context.getImageData(MIDDLE.x, MIDDLE.y, LOOK_PX.width, LOOK_PX.height).data);
    const light = judge(grey, LOOK_PX.width, before);
    before = grey;
    if (light === "ready") {
      void facesIn(view, VIEW_PX.width, VIEW_PX.height).then((faces) => {
        if (!faces || mine !== looking) return;
        framing = judgeFraming(faces);
        framedAt = performance.now();
      });
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
  for (const canvas of [view, small]) {
    canvas.width = 0;
    canvas.height = 0;
  }
}

/**
 * Who is on a picture that has been taken.
 * @param {HTMLImageElement} picture
 * @returns {Promise<Framing | null>} null: not known
 */
export async function framingOf(picture) {
  // The last look at the preview may still be under way.
  await facesFree();
  const faces = await facesIn(picture, picture.naturalWidth, picture.naturalHeight);
  return faces && judgeFraming(faces);
}

/**
 * @param {CanvasImageSource} source
 * @param {number} width
 * @param {number} height
 */
async function facesIn(source, width, height) {
  const context = draw(small, LOOK_PX, source, { x: 0, y: 0, width, height });
  return context && (await findFaces(context.getImageData(0, 0, LOOK_PX.width, LOOK_PX.height)));
}

/**
 * A part of a picture, small.
 * @param {HTMLCanvasElement} canvas
 * @param {{width: number, height: number}} size
 * @param {CanvasImageSource} source
 * @param {Box} part
 */
function draw(canvas, { width, height }, source, part) {
  if (!(part.width > 0 && part.height > 0)) return null;
  if (canvas.width !== width) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context?.drawImage(source, part.x, part.y, part.width, part.height, 0, 0, width, height);
  return context;
}
