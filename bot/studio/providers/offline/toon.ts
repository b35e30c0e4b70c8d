/** Cartoon shading: calm skin, few tones, ink along edges; four hands so that stickers differ. */
import type { Box, Head } from "./head.ts";
import type { SkinTones } from "./mimics.ts";
import { clamp, guidedFilters, luma, type Plane, plane, type Rgb3, smoothstep, softBlur } from "./pixels.ts";

export const styles = ["ink", "paint", "comic", "pop"] as const;
export type ToonStyle = (typeof styles)[number];

/** What all hands start from: calmed colours, brightness set right, lines, and colours that reach past the cut. */
export type ToonBase = { colours: Rgb3; light: Plane; lines: Plane; alpha: Plane; outline: Plane; unit: number };

/** How much stronger colours may become when a photo is brightened. */
const mostChroma = 1.7;
const ink = { r: 43, g: 27, b: 52 };

/** The costly half of the work, done once per photo. */
export function toonBase(head: Head): ToonBase {
  const { unit, alpha } = head;
  const spread = spillColours(head);
  const guide = luma(spread);
  const radius = Math.max(2, Math.round(unit * 0.045));
  const { w, h } = guide;
  const planes = [spread.r, spread.g, spread.b].map((data) => ({ w, h, data }));
  const [r, g, b] = guidedFilters(guide, planes, radius, 130);
  const colours = { w, h, r: r!.data, g: g!.data, b: b!.data };
  level(colours, alpha);
  const light = luma(colours);
  const fine = softBlur(light, Math.max(1, Math.round(unit * 0.012)));
  const broad = softBlur(light, Math.max(2, Math.round(unit * 0.04)));
  const lines = plane(guide.w, guide.h);
  for (let i = 0; i < lines.data.length; i++) {
    const edge = broad.data[i]! - fine.data[i]!;
    lines.data[i] = smoothstep(5, 17, edge * (1.15 - light.data[i]! / 600));
  }
  const wide = softBlur(alpha, Math.max(1, Math.round(unit * 0.03)));
  const outline = plane(guide.w, guide.h);
  for (let i = 0; i < outline.data.length; i++) outline.data[i] = smoothstep(0.06, 0.2, wide.data[i]!);
  return { colours, light, lines, alpha, outline, unit };
}

/** Edge pixels mix person and background: give them the colours of the person beside them. */
function spillColours({ picture, alpha, unit }: Head): Rgb3 {
  const { w, h } = picture;
  const radius = Math.max(2, Math.round(unit * 0.05));
  const sure = plane(w, h);
  for (let i = 0; i < sure.data.length; i++) sure.data[i] = alpha.data[i]! ** 3 + 1e-4;
  const weight = softBlur(sure, radius);
  const spill = (data: Float32Array) => {
    const product = plane(w, h);
    for (let i = 0; i < product.data.length; i++) product.data[i] = data[i]! * sure.data[i]!;
    const near = softBlur(product, radius);
    const out = new Float32Array(w * h);
    for (let i = 0; i < out.length; i++) {
      const own = smoothstep(0.85, 1, alpha.data[i]!);
      out[i] = data[i]! * own + (near.data[i]! / weight.data[i]!) * (1 - own);
    }
    return out;
  };
  return { w, h, r: spill(picture.r), g: spill(picture.g), b: spill(picture.b) };
}

/** Stretches brightness so that dim and pale photos come out like the rest. */
function level(colours: Rgb3, alpha: Plane): void {
  const light = luma(colours);
  const values: number[] = [];
  for (let i = 0; i < light.data.length; i += 5) if (alpha.data[i]! > 0.9) values.push(light.data[i]!);
  if (values.length === 0) return;
  values.sort((a, b) => a - b);
  const at = (share: number) => values[Math.floor(share * (values.length - 1))]!;
  const low = at(0.02) * 0.75;
  const high = Math.max(at(0.97), low + 30);
  const gain = clamp(232 / (high - low), 0.9, 4);
  const middle = clamp((at(0.5) - low) * gain, 20, 235) / 255;
  const gamma = clamp(Math.log(0.53) / Math.log(middle), 0.55, 1.15);
  for (let i = 0; i < light.data.length; i++) {
    const l = light.data[i]!;
    const target = 255 * clamp(((l - low) * gain) / 255, 0, 1) ** gamma;
    // Brightening a dim photo by ratio alone would burn its colours.
    const chroma = Math.min(target / (l + 1), mostChroma);
    colours.r[i] = clamp(target + (colours.r[i]! - l) * chroma, 0, 255);
    colours.g[i] = clamp(target + (colours.g[i]! - l) * chroma, 0, 255);
    colours.b[i] = clamp(target + (colours.b[i]! - l) * chroma, 0, 255);
  }
}

/** One hand's picture of the head, as interleaved RGBA. */
export function toon(base: ToonBase, style: ToonStyle): { data: Uint8Array; w: number; h: number } {
  const { colours, light, lines, alpha, outline } = base;
  const { w, h } = colours;
  const out = new Uint8Array(w * h * 4);
  const hand = hands[style];
  const period = Math.max(5, base.unit * 0.085);
  for (let i = 0; i < w * h; i++) {
    const around = outline.data[i]!;
    if (around <= 0) continue;
    const l = light.data[i]!;
    const stepped = posterise(l, hand.tones);
    const target = l + (stepped - l) * hand.flatness;
    const ratio = (target + 6) / (l + 6);
    let r = colours.r[i]! * ratio;
    let g = colours.g[i]! * ratio;
    let b = colours.b[i]! * ratio;
    const grey = 0.299 * r + 0.587 * g + 0.114 * b;
    r = grey + (r - grey) * hand.saturation;
    g = grey + (g - grey) * hand.saturation;
    b = grey + (b - grey) * hand.saturation;
    const shade = hand.tint * (1 - smoothstep(30, 165, target));
    r += (hand.shadow[0] - r) * shade;
    g += (hand.shadow[1] - g) * shade;
    b += (hand.shadow[2] - b) * shade;
    if (hand.dots > 0) {
      const dot = hand.dots * halftone(i % w, Math.floor(i / w), period, target);
      r *= 1 - dot * 0.75;
      g *= 1 - dot * 0.95;
      b *= 1 - dot * 0.6;
    }
    const line = lines.data[i]! * hand.line;
    const a = alpha.data[i]!;
    const cover = a * (1 - line);
    const o = i * 4;
    out[o] = clamp(ink.r + (r - ink.r) * cover, 0, 255);
    out[o + 1] = clamp(ink.g + (g - ink.g) * cover, 0, 255);
    out[o + 2] = clamp(ink.b + (b - ink.b) * cover, 0, 255);
    out[o + 3] = Math.round(255 * Math.max(a, around));
  }
  return { data: out, w, h };
}

type Hand = {
  tones: number;
  flatness: number;
  saturation: number;
  line: number;
  dots: number;
  tint: number;
  shadow: [number, number, number];
};
const hands: Record<ToonStyle, Hand> = {
  ink: { tones: 6, flatness: 0.75, saturation: 1.3, line: 0.85, dots: 0, tint: 0.12, shadow: [60, 25, 70] },
  paint: { tones: 9, flatness: 0.45, saturation: 1.4, line: 0.35, dots: 0, tint: 0.18, shadow: [70, 30, 40] },
  comic: { tones: 5, flatness: 0.8, saturation: 1.35, line: 0.9, dots: 0.32, tint: 0.1, shadow: [60, 20, 60] },
  pop: { tones: 5, flatness: 0.85, saturation: 1.5, line: 0.8, dots: 0, tint: 0.4, shadow: [58, 40, 120] },
};

/** Brightness in `tones` steps whose borders are soft enough not to look torn. */
function posterise(value: number, tones: number): number {
  const scaled = (value / 255) * tones;
  const step = Math.floor(scaled);
  return ((step + smoothstep(0.3, 0.7, scaled - step)) / tones) * 255;
}

/** Coverage of a dot screen at 45°: larger dots where it is darker, none in the light. */
function halftone(x: number, y: number, period: number, tone: number): number {
  const u = ((x + y) / period) * Math.PI;
  const v = ((x - y) / period) * Math.PI;
  const wave = (Math.cos(u) + Math.cos(v)) / 2;
  const darkness = 1 - smoothstep(60, 190, tone);
  return smoothstep(-0.12, 0.12, wave - (1 - 1.7 * darkness)) * smoothstep(0.02, 0.2, darkness);
}

/** Colours of the drawn skin under the two eyes; `data` is a hand's picture of the same base. */
export function skinTones({ colours, unit }: ToonBase, box: Box, data: Uint8Array): SkinTones {
  const { w } = colours;
  const under = (side: -1 | 1): string => {
    const sum = [0, 0, 0];
    const places = [30, 45, 60].flatMap((x) => [32, 38, 44].map((y) => [side * x, y] as const));
    for (const [x, y] of places) {
      const at = Math.round(((y - box.y) * unit) / 100) * w + Math.round(((x - box.x) * unit) / 100);
      for (let c = 0; c < 3; c++) sum[c]! += (data[at * 4 + c] ?? 0) / places.length;
    }
    return `rgb(${sum.map(Math.round).join(",")})`;
  };
  return { left: under(-1), right: under(1) };
}
