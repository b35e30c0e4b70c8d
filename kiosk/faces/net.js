// A small neural network, enough for the face detector. Tensors are NHWC, one picture at a time.
import { convolution, layerwise } from "./convolve.js";

/**
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./model.js").Step} Step
 * @typedef {{height: number, width: number, depth: number, data: Float64Array}} Grid
 */

/**
 * Lays out memory and order of work once; the result may be called any number of times and reuses that memory.
 * @param {Model} model
 * @returns {(input: Float64Array) => Float64Array[]} the model's outputs, valid until the next call
 */
export function buildNet({ tensors, steps, input, outputs }) {
  const grids = tensors.map(({ shape, constant }) => gridOf(shape, constant));
  /** @param {number | undefined} index */
  const grid = (index) => {
    const found = grids[index ?? -1];
    if (!found) throw new Error("the model has a step without its tensor");
    return found;
  };
  const users = steps.flatMap((step) => step.inputs);
  /** @param {number | undefined} index */
  const usedOnce = (index) => users.indexOf(index ?? -1) === users.lastIndexOf(index ?? -1);
  /** @type {(() => void)[]} */
  const work = [];
  for (const step of steps) {
    const [out, first, second] = [grid(step.outputs[0]), grid(step.inputs[0]), step.inputs[1]];
    // Weights are stored at half precision; gridOf has made them whole.
    if (step.operation === "dequantize") out.data = first.data;
    // In place, where nobody else wants what was there: half the memory.
    if (step.operation === "relu" && usedOnce(step.inputs[0])) out.data = first.data;
    if (step.operation !== "dequantize")
      work.push(workOf(step, out, first, second === undefined ? first : grid(second), step.inputs.map(grid)));
  }
  const entry = grid(input);
  return (given) => {
    entry.data.set(given);
    for (const run of work) run();
    return outputs.map((index) => grid(index).data);
  };
}

/**
 * @param {number[]} shape
 * @param {Float32Array | Int32Array | null} constant
 * @returns {Grid}
 */
function gridOf(shape, constant) {
  const [, height = 1, width = 1, depth = 1] = shape.length === 4 ? shape : [1, 1, 1, shape.at(-1)];
  const size = shape.reduce((product, side) => product * side, 1);
  return { height, width, depth, data: constant ? Float64Array.from(constant) : new Float64Array(size) };
}

/**
 * @param {Step} step
 * @param {Grid} out
 * @param {Grid} first
 * @param {Grid} second
 * @param {Grid[]} all inputs
 * @returns {() => void}
 */
function workOf({ operation, stride }, out, first, second, all) {
  switch (operation) {
    case "convolve":
      return convolution(out, first, second, all[2] ?? second, stride);
    case "convolve-each":
      return layerwise(out, first, second, all[2] ?? second, stride);
    case "max-pool":
      return () => maxPool(out, first, stride);
    case "add":
      return () => {
        const { data } = out;
        for (let i = 0; i < data.length; i++) data[i] = (first.data[i] ?? 0) + (second.data[i] ?? 0);
      };
    case "relu":
      return () => {
        const { data } = out;
        for (let i = 0; i < data.length; i++) data[i] = Math.max(0, first.data[i] ?? 0);
      };
    case "pad":
      return () => deepen(out, first);
    case "reshape":
      return () => out.data.set(first.data);
    default:
      return () => {
        let at = 0;
        for (const { data } of all) {
          out.data.set(data, at);
          at += data.length;
        }
      };
  }
}

/**
 * The largest of each window; windows touch and do not overlap.
 * @param {Grid} out
 * @param {Grid} from
 * @param {number} side
 */
function maxPool(out, from, side) {
  out.data.fill(Number.NEGATIVE_INFINITY);
  for (let y = 0, source = 0; y < from.height; y++) {
    for (let x = 0; x < from.width; x++) {
      const to = (Math.floor(y / side) * out.width + Math.floor(x / side)) * out.depth;
      for (let d = 0; d < from.depth; d++, source++) {
        out.data[to + d] = Math.max(out.data[to + d] ?? 0, from.data[source] ?? 0);
      }
    }
  }
}

/** Adds empty layers behind those that are there. @param {Grid} out @param {Grid} from */
function deepen(out, { data, depth }) {
  for (let source = 0, to = 0; source < data.length; source += depth, to += out.depth) {
    for (let d = 0; d < depth; d++) out.data[to + d] = data[source + d] ?? 0;
  }
}
