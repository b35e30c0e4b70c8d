/** Whatever answers a post, nobody has to type again. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { hasChromium, openLanding, requestId, send, startBrowser, TEST_MS } from "./landing-browser-world.ts";
import { RU } from "./landing-stand-in.ts";

describe.skipIf(!hasChromium)("what was typed into the landing", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  }, TEST_MS);
  afterAll(async () => {
    await browser?.close();
  });

  test(
    "with JavaScript: an answer without what was typed leaves the form as it is, and says what is wrong",
    async () => {
      await using site = await openLanding(browser, "/ru");
      const { page } = site;
      const id = await requestId(page);
      await page.fill("#name", "Азиз");
      await page.fill("#contact", "@aziz");
      await page.fill("#comment", "Две будки\nу входа");
      const typed = async () => [
        await requestId(page),
        await page.inputValue("#name"),
        await page.inputValue("#comment"),
      ];
      /** The landing's own answer to another request than the browser's. */
      const instead = async (other: RequestInit) => {
        await page.unroute("**/ru");
        const response = await fetch(`${site.origin}/ru`, { redirect: "manual", ...other });
        const [status, body] = [response.status, await response.text()];
        await page.route("**/ru", (route) => route.fulfill({ status, body, contentType: "text/html; charset=utf-8" }));
        await send(page);
        return status;
      };
      const form = { "content-type": "application/x-www-form-urlencoded" };
      const refusals: [number, string, RequestInit][] = [
        [403, RU.crossSite, { method: "POST", headers: { ...form, "sec-fetch-site": "cross-site" }, body: "name=a" }],
        [415, RU.notAForm, { method: "POST", headers: { "content-type": "text/plain" }, body: "name=a" }],
        [413, RU.tooLarge, { method: "POST", headers: form, body: `name=${"a".repeat(200_000)}` }],
      ];
      for (const [status, message, other] of refusals) {
        expect(await instead(other)).toBe(status);
        await page.locator(".notice[data-focus]").getByText(message).waitFor();
        expect(await page.locator(".notice[data-focus]").count()).toBe(1);
        expect(await page.locator(".notice[data-focus]").evaluate((e) => e === document.activeElement)).toBe(true);
        expect(await typed()).toEqual([id, "Азиз", "Две будки\nу входа"]);
      }
      // An empty form, as where somebody turned the post into a read.
      expect(await instead({})).toBe(200);
      await page.locator("#offline").getByText(RU.offline).waitFor();
      expect(await typed()).toEqual([id, "Азиз", "Две будки\nу входа"]);

      await page.unroute("**/ru");
      await send(page);
      await page.getByText(RU.thanksNumbered(7)).waitFor();
      expect(site.api.calls.map((call) => call.body.request_id)).toEqual([id]);
    },
    TEST_MS,
  );
});
