/** Pictures of every size and kind, from the camera and from files, on their way into the frame. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import sharp from "sharp";
import { LONGEST_SIDE_PX } from "../kiosk/frame.js";
import { onScreen } from "./kiosk/browser.ts";
import { inState, refuseCamera } from "./kiosk/cameras.ts";
import { type Stand, walkTo } from "./kiosk/stand.ts";
import { inChromium, TEST_MS } from "./kiosk/suite.ts";

const selfie = join(import.meta.dir, "fixtures/selfie.jpg");
/** A phone's picture of 48 megapixels. */
const HUGE = { width: 8000, height: 6000 };

const pick = ({ page }: Stand, name: string, mimeType: string, buffer: Buffer) =>
  page.setInputFiles("#file", { name, mimeType, buffer });

/** Width and height of the picture that stands in the review. */
const reviewed = ({ page }: Stand) =>
  page.evaluate(() => {
    const { naturalWidth, naturalHeight } = document.getElementById("shot") as HTMLImageElement;
    return [naturalWidth, naturalHeight];
  });

async function openWithoutCamera(open: () => Promise<Stand>) {
  const stand = await open();
  await refuseCamera(stand.page, "NotFoundError");
  await walkTo(stand, "camera");
  await inState(stand.page, "none");
  return stand;
}

inChromium("a picture", ({ open }) => {
  test(
    "that is larger than any canvas should be is made small, a narrow one is cut to the frame",
    async () => {
      await using stand = await openWithoutCamera(open);
      const { page } = stand;
      const huge = await sharp(selfie)
        .resize({ ...HUGE, fit: "fill" })
        .jpeg({ quality: 60 })
        .toBuffer();
      const strip = await sharp(selfie).resize({ width: 12_000, height: 400, fit: "fill" }).jpeg().toBuffer();
      for (const [buffer, size] of [
        [huge, [(LONGEST_SIDE_PX * 3) / 4, LONGEST_SIDE_PX]],
        [strip, [300, 400]],
      ] as const) {
        await pick(stand, "picture.jpg", "image/jpeg", buffer);
        await onScreen(page, "review");
        expect(await reviewed(stand)).toEqual([...size]);
        await page.click("#retake");
        await onScreen(page, "camera");
        await inState(page, "none");
      }
    },
    TEST_MS,
  );

  test(
    "from a camera of 12 megapixels is made small too",
    async () => {
      await using stand = await open();
      const { page } = stand;
      await page.evaluate(() => {
        navigator.mediaDevices.getUserMedia = async () => {
          const canvas = Object.assign(document.createElement("canvas"), { width: 4000, height: 3000 });
          const context = canvas.getContext("2d");
          let step = 0;
          setInterval(() => {
            if (!context) return;
            // Something to see, and each frame another.
            context.fillStyle = "#b99";
            context.fillRect(0, 0, 4000, 3000);
            context.fillStyle = "#468";
            for (let x = 0; x < 4000; x += 200) context.fillRect(x + (step % 2), 0, 100, 3000);
            step++;
          }, 100);
          return canvas.captureStream();
        };
      });
      await walkTo(stand, "camera");
      await inState(page, "live");
      await page.click("#shoot:enabled");
      await page.waitForFunction(
        () =>
          document.getElementById("count")?.textContent !== "" ||
          document.getElementById("shoot")?.textContent === "Take it anyway",
      );
      if ((await page.locator("#shoot").textContent()) === "Take it anyway") await page.click("#shoot:enabled");
      await onScreen(page, "review");
      expect(await reviewed(stand)).toEqual([(LONGEST_SIDE_PX * 3) / 4, LONGEST_SIDE_PX]);
    },
    TEST_MS,
  );

  test(
    "that cannot be used is told so and not sent: empty, no picture, a drawing, too much, broken off",
    async () => {
      await using stand = await openWithoutCamera(open);
      const { page, mock } = stand;
      const jpeg = Buffer.from(await Bun.file(selfie).bytes());
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="400"><circle r="90"/></svg>';
      for (const [name, type, buffer] of [
        ["empty.jpg", "image/jpeg", Buffer.alloc(0)],
        ["notes.jpg", "image/jpeg", Buffer.from("not a picture")],
        ["drawing.svg", "image/svg+xml", Buffer.from(svg)],
        ["head.jpg", "image/jpeg", jpeg.subarray(0, 300)],
      ] as const) {
        await page.evaluate(() => document.getElementById("stage-note")?.replaceChildren());
        await pick(stand, name, type, buffer);
        await page.waitForFunction(() => document.getElementById("stage-note")?.textContent?.includes("did not open"));
      }
      await page.evaluate(() => {
        document.getElementById("stage-note")?.replaceChildren();
        const film = new DataTransfer();
        film.items.add(new File([new Uint8Array(41 * 1024 * 1024)], "film.jpg", { type: "image/jpeg" }));
        const input = document.getElementById("file") as HTMLInputElement;
        input.files = film.files;
        input.dispatchEvent(new Event("change"));
      });
      await page.waitForFunction(() => document.getElementById("stage-note")?.textContent?.includes("did not open"));
      expect(await page.locator("body").getAttribute("data-screen")).toBe("camera");
      expect(mock.photos).toEqual([]);
      await page.setInputFiles("#file", selfie);
      await onScreen(page, "review");
    },
    TEST_MS,
  );
});
