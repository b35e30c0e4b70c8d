/** The kiosk's camera when it dies, freezes, is taken, forbidden, black, the wrong one or not there at all. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { chromiumOrReason, onScreen, openBrowser } from "./kiosk/browser.ts";
import { crowd, dataUrl, freezeCamera, hintSays, inState, loses, pointCamera, refuseCamera } from "./kiosk/cameras.ts";
import { openStand, walkTo } from "./kiosk/stand.ts";

const TEST_MS = 90_000;
const chromium = chromiumOrReason();
const selfie = join(import.meta.dir, "fixtures/selfie.jpg");
const sideways = join(import.meta.dir, "fixtures/selfie-exif6.jpg");

/** The camera is gone, as when its plug is pulled: tracks end, and the browser tells of other devices. */
const unplug = (page: Page) =>
  page.evaluate(() => {
    const stream = document.querySelector("video")?.srcObject;
    if (!(stream instanceof MediaStream)) throw new Error("no camera is running");
    for (const track of stream.getTracks()) {
      track.stop();
      track.dispatchEvent(new Event("ended"));
    }
  });
const plugIn = (page: Page) => page.evaluate(() => navigator.mediaDevices.dispatchEvent(new Event("devicechange")));
const noteSays = (page: Page, part: string) =>
  page.waitForFunction((part) => document.getElementById("stage-note")?.textContent?.includes(part), part);

describe.skipIf(!chromium)("the kiosk's camera", () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    browser = await openBrowser(chromium ?? "", await sharp(selfie).toBuffer());
  }, TEST_MS);
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
  });

  test(
    "comes back by itself when it brings no new frame, is unplugged, or is taken by another program",
    async () => {
      await using stand = await openStand(browser);
      const { page } = stand;
      await pointCamera(page, { picture: dataUrl(await crowd(selfie, [{ left: 0, top: 0, width: 1 }])) });
      await walkTo(stand, "camera");
      await inState(page, "live");
      // Its track lives on, and its clock too: only the frames tell.
      expect(await loses(page, () => freezeCamera(page))).toEqual({ canShoot: false });
      await inState(page, "live");

      await loses(page, () => unplug(page));
      await inState(page, "live");

      await refuseCamera(page, "NotReadableError");
      // Asked for before: it stands for the first tries only.
      const told = noteSays(page, "The camera is busy. Trying again…");
      await unplug(page);
      await inState(page, "busy");
      await told;
      // After a while the guest is offered other ways, and the camera is still tried.
      await noteSays(page, "send a selfie to the Telegram chat");
      await page.waitForSelector("#choose:visible");
      await refuseCamera(page, null);
      await inState(page, "live");
      expect(await page.locator("#choose").isVisible()).toBe(false);
    },
    TEST_MS,
  );

  test(
    "a driver that never answers is asked again, and a page that was hidden looks anew",
    async () => {
      await using stand = await openStand(browser);
      const { page } = stand;
      await refuseCamera(page, "hang");
      await walkTo(stand, "camera");
      await inState(page, "starting");
      await inState(page, "lost");
      await refuseCamera(page, null);
      await inState(page, "live");

      await refuseCamera(page, "NotReadableError");
      await unplug(page);
      await inState(page, "busy");
      await refuseCamera(page, null);
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await inState(page, "live");
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
      await loses(page, () => unplug(page));
      await inState(page, "live");
      await page.waitForSelector("#shoot:enabled");
      expect(await page.locator("body").getAttribute("data-screen")).toBe("camera");
      await page.click("#shoot:enabled");
      await onScreen(page, "review");
    },
    TEST_MS,
  );

  test(
    "black frames open it anew once; a black or plain picture is refused before it is sent",
    async () => {
      await using stand = await openStand(browser);
      const { page, mock } = stand;
      await pointCamera(page, { colour: "#020202" });
      await loses(page, () => walkTo(stand, "camera"));
      await inState(page, "live");
      await hintSays(page, "A bit dark");
      await page.click("#shoot:enabled");
      await hintSays(page, "came out empty");
      expect(await page.locator("body").getAttribute("data-screen")).toBe("camera");
      // As some decoders have it that lost their stream.
      await pointCamera(page, { colour: "#108a22" });
      await unplug(page);
      await inState(page, "live");
      await page.click("#shoot:enabled");
      await hintSays(page, "came out empty");
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
      await noteSays(page, "did not open");
      // The missing camera is asked for again meanwhile; what it says does not wipe away why the file was refused.
      const note = await page.evaluate(async () => {
        const [stage, note, input] = ["stage", "stage-note", "file"].map((id) => document.getElementById(id));
        if (!stage || !note) throw new Error("there is no camera screen");
        const nextOf = (element: HTMLElement, options: MutationObserverInit) =>
          new Promise((resolve) => new MutationObserver(resolve).observe(element, options));
        // Refused once more, so that the time for which it is explained begins here, however slow the machine is.
        note.replaceChildren();
        const explained = nextOf(note, { childList: true });
        const picked = new DataTransfer();
        picked.items.add(new File(["not a picture"], "notes.jpg", { type: "image/jpeg" }));
        (input as HTMLInputElement).files = picked.files;
        input?.dispatchEvent(new Event("change"));
        await explained;
        const asked = nextOf(stage, { attributeFilter: ["data-state"] });
        navigator.mediaDevices.dispatchEvent(new Event("devicechange"));
        await asked;
        return note.textContent;
      });
      expect(note).toContain("did not open");
      for (const background of ["#000", "#fff"]) {
        await page.evaluate(() => document.getElementById("stage-note")?.replaceChildren());
        const plain = { create: { width: 600, height: 800, channels: 3, background } } as const;
        await page.setInputFiles("#file", {
          name: "plain.png",
          mimeType: "image/png",
          buffer: await sharp(plain).png().toBuffer(),
        });
        await noteSays(page, "nothing to be seen");
      }
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
    "not there: the guest may send a selfie from the phone, and a camera that is plugged in is taken",
    async () => {
      await using stand = await openStand(browser);
      const { page, mock } = stand;
      await refuseCamera(page, "NotFoundError");
      await walkTo(stand, "camera");
      await inState(page, "none");
      await noteSays(page, "send a selfie to the Telegram chat");
      await refuseCamera(page, null);
      await plugIn(page);
      await inState(page, "live");
      await refuseCamera(page, "NotFoundError");
      await unplug(page);
      await inState(page, "none");
      mock.last.status = "photo_taken";
      await onScreen(page, "sending");
      await onScreen(page, "phone");
      expect(mock.photos).toEqual([]);
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
