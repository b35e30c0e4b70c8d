/** Brings a rough find of a face onto its pupils. */
import type { Pose } from "./face-pattern.ts";
import { clamp, type Plane, sample, softBlur } from "./pixels.ts";

/** How much darker than their surroundings clear pupils are, in levels of the search's brightness. */
const clearPupil = 13;

/**
 * Moves a pose onto the pupils: each is the darkest spot against its surroundings near where the eye is
 * expected. When the two found do not make a likely pair (glasses, closed eyes), the pose stays. `clarity`, 0–1, tells how much like pupils they are.
 */
export function onPupils(light: Plane, pose: Pose): { pose: Pose; clarity: number } {
  const { eyes, angle } = pose;
  if (eyes < 9) return { pose, clarity: 0.5 };
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
  const clarity = clamp(Math.min(left.value, right.value) / clearPupil, 0, 1);
  if (!likely || clarity < 0.15) return { pose, clarity: 0 };
  const middle = { x: (left.x + right.x) / 2, y: (left.y + right.y) / 2 };
  return { pose: { ...middle, eyes: distance, angle: turned }, clarity };
}
