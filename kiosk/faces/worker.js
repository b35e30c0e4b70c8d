// Finds faces beside the page, so that the preview never stutters. Pictures come from the page and go nowhere.
import { createFinder } from "./find.js";

/** Served from the package @mediapipe/face_detection. */
const MODEL = "/faces/face_detection_short_range.tflite";

/** It is small: what has not come by then does not come. */
const FETCH_MS = 60_000;
let came = false;
const late = new AbortController();
const timer = setTimeout(() => late.abort(), FETCH_MS);

/** @type {Promise<import("./find.js").Finder>} */
const finder = fetch(MODEL, { cache: "no-cache", signal: late.signal }).then(async (answer) => {
  if (!answer.ok) throw new Error(`the model did not come (${answer.status})`);
  const model = await answer.arrayBuffer();
  came = true;
  clearTimeout(timer);
  return createFinder(model);
});

/** What is rejected here the page would never hear of. A model that came and is of no use stays so. @param {unknown} error */
const fail = (error) => postMessage({ failed: String(error), again: !came });

finder.then(() => postMessage({ ready: true }), fail);

addEventListener("message", ({ data: { rgba, width, height } }) => {
  finder.then((find) => postMessage({ faces: find(rgba, width, height) })).catch(fail);
});
