/** The kiosk on a slow network: a guest who waits for an answer sees for what. */
import { expect, test } from "bun:test";
import { say } from "../kiosk/texts.js";
import { keepShot, onScreen } from "./kiosk/browser.ts";
import { holdClock, walkTo } from "./kiosk/stand.ts";
import { inChromium, TEST_MS } from "./kiosk/suite.ts";

inChromium("a slow network", ({ open }) => {
  for (const lang of ["ru", "uz", "en"] as const)
    test(
      `thanks for the consent while the outfits are on their way, and asks the next guest again (${lang})`,
      async () => {
        await using stand = await open({ tablet: lang === "uz" ? "portrait" : "landscape" });
        const { page, mock } = stand;
        await walkTo(stand, "consent", lang);
        const { promise: heldUntil, resolve: letGo } = Promise.withResolvers<void>();
        mock.faults = [{ path: /^\/templates$/, heldUntil }];
        mock.consent();
        await page.waitForSelector("#consent-title[data-t='consent.thanks']");
        expect(await page.locator("#consent h1").textContent()).toBe(say(lang, "consent.thanks"));
        expect(await page.locator("#consent .lead").textContent()).toBe("");
        await keepShot(page, `slow-thanks-${lang}`);
        letGo();
        mock.faults = [];
        await onScreen(page, "outfits");
        await page.click("#outfits [data-do=leave]");
        await onScreen(page, "start");
        await walkTo(stand, "consent", lang);
        expect(await page.locator("#consent .lead").textContent()).toBe(say(lang, "consent.lead"));
        expect(stand.complaints).toEqual([]);
      },
      TEST_MS,
    );

  test(
    "shows which outfit was chosen, on a faint figure, and takes no other meanwhile",
    async () => {
      await using stand = await open({ heldClock: true });
      const { page, mock } = stand;
      await walkTo(stand, "outfits");
      // However long the looking takes: the page waits ten seconds of its own for an answer.
      await holdClock(page);
      const { promise: heldUntil, resolve: letGo } = Promise.withResolvers<void>();
      mock.faults = [{ path: /\/template$/, heldUntil }];
      const opacity = (selector: string) =>
        page.locator(selector).evaluate((element) => Number(getComputedStyle(element).opacity));
      const [chosen, other] = ["[data-outfit=chef]", "[data-outfit=wizard]"];
      await page.click(chosen);
      await page.waitForFunction((other) => {
        const card = document.querySelector(other);
        return card && getComputedStyle(card).opacity === "0.5";
      }, other);
      await keepShot(page, "slow-chosen");
      expect([await opacity(chosen), await opacity(`${chosen} img`)]).toEqual([1, 0.25]);
      const { x, y, width, height } = (await page.locator(other).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await page.mouse.click(x + width / 2, y + height / 2);
      expect(await page.evaluate(() => document.activeElement?.getAttribute("data-outfit"))).not.toBe("wizard");
      await page.clock.resume();
      letGo();
      await onScreen(page, "camera");
      expect(mock.last.template_id).toBe("chef");
    },
    TEST_MS,
  );
});
