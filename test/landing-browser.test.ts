import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { LOCALES, type Locale, TEXTS } from "../landing/texts/index.ts";
import {
  DESKTOP,
  hasChromium,
  openLanding,
  PHONE,
  requestId,
  send,
  startBrowser,
  TEST_MS,
} from "./landing-browser-world.ts";
import { RU, STORED } from "./landing-stand-in.ts";

const ARTEFACTS = new URL("../artefacts/landing/", import.meta.url).pathname;
const AXE = new URL("../node_modules/axe-core/axe.min.js", import.meta.url).pathname;

describe.skipIf(!hasChromium)("the landing in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  }, TEST_MS);
  afterAll(async () => {
    await browser?.close();
  });

  const open = (path: string, options?: BrowserContextOptions) => openLanding(browser, path, options);

  test(
    "without JavaScript: faults, what was typed, then the number",
    async () => {
      await using site = await open("/ru?utm_source=insta", { javaScriptEnabled: false, viewport: PHONE });
      const { page } = site;
      const id = await requestId(page);
      await page.fill("#name", "Азиз");
      await page.fill("#comment", "Две будки\nу входа");
      await page.selectOption("#event_type", "wedding");
      await send(page);
      await page.locator("#contact-error").waitFor();
      expect(await page.locator(".error").allTextContents()).toEqual([RU.errors.contact]);
      expect(await page.inputValue("#comment")).toBe("Две будки\nу входа");
      expect(await page.inputValue("#event_type")).toBe("wedding");
      await page.fill("#contact", "@aziz");
      await send(page);
      await page.getByText(RU.thanksNumbered(7)).waitFor();
      expect(site.api.calls.map((call) => call.body.request_id)).toEqual([id]);
      expect(site.api.calls[0]?.body).toMatchObject({ utm: { source: "insta" }, event_type: "wedding" });
    },
    TEST_MS,
  );

  test(
    "with JavaScript: a lost connection and a dead server cost nothing, the id stays, the focus goes to the message",
    async () => {
      await using site = await open("/ru");
      const { page } = site;
      const id = await requestId(page);
      await page.evaluate(() => document.body.setAttribute("data-same", "page"));
      await page.fill("#name", "Азиз");
      await page.fill("#contact", "@aziz");
      await page.route("**/ru", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
      await send(page);
      await page.locator("#offline").getByText(RU.offline).waitFor();
      expect(await page.locator("#offline").evaluate((element) => element === document.activeElement)).toBe(true);
      await page.unroute("**/ru");

      site.api.answer({ status: 500 });
      site.telegram.answer({ status: 500 });
      await send(page);
      await page.locator(".notice[data-focus]").getByText(RU.failed).waitFor();
      expect(await page.locator(".notice[data-focus]").evaluate((element) => element === document.activeElement)).toBe(
        true,
      );
      expect([await page.inputValue("#name"), await requestId(page)]).toEqual(["Азиз", id]);

      site.api.answer(STORED);
      await send(page);
      await page.getByText(RU.thanksNumbered(7)).waitFor();
      expect(page.url()).toBe(`${site.origin}/ru/thanks?n=7`);
      expect(await page.getAttribute("body", "data-same")).toBe("page");
      expect(new Set(site.api.calls.map((call) => call.body.request_id))).toEqual(new Set([id]));
      await page.getByText(RU.another).click();
      await page.locator("#form").waitFor();
      expect(await requestId(page)).not.toBe(id);
      expect(site.complaints.filter((text) => !text.startsWith("Failed to load resource"))).toBeEmpty();
    },
    TEST_MS,
  );

  for (const javaScriptEnabled of [true, false])
    test(
      `a day that is over is refused in the visitor's language, ${javaScriptEnabled ? "with" : "without"} JavaScript; a range of guests is taken`,
      async () => {
        await using site = await open("/uz", { javaScriptEnabled });
        const { page } = site;
        await page.fill("#name", "Aziz");
        await page.fill("#contact", "@aziz");
        await page.fill("#event_date", "2024-05-01");
        await page.fill("#guests", "120–150");
        await send(page);
        await page.getByText(TEXTS.uz.errors.past_date).waitFor();
        expect(await page.locator(".error").allTextContents()).toEqual([TEXTS.uz.errors.past_date]);
        expect(await page.inputValue("#event_date")).toBe("2024-05-01");
        await page.fill("#event_date", "2099-05-01");
        await send(page);
        await page.getByText(TEXTS.uz.thanksNumbered(7)).waitFor();
        expect(site.api.calls.map(({ body }) => [body.event_date, body.guests, body.comment])).toEqual([
          ["2099-05-01", 150, `${TEXTS.uz.labels.guests}: 120–150`],
        ]);
      },
      TEST_MS,
    );

  test(
    "what is typed while a slow answer is on its way stays",
    async () => {
      await using site = await open("/ru");
      const { page } = site;
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      await page.route("**/ru", async (route) => {
        if (route.request().method() === "POST") await held;
        await route.continue();
      });
      await page.fill("#name", "Азиз");
      await page.fill("#comment", "Две будки");
      await send(page);
      await page.locator("#form[aria-busy]").waitFor();
      await page.fill("#contact", "@aziz");
      await page.fill("#comment", "Две будки\nу входа");
      await page.selectOption("#event_type", "wedding");
      letGo();
      await page.locator("#contact-error").waitFor();
      expect(await page.inputValue("#name")).toBe("Азиз");
      await send(page);
      await page.getByText(RU.thanksNumbered(7)).waitFor();
      expect(site.api.calls.map(({ body }) => [body.name, body.contact, body.comment, body.event_type])).toEqual([
        ["Азиз", "@aziz", "Две будки\nу входа", "wedding"],
      ]);
    },
    TEST_MS,
  );

  test(
    "a double click sends once",
    async () => {
      await using site = await open("/en");
      await site.page.fill("#name", "Aziz");
      await site.page.fill("#contact", "@aziz");
      await site.page.locator("#form .button").dblclick();
      await site.page.getByText(TEXTS.en.thanksNumbered(7)).waitFor();
      expect(site.api.calls).toHaveLength(1);
    },
    TEST_MS,
  );

  test(
    "the honeypot is out of sight, out of the tab order and out of the accessibility tree",
    async () => {
      await using site = await open("/en");
      const { page } = site;
      expect(await page.locator("#website").evaluate((element) => element.getBoundingClientRect().right)).toBeLessThan(
        0,
      );
      expect(await page.getByLabel(TEXTS.en.honeypot).getAttribute("tabindex")).toBe("-1");
      expect(await page.getByRole("textbox", { name: TEXTS.en.honeypot }).count()).toBe(0);
    },
    TEST_MS,
  );

  type Finding = { id: string; impact: string; nodes: string[] };
  async function audit(page: Page): Promise<Finding[]> {
    await page.evaluate(await Bun.file(AXE).text());
    return page.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
      };
      const { violations } = await axe.run();
      return violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map((node) => node.html) }));
    });
  }

  /** Between them: every language, both sizes, both colour schemes. */
  const VIEWS: [Locale, string, BrowserContextOptions][] = [
    ["ru", "phone", { viewport: PHONE, colorScheme: "light" }],
    ["uz", "desktop", { viewport: DESKTOP, colorScheme: "light" }],
    ["en", "dark", { viewport: DESKTOP, colorScheme: "dark" }],
  ];
  for (const [locale, look, options] of VIEWS)
    test(
      `axe finds nothing in ${locale} on ${look}: the form, its faults, the thanks`,
      async () => {
        await using site = await open(`/${locale}`, options);
        const { page } = site;
        await page.screenshot({ path: `${ARTEFACTS}${locale}-${look}.png`, fullPage: true });
        expect(await audit(page)).toEqual([]);
        await page.fill("#guests", "?");
        await send(page);
        await page.locator("#guests-error").waitFor();
        await page.screenshot({ path: `${ARTEFACTS}${locale}-${look}-faults.png`, fullPage: true });
        expect(await audit(page)).toEqual([]);
        await page.goto(`${site.origin}/${locale}/thanks?n=7`);
        expect(await audit(page)).toEqual([]);
        expect(site.complaints.filter((text) => !text.includes("422"))).toBeEmpty();
      },
      TEST_MS,
    );

  test(
    "nothing sticks out sideways, down to 320 pixels",
    async () => {
      await using site = await open("/ru");
      const { page } = site;
      for (const locale of LOCALES)
        for (const width of [320, 390, 768, 900, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          await page.goto(`${site.origin}/${locale}`);
          const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
          expect([locale, width, scrollWidth]).toEqual([locale, width, width]);
        }
    },
    TEST_MS,
  );
});
