/**
 * Which pixels of the head's frame are the person: colour models of person and background that are
 * learned from this very photo, a head-and-shoulders prior, and neighbours of like colour that agree.
 */
import { type ColourModel, colourDims, dims, type Features, fitModel, logDensity } from "./colours.ts";
import { type Framed, fromColumn, fromRow } from "./frame.ts";
import { boxBlur, clamp, type Plane, plane } from "./pixels.ts";
import { skinLikeness } from "./skin.ts";

/** `person`: probability per pixel. `certainty`: 0–1, how well the two colour models tell the person from the rest. */
export type Segmentation = { person: Plane; certainty: number };

const rounds = 4;
const sweeps = 14;
const smoothness = 0.9;
const placeWeight = 9;
/** Squared distance, in spreads, within which a colour counts as the hair's; and what must be left of the background. */
const hairReach = 2.5;
const leastBackground = 0.7;
/** The same between a blob of the person and one of the background. */
const sameColour = 1.2;
/** Below this, beside the neck, there may be shoulders: nothing to learn the background from. */
const lowestSeed = 0.6;
const lowestBackground = 1.7;
/** Share of the frame that must be plain background to learn from; tight portraits have less. */
const leastSeeds = 0.035;

/** 1 on the outline of a usual face. */
const faceRadius = (x: number, y: number): number => Math.hypot(x / 1.0, (y - 0.45) / 1.35);

/** Log odds that a place in the frame belongs to the person, before any pixel was looked at. */
function priorAt(x: number, y: number): number {
  const hair = Math.hypot(x / 1.45, (y + 0.05) / 1.9);
  const face = faceRadius(x, y);
  const neck = y > 1 ? Math.hypot(x / 0.75, 0) : 9;
  const shoulders = y - 2.15 - 0.28 * Math.abs(x);
  const beside = y > 0.9 ? 1.6 * Math.min(1, y - 0.9) * 2 : 0;
  const odds = Math.max(5 * (1.08 - hair) - beside, 9 * (1.06 - face), y > 1.2 ? 4 * (1.1 - neck) : -9, 3 * shoulders);
  return clamp(odds, -4.5, 5);
}

/** Splits the frame's picture into person and background. */
export function segment(framed: Framed): Segmentation {
  const { picture, inside, unit } = framed;
  const { w, h } = picture;
  const size = w * h;
  const features = featuresOf(framed);
  const skin = boxBlur(skinLikeness(picture), 1);
  const prior = new Float32Array(size);
  const person = plane(w, h);
  for (let i = 0; i < size; i++) {
    const x = fromColumn(i % w, unit);
    const y = fromRow(Math.floor(i / w), unit);
    prior[i] = priorAt(x, y);
    person.data[i] = 1 / (1 + Math.exp(-prior[i]!));
  }
  const links = linksOf(framed);
  const hair = hairOf(framed, features);
  const weights = new Float32Array(size);
  let certainty = 0;
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < size; i++) {
      const p = person.data[i]!;
      const y = fromRow(Math.floor(i / w), unit);
      weights[i] =
        inside.data[i]! < 1 || y > (round ? lowestBackground : lowestSeed) || p > (round ? 0.3 : 0.12) ? 0 : 1 - p;
    }
    if (round === 0 && weights.reduce((sum, weight) => sum + weight, 0) < leastSeeds * size)
      return { person, certainty: 0 };
    const theirs = withoutHair(fitModel(features, weights, 10), hair);
    if (theirs.length === 0) return { person, certainty: 0 };
    // At first only the face is known to be the person; around it, what the background does not explain.
    const strange = round === 0 ? unlikelyBelow(theirs, features, weights) : 0;
    for (let i = 0; i < size; i++) {
      const p = person.data[i]!;
      if (inside.data[i]! < 1) weights[i] = 0;
      else if (round) weights[i] = p > 0.6 ? p : 0;
      else weights[i] = prior[i]! > 4.5 || (p > 0.4 && logDensity(theirs, features, i) < strange) ? 1 : 0;
    }
    const ours = withoutBackground(fitModel(features, weights, 8), theirs);
    if (ours.length === 0) return { person, certainty: 0 };
    const odds = new Float32Array(size);
    let agreed = 0;
    let counted = 0;
    for (let i = 0; i < size; i++) {
      if (inside.data[i]! < 1) {
        odds[i] = -5;
        continue;
      }
      const evidence = logDensity(ours, features, i) - logDensity(theirs, features, i);
      const face = prior[i]! > 3 ? 1.5 * skin.data[i]! : 0;
      odds[i] = clamp(0.62 * clamp(evidence, -7, 7) + 0.75 * prior[i]! + face, -7, 7);
      if (Math.abs(prior[i]!) < 2.2) {
        counted++;
        agreed += Math.min(1, Math.abs(evidence) / 3);
      }
    }
    relax(person, odds, links);
    certainty = counted ? agreed / counted : 0;
  }
  return { person, certainty };
}

type Sample = { mean: Float64Array; spread: Float64Array };

/** Colours just above the forehead: hair, mostly, and the person's in any case. */
function hairOf({ picture, inside, unit }: Framed, features: Features): Sample | null {
  const sample = { mean: new Float64Array(dims), spread: new Float64Array(dims) };
  let count = 0;
  for (let i = 0; i < features.count; i++) {
    const x = fromColumn(i % picture.w, unit);
    const y = fromRow(Math.floor(i / picture.w), unit);
    if (Math.abs(x) > 0.75 || y < -1.4 || y > -1.05 || inside.data[i]! < 1) continue;
    count++;
    for (let d = 0; d < dims; d++) {
      const value = features.data[i * dims + d]!;
      sample.mean[d]! += value;
      sample.spread[d]! += value * value;
    }
  }
  if (count < 20) return null;
  for (let d = 0; d < dims; d++) {
    sample.mean[d]! /= count;
    sample.spread[d] = Math.max(60, sample.spread[d]! / count - sample.mean[d]! ** 2);
  }
  return sample;
}

/** Big hair reaches where only background is expected: a small part of the background with hair's colours is hair. */
function withoutHair(model: ColourModel, hair: Sample | null): ColourModel {
  if (!hair) return model;
  const kept = model.filter((blob) => {
    let distance = 0;
    for (let d = 0; d < colourDims; d++) distance += (blob.mean[d]! - hair.mean[d]!) ** 2 / hair.spread[d]!;
    return distance > hairReach;
  });
  const share = kept.reduce((sum, blob) => sum + blob.weight, 0);
  return share > leastBackground ? kept : model;
}

/** What beside the face has exactly a background's colours was taken for the person by its place alone. */
function withoutBackground(model: ColourModel, background: ColourModel): ColourModel {
  return model.filter((blob) => {
    const x = blob.mean[colourDims]! / placeWeight;
    const y = blob.mean[colourDims + 1]! / placeWeight;
    if (faceRadius(x, y) < 0.75 || y > 1.2) return true;
    return !background.some((other) => {
      let distance = 0;
      for (let d = 0; d < colourDims; d++)
        distance += (blob.mean[d]! - other.mean[d]!) ** 2 / (other.spread[d]! + 0.5 * blob.spread[d]!);
      return distance < sameColour && other.weight > 0.03;
    });
  });
}

/** The density under which only one background pixel in twenty falls. */
function unlikelyBelow(model: ColourModel, features: Features, weights: Float32Array): number {
  const densities: number[] = [];
  for (let i = 0; i < features.count; i += 7) if (weights[i]! > 0) densities.push(logDensity(model, features, i));
  densities.sort((a, b) => a - b);
  return densities[Math.floor(densities.length / 20)] ?? 0;
}

function featuresOf({ picture, unit }: Framed): Features {
  const { w, h } = picture;
  const features = { count: w * h, data: new Float32Array(w * h * dims) };
  for (let i = 0; i < features.count; i++) {
    const r = picture.r[i]!;
    const g = picture.g[i]!;
    const b = picture.b[i]!;
    const at = i * dims;
    features.data[at] = 0.3 * r + 0.59 * g + 0.11 * b;
    features.data[at + 1] = 0.9 * (r - g);
    features.data[at + 2] = 0.6 * ((r + g) / 2 - b);
    features.data[at + 3] = fromColumn(i % w, unit) * placeWeight;
    features.data[at + 4] = fromRow(Math.floor(i / w), unit) * placeWeight;
  }
  return features;
}

type Links = { right: Float32Array; down: Float32Array };

/** How strongly each pixel is tied to its right and lower neighbour: strongly where colours are alike. */
function linksOf({ picture }: Framed): Links {
  const { w, h, r, g, b } = picture;
  const links = { right: new Float32Array(w * h), down: new Float32Array(w * h) };
  const difference = (i: number, j: number) => (r[i]! - r[j]!) ** 2 + (g[i]! - g[j]!) ** 2 + (b[i]! - b[j]!) ** 2;
  let sum = 0;
  for (let i = 0; i + w < w * h; i++) {
    links.down[i] = difference(i, i + w);
    if (i % w < w - 1) links.right[i] = difference(i, i + 1);
    sum += links.down[i]! + links.right[i]!;
  }
  const typical = sum / (w * h) + 20;
  for (let i = 0; i < w * h; i++) {
    links.right[i] = i % w < w - 1 ? smoothness * (0.1 + 1.9 * Math.exp(-links.right[i]! / typical)) : 0;
    links.down[i] = i + w < w * h ? smoothness * (0.1 + 1.9 * Math.exp(-links.down[i]! / typical)) : 0;
  }
  return links;
}

/** Mean-field relaxation: each pixel weighs its own odds against its neighbours' opinion. */
function relax(person: Plane, odds: Float32Array, { right, down }: Links): void {
  const { w, h, data } = person;
  for (let i = 0; i < data.length; i++) data[i] = 1 / (1 + Math.exp(-odds[i]!));
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const backwards = sweep % 2 === 1;
    for (let n = 0; n < w * h; n++) {
      const i = backwards ? w * h - 1 - n : n;
      let field = odds[i]!;
      const x = i % w;
      if (x > 0) field += right[i - 1]! * (2 * data[i - 1]! - 1);
      if (x < w - 1) field += right[i]! * (2 * data[i + 1]! - 1);
      if (i >= w) field += down[i - w]! * (2 * data[i - w]! - 1);
      if (i + w < w * h) field += down[i]! * (2 * data[i + w]! - 1);
      data[i] = 1 / (1 + Math.exp(-field));
    }
  }
}
