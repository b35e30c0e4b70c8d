/** Faces found on the tablet: the arithmetic alone, and the advice that a guest gets. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import sharp, { type Sharp } from "sharp";
import { createFinder } from "../kiosk/faces/find.js";
import { readModel } from "../kiosk/faces/model.js";
import { isHopeless, judgeFraming } from "../kiosk/frame.js";
import { chromiumOrReason, moduleSays, onScreen, openBrowser, openPage } from "./kiosk/browser.ts";
import { crowd, dataUrl, hintSays, pointCamera } from "./kiosk/cameras.ts";
import { openStand, type Stand, walkTo } from "./kiosk/stand.ts";
import { World } from "./world.ts";

const TEST_MS = 90_000;
const chromium = chromiumOrReason();
const selfie = join(import.meta.dir, "fixtures/selfie.jpg");
const MODEL = "face_detection_short_range.tflite";
const model = await Bun.file(new URL(import.meta.resolve(`@mediapipe/face_detection/${MODEL}`))).arrayBuffer();

const LOOK = { width: 96, height: 128 };
const find = createFinder(model);
async function facesIn(image: Sharp) {
  const rgba = await image
    .resize({ ...LOOK, fit: "fill" })
    .ensureAlpha()
    .raw()
    .toBuffer();
  return find(new Uint8ClampedArray(rgba), LOOK.width, LOOK.height);
}

describe("faces", () => {
  test("are where MediaPipe's own runtime finds them", async () => {
    const faces = await facesIn(sharp(selfie));
    expect(faces).toHaveLength(1);
    // Its answer for this portrait, measured once: @mediapipe/face_detection 0.4.1657300184, "short" model, WebGL.
    const theirs = { x: 0.4084, y: 0.3047, width: 0.3234, height: 0.2426, sure: 0.9451 };
    for (const [name, value] of Object.entries(theirs)) {
      expect(Math.abs((faces[0]?.[name as keyof typeof theirs] ?? 0) - value)).toBeLessThan(0.01);
    }
  });

  test("are not where there are none, and each is found once", async () => {
    expect(await facesIn(sharp(await crowd(selfie, [])))).toEqual([]);
    expect(await facesIn(sharp({ create: { ...LOOK, channels: 3, background: "#777" } }))).toEqual([]);
    const two = await crowd(selfie, [
      { left: -0.12, top: 0.15, width: 0.7 },
      { left: 0.42, top: 0.15, width: 0.7 },
    ]);
    const faces = await facesIn(sharp(two));
    expect(faces.map(({ x }) => x > 0.5).sort()).toEqual([false, true]);
  });

  test("a picture leaves nothing behind that the next one's answer would show", async () => {
    const blank = await facesIn(sharp({ create: { ...LOOK, channels: 3, background: "#777" } }));
    await facesIn(sharp(selfie));
    expect(await facesIn(sharp({ create: { ...LOOK, channels: 3, background: "#777" } }))).toEqual(blank);
  });

  test("what is not the model is refused", () => {
    expect(() => readModel(new ArrayBuffer(64))).toThrow("not a TensorFlow Lite model");
    expect(() => createFinder(model.slice(0, 4000))).toThrow();
  });
});

describe("the framing", () => {
  const face = { x: 0.5, y: 0.42, width: 0.45, height: 0.34, sure: 0.9 };

  test("is judged by who is in it and where", () => {
    expect(judgeFraming([])).toBe("nobody");
    expect(judgeFraming([face])).toBe("ready");
    expect(judgeFraming([{ ...face, width: 0.15 }])).toBe("far");
    expect(judgeFraming([{ ...face, width: 0.85 }])).toBe("near");
    for (const place of [{ x: 0.2 }, { x: 0.8 }, { y: 0.1 }, { y: 0.75 }]) {
      expect(judgeFraming([{ ...face, ...place }])).toBe("aside");
    }
    expect(judgeFraming([{ ...face, width: 0.3 }, face])).toBe("several");
    // Somebody far behind is not in the picture that is drawn.
    expect(judgeFraming([{ ...face, width: 0.12, x: 0.9 }, face])).toBe("ready");
  });

  test("the portrait of the other tests is a good one, and only who is there decides whether a shot is worth it", async () => {
    expect(judgeFraming(await facesIn(sharp(selfie)))).toBe("ready");
    expect((["nobody", "several", "far", "near", "aside", "ready", "dark", null] as const).filter(isHopeless)).toEqual([
      "nobody",
      "several",
    ]);
  });
});

/** The detector's work stands still from the next picture on. @returns what lets it go on */
async function holdLooks(page: Page) {
  await page.evaluate(() => {
    const send = Worker.prototype.postMessage;
    const held: (() => void)[] = [];
    Worker.prototype.postMessage = function (...given: unknown[]) {
      held.push(() => Reflect.apply(send, this, given));
    };
    const letGo = () => {
      Worker.prototype.postMessage = send;
      for (const go of held) go();
    };
    Object.assign(window, { held, letGo });
  });
  await page.waitForFunction(() => Reflect.get(window, "held").length > 0);
  return () => page.evaluate(() => Reflect.get(window, "letGo")());
}

/** Waits until the page can find faces, or has given up. */
const facesAre = (stand: Pick<Stand, "page">, wanted: string) =>
  moduleSays(stand.page, "/faces.js", "facesCondition", wanted);

/** What becomes of the page's asking for a file of the detector. */
const onFaces = (page: Page, file: string, answer: (route: Route) => Promise<void>) =>
  page.route((url) => url.pathname === `/faces/${file}`, answer);

const label = (stand: Stand) => stand.page.locator("#shoot").textContent();

describe.skipIf(!chromium)("the advice on the tablet", () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    browser = await openBrowser(chromium ?? "", await sharp(selfie).toBuffer());
  }, TEST_MS);
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
  });

  test(
    "tells nobody, several, far, near and aside, and nothing leaves the tablet for it",
    async () => {
      await using stand = await openStand(browser);
      const { page, mock } = stand;
      await facesAre(stand, "yes");
      const sent: string[] = [];
      page.on("request", (request) => request.method() !== "GET" && sent.push(new URL(request.url()).pathname));
      const views = [
        ["We see no face", []],
        [
          "One person at a time",
          [
            { left: -0.12, top: 0.15, width: 0.7 },
            { left: 0.42, top: 0.15, width: 0.7 },
          ],
        ],
        ["a little closer", [{ left: 0.2, top: 0.25, width: 0.6 }]],
        ["Step back", [{ left: -0.6, top: -0.4, width: 2.6 }]],
        ["face is in the oval", [{ left: 0.2, top: 0.45, width: 1 }]],
        ["Ready?", [{ left: 0, top: 0, width: 1 }]],
      ] as const;
      await pointCamera(page, { picture: dataUrl(await crowd(selfie, views[0][1])) });
      await walkTo(stand, "camera");
      for (const [says, places] of views) {
        await pointCamera(page, { picture: dataUrl(await crowd(selfie, places)) });
        // The open camera is another one now.
        await page.evaluate(() => {
          const stream = document.querySelector("video")?.srcObject;
          if (stream instanceof MediaStream) stream.getTracks()[0]?.dispatchEvent(new Event("ended"));
        });
        await hintSays(page, says);
      }
      expect([...new Set(sent)].filter((path) => path !== "/kiosk/heartbeat")).toEqual([
        "/session",
        `/session/${mock.last.token}/template`,
      ]);
      expect(stand.complaints).toEqual([]);
    },
    TEST_MS,
  );

  test(
    "a shot of nobody is asked about once, and taken when the guest wants it",
    async () => {
      await using stand = await openStand(browser);
      const { page } = stand;
      await facesAre(stand, "yes");
      await pointCamera(page, { picture: dataUrl(await crowd(selfie, [])) });
      await walkTo(stand, "camera");
      await hintSays(page, "We see no face");
      expect(await label(stand)).toBe("Take photo");
      await page.click("#shoot:enabled");
      await page.waitForFunction(() => document.getElementById("shoot")?.textContent === "Take it anyway");
      expect(await page.locator("#count").textContent()).toBe("");
      await onScreen(page, "camera");
      // The last look at the preview takes its time, and the one at the picture comes all the same.
      const letGo = await holdLooks(page);
      await page.click("#shoot:enabled");
      await onScreen(page, "review");
      await letGo();
      await page.waitForFunction(() =>
        document.getElementById("review-lead")?.textContent?.startsWith("We see no face in this picture"),
      );
      // Another opening of the camera asks anew; a face there, and nothing is asked.
      await pointCamera(page, { picture: dataUrl(await crowd(selfie, [{ left: 0, top: 0, width: 1 }])) });
      await page.click("#retake");
      await hintSays(page, "Ready?");
      expect(await label(stand)).toBe("Take photo");
      await page.click("#shoot:enabled");
      await onScreen(page, "review");
      await page.waitForFunction(() => document.getElementById("review-lead")?.textContent?.startsWith("We will draw"));
    },
    TEST_MS,
  );

  for (const [why, cut] of [
    ["the model does not come", MODEL],
    ["the browser cannot run it", "worker.js"],
  ] as const) {
    test(
      `${why}: the kiosk works as without it`,
      async () => {
        await using stand = await openStand(browser, { serviceWorkers: "block" });
        const { page } = stand;
        await onFaces(page, cut, (route) => route.abort());
        await page.reload();
        await onScreen(page, "start");
        await facesAre(stand, "no");
        await pointCamera(page, { picture: dataUrl(await crowd(selfie, [])) });
        await walkTo(stand, "camera");
        await hintSays(page, "Ready?");
        await page.click("#shoot:enabled");
        await onScreen(page, "review");
        expect(await page.locator("#review-lead").textContent()).toStartWith("We will draw");
        expect(stand.complaints).toEqual([]);
      },
      TEST_MS,
    );
  }

  test(
    "one that did not come is fetched again after a while",
    async () => {
      await using stand = await openStand(browser, { serviceWorkers: "block", heldClock: true });
      const { page } = stand;
      let asked = 0;
      await onFaces(page, MODEL, (route) => (++asked > 2 ? route.continue() : route.abort()));
      const isRefused = async (go: () => Promise<unknown>) => {
        const refused = page.waitForEvent("requestfailed", (request) => request.url().endsWith(MODEL));
        await go();
        await refused;
        await facesAre(stand, "no");
      };
      await isRefused(() => page.reload());
      await isRefused(() => page.clock.fastForward(60_000));
      await page.clock.fastForward(60_000);
      await facesAre(stand, "yes");
      expect(stand.complaints).toEqual([]);
    },
    TEST_MS,
  );

  for (const file of [MODEL, "worker.js"]) {
    test(
      `one of which ${file} hangs on its way is given up, and fetched again`,
      async () => {
        await using stand = await openStand(browser, { serviceWorkers: "block", heldClock: true });
        const { page, mock } = stand;
        mock.faults = [{ path: new RegExp(file), heldUntil: new Promise(() => {}) }];
        await page.reload();
        await mock.until(() => mock.files.includes(`/faces/${file}`));
        await facesAre(stand, "coming");
        await page.clock.fastForward(60_000);
        await facesAre(stand, "no");
        mock.faults = [];
        await page.clock.fastForward(60_000);
        await facesAre(stand, "yes");
        expect(stand.complaints).toEqual([]);
      },
      TEST_MS,
    );
  }

  test(
    "one that came and is of no use is let be",
    async () => {
      await using stand = await openStand(browser, { serviceWorkers: "block", heldClock: true });
      const { page, mock } = stand;
      let asked = 0;
      await onFaces(page, MODEL, (route) => {
        asked += 1;
        return route.fulfill({ body: "no model at all" });
      });
      // Where opening took its time, the page of before may have asked already.
      await page.goto("about:blank");
      asked = 0;
      const came = page.waitForEvent("requestfinished", (request) => request.url().endsWith(MODEL));
      await page.goto(mock.url);
      await came;
      await facesAre(stand, "no");
      await page.clock.fastForward(60_000);
      await facesAre(stand, "no");
      expect(asked).toBe(1);
      expect(stand.complaints).toEqual([]);
    },
    TEST_MS,
  );

  test(
    "is there after a reload without network",
    async () => {
      await using stand = await openStand(browser);
      const { page, mock } = stand;
      // The worker of the shell takes over the page and keeps what is asked for from then on.
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await page.reload();
      await facesAre(stand, "yes");
      await mock.stop();
      await page.reload();
      await facesAre(stand, "yes");
    },
    TEST_MS,
  );

  test(
    "runs under the server's own content policy, from the model it serves",
    async () => {
      await using world = await World.open({ bot: false });
      const answer = await fetch(`${world.url}/faces/${MODEL}`);
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, model.byteLength]);
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy).not.toContain("unsafe");
      for (const other of ["face_detection.js", "package.json", "face_detection_full_range.tflite"]) {
        expect((await fetch(`${world.url}/faces/${other}`)).status).toBe(404);
      }
      const page = await openPage(browser, world.url, "landscape");
      await facesAre({ page }, "yes");
      await page.context().close();
    },
    TEST_MS,
  );
});
