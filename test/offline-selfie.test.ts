/** The selfie check: what it must let pass, and what it may refuse. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { checkSelfie } from "../bot/studio/providers/offline/check-selfie.ts";

const portrait = join(import.meta.dir, "fixtures", "selfie.jpg");
const problemOf = async (picture: Sharp) => (await checkSelfie(await picture.jpeg({ quality: 90 }).toBuffer())).problem;
const blank = (background: string) => sharp({ create: { width: 640, height: 800, channels: 3, background } });
const text = sharp(
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="800"><rect width="600" height="800" fill="#fff"/><path d="M40 80h500v8h-500zM40 140h420v8h-420zM40 200h480v8h-480z"/></svg>`,
  ),
).flatten();

describe("passes", () => {
  const variants: Record<string, (photo: Sharp) => Sharp> = {
    "as it is": (photo) => photo,
    "in dim light": (photo) => photo.modulate({ brightness: 0.4 }),
    "in bright light": (photo) => photo.modulate({ brightness: 1.4 }),
    "with dark skin": (photo) => photo.linear([0.45, 0.4, 0.36], [0, 0, 0]),
    "with pale, pinkish skin": (photo) => photo.modulate({ saturation: 0.5, hue: -8 }),
    "in black and white": (photo) => photo.greyscale(),
    "a little out of focus": (photo) => photo.blur(5),
    "at 200 pixels": (photo) => photo.resize(200),
    "cropped closely": (photo) => photo.extract({ left: 180, top: 60, width: 500, height: 560 }),
    "far away in a wide picture": (photo) =>
      photo.resize(400).extend({ left: 1200, right: 600, background: "#446688" }),
  };
  for (const [name, change] of Object.entries(variants))
    test(name, async () => {
      const bytes = await change(sharp(portrait)).jpeg().toBuffer();
      expect(await checkSelfie(bytes)).toEqual({ usable: true, faces: 1, problem: "none" });
    });

  test("stored sideways", async () => {
    const bytes = await Bun.file(join(import.meta.dir, "fixtures", "selfie-exif6.jpg")).bytes();
    expect((await checkSelfie(bytes)).usable).toBe(true);
  });
});

/** Noise of a phone in a dark room: some 12 levels of standard deviation in each channel. */
async function grainy(photo: Sharp): Promise<Sharp> {
  const { data, info } = await photo.raw().toBuffer({ resolveWithObject: true });
  for (let i = 0, seed = 7; i < data.length; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    data[i] = Math.min(255, Math.max(0, data[i]! + (seed >>> 24) / 6 - 21));
  }
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}

describe("blur, as JPEG stores it", () => {
  // The edges of JPEG's blocks are sharp even where the photo is not.
  for (const quality of [80, 92]) {
    for (const sigma of [20, 25, 30, 40])
      test(`${sigma} pixels at quality ${quality}: nobody can be recognised`, async () => {
        const bytes = await sharp(portrait).blur(sigma).jpeg({ quality }).toBuffer();
        expect(await checkSelfie(bytes)).toEqual({ usable: false, faces: 0, problem: "blurred" });
      });
    for (const sigma of [1, 2, 4, 10])
      test(`${sigma} pixels at quality ${quality} pass`, async () => {
        const bytes = await sharp(portrait).blur(sigma).jpeg({ quality }).toBuffer();
        expect((await checkSelfie(bytes)).problem).toBe("none");
      });
  }
  test("a little blur in dim light, on dark skin, in black and white, and with grain passes", async () => {
    const blurred = () => sharp(portrait).blur(4);
    for (const photo of [
      blurred().modulate({ brightness: 0.4 }),
      blurred().linear([0.45, 0.4, 0.36], [0, 0, 0]),
      blurred().greyscale(),
      await grainy(blurred()),
    ])
      expect(await problemOf(photo)).toBe("none");
  });
});

describe("refuses", () => {
  test("darkness", async () => {
    expect(await problemOf(sharp(portrait).modulate({ brightness: 0.06 }))).toBe("too_dark");
    expect(await problemOf(blank("#000000"))).toBe("too_dark");
  });
  test("a blur in which no face is left", async () => {
    expect(await problemOf(sharp(portrait).blur(40))).toBe("blurred");
  });
  test("blank paper, drawings of few colours, and noise", async () => {
    expect(await problemOf(blank("#ffffff"))).toBe("not_a_photo");
    expect(await problemOf(blank("#3366cc"))).toBe("not_a_photo");
    expect(await problemOf(text)).toBe("not_a_photo");
    const noise = Buffer.alloc(320 * 320 * 3);
    for (let i = 0, seed = 1; i < noise.length; i++) {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      noise[i] = seed >>> 24;
    }
    expect(await problemOf(sharp(noise, { raw: { width: 320, height: 320, channels: 3 } }))).toBe("not_a_photo");
  });
  test("a colourful picture in which nothing has the colour of skin", async () => {
    const meadow = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="800"><linearGradient id="s" x2="0" y2="1"><stop stop-color="#1560d0"/><stop offset="1" stop-color="#9fd8ff"/></linearGradient><linearGradient id="g" x2="1" y2="1"><stop stop-color="#0c5a18"/><stop offset="1" stop-color="#8fe04a"/></linearGradient><rect width="600" height="450" fill="url(#s)"/><path d="M0 420L60 300L130 420L200 260L300 420L420 320L600 440V800H0Z" fill="url(#g)"/></svg>`,
    );
    expect(await problemOf(sharp(meadow).flatten())).toBe("no_face");
  });
  test("bytes that are no picture", async () => {
    expect(await checkSelfie(Buffer.from("hello"))).toEqual({ usable: false, faces: 0, problem: "not_a_photo" });
  });
});
