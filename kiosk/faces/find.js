import { readModel } from "./model.js";
import { buildNet } from "./net.js";

// How BlazeFace's "short range" model is asked and read, from its card and graph:
// https://github.com/google-ai-edge/mediapipe/blob/master/mediapipe/modules/face_detection/face_detection.pbtxt

/** The model takes a square of this side, px. */
export const SIDE_PX = 128;
/** It looks around the middle of each cell of two grids: cells along a side, looks a cell. */
const LOOKS = [
  { cells: 16, each: 2 },
  { cells: 8, each: 6 },
];
/** Of each look: middle and size of the box, then six points of the face that nobody here asks for. */
const VALUES = 16;
const SURE_FROM = 0.5;
/** Boxes that share more than this of their area show the same face. */
const SAME_FROM = 0.3;

/**
 * Middle and size are parts of the picture's width and height.
 * @typedef {{x: number, y: number, width: number, height: number, sure: number}} Face
 * @typedef {(rgba: Uint8ClampedArray, width: number, height: number) => Face[]} Finder
 */

/**
 * @param {ArrayBuffer} model the file
 * @returns {Finder} faces of a picture of at most `SIDE_PX` on each side, surest first
 * @throws {Error} when the file is not the model
 */
export function createFinder(model) {
  const net = buildNet(readModel(model));
  const middles = LOOKS.flatMap(({ cells, each }) =>
    Array.from({ length: cells * cells * each }, (_, index) => {
      const cell = Math.floor(index / each);
      return { x: ((cell % cells) + 0.5) / cells, y: (Math.floor(cell / cells) + 0.5) / cells };
    }),
  );
  const square = new Float64Array(SIDE_PX * SIDE_PX * 3);

  return (rgba, width, height) => {
    const [left, top] = [(SIDE_PX - width) >> 1, (SIDE_PX - height) >> 1];
    fill(square, rgba, width, height, left, top);
    const [boxes, scores] = net(square);
    square.fill(0);
    if (!boxes || scores?.length !== middles.length) throw new Error("the model answers in another form");
    /** @type {Face[]} */
    const found = [];
    for (const [index, middle] of middles.entries()) {
      const sure = 1 / (1 + Math.exp(-(scores[index] ?? 0)));
      if (sure < SURE_FROM) continue;
      const [dx = 0, dy = 0, w = 0, h = 0] = boxes.subarray(index * VALUES);
      found.push({
        x: (middle.x * SIDE_PX + dx - left) / width,
        y: (middle.y * SIDE_PX + dy - top) / height,
        width: w / width,
        height: h / height,
        sure,
      });
    }
    return distinct(found.sort((one, other) => other.sure - one.sure));
  };
}

/**
 * Colours from -1 to 1, the picture in the middle; the model's own way has black beside it.
 * @param {Float64Array} square
 * @param {Uint8ClampedArray} rgba
 * @param {number} width
 * @param {number} height
 * @param {number} left
 * @param {number} top
 */
function fill(square, rgba, width, height, left, top) {
  square.fill(-1);
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0, to = ((y + top) * SIDE_PX + left) * 3; x < width; x++, from++) {
      for (let colour = 0; colour < 3; colour++, from++, to++) square[to] = (rgba[from] ?? 0) / 127.5 - 1;
    }
  }
}

/** @param {Face[]} faces surest first */
function distinct(faces) {
  /** @type {Face[]} */
  const kept = [];
  for (const face of faces) if (!kept.some((other) => shared(face, other) > SAME_FROM)) kept.push(face);
  return kept;
}

/** The part of two boxes' common area that both cover. @param {Face} one @param {Face} other */
function shared(one, other) {
  /** @param {"x" | "y"} middle @param {"width" | "height"} size */
  const overlap = (middle, size) => {
    const end = Math.min(one[middle] + one[size] / 2, other[middle] + other[size] / 2);
    return Math.max(0, end - Math.max(one[middle] - one[size] / 2, other[middle] - other[size] / 2));
  };
  const both = overlap("x", "width") * overlap("y", "height");
  return both / (one.width * one.height + other.width * other.height - both);
}
