/** What people use for this today, each as its manual would have it, for comparison in the same run. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import sharp from "sharp";
import type { Rgb } from "./figure.ts";

export type Tool = { name: string; matte(file: Uint8Array, key: Rgb): Promise<Uint8Array> };

const hex = ({ r, g, b }: Rgb) => [r, g, b].map((v) => v.toString(16).padStart(2, "0")).join("");

/** Straight RGBA of an image file. */
async function pixels(file: Uint8Array): Promise<Uint8Array> {
  const data = await sharp(file).toColourspace("srgb").ensureAlpha().raw({ depth: "uchar" }).toBuffer();
  return new Uint8Array(data.buffer, data.byteOffset, data.length);
}

/** Runs a program over one file; `args` gets the paths of input and output. */
async function through(file: Uint8Array, args: (input: string, output: string) => string[]): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), "cutter-bench-"));
  try {
    const [input, output] = [join(folder, "in"), join(folder, "out.png")];
    await Bun.write(input, file);
    const run = Bun.spawn(args(input, output), { stdout: "ignore", stderr: "ignore" });
    if ((await run.exited) !== 0) throw new Error(`${args(input, output)[0]} failed`);
    return await pixels(await Bun.file(output).bytes());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const threshold: Tool = {
  name: "RGB threshold",
  matte: async (file, key) => {
    const rgba = await pixels(file);
    for (let p = 0; p < rgba.length; p += 4) {
      const off = Math.hypot(rgba[p]! - key.r, rgba[p + 1]! - key.g, rgba[p + 2]! - key.b);
      if (off < 90) rgba[p + 3] = 0;
    }
    return rgba;
  },
};

const ffmpeg = (name: string, filter: (key: string) => string): Tool => ({
  name,
  matte: (file, key) =>
    through(file, (input, output) => {
      // despill knows green and blue screens only.
      const despill = key.g > 200 ? ",despill=type=green" : key.b > 200 ? ",despill=type=blue" : "";
      return [
        "ffmpeg",
        "-y",
        "-i",
        input,
        "-vf",
        `${filter(`0x${hex(key)}`)}${despill},format=rgba`,
        "-frames:v",
        "1",
        output,
      ];
    }),
});

const magick: Tool = {
  name: "ImageMagick -fuzz",
  matte: (file, key) =>
    through(file, (input, output) => ["convert", input, "-fuzz", "20%", "-transparent", `#${hex(key)}`, output]),
};

/** The tools that are installed here; the others are named in `missing`. */
export function tools(): { found: Tool[]; missing: string[] } {
  const found = [threshold];
  const missing: string[] = [];
  if (Bun.which("ffmpeg")) {
    found.push(ffmpeg("ffmpeg chromakey + despill", (key) => `chromakey=${key}:0.12:0.08`));
    found.push(ffmpeg("ffmpeg colorkey + despill", (key) => `colorkey=${key}:0.3:0.1`));
  } else missing.push("ffmpeg (apt-get install ffmpeg)");
  if (Bun.which("convert")) found.push(magick);
  else missing.push("ImageMagick (apt-get install imagemagick)");
  return { found, missing };
}

/** @imgly/background-removal-node, from the benchmark's own packages; null where they are not installed. */
export async function imgly(): Promise<((png: Uint8Array) => Promise<Uint8Array>) | null> {
  type Remover = { removeBackground(image: Blob, options: { publicPath: string }): Promise<Blob> };
  const dist = join(import.meta.dir, "node_modules/@imgly/background-removal-node/dist");
  if (!(await Bun.file(join(dist, "resources.json")).exists())) return null;
  const { removeBackground } = (await import(join(dist, "index.mjs"))) as Remover;
  return async (png) => {
    const result = await removeBackground(new Blob([Uint8Array.from(png)], { type: "image/png" }), {
      publicPath: `${pathToFileURL(dist).href}/`,
    });
    return pixels(new Uint8Array(await result.arrayBuffer()));
  };
}
