/**
 * What pixels can tell about a selfie, and no more: darkness, blur, and pictures that are plainly no photo
 * of a person. When in doubt a photo passes: a guest who is sent back for nothing is the worse mistake.
 */
import type { SelfieProblem, SelfieVerdict } from "../provider.ts";
import { findFace } from "./face.ts";
import { boxBlur, decode, luma, type Plane, type Rgb3, resize } from "./pixels.ts";
import { colourfulness, skinLikeness } from "./skin.ts";

const side = 512;
/** Luma (0–255) under which even the brightest hundredth of the picture lies when nothing can be made of it. */
const darkestUsable = 36;
/** Spread of luma (standard deviation) of a picture without any content. */
const flattest = 5;
/** Bits per pixel in colours (four bits a channel): text, logos and blank paper have fewer. */
const fewestColourBits = 1.6;
/** Correlation of neighbouring pixels: photos have 0.8 and more, noise about 0. */
const leastCoherence = 0.45;
/** Sharpness (see `sharpness`) under which eyes and mouth have run together: a portrait has 0.11, unrecognisable 0.012. */
const leastSharpness = 0.0145;
/** Smooths away the edges of JPEG's blocks, which are sharp however blurred the photo is; eyes and mouth are larger. */
const blockBlurPx = 2;
/** Share of skin-like pixels in a colourful picture under which nobody can be in it. */
const leastSkin = 0.004;
const colourful = 0.12;
/** A face pattern as clear as this outweighs missing skin colour (paint, coloured light). */
const clearFace = 0.45;

/** Judges a selfie; bytes that cannot be decoded are no photo. */
export async function checkSelfie(bytes: Uint8Array): Promise<SelfieVerdict> {
  const photo = await decode(bytes, side).catch(() => null);
  const problem = photo ? problemOf(photo) : "not_a_photo";
  return { usable: problem === "none", faces: problem === "none" ? 1 : 0, problem };
}

function problemOf(photo: Rgb3): SelfieProblem {
  const light = luma(photo);
  const sorted = Float32Array.from(light.data).sort();
  const bright = sorted[Math.floor(sorted.length * 0.99)]!;
  if (bright < darkestUsable) return "too_dark";
  if (spreadOf(light) < flattest || colourBits(photo) < fewestColourBits) return "not_a_photo";
  if (coherence(light) < leastCoherence) return "not_a_photo";
  if (sharpness(light) < leastSharpness) return "blurred";
  if (colourfulness(photo) > colourful && skinShare(photo) < leastSkin && findFace(photo).score < clearFace)
    return "no_face";
  return "none";
}

function spreadOf(light: Plane): number {
  let sum = 0;
  let squares = 0;
  for (const value of light.data) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / light.data.length;
  return Math.sqrt(Math.max(0, squares / light.data.length - mean * mean));
}

/** Entropy of the colours, in bits per pixel. */
function colourBits(photo: Rgb3): number {
  const counts = new Uint32Array(4096);
  const size = photo.w * photo.h;
  for (let i = 0; i < size; i++) counts[((photo.r[i]! >> 4) << 8) | ((photo.g[i]! >> 4) << 4) | (photo.b[i]! >> 4)]!++;
  let bits = 0;
  for (const count of counts) if (count) bits -= (count / size) * Math.log2(count / size);
  return bits;
}

/** Correlation of each pixel with the one to its right. */
function coherence(light: Plane): number {
  let same = 0;
  let differ = 0;
  const mean = light.data.reduce((sum, value) => sum + value, 0) / light.data.length;
  for (let i = 0; i + 1 < light.data.length; i++) {
    if (i % light.w === light.w - 1) continue;
    same += (light.data[i]! - mean) ** 2;
    differ += (light.data[i]! - mean) * (light.data[i + 1]! - mean);
  }
  return same > 0 ? differ / same : 0;
}

/**
 * How sharp the sharpest parts are: the 98th percentile of the Laplacian's size, relative to the contrast of
 * the picture, measured on a copy of fixed size so that megapixels do not matter.
 */
export function sharpness(light: Plane): number {
  const scale = 320 / Math.max(light.w, light.h);
  const smooth = boxBlur(light, blockBlurPx);
  const small = scale < 1 ? resize(smooth, Math.round(light.w * scale), Math.round(light.h * scale)) : smooth;
  const { w, h, data } = small;
  const sizes: number[] = [];
  for (let y = 1; y < h - 1; y++)
    for (let x = 1; x < w - 1; x++) {
      const i = y * w + x;
      sizes.push(Math.abs(4 * data[i]! - data[i - 1]! - data[i + 1]! - data[i - w]! - data[i + w]!));
    }
  sizes.sort((a, b) => a - b);
  const top = sizes[Math.floor(sizes.length * 0.98)] ?? 0;
  return top / (4 * spreadOf(small) + 8);
}

function skinShare(photo: Rgb3): number {
  const skin = skinLikeness(photo);
  let count = 0;
  for (const value of skin.data) if (value > 0.4) count++;
  return count / skin.data.length;
}
