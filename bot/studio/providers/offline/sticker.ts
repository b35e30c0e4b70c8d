/** One sticker: person, outfit, mood and caption composed into one SVG, drawn to fill its cell. */
import sharp from "sharp";
import type { Lang } from "../../../../shared/status.ts";
import { caption } from "./caption.ts";
import { badge, drawBackdrop, drawDecor, stroke } from "./decor.ts";
import type { Box as HeadBox, HeadShape } from "./head.ts";
import { drawMimic, type SkinTones } from "./mimics.ts";
import type { Mood } from "./moods.ts";
import { outfitOf } from "./outfits/index.ts";

/** How the person stands: degrees, mirrored or not, and how large against the caption. */
export type Pose = { tilt: number; flip: boolean };
export type StickerPlan = { mood: Mood; outfit: string; variant: number; pose: Pose; lang: Lang; seed: number };
/** The drawn head as a PNG, with its extents and place; `tones` are there when the eyes were found for sure. */
export type DrawnHead = { png: Buffer; shape: HeadShape; box: HeadBox; tones: SkinTones | null };

type Box = { left: number; top: number; right: number; bottom: number };
/** All drawing happens within this square around the eyes. */
const world = { from: -700, size: 1400 };
const measureSize = 200;
const captionY = 398;
/** However tall a hat, what floats around the head stays near the face. */
const highestDecor = -300;

/** Draws a sticker into `w`×`h` pixels of interleaved RGBA, `margin` pixels of which stay free on each side. */
export async function drawSticker(
  plan: StickerPlan,
  head: DrawnHead,
  w: number,
  h: number,
  margin: number,
): Promise<Uint8Array> {
  const box = await measure(content(plan, head, true));
  const scale = Math.min((w - 2 * margin) / (box.right - box.left), (h - 2 * margin) / (box.bottom - box.top));
  const [vw, vh] = [w / scale, h / scale];
  const x = (box.left + box.right - vw) / 2;
  const y = (box.top + box.bottom - vh) / 2;
  return await render(content(plan, head, false), `${x} ${y} ${vw} ${vh}`, w, h);
}

/** The drawing's extents, from a small rendering of it. */
async function measure(drawing: string): Promise<Box> {
  const pixels = await render(
    drawing,
    `${world.from} ${world.from} ${world.size} ${world.size}`,
    measureSize,
    measureSize,
  );
  const box = { left: measureSize, top: measureSize, right: 0, bottom: 0 };
  for (let i = 0; i < measureSize * measureSize; i++) {
    if (pixels[i * 4 + 3]! < 8) continue;
    const x = i % measureSize;
    const y = (i - x) / measureSize;
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x + 1);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y + 1);
  }
  const unit = world.size / measureSize;
  return {
    left: world.from + box.left * unit,
    top: world.from + box.top * unit,
    right: world.from + box.right * unit,
    bottom: world.from + box.bottom * unit,
  };
}

async function render(drawing: string, viewBox: string, w: number, h: number): Promise<Uint8Array> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="${viewBox}">${drawing}</svg>`;
  return await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer();
}

/** The SVG's inside; `rough` draws an ellipse for the head, which is enough to measure. */
function content(plan: StickerPlan, head: DrawnHead, rough: boolean): string {
  const { mood, pose, variant, seed } = plan;
  const outfit = outfitOf(plan.outfit)(head.shape, variant);
  const { left, right, top } = head.shape;
  const { box, tones } = head;
  const mimic = tones ? drawMimic(mood.mimic, tones) : "";
  const dressed = { ...head.shape, ...outfit.extent };
  const around = { ...dressed, top: Math.max(dressed.top, highestDecor) };
  const behind = mood.decor.filter((name) => name === "confetti");
  const before = mood.decor.filter((name) => name !== "confetti");
  const picture = rough
    ? `<ellipse cx="${(left + right) / 2}" cy="${(top + 200) / 2}" rx="${(right - left) / 2}" ry="${(200 - top) / 2}"/>`
    : `<image href="data:image/png;base64,${head.png.toString("base64")}" x="${box.x}" y="${box.y}" width="${box.w}" height="${box.h}"/>`;
  const person =
    drawDecor(behind, around, seed) + outfit.behind + picture + mimic + outfit.front + drawDecor(before, around, seed);
  const stand = `rotate(${pose.tilt} 0 300)${pose.flip ? " scale(-1 1)" : ""}`;
  const words = caption(mood.text[plan.lang], 0, captionY, {
    fill: mood.colours[0],
    bend: variant % 3 === 0 ? -0.3 : variant % 3 === 1 ? 0.22 : 0,
    tilt: variant % 3 === 2 ? (variant % 2 ? 5 : -6) : 0,
  });
  const standing = `<g transform="${stand}">${person}</g>`;
  const round = mood.backdrop === "badge" || mood.backdrop === "space";
  const { y, radius } = badge;
  const framed = round
    ? `<clipPath id="frame"><path d="M-700 -700H700V${y}H${radius}A${radius} ${radius} 0 0 1 ${-radius} ${y}H-700Z"/></clipPath><g clip-path="url(#frame)">${standing}</g><path d="M${radius} ${y}A${radius} ${radius} 0 0 1 ${-radius} ${y}" fill="none" ${stroke(8)}/>`
    : standing;
  return drawBackdrop(mood.backdrop, mood.colours[1], seed) + framed + words;
}
