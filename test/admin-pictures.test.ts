/** What operators upload for logos, backgrounds and outfits. */
import { expect, test } from "bun:test";
import sharp from "sharp";
import { BACKGROUND_SIDE, readPicture } from "../shared/pictures.ts";
import { fixture } from "./world.ts";

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64");
const clear = { r: 0, g: 0, b: 0, alpha: 0 };
const red = { r: 200, g: 0, b: 40, alpha: 1 };

/** A red bar with nothing around it. */
const bar = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: clear } }).composite([
    {
      input: {
        create: { width: Math.ceil(width / 2), height: Math.ceil(height / 2), channels: 4, background: red },
      },
    },
  ]);

/** Red, green, blue, alpha of a corner's and the middle's pixel. */
async function cornerAndMiddle(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
  return { corner: at(0, 0), middle: at(info.width >> 1, info.height >> 1), info };
}

for (const format of ["png", "webp"] as const) {
  test(`a logo in ${format} keeps what is transparent`, async () => {
    const given = await bar(300, 60).toFormat(format, { lossless: true }).toBuffer();
    const { bytes } = await readPicture(`data:image/${format};base64,${base64(given)}`, "logo");
    const { corner, middle, info } = await cornerAndMiddle(bytes);
    expect([info.width, info.height, corner[3], middle[3]]).toEqual([300, 60, 0, 255]);
    for (const [channel, value] of [200, 0, 40].entries()) {
      expect(Math.abs((middle[channel] ?? -1) - value)).toBeLessThan(12);
    }
  });
}

test("a picture is made as small as it is shown, a background less so, and never larger", async () => {
  const wide = base64(await bar(3000, 1000).png().toBuffer());
  const sides = async (picture: { bytes: Uint8Array }) => {
    const { width, height } = await sharp(picture.bytes).metadata();
    return [width, height];
  };
  expect(await sides(await readPicture(wide, "logo"))).toEqual([800, 267]);
  expect(await sides(await readPicture(wide, "background", BACKGROUND_SIDE))).toEqual([2048, 683]);
  const small = base64(await bar(90, 40).png().toBuffer());
  expect(await sides(await readPicture(small, "logo"))).toEqual([90, 40]);
});

test("a photo is stood upright and loses what a camera wrote into it", async () => {
  const { bytes } = await readPicture(base64(fixture("selfie-exif6.jpg")), "picture");
  const { width = 0, height = 0, exif, orientation } = await sharp(bytes).metadata();
  expect([width < height, exif, orientation]).toEqual([true, undefined, undefined]);
});

test("drawings, text, damage and specks are refused with their field", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><script>alert(1)</script></svg>';
  const png = await bar(300, 60).png().toBuffer();
  for (const given of [svg, "hello", png.subarray(0, 60), await bar(300, 8).png().toBuffer()]) {
    const error = await readPicture(base64(given), "logo").catch((thrown) => thrown);
    expect([error.code, Object.keys(error.fields)]).toEqual(["invalid", ["logo"]]);
  }
});
