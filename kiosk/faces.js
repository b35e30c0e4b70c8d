/** @import { Face } from "./types.js" */

/** A picture for the detector: the frame's ratio, as tall as the model's square. */
export const LOOK_PX = { width: 96, height: 128 };
/** A later answer tells of a moment long gone. */
const SLOW_MS = 2000;
/** So many slow answers in a row, and the tablet is better off without. */
const SLOW_TIMES = 5;
/** What has not come by then does not come; and so long after that it is fetched again. */
const COME_MS = 60_000;

/** @type {Worker | null} */
let worker = null;
/** @type {((faces: Face[] | null) => void) | null} */
let waiting = null;
let ready = false;
let slow = 0;
/** @type {Promise<unknown>} */
let atWork = Promise.resolve();

/** Starts the face detector. Where it cannot be had (no network, an old browser, a weak tablet) nobody notices. */
export function startFaces() {
  try {
    worker = new Worker("/faces/worker.js", { type: "module" });
  } catch {
    return;
  }
  const started = worker;
  setTimeout(() => worker === started && !ready && fail(), COME_MS);
  worker.onerror = fail;
  worker.onmessage = ({ data }) => {
    if (data.failed) return data.again ? fail() : giveUp();
    ready = true;
    if (data.faces) settle(data.faces);
  };
}

function fail() {
  if (worker && !ready) setTimeout(startFaces, COME_MS);
  giveUp();
}

function giveUp() {
  worker?.terminate();
  worker = null;
  ready = false;
  settle(null);
}

/** @param {Face[] | null} faces */
function settle(faces) {
  const told = waiting;
  waiting = null;
  told?.(faces);
}

/** For operators: whether faces are looked for. */
export const facesCondition = () => (ready ? "yes" : worker ? "coming" : "no");

/**
 * The faces in a picture of `LOOK_PX`.
 * @param {ImageData} picture is given away
 * @returns {Promise<Face[] | null>} null: not known, for want of a detector or because it is at work already
 */
export function findFaces({ data, width, height }) {
  if (!worker || !ready || waiting) return Promise.resolve(null);
  const asked = performance.now();
  worker.postMessage({ rgba: data, width, height }, [data.buffer]);
  const found = new Promise((resolve) => {
    waiting = (faces) => {
      slow = performance.now() - asked > SLOW_MS ? slow + 1 : 0;
      if (faces && slow >= SLOW_TIMES) giveUp();
      resolve(faces);
    };
  });
  atWork = found;
  return found;
}

/** The end of the look that is under way, if there is one. */
export const facesFree = () => atWork;
