/** What the kiosk tells the real api of itself, and what it hears: the pause. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { version } from "../package.json";
import { admin, openBooth } from "./admin-world.ts";
import { keepShot, moduleSays, onScreen, openPage } from "./kiosk/browser.ts";
import { walkTo } from "./kiosk/stand.ts";
import { inChromium, TEST_MS } from "./kiosk/suite.ts";
import type { World } from "./world.ts";

const KEY = "a-key-of-this-event";

inChromium("the kiosk and the real api", ({ browser }) => {
  let world: World;
  beforeAll(async () => {
    world = await openBooth({ bot: false, env: { KIOSK_KEY: KEY } });
  }, TEST_MS);
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  const openKiosk = (hash = "") => openPage(browser(), `${world.url}/#key=${KEY}${hash}`, "landscape");
  const idOf = async (page: Page) =>
    String(await (await page.waitForFunction(() => localStorage.getItem("kiosk.id"))).jsonValue());
  const kiosk = (id: string) => world.rows("SELECT * FROM kiosks WHERE id = ?", id)[0];
  const pause = (on: boolean) => admin(world, "POST maintenance", { on, reason: null });

  test(
    "says that it lives, what it shows and how the tablet is, and nothing of a guest",
    async () => {
      const page = await openKiosk();
      await onScreen(page, "start");
      const id = await idOf(page);
      const first = await world.eventually(() => kiosk(id), "the first sign of life");
      expect(first).toMatchObject({ version, screen: "start", camera: "off" });
      expect([null, 0, 1]).toContain(first.charging);
      // null: the browser has not answered yet.
      expect([null, 0, 1]).toContain(first.wake_lock);

      const sent = page.waitForRequest(
        (request) => request.url().endsWith("/kiosk/heartbeat") && request.postDataJSON().screen === "qr",
      );
      await page.click("#begin");
      expect(Object.keys((await sent).postDataJSON()).sort()).toEqual([
        "battery",
        "camera",
        "charging",
        "kiosk",
        "screen",
        "version",
        "wake_lock",
      ]);
      await world.eventually(() => kiosk(id).screen === "qr" && kiosk(id).seen_at > first.seen_at, "the next one");
      await page.context().close();
    },
    TEST_MS,
  );

  test(
    "a pause covers a free screen and no visit, and goes by itself",
    async () => {
      const [free, busy] = await Promise.all([openKiosk("&lang=en"), openKiosk("&lang=en")]);
      await Promise.all([onScreen(free, "start"), onScreen(busy, "start")]);
      await busy.click("#begin");
      await onScreen(busy, "qr");
      const [{ visits }] = world.rows("SELECT count(*) AS visits FROM sessions");

      await pause(true);
      await onScreen(free, "message");
      expect(await free.locator("#message-title").textContent()).toBe("The artist is on a break");
      await keepShot(free, "pause");
      // None overlaps another: with the second request the first has been answered, and taken to heart.
      for (let beats = 0; beats < 2; beats++)
        await busy.waitForRequest((request) => request.url().endsWith("/kiosk/heartbeat"));
      expect(await busy.locator("body").getAttribute("data-screen")).toBe("qr");
      await busy.click("#qr [data-do=leave]");
      await onScreen(busy, "message");

      await pause(false);
      await Promise.all([onScreen(free, "start"), onScreen(busy, "start")]);
      // Nobody had to begin a visit to find out.
      expect(world.rows("SELECT count(*) AS visits FROM sessions")).toEqual([{ visits }]);
      await Promise.all([free.context().close(), busy.context().close()]);
    },
    TEST_MS,
  );
});

inChromium("the kiosk's sign of life", ({ open }) => {
  test(
    "is silent when it fails, and comes at once with the page",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      mock.faults = [{ path: /^\/kiosk\/heartbeat$/, status: 500, code: "internal", times: 1 }];
      const heard = (status: number) =>
        page.waitForResponse((answer) => answer.url().endsWith("/kiosk/heartbeat") && answer.status() === status);
      await heard(500);
      await heard(200);
      expect(await page.locator("body").getAttribute("data-screen")).toBe("start");
      expect(await page.locator("#offline").isVisible()).toBe(false);

      // Without a clock, only the page's coming back can be the cause of another one.
      await page.addInitScript(() => Object.assign(window, { setInterval: () => 0 }));
      await Promise.all([heard(200), page.reload()]);
      await onScreen(page, "start");
      const before = mock.beats.length;
      // One that is still under way swallows the next: the page comes back until one gets through.
      while (mock.beats.length === before)
        await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      expect(stand.complaints).toEqual([]);
    },
    TEST_MS,
  );

  test(
    "names the camera's trouble",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      const condition = (wanted: string) => moduleSays(page, "/shoot.js", "cameraCondition", wanted);
      /** The next opening of the camera ends so: an error's name, or nothing at all. */
      const answerWith = (name: string | null) =>
        page.evaluate((name) => {
          navigator.mediaDevices.getUserMedia = () =>
            name ? Promise.reject(new DOMException("as asked", name)) : new Promise(() => {});
        }, name);
      const lookAgain = () => page.evaluate(() => navigator.mediaDevices.dispatchEvent(new Event("devicechange")));

      await condition("off");
      await walkTo(stand, "camera");
      await condition("ok");
      await answerWith(null);
      await page.evaluate(() => {
        const stream = document.querySelector("video")?.srcObject;
        if (stream instanceof MediaStream) for (const track of stream.getTracks()) track.stop();
      });
      await condition("frozen");
      for (const [name, wanted] of [
        ["NotAllowedError", "blocked"],
        ["NotReadableError", "busy"],
        ["NotFoundError", "missing"],
        ["AbortError", "error"],
      ] as const) {
        await answerWith(name);
        await lookAgain();
        await condition(wanted);
      }
      const told = () => mock.beats.some((beat) => beat.screen === "camera" && beat.camera === "error");
      while (!told()) await page.waitForRequest((request) => request.url().endsWith("/kiosk/heartbeat"));

      await page.evaluate(() => {
        navigator.mediaDevices.getUserMedia = async () => {
          const canvas = document.createElement("canvas");
          const context = canvas.getContext("2d");
          setInterval(() => context?.fillRect(0, 0, canvas.width, canvas.height), 50);
          return canvas.captureStream();
        };
      });
      await condition("black");
    },
    TEST_MS,
  );
});
