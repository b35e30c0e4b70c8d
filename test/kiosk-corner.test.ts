/** The operators' corner: who gets in, and that it does not stay open for the next guest. */
import { expect, test } from "bun:test";
import { holdClock, tapCorner } from "./kiosk/stand.ts";
import { inChromium, TEST_MS } from "./kiosk/suite.ts";

inChromium("the operators' corner", ({ open }) => {
  test(
    "opens by five taps and the PIN alone",
    async () => {
      await using stand = await open({ hash: "/#pin=4821" });
      const { page } = stand;
      await tapCorner(page);
      await page.fill("#pin", "1111");
      await page.keyboard.press("Enter");
      expect(await page.locator("#operator pre").count()).toBe(0);
      await page.fill("#pin", "4821");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.querySelector("#operator pre")?.textContent?.includes("camera  live"));
      await page.locator("#operator button").last().click();
      await page.waitForFunction(() => !document.querySelector<HTMLVideoElement>(".test-picture")?.srcObject);
      await tapCorner(page);
      for (let i = 0; i < 5; i++) {
        await page.fill("#pin", "0000");
        await page.keyboard.press("Enter");
      }
      expect(await page.locator("#pin").count()).toBe(0);
    },
    TEST_MS,
  );

  test(
    "closes when somebody left it open, and shows the seconds first",
    async () => {
      await using stand = await open({ hash: "/#pin=4821", heldClock: true });
      const { page } = stand;
      await tapCorner(page);
      await page.waitForSelector("#pin");
      await holdClock(page);
      await page.clock.runFor(75_000);
      expect(await page.locator("#operator button").last().getAttribute("data-left")).toMatch(/^\d+$/);
      await page.fill("#pin", "4821");
      await page.keyboard.press("Enter");
      await page.waitForSelector("#operator pre");
      await page.clock.runFor(80_000);
      expect(await page.locator("#operator").isVisible()).toBe(true);
      await page.clock.runFor(20_000);
      await page.waitForSelector("#operator", { state: "hidden" });
      expect(await page.locator(".test-picture").evaluate((video: HTMLVideoElement) => video.srcObject)).toBe(null);
      expect(stand.complaints).toEqual([]);
    },
    TEST_MS,
  );

  for (const tablet of ["small-portrait", "small-landscape"] as const)
    test(
      `shows all of itself at once on a ${tablet} tablet, Close too`,
      async () => {
        await using stand = await open({ hash: "/#pin=4821", tablet });
        const { page } = stand;
        await tapCorner(page);
        await page.fill("#pin", "4821");
        await page.keyboard.press("Enter");
        await page.waitForFunction(() =>
          document.querySelector("#operator pre")?.textContent?.includes("camera  live"),
        );
        const hidden = await page.locator("#operator").evaluate((box) => box.scrollHeight - box.clientHeight);
        expect(hidden).toBeLessThanOrEqual(0);
        expect(await page.locator("#operator button").last().textContent()).toBe("Закрыть");
      },
      TEST_MS,
    );
});
