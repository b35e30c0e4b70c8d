/** The kiosk on a poor network: cut, slow, restarted, closed for a break, and a new version of the page. */
import { expect, test } from "bun:test";
import { say } from "../kiosk/texts.js";
import { loseAnswers, onScreen } from "./kiosk/browser.ts";
import { WAY, walkTo } from "./kiosk/stand.ts";
import { inChromium, TEST_MS } from "./kiosk/suite.ts";

inChromium("the kiosk on a poor network", ({ open }) => {
  test(
    "a photo whose answer got lost is sent again to the same session",
    async () => {
      await using stand = await open();
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
      await using stand = await open();
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
      await mock.until(() => mock.last.status === "expired");
    },
    TEST_MS,
  );

  for (const lost of ["/flow.js", "/screens.css"])
    test(
      `${lost} was lost when the tablet first came: the page comes anew by itself, whole`,
      async () => {
        await using stand = await open({ serviceWorkers: "block" });
        const { page } = stand;
        const isLost = (url: URL) => url.pathname === lost;
        await page.route(isLost, (route) => route.abort());
        const again = stand.mock.until(() => stand.mock.files.filter((path) => path === "/").length > 2);
        await page.reload();
        await again;
        await page.unroute(isLost);
        await page.waitForFunction((lost) => {
          const entry = performance.getEntriesByType("resource").find(({ name }) => name.endsWith(lost));
          return entry instanceof PerformanceResourceTiming && entry.responseStatus === 200;
        }, lost);
        await onScreen(page, "start");
        await page.click("#begin");
        await onScreen(page, "qr");
      },
      TEST_MS,
    );

  test(
    "a Start without network tells so and keeps the language",
    async () => {
      await using stand = await open();
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
      expect(await page.locator("#qr-title").textContent()).toBe(say("uz", "qr.title"));
    },
    TEST_MS,
  );

  test(
    "a break has its own screen and ends by itself, without a visit being asked for",
    async () => {
      await using stand = await open();
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
      await using stand = await open({ heldClock: true });
      const { page, mock } = stand;
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
      await using stand = await open();
      const { page, mock } = stand;
      await page.click("[data-lang=en]");
      mock.faults = [
        { path: /^\/session$/, status: 429, code: "too_many", headers: { "retry-after": "70" }, times: 1 },
      ];
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
    "cut at every step: each time the overlay comes and goes by itself, and it stays one visit",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      for (const [at, screen] of (["qr", "consent", "outfits", "camera", "review"] as const).entries()) {
        await walkTo(stand, screen, "en", at === 0 ? null : WAY[at]);
        await mock.stop();
        await page.waitForSelector("#offline:visible");
        expect(await page.locator("#offline-title").textContent()).toBe(
          screen === "qr" ? say("ru", "offline.title") : say("en", "offline.title"),
        );
        mock.restart();
        await page.locator("#offline").waitFor({ state: "hidden" });
        expect(await page.locator("body").getAttribute("data-screen")).toBe(screen);
      }
      await page.click("#use");
      await page.waitForSelector("#meter", { state: "hidden" });
      expect([mock.sessions.size, mock.photos.length]).toEqual([1, 1]);
    },
    TEST_MS,
  );

  test(
    "a server that starts anew is told in words of its own, without flicker, and the visit goes on",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      await walkTo(stand, "outfits");
      const path = `/session/${mock.last.token}`;
      await page.evaluate(() => {
        const overlay = document.getElementById("offline");
        const seen: unknown[] = [];
        Object.assign(window, { seen });
        if (overlay)
          new MutationObserver(() => seen.push(overlay.hidden)).observe(overlay, { attributeFilter: ["hidden"] });
      });
      // Only the session's own answers fail: that others come is no reason to say that all is well.
      mock.faults = [{ path: /^\/session\/[\w-]+$/, status: 503, code: "unavailable" }];
      await page.waitForSelector("#offline:visible");
      expect(await page.locator("#offline-title").textContent()).toBe(say("en", "trouble.title"));
      const asked = mock.asked(path);
      await mock.until(() => mock.asked(path) >= asked + 8);
      expect(await page.evaluate(() => Reflect.get(window, "seen"))).toEqual([false]);
      mock.faults = [];
      await page.locator("#offline").waitFor({ state: "hidden" });

      mock.faults = [{ path: /\/template$/, status: 502, code: "bad_gateway", times: 1 }];
      await page.locator(".card").first().click();
      // The next good answer takes it away again, maybe before anybody looks.
      await page.waitForFunction(() => Reflect.get(window, "seen").join().startsWith("false,true,false"));
      expect(await page.locator("#offline-title").textContent()).toBe(say("en", "trouble.title"));
      await page.locator("#offline").waitFor({ state: "hidden" });
      await page.locator(".card").first().click();
      await onScreen(page, "camera");
      expect(mock.sessions.size).toBe(1);
    },
    TEST_MS,
  );

  test(
    "a server that breaks down in the middle is told, and the next guest begins afresh",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      await walkTo(stand, "outfits");
      mock.faults = [{ path: /\/template$/, status: 500, code: "internal", times: 1 }];
      await page.locator(".card").first().click();
      await onScreen(page, "message");
      expect(await page.locator("#message-title").textContent()).toBe(say("en", "end.server.title"));
      await page.click("#message-home");
      await onScreen(page, "start");
      await walkTo(stand, "qr");
      expect(mock.sessions.size).toBe(2);
    },
    TEST_MS,
  );
});
