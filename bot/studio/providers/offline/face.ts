/**
 * Where the face is: one upright frontal face, found by its pattern of light and dark and by its colour.
 *
 * Every face shares one coarse pattern: bright forehead, dark brows and eyes, bright bridge of the nose
 * and cheeks, dark mouth, bright chin. The pattern below is drawn by hand on a grid whose cells are a
 * quarter of the distance between the eyes; it is slid over the photo at many sizes and compared by
 * normalised correlation, which light and contrast do not change.
 */
import { boxBlur, luma, type Plane, type Rgb3, resize, sample, shrinkPicture, softBlur } from "./pixels.ts";
import { colourfulness, skinLikeness } from "./skin.ts";

/** `x`, `y`: the middle between the eyes; `eyes`: the distance between them; both in pixels of the photo given. */
export type Face = { x: number; y: number; eyes: number; angle: number; score: number; skin: number };

/** Half of the pattern, from beside the face to its middle; the other half mirrors it. `_` is not looked at. */
const pattern = [
  "_ 0 2 3 4",
  "-3 -2 -3 0 4",
  "-2 -4 -6 -1 4",
  "0 3 4 3 4",
  "0 4 5 2 4",
  "0 2 3 0 0",
  "_ 1 1 0 0",
  "_ 0 1 0 1",
  "_ -2 -1 0 1",
  "_ _ -3 -1 0",
];
const cellSize = 0.25;
const firstRow = -0.5;
const firstColumn = -1;
const searchSide = 288;
/** In the scaled copies that are searched, eyes are this many pixels apart. */
const searchEyes = 11;
const smallestEyes = 0.045;
const largestEyes = 0.42;
const scaleStep = 1.18;
/** Distance of a face's middle from the sides and the bottom of a scaled copy. */
const sideMargin = 8;
const bottomMargin = 8;
/** Places that match less than this on the grid are not looked at closely. */
const leastRough = 0.35;

type Point = { x: number; y: number; value: number };
const points: Point[] = pattern.flatMap((row, line) => {
  const half = row.split(" ");
  return half.flatMap((mark, column) => {
    if (mark === "_") return [];
    const x = firstColumn + column * cellSize;
    const y = firstRow + line * cellSize;
    const value = Number(mark);
    return x === 0
      ? [{ x, y, value }]
      : [
          { x, y, value },
          { x: -x, y, value },
        ];
  });
});
const patternMean = points.reduce((sum, p) => sum + p.value, 0) / points.length;
const weights = points.map((point) => point.value - patternMean);
const patternNorm = Math.sqrt(points.reduce((sum, p) => sum + (p.value - patternMean) ** 2, 0));

type Pose = { x: number; y: number; eyes: number; angle: number };

/** Correlation of the pattern with the blurred brightness at a pose, -1 to 1. */
function correlation(light: Plane, pose: Pose): number {
  const cos = Math.cos(pose.angle) * pose.eyes;
  const sin = Math.sin(pose.angle) * pose.eyes;
  let sum = 0;
  let squares = 0;
  let product = 0;
  for (const point of points) {
    const value = sample(
      light.data,
      light.w,
      light.h,
      pose.x + cos * point.x - sin * point.y,
      pose.y + sin * point.x + cos * point.y,
    );
    sum += value;
    squares += value * value;
    product += value * (point.value - patternMean);
  }
  const variance = squares - (sum * sum) / points.length;
  // A floor keeps noise in flat regions from looking like a face.
  return product / (patternNorm * Math.sqrt(variance + points.length * 4));
}

/** The same for a place of the grid, without turning or interpolation: decides where a closer look is worth it. */
function roughCorrelation(light: Float32Array, at: number, offsets: number[]): number {
  let sum = 0;
  let squares = 0;
  let product = 0;
  for (let n = 0; n < offsets.length; n++) {
    const value = light[at + offsets[n]!] ?? 0;
    sum += value;
    squares += value * value;
    product += value * weights[n]!;
  }
  const variance = squares - (sum * sum) / offsets.length;
  return product / (patternNorm * Math.sqrt(variance + offsets.length * 4));
}

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
    const offsets = points.map((point) => Math.round(point.y * searchEyes) * sw + Math.round(point.x * searchEyes));
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
    if (refined.score > best.score) best = refined;
  }
  const { x, y, eyes, angle } = onPupils(light, best.pose);
  return {
    x: (x / scale) * factor,
    y: (y / scale) * factor,
    eyes: (eyes / scale) * factor,
    angle,
    score: best.score,
    skin: skinAt(skin, best.pose),
  };
}

/**
 * Moves a pose onto the pupils: each is the darkest spot against its surroundings near where the eye is
 * expected. When the two found do not make a likely pair (glasses, closed eyes), the pose stays.
 */
function onPupils(light: Plane, pose: Pose): Pose {
  const { eyes, angle } = pose;
  if (eyes < 9) return pose;
  const fine = softBlur(light, Math.max(1, Math.round(eyes * 0.05)));
  const wide = softBlur(light, Math.round(eyes * 0.22));
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const find = (side: number) => {
    let best = { x: 0, y: 0, value: Number.NEGATIVE_INFINITY };
    for (let u = -0.24; u <= 0.3001; u += 0.03)
      for (let v = -0.16; v <= 0.1601; v += 0.03) {
        const dx = side * (0.53 + u) * eyes;
        const dy = v * eyes;
        const x = pose.x + cos * dx - sin * dy;
        const y = pose.y + sin * dx + cos * dy;
        const dark = sample(wide.data, wide.w, wide.h, x, y) - sample(fine.data, fine.w, fine.h, x, y);
        const value = dark - 40 * (u * u + 1.5 * v * v);
        if (value > best.value) best = { x, y, value };
      }
    return best;
  };
  const [left, right] = [find(-1), find(1)];
  const distance = Math.hypot(right.x - left.x, right.y - left.y);
  const turned = Math.atan2(right.y - left.y, right.x - left.x);
  const likely = distance > eyes * 0.85 && distance < eyes * 1.42 && Math.abs(turned - angle) < 0.17;
  if (!likely || Math.min(left.value, right.value) < 2) return pose;
  return { x: (left.x + right.x) / 2, y: (left.y + right.y) / 2, eyes: distance, angle: turned };
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
