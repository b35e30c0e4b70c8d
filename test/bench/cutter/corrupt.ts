/** What models and formats do to a clean sheet. Each takes the truth and gives the bytes of a file. */
import sharp from "sharp";
import { css, type Rgb } from "./figure.ts";
import { seeded } from "./random.ts";
import type { Truth } from "./truth.ts";

export type Corruption = {
  /** JPEG quality with 4:2:0; PNG without it. */
  jpeg?: number;
  webp?: number;
  /** Standard deviation of noise, levels. */
  noise?: number;
  /** The key slopes by this many levels from corner to corner and is off its nominal hue. */
  graded?: number;
  tint?: Rgb;
  tiltDegrees?: number;
  lines?: { width: number; colour: string };
  shadow?: { opacity: number; blur: number; shift: number };
  checkerboard?: boolean;
  transparent?: boolean;
};

/** The file, and the truth as it lies under the corruption (a tilt moves it). */
export async function corrupt(truth: Truth, how: Corruption): Promise<{ bytes: Uint8Array; truth: Truth }> {
  const turned = how.tiltDegrees ? await tilt(truth, how.tiltDegrees) : truth;
  const { width, height, rgba } = turned;
  if (how.transparent)
    return {
      bytes: await sharp(rgba, { raw: { width, height, channels: 4 } })
        .png()
        .toBuffer(),
      truth: turned,
    };
  const ground = await groundOf(turned, how);
  const random = seeded(truth.spec.seed + 7);
  const sheet = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    const alpha = rgba[at * 4 + 3]! / 255;
    for (let c = 0; c < 3; c++) {
      let value = rgba[at * 4 + c]! * alpha + ground[at * 3 + c]! * (1 - alpha);
      if (how.noise) value += how.noise * (random.next() + random.next() + random.next() + random.next() - 2) * 1.732;
      sheet[at * 3 + c] = Math.min(255, Math.max(0, Math.round(value)));
    }
  }
  const image = sharp(sheet, { raw: { width, height, channels: 3 } });
  if (how.jpeg)
    return { bytes: await image.jpeg({ quality: how.jpeg, chromaSubsampling: "4:2:0" }).toBuffer(), truth: turned };
  if (how.webp) return { bytes: await image.webp({ quality: how.webp }).toBuffer(), truth: turned };
  return { bytes: await image.png({ compressionLevel: 3 }).toBuffer(), truth: turned };
}

/** The key with everything that lies on it and is not sticker: slope, shadow, lines. */
async function groundOf(truth: Truth, how: Corruption): Promise<Uint8Array> {
  const { width, height, rgba, spec } = truth;
  const key = how.tint ?? spec.key;
  const ground = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const slope = how.graded ? how.graded * ((x / width + y / height) / 2 - 0.5) : 0;
      const square = how.checkerboard ? (((x >> 4) + (y >> 4)) & 1 ? 255 : 204) : -1;
      const at = (y * width + x) * 3;
      [key.r, key.g, key.b].forEach((value, c) => {
        // A slope darkens bright channels and lifts dark ones, as a tinted vignette does.
        ground[at + c] =
          square >= 0
            ? square
            : Math.min(
                255,
                Math.max(0, value + (value > 127 ? slope - (how.graded ?? 0) / 2 : (how.graded ?? 0) / 2 + slope)),
              );
      });
    }
  }
  if (how.shadow) await darken(ground, rgba, width, height, how.shadow);
  if (!how.lines) return ground;
  return drawLines(ground, truth, how.lines);
}

async function darken(
  ground: Uint8Array,
  rgba: Uint8Array,
  width: number,
  height: number,
  shadow: NonNullable<Corruption["shadow"]>,
) {
  const alpha = new Uint8Array(width * height);
  for (let y = shadow.shift; y < height; y++) {
    for (let x = shadow.shift; x < width; x++)
      alpha[y * width + x] = rgba[((y - shadow.shift) * width + x - shadow.shift) * 4 + 3]!;
  }
  const image = sharp(alpha, { raw: { width, height, channels: 1 } });
  const soft = shadow.blur > 0 ? await image.blur(shadow.blur).toColourspace("b-w").raw().toBuffer() : alpha;
  for (let at = 0; at < width * height; at++) {
    const keep = 1 - (shadow.opacity * soft[at]!) / 255;
    for (let c = 0; c < 3; c++) ground[at * 3 + c] = ground[at * 3 + c]! * keep;
  }
}

async function drawLines(
  ground: Uint8Array,
  truth: Truth,
  lines: NonNullable<Corruption["lines"]>,
): Promise<Uint8Array> {
  const { width, height, spec } = truth;
  const columns = Math.round(Math.sqrt(spec.count * (spec.count === 6 || spec.count === 12 ? 1.4 : 1)));
  const rows = Math.round(spec.count / columns);
  let paths = "";
  for (let i = 1; i < columns; i++) paths += `M${(i * width) / columns} 0V${height}`;
  for (let i = 1; i < rows; i++) paths += `M0 ${(i * height) / rows}H${width}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path d="${paths}" stroke="${lines.colour}" stroke-width="${lines.width}"/></svg>`;
  const data = await sharp(ground, { raw: { width, height, channels: 3 } })
    .composite([{ input: Buffer.from(svg) }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return new Uint8Array(data.buffer, data.byteOffset, data.length);
}

async function tilt(truth: Truth, degrees: number): Promise<Truth> {
  const { width, height, owner } = truth;
  const turn = async (data: Uint8Array, channels: 1 | 4, interpolator: "bicubic" | "nearest") => {
    const turned = await sharp(data, { raw: { width, height, channels } })
      .affine(matrix(degrees), {
        background: { r: 0, g: 0, b: 0, alpha: 0 },
        interpolator,
        idx: -width / 2,
        idy: -height / 2,
        odx: width / 2,
        ody: height / 2,
      })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const cropped = await sharp(turned.data, { raw: turned.info })
      .extract({
        left: 0,
        top: 0,
        width: Math.min(width, turned.info.width),
        height: Math.min(height, turned.info.height),
      })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return cropped;
  };
  const rgba = await turn(truth.rgba, 4, "bicubic");
  const owners = await turn(owner, 1, "nearest");
  const one = new Uint8Array(rgba.info.width * rgba.info.height);
  for (let at = 0; at < one.length; at++) one[at] = owners.data[at * owners.info.channels]!;
  return { ...truth, width: rgba.info.width, height: rgba.info.height, rgba: new Uint8Array(rgba.data), owner: one };
}

function matrix(degrees: number): [number, number, number, number] {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return [cos, -sin, sin, cos];
}

export const describeKey = css;
