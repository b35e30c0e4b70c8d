/** The operators' corner: who gets in, and that it does not stay open for the next guest. */
import { expect, test } from "bun:test";
import * as words from "../kiosk/texts/operator.js";
import { addTexts, say, type TextKey } from "../kiosk/texts.js";
import { keepShot } from "./kiosk/browser.ts";
import { holdClock, tapCorner } from "./kiosk/stand.ts";
import { inChromium, TEST_MS } from "./kiosk/suite.ts";

addTexts(words);

inChromium("the operators' corner", ({ open }) => {
  test(
    "opens by five taps and the PIN alone",
    async () => {
      await using stand = await open({ hash: "/#pin=4821" });
      const { page } = stand;
      await tapCorner(page);
      await page.fill("#pin", "1111");
      await page.keyboard.press("Enter");
      await page.waitForSelector("#operator [role=status]:not(:empty)");
      expect(await page.locator("#operator pre").count()).toBe(0);
      await page.fill("#pin", "4821");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() =>
        document.querySelector("#operator pre")?.textContent?.includes("камера: работает, "),
      );
      await page.locator("#operator button").last().click();
      await page.waitForFunction(() => !document.querySelector<HTMLVideoElement>(".test-picture")?.srcObject);
      await tapCorner(page);
      for (let i = 0; i < 5; i++) {
        await page.fill("#pin", "0000");
        await page.keyboard.press("Enter");
      }
      await page.locator("#pin").waitFor({ state: "detached" });
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

  for (const lang of ["ru", "uz", "en"] as const)
    test(
      `says in the screen's own language how to set a PIN, and with it how the kiosk is (${lang})`,
      async () => {
        await using stand = await open({ tablet: lang === "uz" ? "portrait" : "landscape" });
        const { page } = stand;
        const dialog = page.locator("#operator");
        const said = (key: TextKey) => say(lang, key);
        await page.click(`[data-lang=${lang}]`);
        await tapCorner(page);
        await page.waitForSelector("#operator p");
        expect(await dialog.locator("p").textContent()).toBe(said("operator.unset"));
        // The ring of the focus, 0.55 rem around Close, stays clear of the line above.
        const gap = await dialog.evaluate((box) => {
          const [line, close] = ["p", "button"].map((name) => box.querySelector(name)?.getBoundingClientRect());
          const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
          return line && close ? (close.top - line.bottom) / rem : 0;
        });
        expect(gap).toBeGreaterThan(0.55);
        await keepShot(page, `corner-unset-${lang}`);
        await dialog.locator("button").click();

        await page.evaluate(() => localStorage.setItem("kiosk.pin", "4821"));
        await tapCorner(page);
        await page.fill("#pin", "4821");
        await keepShot(page, `corner-pin-${lang}`);
        await dialog.getByRole("button", { name: said("operator.enter"), exact: true }).click();
        await page.waitForFunction(
          (works) => document.querySelector("#operator pre")?.textContent?.includes(works),
          `${said("state.camera")}: ${said("state.camera.ok")}, `,
        );
        await keepShot(page, `corner-${lang}`);
        const lines = (await dialog.locator("pre").textContent())?.split("\n") ?? [];
        const labels = lines.slice(0, -1).map((line) => line.slice(0, line.indexOf(": ")));
        const named = [
          "camera",
          "awake",
          "faces",
          "shell",
          "network",
          "key",
          "kiosk",
          "version",
          "page",
          "screen",
        ] as const;
        expect(labels).toEqual(named.map((name) => said(`state.${name}`)));
        expect(lines).toContain(`${said("state.network")}: ${said("state.yes")}`);
        expect(lines).toContain(`${said("state.key")}: ${said("state.no")}`);
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
          document.querySelector("#operator pre")?.textContent?.includes("камера: работает, "),
        );
        const hidden = await page.locator("#operator").evaluate((box) => box.scrollHeight - box.clientHeight);
        expect(hidden).toBeLessThanOrEqual(0);
        expect(await page.locator("#operator button").last().textContent()).toBe("Закрыть");
      },
      TEST_MS,
    );
});
