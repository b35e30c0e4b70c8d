/** The key colour of a sheet: of a few vivid colours the one least like anything that will be drawn. */
import sharp from "sharp";
import type { Rgb } from "../providers/provider.ts";

/** Colours that models paint flat and true, and that JPEG's luma tells well from white. The first wins a draw. */
export const KEY_COLOURS: readonly Rgb[] = [
  { r: 0, g: 255, b: 0 },
  { r: 255, g: 0, b: 255 },
  { r: 0, g: 0, b: 255 },
  { r: 255, g: 0, b: 0 },
  { r: 0, g: 255, b: 255 },
];
const SAMPLE_SIDE_PX = 48;
/** A selfie colour counts from this share of its pixels on; an outfit's colours always do. */
const MIN_SHARE = 0.004;
/** Beyond this distance (OKLab) more of it brings nothing; a tie goes to the earlier colour. */
const FAR_ENOUGH = 0.3;

/**
 * The key colour furthest, perceptually, from the selfie's and the outfit's colours.
 * @param selfie a whole image file; an unreadable one counts as no colours
 */
export async function chooseKey(selfie: Uint8Array, outfitColours: Rgb[]): Promise<Rgb> {
  const avoid = [...(await coloursOf(selfie)), ...outfitColours].map(toOklab);
  let best = KEY_COLOURS[0]!;
  let most = -1;
  for (const key of KEY_COLOURS) {
    const [l, a, b] = toOklab(key);
    // Lightness is what shade and light change first: it counts half.
    const nearest = Math.min(FAR_ENOUGH, ...avoid.map(([al, aa, ab]) => Math.hypot((l - al) / 2, a - aa, b - ab)));
    if (nearest > most + 1e-6) {
      most = nearest;
      best = key;
    }
  }
  return { ...best };
}

/** The colours that fill a notable share of the image. */
async function coloursOf(image: Uint8Array): Promise<Rgb[]> {
  const pixels = await sharp(image, { failOn: "none" })
    .resize(SAMPLE_SIDE_PX, SAMPLE_SIDE_PX, { fit: "inside" })
    .toColourspace("srgb")
    .removeAlpha()
    .raw({ depth: "uchar" })
    .toBuffer()
    .catch(() => new Uint8Array());
  const bins = new Map<number, { r: number; g: number; b: number; n: number }>();
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const [r, g, b] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!];
    const bin = ((r >> 5) << 6) | ((g >> 5) << 3) | (b >> 5);
    const sum = bins.get(bin) ?? { r: 0, g: 0, b: 0, n: 0 };
    bins.set(bin, { r: sum.r + r, g: sum.g + g, b: sum.b + b, n: sum.n + 1 });
  }
  const least = (pixels.length / 3) * MIN_SHARE;
  return [...bins.values()].filter(({ n }) => n >= least).map(({ r, g, b, n }) => ({ r: r / n, g: g / n, b: b / n }));
}

/** sRGB (0…255) to OKLab (Ottosson, 2020). */
function toOklab({ r, g, b }: Rgb): [number, number, number] {
  const [lr, lg, lb] = [r, g, b].map((v) => {
    const c = v / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * lr + 0.5363325363 * lg + 0.0514459929 * lb);
  const m = Math.cbrt(0.2119034982 * lr + 0.6806995451 * lg + 0.1073969566 * lb);
  const s = Math.cbrt(0.0883024619 * lr + 0.2817188376 * lg + 0.6299787005 * lb);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
