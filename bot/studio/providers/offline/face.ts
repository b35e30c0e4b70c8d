/**
 * Where the face is: one upright frontal face, found by its pattern of light and dark and by its colour. The
 * pattern is slid over copies of the photo at many sizes; the best places are looked at closely.
 */
import { correlation, type Pose, patternOffsets, roughCorrelation } from "./face-pattern.ts";
import { boxBlur, luma, type Plane, type Rgb3, resize, sample, shrinkPicture, softBlur } from "./pixels.ts";
import { onPupils } from "./pupils.ts";
import { colourfulness, skinLikeness } from "./skin.ts";

/** `x`, `y`: the middle between the eyes; `eyes`: the distance between them; both in pixels of the photo given. */
export type Face = { x: number; y: number; eyes: number; angle: number; score: number; skin: number };

const searchSide = 288;
/** In the scaled copies that are searched, eyes are this many pixels apart. */
const searchEyes = 11;
const smallestEyes = 0.045;
const largestEyes = 0.42;
const scaleStep = 1.18;
/** Distance of a face's middle from the sides and the bottom of a scaled copy. */
const sideMargin = 8;
const bottomMargin = 8;
/** What clear pupils add to a face's score. */
const pupilWeight = 0.16;
/** Places that match less than this on the grid are not looked at closely. */
const leastRough = 0.35;

/** Mean skin likeness in the middle of the face. */
function skinAt(skin: Plane, pose: Pose): number {
  let sum = 0;
  let count = 0;
  for (const dx of [-0.75, -0.4, 0, 0.4, 0.75])
    for (const dy of [-0.6, 0.35, 0.75, 1.1, 1.5]) {
      sum += sample(skin.data, skin.w, skin.h, pose.x + dx * pose.eyes, pose.y + dy * pose.eyes);
      count++;
    }
  return sum / count;
}

/** Mean skin likeness just beside the face, where there should be hair or background; outside the photo counts as none. */
function skinBeside(skin: Plane, pose: Pose): number {
  let sum = 0;
  let count = 0;
  for (const dx of [-1.85, -1.5, 1.5, 1.85])
    for (const dy of [-0.5, 0, 0.5, 1]) {
      const x = pose.x + dx * pose.eyes;
      const y = pose.y + dy * pose.eyes;
      count++;
      if (x >= 0 && y >= 0 && x < skin.w && y < skin.h) sum += skin.data[Math.floor(y) * skin.w + Math.floor(x)]!;
    }
  return sum / count;
}

/** People stand in the guide's middle: a mild preference, which a clear face elsewhere overrules. */
function placeBonus(pose: Pose, w: number, h: number): number {
  const dx = (pose.x - w / 2) / w;
  const dy = (pose.y - h * 0.42) / h;
  const size = Math.log(pose.eyes / (0.2 * Math.min(w, h)));
  return -0.35 * dx * dx - 0.3 * dy * dy - 0.06 * size * size;
}

/** The best face of a photo; its `score` says how sure (below about 0.5: do not rely on it). */
export function findFace(full: Rgb3): Face {
  const factor = Math.max(1, Math.floor(Math.max(full.w, full.h) / searchSide));
  const photo = factor > 1 ? shrinkPicture(full, factor) : full;
  const scale = Math.min(1, searchSide / Math.max(photo.w, photo.h));
  const w = Math.max(24, Math.round(photo.w * scale));
  const h = Math.max(24, Math.round(photo.h * scale));
  const shrink = (input: Plane) => resize(scale < 0.7 ? boxBlur(input, 1) : input, w, h);
  const light = shrink(luma(photo));
  for (let i = 0; i < light.data.length; i++) light.data[i] = Math.sqrt(light.data[i]!) * 16;
  const skin = shrink(skinLikeness(photo));
  const skinWeight = 0.45 * Math.min(1, colourfulness(photo) / 0.08);
  const total = (l: Plane, s: Plane, pose: Pose) =>
    correlation(l, pose) +
    skinWeight * (skinAt(s, pose) - 0.6 - 0.6 * skinBeside(s, pose)) +
    placeBonus(pose, l.w, l.h);

  let candidates: { pose: Pose; score: number }[] = [];
  const side = Math.min(w, h);
  for (let eyes = side * smallestEyes; eyes < side * largestEyes; eyes *= scaleStep) {
    if (eyes < 4) continue;
    const ratio = searchEyes / eyes;
    const sw = Math.round(w * ratio);
    const sh = Math.round(h * ratio);
    const smallLight = resize(softBlur(light, Math.round(eyes * 0.11)), sw, sh);
    const smallSkin = resize(boxBlur(skin, Math.round(eyes * 0.15)), sw, sh);
    const offsets = patternOffsets(searchEyes, sw);
    for (let y = 6; y < sh - bottomMargin; y += 2)
      for (let x = sideMargin; x < sw - sideMargin; x += 2) {
        if (skinWeight > 0.3 && smallSkin.data[(y + 7) * sw + x]! < 0.15) continue;
        const rough = roughCorrelation(smallLight.data, y * sw + x, offsets);
        if (rough < leastRough) continue;
        const pose = { x, y, eyes: searchEyes, angle: 0 };
        const score = total(smallLight, smallSkin, pose);
        if (score > 0.2) candidates.push({ pose: { x: x / ratio, y: y / ratio, eyes, angle: 0 }, score });
      }
  }
  candidates.sort((a, b) => b.score - a.score);
  candidates = spread(candidates, 6);
  let best = { pose: { x: w / 2, y: h * 0.4, eyes: side * 0.16, angle: 0 }, score: -1 };
  for (const candidate of candidates) {
    const fine = softBlur(light, Math.max(1, Math.round(candidate.pose.eyes * 0.09)));
    const refined = climb(candidate.pose, (pose) => total(fine, skin, pose));
    const { pose, clarity } = onPupils(light, refined.pose);
    const score = refined.score + pupilWeight * (clarity - 0.5);
    if (score > best.score) best = { pose, score };
  }
  const { x, y, eyes, angle } = best.pose;
  return {
    x: (x / scale) * factor,
    y: (y / scale) * factor,
    eyes: (eyes / scale) * factor,
    angle,
    score: best.score,
    skin: skinAt(skin, best.pose),
  };
}

/** The best candidates that are not neighbours of a better one. */
function spread(sorted: { pose: Pose; score: number }[], count: number): typeof sorted {
  const kept: typeof sorted = [];
  for (const one of sorted) {
    if (kept.length === count) break;
    const near = kept.some(
      ({ pose }) =>
        Math.hypot(pose.x - one.pose.x, pose.y - one.pose.y) < 0.6 * pose.eyes &&
        pose.eyes < one.pose.eyes * 1.4 &&
        one.pose.eyes < pose.eyes * 1.4,
    );
    if (!near) kept.push(one);
  }
  return kept;
}

/** Improves a pose by small steps in place, size and angle until none helps. */
function climb(start: Pose, judge: (pose: Pose) => number): { pose: Pose; score: number } {
  let pose = start;
  let score = judge(pose);
  let step = 0.12;
  while (step > 0.012) {
    const d = step * pose.eyes;
    const options: Pose[] = [
      { ...pose, x: pose.x + d },
      { ...pose, x: pose.x - d },
      { ...pose, y: pose.y + d },
      { ...pose, y: pose.y - d },
      { ...pose, eyes: pose.eyes * (1 + step) },
      { ...pose, eyes: pose.eyes / (1 + step) },
      { ...pose, angle: Math.min(0.5, pose.angle + step) },
      { ...pose, angle: Math.max(-0.5, pose.angle - step) },
    ];
    let improved = false;
    for (const option of options) {
      const value = judge(option);
      if (value > score) {
        score = value;
        pose = option;
        improved = true;
      }
    }
    if (!improved) step /= 2;
  }
  return { pose, score };
}
