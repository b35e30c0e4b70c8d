/** The kiosk on a poor network: cut, slow, restarted, closed for a break, and a new version of the page. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { chromiumOrReason, loseAnswers, onScreen, openBrowser } from "./kiosk/browser.ts";
import { openStand, walkTo } from "./kiosk/stand.ts";

const TEST_MS = 90_000;
const chromium = chromiumOrReason();

describe.skipIf(!chromium)("the kiosk on a poor network", () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    const selfie = await Bun.file(join(import.meta.dir, "fixtures/selfie.jpg")).bytes();
    browser = await openBrowser(chromium ?? "", Buffer.from(selfie));
  }, TEST_MS);
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
  });

  test(
    "a photo whose answer got lost is sent again to the same session",
    async () => {
      await using stand = await openStand(browser);
      const { page, mock } = stand;
      await walkTo(stand, "review");
      const { token } = mock.last;
      await loseAnswers(page, "/photo", 2);
      await page.click("#use");
      await onScreen(page, "phone", 40_000);
      expect(mock.photos.map((photo) => photo.token)).toEqual([token, token, token]);
      expect(new Set(mock.photos.map((photo) => Bun.hash(photo.bytes))).size).toBe(1);
      expect(mock.sessions.size).toBe(1);
    },
    TEST_MS,
  );

  test(
    "the server goes and comes back: the overlay heals itself and the visit goes on",
    async () => {
      await using stand = await openStand(browser);
      const { page, mock } = stand;
      const offline = page.locator("#offline");
      await walkTo(stand, "outfits");
      await mock.stop();
      await page.waitForSelector("#offline:visible");
      mock.restart();
      await offline.waitFor({ state: "hidden" });
      await page.locator(".card").first().click();
      await onScreen(page, "camera");
      expect(mock.sessions.size).toBe(1);

      // A guest who leaves without network: the screen is free at once, the session is closed afterwards.
      await mock.stop();
      await page.waitForSelector("#offline:visible");
      await page.evaluate(() => history.back());
      await page.waitForSelector("body[data-screen=start]");
      expect(mock.last.status).toBe("template_chosen");
      mock.restart();
      await offline.waitFor({ state: "hidden" });
      const limit = Date.now() + 20_000;
      while (mock.last.status !== "expired" && Date.now() < limit) await page.waitForTimeout(50);
      expect(mock.last.status).toBe("expired");
    },
    TEST_MS,
  );

  test(
    "a Start without network tells so and keeps the language",
    async () => {
      await using stand = await openStand(browser);
      const { page, mock } = stand;
      await page.click("[data-lang=uz]");
      await mock.stop();
      await page.click("#begin");
      await page.waitForSelector("#offline:visible");
      expect(await page.locator("#offline h2").textContent()).toBe("Aloqa yoʻq");
      mock.restart();
      await page.locator("#offline").waitFor({ state: "hidden" });
      await page.click("#begin");
      await onScreen(page, "qr");
      expect(await page.locator("#qr-title").textContent()).toBe("Telefon kamerasini yoʻnalting");
    },
    TEST_MS,
  );

  test(
    "a break has its own screen and ends by itself, without a visit being asked for",
    async () => {
      await using stand = await openStand(browser);
      const { page, mock } = stand;
      const asked = () => mock.calls.filter((call) => call === "POST /session").length;
      mock.maintenance = true;
      await onScreen(page, "message");
      expect(await page.locator("#message-home").isVisible()).toBe(false);
      mock.maintenance = false;
      await onScreen(page, "start");
      expect(asked()).toBe(0);

      // Start was pressed before the kiosk heard of the pause.
      mock.faults = [{ path: /^\/session$/, status: 503, code: "maintenance", times: 1 }];
      mock.maintenance = true;
      await page.click("#begin");
      await onScreen(page, "message");
      mock.maintenance = false;
      await onScreen(page, "start");
      expect(asked()).toBe(1);
      expect(mock.sessions.size).toBe(0);
    },
    TEST_MS,
  );

  test(
    "a server that is not ready yet is told, and Start comes back by itself",
    async () => {
      await using stand = await openStand(browser);
      const { page, mock } = stand;
      await page.clock.install();
      mock.faults = [{ path: /^\/session$/, status: 503, code: "not_ready", times: 1 }];
      await page.click("#begin");
      await page.waitForSelector("body[data-screen=message]");
      expect(await page.locator("#message-title").getAttribute("data-t")).toBe("end.not_ready.title");
      await page.clock.runFor(21_000);
      await page.waitForSelector("body[data-screen=start]");
      expect(mock.calls.filter((call) => call === "POST /session")).toHaveLength(1);
    },
    TEST_MS,
  );

  test(
    "too many, broken, forgotten: each is told and ends at Start",
    async () => {
      await using stand = await openStand(browser);
      const { page, mock } = stand;
      await page.click("[data-lang=en]");
      mock.faults = [{ path: /^\/session$/, status: 429, code: "too_many", headers: { "retry-after": "7" }, times: 1 }];
      await page.click("#begin");
      await onScreen(page, "message");
      expect(await page.locator("#message-title").textContent()).toBe("So many guests!");
      await page.click("#message-home");
      await onScreen(page, "start");
      mock.faults = [{ path: /^\/session$/, status: 500, code: "internal", times: 1 }];
      await page.click("[data-lang=en]");
      await page.click("#begin");
      await onScreen(page, "message");
      expect(await page.locator("#message-title").textContent()).toBe("Something broke");
      await page.click("#message-home");
      await onScreen(page, "start");
      await walkTo(stand, "consent");
      mock.sessions.clear();
      await onScreen(page, "message");
      expect(await page.locator("#message-title").textContent()).toBe("Time is up");
    },
    TEST_MS,
  );

  test(
    "idle: a question with a countdown, any touch goes on and does nothing else, silence ends the visit",
    async () => {
      await using stand = await openStand(browser);
      const { page, mock } = stand;
      await page.clock.install();
      await page.click("#begin");
      await page.waitForSelector("body[data-screen=qr]");
      await page.clock.runFor(82_000);
      await page.waitForSelector("#idle:visible");
      const left = Number(await page.locator("#idle-left").textContent());
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(10);
      const again = await page.locator("#qr [data-do=leave]").boundingBox();
      if (!again) throw new Error("the button is not there");
      await page.touchscreen.tap(again.x + again.width / 2, again.y + again.height / 2);
      await page.locator("#idle").waitFor({ state: "hidden" });
      expect(await page.locator("body").getAttribute("data-screen")).toBe("qr");
      await page.clock.runFor(1000);
      await page.clock.runFor(91_000);
      await page.waitForSelector("body[data-screen=start]");
      const limit = Date.now() + 20_000;
      while (mock.last.status !== "expired" && Date.now() < limit) await Bun.sleep(20);
      expect(mock.last).toMatchObject({ status: "expired", problem: "reset" });
    },
    TEST_MS,
  );

  test(
    "the page opens without network after a reload, and takes up a new version between guests only",
    async () => {
      await using stand = await openStand(browser);
      const { page, mock } = stand;
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await page.reload();
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await mock.stop();
      await page.reload();
      await onScreen(page, "start");
      expect(await page.locator("#begin").textContent()).toBe("Начать");
      const pictures = await page.evaluate(() =>
        Promise.all(
          [...document.querySelectorAll(".floating")].map((image) =>
            fetch(image.getAttribute("src") ?? "").then((answer) => answer.ok),
          ),
        ),
      );
      expect(pictures).toEqual([true, true, true, true, true]);

      mock.restart();
      await walkTo(stand, "consent");
      mock.version = "2";
      await page.evaluate(() => navigator.serviceWorker.controller?.postMessage("look for a new version"));
      const told = await page.evaluate(
        () =>
          new Promise((resolve) =>
            navigator.serviceWorker.addEventListener("message", (event) => resolve(event.data), { once: true }),
          ),
      );
      expect(told).toBe("new version");
      expect(await page.locator("body").getAttribute("data-screen")).toBe("consent");
      const reloaded = page.waitForEvent("load");
      await page.click("#consent [data-do=leave]");
      await reloaded;
      await onScreen(page, "start");
      expect(stand.complaints.filter((line) => !/ERR_CONNECTION_REFUSED|net::/.test(line))).toEqual([]);
    },
    TEST_MS,
  );
});
