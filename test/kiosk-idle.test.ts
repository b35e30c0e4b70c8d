/** The kiosk's time, by a clock that the test holds: idle ends, a guest on the phone, a tablet that slept. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { holdClock, type Stand, walkTo } from "./kiosk/stand.ts";
import { inChromium, TEST_MS } from "./kiosk/suite.ts";

const HOUR_MS = 3_600_000;
/** With the page's clock in the test's hands nothing settles by itself: the screen alone tells. */
const shows = (page: Page, screen: string) => page.waitForSelector(`body[data-screen=${screen}]`);
const visible = (page: Page) => page.locator("#idle").isVisible();

/** Lets the page's clock run until the server has been asked once more, so that its last word has been followed. */
async function followed({ page, mock }: Stand) {
  const path = `/session/${mock.last.token}`;
  for (let round = 0; round < 2; round++) {
    const before = mock.asked(path);
    const asked = mock.until(() => mock.asked(path) > before);
    await page.clock.runFor(1100);
    await asked;
  }
}

/** The tablet sleeps, with its screen off, and wakes up: no timer runs meanwhile, only the wall clock goes on. */
async function sleep(page: Page, ms: number) {
  const hide = (hidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  await hide(true);
  await moveClock(page, ms);
  await hide(false);
}

/** Somebody, or the network, sets the tablet's clock. */
async function moveClock(page: Page, ms: number) {
  await page.clock.setSystemTime((await page.evaluate(() => Date.now())) + ms);
}

inChromium("the kiosk's time", ({ open }) => {
  test(
    "what somebody chose on the first screen, and went away, is not the next guest's",
    async () => {
      await using stand = await open({ hash: "#lang=en", heldClock: true });
      const { page } = stand;
      const chosen = () =>
        page.evaluate(() => [document.documentElement.lang, document.body.classList.contains("low")]);
      await page.click("[data-lang=uz]");
      await holdClock(page);
      await page.clock.runFor(40_000);
      await page.click("#low");
      await page.clock.runFor(50_000);
      expect(await chosen()).toEqual(["uz", true]);
      await page.clock.runFor(11_000);
      expect(await chosen()).toEqual(["en", false]);
      // Who goes on keeps it.
      await page.click("[data-lang=ru]");
      await page.clock.runFor(50_000);
      await page.click("#begin");
      await shows(page, "qr");
      await page.clock.runFor(50_000);
      expect(await chosen()).toEqual(["ru", false]);
      expect(await page.locator("body").getAttribute("data-screen")).toBe("qr");
    },
    TEST_MS,
  );

  test(
    "idle: a question with a countdown, any touch goes on and does nothing else, silence ends the visit",
    async () => {
      await using stand = await open({ heldClock: true });
      const { page, mock } = stand;
      await page.click("#begin");
      await page.waitForSelector("body[data-screen=qr]");
      await holdClock(page);
      await page.clock.runFor(72_000);
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
      await mock.until(() => mock.last.status === "expired");
      expect(mock.last).toMatchObject({ status: "expired", problem: "reset" });
    },
    TEST_MS,
  );

  test(
    "a guest who answers on the phone is not hurried, and not waited for longer than the session lasts",
    async () => {
      await using stand = await open({ heldClock: true });
      const { page, mock } = stand;
      await page.click("#begin");
      await shows(page, "qr");
      mock.link("en");
      await followed(stand);
      await shows(page, "consent");

      // The session of ten minutes keeps it open: nobody is asked, nothing is counted.
      for (let minute = 0; minute < 9; minute++) {
        await page.clock.runFor(60_000);
        mock.last.expires_at = new Date(Date.now() + 600_000).toISOString();
        await followed(stand);
      }
      expect([await visible(page), await page.locator("body").getAttribute("data-screen")]).toEqual([false, "consent"]);
      expect(await page.locator("#consent .left").textContent()).toBe("");

      mock.last.expires_at = new Date(Date.now() + 20_000).toISOString();
      await followed(stand);
      const left = Number(await page.locator("#consent .left").textContent());
      expect(left > 0 && left <= 30).toBe(true);
      // Without a word from the server the kiosk keeps to what it heard; a touch does not lengthen the session.
      mock.faults.push({
        path: /^\/session\//,
        method: "GET",
        status: 429,
        code: "slow",
        headers: { "retry-after": "90" },
      });
      await page.mouse.click(200, 200);
      await page.clock.runFor(31_000);
      await shows(page, "start");
      await mock.until(() => mock.last.status === "expired");
      expect(await page.content()).not.toContain("Aziza");
    },
    TEST_MS,
  );

  test(
    "without a camera the guest sends the selfie from the phone, and has the time for it",
    async () => {
      await using stand = await open({ heldClock: true });
      const { page, mock } = stand;
      await page.evaluate(() => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("none", "NotFoundError"));
      });
      await walkTo(stand, "outfits");
      await page.locator(".card").first().click();
      await shows(page, "camera");
      await page.waitForSelector("#stage[data-state=none]");
      await followed(stand);
      await page.clock.runFor(120_000);
      expect([await visible(page), await page.locator("body").getAttribute("data-screen")]).toEqual([false, "camera"]);
      Object.assign(mock.last, { status: "photo_taken", queue_position: 1 });
      await followed(stand);
      await page.clock.runFor(9000);
      await shows(page, "phone");
    },
    TEST_MS,
  );

  test(
    "every screen of a visit has its end, with the seconds to be seen before",
    async () => {
      await using stand = await open({ heldClock: true });
      const { page, mock } = stand;
      for (const screen of ["qr", "outfits", "camera", "review"] as const) {
        await walkTo(stand, screen);
        for (let second = 0; second < 120 && !(await visible(page)); second++) await page.clock.runFor(1000);
        expect([screen, await visible(page)]).toEqual([screen, true]);
        expect(Number(await page.locator("#idle-left").textContent())).toBeGreaterThan(0);
        await page.clock.runFor(11_000);
        await shows(page, "start");
        await mock.until(() => mock.last.status === "expired");
        await page.reload();
        await shows(page, "start");
      }
    },
    TEST_MS,
  );

  test(
    "a clock that is set leaves a guest alone; a tablet that slept has none any more",
    async () => {
      await using stand = await open({ heldClock: true });
      const { page, mock } = stand;
      await page.click("#begin");
      await shows(page, "qr");
      await moveClock(page, 2 * HOUR_MS);
      await page.clock.runFor(1000);
      await moveClock(page, -4 * HOUR_MS);
      await followed(stand);
      expect([await visible(page), await page.locator("body").getAttribute("data-screen")]).toEqual([false, "qr"]);

      await sleep(page, 5000);
      expect(await page.locator("body").getAttribute("data-screen")).toBe("qr");
      await sleep(page, HOUR_MS);
      await shows(page, "start");
      await mock.until(() => mock.last.status === "expired");
    },
    TEST_MS,
  );
});
