/** How much the colour of each pixel looks like human skin, of any tone, in ordinary light. */
import { clamp, type Plane, plane, type Rgb3, smoothstep } from "./pixels.ts";

/**
 * 0–1 per pixel. Skin of every tone is a dark or light shade of the same narrow band of hues (red to
 * yellow-orange); what differs is brightness, so brightness is judged only at the very ends.
 */
export function skinLikeness(picture: Rgb3): Plane {
  const out = plane(picture.w, picture.h);
  for (let i = 0; i < out.data.length; i++) {
    const r = picture.r[i]!;
    const g = picture.g[i]!;
    const b = picture.b[i]!;
    const high = Math.max(r, g, b);
    const low = Math.min(r, g, b);
    if (r < b || high < 18) continue;
    const chroma = high - low;
    const saturation = chroma / (high + 1);
    // Degrees; skin lies between about -12 (pink) and 45 (yellow-brown).
    const hue = chroma < 1 ? 0 : high === r ? (60 * (g - b)) / chroma : 60 + (60 * (b - r)) / chroma + 60;
    const byHue = smoothstep(-20, -4, hue) * (1 - smoothstep(38, 54, hue));
    const bySaturation = smoothstep(0.06, 0.18, saturation) * (1 - smoothstep(0.68, 0.88, saturation));
    out.data[i] = clamp(byHue * bySaturation * smoothstep(18, 40, high), 0, 1);
  }
  return out;
}

/** Mean chroma relative to brightness: near 0 for a black-and-white photo, where skin colour says nothing. */
export function colourfulness(picture: Rgb3): number {
  let sum = 0;
  const size = picture.w * picture.h;
  for (let i = 0; i < size; i++) {
    const high = Math.max(picture.r[i]!, picture.g[i]!, picture.b[i]!);
    const low = Math.min(picture.r[i]!, picture.g[i]!, picture.b[i]!);
    sum += (high - low) / (high + 8);
  }
  return sum / size;
}
