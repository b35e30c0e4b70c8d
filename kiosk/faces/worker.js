// Finds faces beside the page, so that the preview never stutters. Pictures come from the page and go nowhere.
import { createFinder } from "./find.js";

/** Served from the package @mediapipe/face_detection. */
const MODEL = "/faces/face_detection_short_range.tflite";

let came = false;

/** @type {Promise<import("./find.js").Finder>} */
const finder = fetch(MODEL, { cache: "no-cache" }).then(async (answer) => {
  if (!answer.ok) throw new Error(`the model did not come (${answer.status})`);
  const model = await answer.arrayBuffer();
  came = true;
  return createFinder(model);
});

/** What is rejected here the page would never hear of. A model that came and is of no use stays so. @param {unknown} error */
const fail = (error) => postMessage({ failed: String(error), again: !came });

finder.then(() => postMessage({ ready: true }), fail);

addEventListener("message", ({ data: { rgba, width, height } }) => {
  finder.then((find) => postMessage({ faces: find(rgba, width, height) })).catch(fail);
});
