// Finds faces beside the page, so that the preview never stutters. Pictures come from the page and go nowhere.
import { createFinder } from "./find.js";

/** Served from the package @mediapipe/face_detection. */
const MODEL = "/faces/face_detection_short_range.tflite";

/** @type {Promise<import("./find.js").Finder>} */
const finder = fetch(MODEL, { cache: "no-cache" }).then(async (answer) => {
  if (!answer.ok) throw new Error(`the model did not come (${answer.status})`);
  return createFinder(await answer.arrayBuffer());
});

/** What is rejected here the page would never hear of. @param {unknown} error */
const fail = (error) => postMessage({ failed: String(error) });

finder.then(() => postMessage({ ready: true }), fail);

addEventListener("message", ({ data: { rgba, width, height } }) => {
  finder.then((find) => postMessage({ faces: find(rgba, width, height) })).catch(fail);
});
