/** The kiosk's camera when it dies, freezes, is taken, forbidden, black or not there at all. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { chromiumOrReason, onScreen, openBrowser } from "./kiosk/browser.ts";
import { openStand, walkTo } from "./kiosk/stand.ts";

const TEST_MS = 90_000;
const chromium = chromiumOrReason();
const selfie = join(import.meta.dir, "fixtures/selfie.jpg");
const sideways = join(import.meta.dir, "fixtures/selfie-exif6.jpg");

const inState = (page: Page, state: string) => page.waitForSelector(`#stage[data-state=${state}]`);

/** From now on the browser refuses the camera with this error, or gives it again (null). */
const refuseCamera = (page: Page, name: string | null) =>
  page.evaluate((name) => {
    const devices = navigator.mediaDevices;
    Reflect.deleteProperty(devices, "getUserMedia");
    if (name) devices.getUserMedia = () => Promise.reject(new DOMException("as asked", name));
  }, name);

/** From now on the camera brings frames of one colour, drawn afresh so that they count as new. */
const paintCamera = (page: Page, colour: string) =>
  page.evaluate((colour) => {
    navigator.mediaDevices.getUserMedia = async () => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
      const context = canvas.getContext("2d");
      const paint = () => {
        if (!context) return;
        context.fillStyle = colour;
        context.fillRect(0, 0, 640, 480);
      };
      paint();
      setInterval(paint, 50);
      return canvas.captureStream();
    };
  }, colour);

/** The running camera's track, ended as by the page's own hand: no event, no more frames. */
const freeze = (page: Page) =>
  page.evaluate(() => {
    const stream = document.querySelector("video")?.srcObject;
    if (!(stream instanceof MediaStream)) throw new Error("no camera is running");
    for (const track of stream.getTracks()) track.stop();
  });

describe.skipIf(!chromium)("the kiosk's camera", () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    browser = await openBrowser(chromium ?? "", await sharp(selfie).toBuffer());
  }, TEST_MS);
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
  });

  test(
    "comes back by itself when it freezes, is unplugged, or is taken by another program",
    async () => {
      await using stand = await openStand(browser);
      const { page } = stand;
      await walkTo(stand, "camera");
      await inState(page, "live");
      await freeze(page);
      await inState(page, "lost");
      expect(await page.locator("#shoot").isEnabled()).toBe(false);
      await inState(page, "live");

      await page.evaluate(() => {
        const stream = document.querySelector("video")?.srcObject;
        if (stream instanceof MediaStream) stream.getTracks()[0]?.dispatchEvent(new Event("ended"));
      });
      await inState(page, "lost");
      await inState(page, "live");

      await refuseCamera(page, "NotReadableError");
      await freeze(page);
      await inState(page, "busy");
      expect(await page.locator("#stage-note").textContent()).toBe("The camera is busy. Trying again…");
      await refuseCamera(page, null);
      await inState(page, "live");
      expect(await page.locator("#choose").isVisible()).toBe(false);
    },
    TEST_MS,
  );

  test(
    "a camera that dies during the countdown takes no picture",
    async () => {
      await using stand = await openStand(browser);
      const { page } = stand;
      await walkTo(stand, "camera");
      await page.click("#shoot:enabled");
      await page.evaluate(() => {
        const stream = document.querySelector("video")?.srcObject;
        if (stream instanceof MediaStream) stream.getTracks()[0]?.dispatchEvent(new Event("ended"));
      });
      await inState(page, "lost");
      await inState(page, "live");
      await page.waitForSelector("#shoot:enabled");
      expect(await page.locator("body").getAttribute("data-screen")).toBe("camera");
      await page.click("#shoot:enabled");
      await onScreen(page, "review");
    },
    TEST_MS,
  );

  test(
    "a black picture is refused before it is sent, and darkness is told",
    async () => {
      await using stand = await openStand(browser);
      const { page, mock } = stand;
      await paintCamera(page, "#020202");
      await walkTo(stand, "camera");
      await page.waitForFunction(() => document.getElementById("camera-hint")?.textContent?.startsWith("A bit dark"));
      await page.click("#shoot:enabled");
      await page.waitForFunction(() => document.getElementById("camera-hint")?.textContent?.includes("came out black"));
      expect(await page.locator("body").getAttribute("data-screen")).toBe("camera");
      expect(mock.photos).toEqual([]);
    },
    TEST_MS,
  );

  test(
    "forbidden: a picture file is offered, stood upright, cropped to the frame and stripped",
    async () => {
      await using stand = await openStand(browser, { tablet: "portrait" });
      const { page, mock } = stand;
      await refuseCamera(page, "NotAllowedError");
      await walkTo(stand, "camera");
      await inState(page, "denied");
      await page.waitForSelector("#choose:visible");
      await page.setInputFiles("#file", {
        name: "notes.jpg",
        mimeType: "image/jpeg",
        buffer: Buffer.from("not a picture"),
      });
      await page.waitForFunction(() => document.getElementById("stage-note")?.textContent?.includes("did not open"));
      // The missing camera is asked for again meanwhile; what it says does not wipe away why the file was refused.
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            const stage = document.getElementById("stage") as HTMLElement;
            new MutationObserver(resolve).observe(stage, { attributes: true, attributeFilter: ["data-state"] });
          }),
      );
      expect(await page.locator("#stage-note").textContent()).toContain("did not open");
      const black = { create: { width: 600, height: 800, channels: 3, background: "#000" } } as const;
      await page.setInputFiles("#file", {
        name: "black.png",
        mimeType: "image/png",
        buffer: await sharp(black).png().toBuffer(),
      });
      await page.waitForFunction(() => document.getElementById("stage-note")?.textContent?.includes("almost black"));
      await page.setInputFiles("#file", sideways);
      await onScreen(page, "review");
      await page.click("#use");
      await page.waitForSelector("#meter", { state: "hidden" });
      const bytes = Buffer.from(mock.photos[0]?.bytes ?? []);
      const { width = 0, height = 0, orientation, exif } = await sharp(bytes).metadata();
      expect({ ratio: width / height, orientation, exif }).toEqual({
        ratio: 0.75,
        orientation: undefined,
        exif: undefined,
      });
      const size = { width: 96, height: 128, fit: "fill" } as const;
      const greys = (image: Buffer | string) => sharp(image).resize(size).greyscale().raw().toBuffer();
      const [sent, upright] = await Promise.all([greys(bytes), greys(selfie)]);
      const apart = sent.reduce((sum, value, at) => sum + Math.abs(value - (upright[at] ?? 0)), 0) / sent.length;
      expect(apart).toBeLessThan(6);
    },
    TEST_MS,
  );

  test(
    "is switched off as soon as it is not needed",
    async () => {
      await using stand = await openStand(browser);
      const { page } = stand;
      await walkTo(stand, "camera");
      await inState(page, "live");
      const track = await page.evaluateHandle(() => {
        const stream = document.querySelector("video")?.srcObject;
        return stream instanceof MediaStream ? stream.getTracks()[0] : undefined;
      });
      await page.click("#shoot:enabled");
      await onScreen(page, "review");
      expect(await track.evaluate((live) => live?.readyState)).toBe("ended");
      await page.click("#retake");
      await inState(page, "live");
      await page.click("#camera [data-do=leave]");
      await onScreen(page, "start");
      expect(await page.evaluate(() => document.querySelector("video")?.srcObject ?? null)).toBeNull();
    },
    TEST_MS,
  );
});
