// Reads a TensorFlow Lite model: which tensors there are, and which steps lead from the input to the outputs.
// The file is a FlatBuffer (https://flatbuffers.dev/internals/); numbers of fields, types and operators are those of
// https://github.com/tensorflow/tensorflow/blob/master/tensorflow/compiler/mlir/lite/schema/schema.fbs

/**
 * @typedef {"add"|"concatenate"|"convolve"|"convolve-each"|"dequantize"|"max-pool"|"relu"|"reshape"|"pad"} Operation
 * @typedef {{shape: number[], constant: Float32Array | Int32Array | null}} Tensor
 * @typedef {{operation: Operation, inputs: number[], outputs: number[], stride: number}} Step
 * @typedef {{tensors: Tensor[], steps: Step[], input: number, outputs: number[]}} Model
 */

const MAGIC = "TFL3";
/** @type {Record<number, Operation>} */
const OPERATIONS = {
  0: "add",
  2: "concatenate",
  3: "convolve",
  4: "convolve-each",
  6: "dequantize",
  17: "max-pool",
  19: "relu",
  22: "reshape",
  34: "pad",
};
const FLOAT32 = 0;
const FLOAT16 = 1;
const INT32 = 2;
const MODEL = { codes: 1, graphs: 2, buffers: 4 };
const CODE = { old: 0, code: 3 };
const GRAPH = { tensors: 0, inputs: 1, outputs: 2, steps: 3 };
const TENSOR = { shape: 0, type: 1, buffer: 2 };
const STEP = { code: 0, inputs: 1, outputs: 2, options: 4 };
/** The options of convolutions and pools begin alike; across and down the stride is the same. */
const OPTIONS = { stride: 1 };

/**
 * @param {ArrayBuffer} file
 * @returns {Model}
 * @throws {Error} for what is no such model, or needs an operation that is not built here
 */
export function readModel(file) {
  const view = new DataView(file);
  if (new TextDecoder().decode(new Uint8Array(file, 4, 4)) !== MAGIC) throw new Error("not a TensorFlow Lite model");
  /** @param {number} at */
  const follow = (at) => at + view.getUint32(at, true);

  /**
   * Where a table keeps a field; 0 when it has its default value.
   * @param {number} table
   * @param {number} field
   */
  function place(table, field) {
    const layout = table - view.getInt32(table, true);
    const entry = 4 + 2 * field;
    const offset = entry < view.getUint16(layout, true) ? view.getUint16(layout + entry, true) : 0;
    return offset && table + offset;
  }

  /** @param {number} table @param {number} field */
  function vector(table, field) {
    const at = place(table, field);
    const start = at && follow(at);
    return { start: start + 4, length: start && view.getUint32(start, true) };
  }

  /** @param {number} table @param {number} field */
  function numbers(table, field) {
    const { start, length } = vector(table, field);
    return Array.from({ length }, (_, index) => view.getInt32(start + 4 * index, true));
  }

  /** @param {number} table @param {number} field */
  const tables = (table, field) => {
    const { start, length } = vector(table, field);
    return Array.from({ length }, (_, index) => follow(start + 4 * index));
  };

  /** @param {number} table @param {number} field */
  function small(table, field) {
    const at = place(table, field);
    return at && view.getInt8(at);
  }

  /** @param {number} table @param {number} field */
  function whole(table, field) {
    const at = place(table, field);
    return at && view.getInt32(at, true);
  }

  const model = follow(0);
  // Codes below 128 stand in the older field; https://github.com/tensorflow/community/pull/285
  const codes = tables(model, MODEL.codes).map((code) => Math.max(small(code, CODE.old), whole(code, CODE.code)));
  const buffers = tables(model, MODEL.buffers).map((buffer) => vector(buffer, 0));
  const [graph = 0] = tables(model, MODEL.graphs);

  const tensors = tables(graph, GRAPH.tensors).map((tensor) => {
    const { start, length } = buffers[whole(tensor, TENSOR.buffer)] ?? { start: 0, length: 0 };
    const data = file.slice(start, start + length);
    return { shape: numbers(tensor, TENSOR.shape), constant: length ? decode(data, small(tensor, TENSOR.type)) : null };
  });
  const steps = tables(graph, GRAPH.steps).map((step) => {
    const code = codes[whole(step, STEP.code)] ?? -1;
    const operation = OPERATIONS[code];
    if (!operation) throw new Error(`the model needs operation ${code}`);
    const at = place(step, STEP.options);
    const options = at && follow(at);
    const stride = options ? whole(options, OPTIONS.stride) : 1;
    return { operation, inputs: numbers(step, STEP.inputs), outputs: numbers(step, STEP.outputs), stride };
  });
  const [input = 0] = numbers(graph, GRAPH.inputs);
  return { tensors, steps, input, outputs: numbers(graph, GRAPH.outputs) };
}

/**
 * @param {ArrayBuffer} data
 * @param {number} type
 */
function decode(data, type) {
  if (type === FLOAT32) return new Float32Array(data);
  if (type === INT32) return new Int32Array(data);
  if (type === FLOAT16) return Float32Array.from(new Uint16Array(data), halfToNumber);
  throw new Error(`the model has numbers of type ${type}`);
}

/** IEEE 754 binary16; `Float16Array` is younger than many tablets. @param {number} bits */
function halfToNumber(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
