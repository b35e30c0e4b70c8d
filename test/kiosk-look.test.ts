/** The kiosk in an event's clothes: name, welcome, colours, pictures, and the operators' PIN. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { contrast, paletteOf } from "../kiosk/palette.js";
import { texts } from "../kiosk/texts.js";
import { contrast as apiContrast } from "../shared/branding.ts";
import { admin, openBooth } from "./admin-world.ts";
import { runs } from "./fuzz-tools.ts";
import { keepShot, onScreen, openPage, TABLETS } from "./kiosk/browser.ts";
import { tapCorner, walkTo } from "./kiosk/stand.ts";
import { inChromium, portrait, TEST_MS } from "./kiosk/suite.ts";

const KEY = "a-key-of-this-event";
const selfie = await portrait();

const token = (page: Page, name: string) =>
  page.evaluate((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim(), name);
const titled = (page: Page, title: string) =>
  page.waitForFunction((title) => document.getElementById("start-title")?.textContent === title, title, {
    timeout: 60_000,
  });

async function enterPin(page: Page, pin: string) {
  await tapCorner(page);
  await page.fill("#pin", pin);
  await page.keyboard.press("Enter");
}

test("whatever an event's colours are, white plates can be read", () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, "0")}`);
  fc.assert(
    fc.property(colour, colour, colour, (paper, ink, accent) => {
      const palette = new Map(paletteOf({ paper, ink, accent }));
      for (const value of palette.values()) expect(value).toMatch(/^#[0-9a-f]{6}$/);
      expect(contrast(palette.get("--ink-on-white") ?? "", "#ffffff")).toBeGreaterThanOrEqual(4.5);
      expect(contrast(ink, paper)).toBeCloseTo(apiContrast(ink, paper), 9);
      if (contrast(ink, paper) >= 4.5)
        expect(contrast(palette.get("--ink-soft") ?? "", paper)).toBeGreaterThanOrEqual(4.5);
    }),
    runs(100),
  );
});

inChromium("an event's look", ({ open, browser }) => {
  test(
    "is taken from the real api, between guests only, and so is the PIN",
    async () => {
      await using world = await openBooth({ bot: false, env: { KIOSK_KEY: KEY } });
      const complaints: string[] = [];
      const page = await openPage(browser(), `${world.url}/#key=${KEY}&pin=1111&lang=en`, "landscape", {}, (fresh) =>
        fresh.on("console", (line) => line.type() === "error" && complaints.push(line.text())),
      );
      await onScreen(page, "start");
      await page.click("#begin");
      await onScreen(page, "qr");
      const saved = await admin(world, "PUT branding", {
        name: "Anna & Timur <3",
        welcome_en: "Welcome to our wedding, dear {name}!",
        paper: "#10243e",
        ink: "#fdf6e3",
        accent: "#b3123f",
        logo: selfie.toString("base64"),
        background: (await confetti()).toString("base64"),
        pin: "4821",
      });
      expect(saved.status).toBe(200);
      for (let beats = 0; beats < 2; beats++)
        await page.waitForRequest((request) => request.url().endsWith("/kiosk/heartbeat"));
      expect(await token(page, "--paper")).toBe("#fff4e6");

      await page.click("#qr [data-do=leave]");
      await titled(page, "Welcome to our wedding, dear {name}!");
      expect(await page.locator("#event-name").textContent()).toBe("Anna & Timur <3");
      expect(await token(page, "--paper")).toBe("#10243e");
      expect(await token(page, "--rose")).toBe("#b3123f");
      await page.waitForSelector("#event-logo:visible");
      await page.waitForSelector("[data-backdrop]");
      await keepShot(page, "look-landscape");
      await page.setViewportSize({ width: 800, height: 1280 });
      await keepShot(page, "look-portrait");
      await page.click("[data-lang=ru]");
      expect(await page.locator("#start-title").textContent()).toBe(texts.ru["start.title"]);

      await enterPin(page, "1111");
      await page.waitForSelector("#operator [role=status]:not(:empty)");
      expect(await page.locator("#operator pre").count()).toBe(0);
      await page.fill("#pin", "4821");
      await page.keyboard.press("Enter");
      await page.waitForSelector("#operator pre");
      await page.locator("#operator button").last().click();

      await admin(world, "POST maintenance", { on: true });
      await onScreen(page, "message");
      await keepShot(page, "look-pause");
      await admin(world, "POST maintenance", { on: false });
      await admin(world, "PUT branding", { paper: null, ink: null, accent: null, welcome_en: null, background: null });
      await page.waitForFunction(() => !document.documentElement.hasAttribute("data-own-colours"), undefined, {
        timeout: 60_000,
      });
      expect(await token(page, "--paper")).toBe("#fff4e6");
      expect(complaints.filter((line) => !line.startsWith("Failed to load resource"))).toEqual([]);
      await page.context().close();
    },
    TEST_MS,
  );

  test(
    "is kept for a start without network",
    async () => {
      await using stand = await open({ hash: "#lang=en" });
      const { page, mock } = stand;
      mock.config = { look: "2", name: "Lola", welcome: { en: "Hello, Lola" }, colours: null, logo_url: "/icon.svg" };
      await titled(page, "Hello, Lola");
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await page.reload();
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await mock.stop();
      await page.reload();
      await titled(page, "Hello, Lola");
      expect(await page.locator("#event-name").textContent()).toBe("Lola");
      await page.waitForSelector("#event-logo:visible");
    },
    TEST_MS,
  );

  test(
    "at its longest still fits, with Start in sight",
    async () => {
      await using stand = await open({ hash: "#lang=ru" });
      const { page, mock } = stand;
      mock.config = {
        look: "long",
        name: "Anna & Timur — свадьба года в Самарканде",
        welcome: { ru: "Добро пожаловать на нашу свадьбу, дорогие родные, друзья и все-все-все гости!" },
        colours: { paper: "#10243e", ink: "#fdf6e3", accent: "#b3123f" },
        logo_url: "/outfits/chef.svg",
        background_url: "/outfits/wizard.svg",
      };
      await page.waitForSelector("[data-backdrop]");
      await page.waitForSelector("#event-logo:visible");
      for (const size of Object.values(TABLETS)) {
        await page.setViewportSize(size);
        const over = await page.locator("#start").evaluate((start) => start.scrollHeight - start.clientHeight);
        expect({ size, over }).toEqual({ size, over: 0 });
      }
    },
    TEST_MS,
  );

  test(
    "that makes no sense changes nothing",
    async () => {
      await using stand = await open({ hash: "#lang=en" });
      const { page, mock, complaints } = stand;
      const odd = [
        {
          look: "odd",
          name: 5,
          welcome: "hi",
          colours: { paper: "red;}*{display:none", ink: "#fff", accent: null },
          logo_url: "https://elsewhere.example/logo.png",
          background_url: "javascript:alert(1)",
          pin: "1234",
        },
        { look: "torn", logo_url: "/nothing-here.webp", background_url: "http://[", colours: { paper: "#123456" } },
      ];
      for (const config of odd) {
        mock.config = config;
        // This one itself has been taken up: the answer of before may still have been on its way.
        await page.waitForFunction(
          (look) => JSON.parse(localStorage.getItem("kiosk.look") ?? "null")?.look === look,
          config.look,
          { timeout: 60_000 },
        );
        await page.waitForRequest((request) => request.url().endsWith("/kiosk/heartbeat"));
        expect(await page.locator("#start-title").textContent()).toBe("Become a sticker");
        expect(await token(page, "--paper")).toBe("#fff4e6");
        expect(await page.locator(".event").isVisible()).toBe(false);
        expect(await page.locator("html[data-backdrop]").count()).toBe(0);
      }
      await walkTo(stand, "qr");
      expect(complaints).toEqual([]);
    },
    TEST_MS,
  );
});

/** A picture as people upload for a background: busy, light and dark. */
function confetti(): Promise<Buffer> {
  const dots = Array.from({ length: 60 }, (_, n) => {
    const [x, y] = [(n * 137) % 800, (n * 211) % 600];
    return `<circle cx="${x}" cy="${y}" r="${14 + (n % 5) * 6}" fill="hsl(${(n * 47) % 360} 70% ${30 + (n % 6) * 10}%)"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="#d9b8a0"/>${dots.join("")}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
