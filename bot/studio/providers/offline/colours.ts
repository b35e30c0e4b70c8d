/** Colour models: what colours a region has, as a few blobs in colour and place. */
import { randomFrom } from "./pixels.ts";

/** Feature vectors, `dims` floats each: colour first, then place. */
export type Features = { count: number; data: Float32Array };
export const dims = 5;
export const colourDims = 3;

/** `constant`: the logarithms that its density needs, computed once. */
type Blob = { weight: number; mean: Float64Array; spread: Float64Array; constant: number };
export type ColourModel = Blob[];

const rounds = 5;
/** A model of a few blobs is learned as well from every third pixel. */
const stride = 3;
/** Smallest variance of a blob, so that a flat studio wall does not become a needle. */
const floor = [30, 14, 14, 60, 60];

/** Fits `blobs` Gaussians with diagonal covariance to weighted features (hard assignment, seeded by spread). */
export function fitModel(features: Features, weights: Float32Array, blobs: number): ColourModel {
  const chosen: number[] = [];
  for (let i = 0; i < features.count; i += stride) if (weights[i]! > 0.05) chosen.push(i);
  if (chosen.length < blobs * 4) return [];
  const centres = seeds(features, chosen, blobs);
  let model: ColourModel = centres.map((mean) => ({
    weight: 1,
    mean,
    spread: new Float64Array(dims).fill(1),
    constant: 0,
  }));
  for (let round = 0; round < rounds; round++) {
    const next = model.map(() => ({
      weight: 0,
      mean: new Float64Array(dims),
      spread: new Float64Array(dims),
      constant: 0,
    }));
    for (const i of chosen) {
      const target = next[nearest(model, features, i)]!;
      const weight = weights[i]!;
      target.weight += weight;
      for (let d = 0; d < dims; d++) {
        const value = features.data[i * dims + d]!;
        target.mean[d]! += weight * value;
        target.spread[d]! += weight * value * value;
      }
    }
    model = next.filter((blob) => blob.weight > 1);
    for (const blob of model)
      for (let d = 0; d < dims; d++) {
        blob.mean[d]! /= blob.weight;
        blob.spread[d] = Math.max(floor[d]!, blob.spread[d]! / blob.weight - blob.mean[d]! ** 2);
      }
  }
  const total = model.reduce((sum, blob) => sum + blob.weight, 0);
  for (const blob of model) {
    blob.weight /= total;
    const volume = blob.spread.reduce((sum, spread) => sum + Math.log(spread), 0);
    blob.constant = Math.log(blob.weight + 1e-6) - 0.5 * volume;
  }
  return model;
}

/** Log density of one feature vector, up to the constant that all models share. */
export function logDensity(model: ColourModel, features: Features, index: number): number {
  let best = -60;
  for (const blob of model) {
    let exponent = blob.constant;
    for (let d = 0; d < dims; d++) {
      const delta = features.data[index * dims + d]! - blob.mean[d]!;
      exponent -= (0.5 * delta * delta) / blob.spread[d]!;
    }
    if (exponent > best) best = exponent;
  }
  return best;
}

function nearest(model: ColourModel, features: Features, index: number): number {
  let best = 0;
  let smallest = Number.POSITIVE_INFINITY;
  for (let k = 0; k < model.length; k++) {
    const blob = model[k]!;
    let distance = 0;
    for (let d = 0; d < dims; d++) {
      const delta = features.data[index * dims + d]! - blob.mean[d]!;
      distance += (delta * delta) / (blob.spread[d]! + 40);
    }
    if (distance < smallest) {
      smallest = distance;
      best = k;
    }
  }
  return best;
}

/** Starting points far from each other: each next one is the farthest of a few random picks. */
function seeds(features: Features, chosen: number[], blobs: number): Float64Array[] {
  const random = randomFrom(chosen.length);
  const pick = () => chosen[Math.floor(random() * chosen.length)]!;
  const at = (i: number) => Float64Array.from(features.data.subarray(i * dims, i * dims + dims));
  const centres = [at(pick())];
  while (centres.length < blobs) {
    let farthest = at(pick());
    let record = -1;
    for (let tries = 0; tries < 24; tries++) {
      const candidate = at(pick());
      const distance = Math.min(
        ...centres.map((centre) => centre.reduce((sum, value, d) => sum + (value - candidate[d]!) ** 2, 0)),
      );
      if (distance > record) {
        record = distance;
        farthest = candidate;
      }
    }
    centres.push(farthest);
  }
  return centres;
}
