// Convolutions: nearly all of the time that finding a face takes. Every value is read as seldom as can be.

/** @typedef {import("./net.js").Grid} Grid */

/**
 * How far the first window begins before the picture, so that windows lie evenly ("SAME" padding).
 * @param {number} out
 * @param {number} from
 * @param {number} window
 * @param {number} stride
 */
const margin = (out, from, window, stride) => Math.max((out - 1) * stride + window - from, 0) >> 1;

/**
 * Every output pixel is, for each filter, the sum of its window times the filter.
 * @param {Grid} out
 * @param {Grid} from
 * @param {Grid} filters one after another, each [height][width][from.depth]
 * @param {Grid} bias
 * @param {number} stride
 */
export function convolution(out, from, filters, bias, stride) {
  const size = filters.height * filters.width * from.depth;
  const asItIs = size === from.depth && stride === 1;
  const windows = asItIs ? from.data : new Float64Array(out.width * size);
  const row = out.width * out.depth;
  return () => {
    for (let y = 0; y < out.height; y++) {
      if (!asItIs) gather(windows, y, out, from, filters, stride);
      multiply(
        out.data.subarray(y * row, (y + 1) * row),
        windows,
        asItIs ? y * out.width * size : 0,
        size,
        filters,
        bias,
      );
    }
  };
}

/**
 * The windows of one row of the output, one after another; outside of the picture is nothing.
 * @param {Float64Array} windows
 * @param {number} y
 * @param {Grid} out
 * @param {Grid} from
 * @param {Grid} shape of a window
 * @param {number} stride
 */
function gather(windows, y, out, from, shape, stride) {
  const top = y * stride - margin(out.height, from.height, shape.height, stride);
  const left = margin(out.width, from.width, shape.width, stride);
  let to = 0;
  for (let x = 0; x < out.width; x++) {
    for (let row = top; row < top + shape.height; row++) {
      for (let column = x * stride - left; column < x * stride - left + shape.width; column++) {
        const inside = row >= 0 && row < from.height && column >= 0 && column < from.width;
        const source = (row * from.width + column) * from.depth;
        for (let d = 0; d < from.depth; d++) windows[to++] = inside ? (from.data[source + d] ?? 0) : 0;
      }
    }
  }
}

/**
 * The products of windows with all filters, two windows and four filters at a time: what is read is used often.
 * It takes two thirds of all the time; whole doubles are faster here than floats, which have to be converted.
 * @param {Float64Array} out
 * @param {Float64Array} windows
 * @param {number} start of the first window
 * @param {number} size of a window and of a filter
 * @param {Grid} filters
 * @param {Grid} bias
 */
function multiply(out, windows, start, size, { data: filters }, { data: bias }) {
  const count = bias.length;
  for (let to = 0, v = start, w = start + size; to < out.length; to += 2 * count, v += 2 * size, w += 2 * size) {
    let f = 0;
    for (; f + 4 <= count; f += 4) {
      const f0 = f * size;
      const f1 = f0 + size;
      const f2 = f1 + size;
      const f3 = f2 + size;
      let v0 = bias[f] ?? 0;
      let v1 = bias[f + 1] ?? 0;
      let v2 = bias[f + 2] ?? 0;
      let v3 = bias[f + 3] ?? 0;
      let w0 = v0;
      let w1 = v1;
      let w2 = v2;
      let w3 = v3;
      for (let i = 0; i < size; i++) {
        const one = windows[v + i] ?? 0;
        const other = windows[w + i] ?? 0;
        const a = filters[f0 + i] ?? 0;
        const b = filters[f1 + i] ?? 0;
        const c = filters[f2 + i] ?? 0;
        const d = filters[f3 + i] ?? 0;
        v0 += one * a;
        v1 += one * b;
        v2 += one * c;
        v3 += one * d;
        w0 += other * a;
        w1 += other * b;
        w2 += other * c;
        w3 += other * d;
      }
      out[to + f] = v0;
      out[to + f + 1] = v1;
      out[to + f + 2] = v2;
      out[to + f + 3] = v3;
      out[to + count + f] = w0;
      out[to + count + f + 1] = w1;
      out[to + count + f + 2] = w2;
      out[to + count + f + 3] = w3;
    }
    for (; f < count; f++) {
      let one = bias[f] ?? 0;
      let other = one;
      for (let i = 0; i < size; i++) {
        one += (windows[v + i] ?? 0) * (filters[f * size + i] ?? 0);
        other += (windows[w + i] ?? 0) * (filters[f * size + i] ?? 0);
      }
      out[to + f] = one;
      out[to + count + f] = other;
    }
  }
}

/**
 * A convolution of 3×3 in which each layer has one filter of its own and stays by itself.
 * @param {Grid} out
 * @param {Grid} from
 * @param {Grid} filters
 * @param {Grid} bias
 * @param {number} stride
 */
export function layerwise(out, from, filters, bias, stride) {
  if (filters.height !== 3 || filters.width !== 3) throw new Error("a layerwise filter is not 3×3");
  const { depth } = from;
  const top = margin(out.height, from.height, 3, stride);
  const left = margin(out.width, from.width, 3, stride);
  // With an empty border around the picture, no window needs to ask what is outside.
  const row = (from.width + 2) * depth;
  const wide = new Float64Array(row * (from.height + 2));
  return () => {
    for (let y = 0; y < from.height; y++) {
      const line = from.data.subarray(y * from.width * depth, (y + 1) * from.width * depth);
      wide.set(line, (y + top) * row + left * depth);
    }
    for (let y = 0; y < out.height; y++) {
      for (let d = 0; d < depth; d++) slide(out, y, d, wide, row, stride, filters.data, bias.data[d] ?? 0);
    }
  };
}

/**
 * One row of one layer: its filter stays at hand while the window slides.
 * @param {Grid} out
 * @param {number} y
 * @param {number} d the layer
 * @param {Float64Array} wide
 * @param {number} row values from one row of `wide` to the next
 * @param {number} stride
 * @param {Float64Array} filters
 * @param {number} bias
 */
function slide({ data, width, depth }, y, d, wide, row, stride, filters, bias) {
  const [one, two] = [depth, 2 * depth];
  const f0 = filters[d] ?? 0;
  const f1 = filters[d + one] ?? 0;
  const f2 = filters[d + two] ?? 0;
  const f3 = filters[d + 3 * depth] ?? 0;
  const f4 = filters[d + 4 * depth] ?? 0;
  const f5 = filters[d + 5 * depth] ?? 0;
  const f6 = filters[d + 6 * depth] ?? 0;
  const f7 = filters[d + 7 * depth] ?? 0;
  const f8 = filters[d + 8 * depth] ?? 0;
  let a = y * stride * row + d;
  for (let x = 0, to = y * width * depth + d; x < width; x++, to += depth, a += stride * depth) {
    const b = a + row;
    const c = b + row;
    const upper = (wide[a] ?? 0) * f0 + (wide[a + one] ?? 0) * f1 + (wide[a + two] ?? 0) * f2;
    const middle = (wide[b] ?? 0) * f3 + (wide[b + one] ?? 0) * f4 + (wide[b + two] ?? 0) * f5;
    const lower = (wide[c] ?? 0) * f6 + (wide[c + one] ?? 0) * f7 + (wide[c + two] ?? 0) * f8;
    data[to] = bias + upper + middle + lower;
  }
}
