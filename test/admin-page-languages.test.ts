import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import {
  chromiumPath,
  FAILED_JOB,
  faultsOf,
  goTo,
  LANGS,
  LONG_MS,
  launch,
  openEvening,
  openPage,
  overflowsOf,
  touchesOf,
  VIEWS,
} from "./admin-page-world.ts";
import type { World } from "./world.ts";

const SHOTS = join(import.meta.dir, "../artefacts/admin");
const WIDTHS = { 360: 740, 768: 1024, 1280: 800 };
/** Between a phone and a laptop nothing is shown that those two do not show. */
const AXE_AT = ["360", "1280"];
const SCREENS = [...VIEWS, `jobs/${FAILED_JOB}`];

const path = chromiumPath();

describe.skipIf(!path)("the operators' page in three languages", () => {
  let world: World;
  let browser: Browser;

  beforeAll(async () => {
    [world, browser] = await Promise.all([openEvening({ TEAM_LANG: "uz" }), launch(path ?? "")]);
    mkdirSync(SHOTS, { recursive: true });
  }, LONG_MS);
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  for (const lang of LANGS) {
    for (const [width, height] of Object.entries(WIDTHS)) {
      test(
        `${lang}, ${width} px: nothing sticks out, and axe finds nothing`,
        async () => {
          const viewport = { width: Number(width), height };
          const colorScheme = width === "768" ? "dark" : "light";
          await using site = await openPage(browser, world, "now", {
            lang,
            viewport,
            colorScheme,
            reducedMotion: "reduce",
          });
          const { page, complaints } = site;
          for (const view of SCREENS) {
            await goTo(page, view);
            const at = `${lang} ${width} ${view}`;
            expect([at, await overflowsOf(page)]).toEqual([at, []]);
            expect([at, await touchesOf(page)]).toEqual([at, []]);
            if (AXE_AT.includes(width)) expect([at, await faultsOf(page)]).toEqual([at, []]);
            await page.screenshot({
              path: join(SHOTS, `${lang}-${width}-${view.replace("/", "-")}.png`),
              fullPage: true,
            });
          }
          for (const open of DIALOGS) {
            await open(page);
            const at = `${lang} ${width} ${await page.locator("dialog h2").textContent()}`;
            expect([at, await overflowsOf(page)]).toEqual([at, []]);
            if (AXE_AT.includes(width)) expect([at, await faultsOf(page)]).toEqual([at, []]);
            await page.keyboard.press("Escape");
            await page.locator("dialog").waitFor({ state: "detached" });
          }
          expect(await page.locator("html").getAttribute("lang")).toBe(lang);
          expect(complaints).toEqual([]);
        },
        LONG_MS,
      );
    }
  }

  test(
    "on a laptop a kiosk's tags stand together, and outfits and contacts are not broken in pieces",
    async () => {
      const viewport = { width: 1366, height: 850 };
      for (const lang of LANGS) {
        await using site = await openPage(browser, world, "now", { lang, viewport });
        const { page } = site;
        const heights = await page.evaluate(() => {
          const kiosks = [...document.querySelectorAll("li")].filter((row) => /hall-|entrance/.test(row.textContent));
          const rows = kiosks.map((row) => [...row.querySelectorAll(".tag, button")]);
          return rows
            .filter((those) => those.length > 0)
            .map((those) => {
              const boxes = those.map((element) => element.getBoundingClientRect());
              return new Set(boxes.map(({ top, bottom }) => Math.round((top + bottom) / 2))).size;
            });
        });
        expect([lang, heights]).toEqual([lang, [1, 1, 1, 1]]);
        for (const [view, what] of [
          ["jobs", "td .outfit-name"],
          ["leads", "td .contact"],
        ] as const) {
          await goTo(page, view);
          // In one go: what a refresh has taken off the page meanwhile has no lines.
          const lines = await page.evaluate(
            (selector) =>
              [...document.querySelectorAll(selector)].map((element) => {
                const range = document.createRange();
                range.selectNodeContents(element);
                return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
              }),
            what,
          );
          expect([lang, view, Math.max(...lines)]).toEqual([lang, view, 1]);
        }
      }
    },
    LONG_MS,
  );

  test(
    "the team's language is the first; another one stays on this device",
    async () => {
      await using site = await openPage(browser, world, "now");
      const { page } = site;
      await page.getByRole("link", { name: "Hozir" }).waitFor();
      expect(await page.locator("html").getAttribute("lang")).toBe("uz");
      await page.getByRole("button", { name: /Русский/ }).click();
      await page.getByRole("link", { name: "Сейчас" }).waitFor();
      expect(await page.title()).toBe("Сейчас – Стикер-будка");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("lang-ru");
      await page.reload();
      await page.getByRole("link", { name: "Сейчас" }).waitFor();
      expect(await page.locator("html").getAttribute("lang")).toBe("ru");
    },
    LONG_MS,
  );

  test(
    "calls ask for sentences in the language that is shown",
    async () => {
      const asked: string[] = [];
      await using site = await openPage(browser, world, "now", { lang: "ru" });
      site.page.on("request", (request) => request.url().includes("/admin/api/") && asked.push(request.url()));
      await goTo(site.page, "jobs?status=failed");
      expect(asked.length).toBeGreaterThan(1);
      expect(asked.filter((url) => new URL(url).searchParams.get("lang") !== "ru")).toEqual([]);
    },
    LONG_MS,
  );
});

/** Ways to each dialog, by what does not depend on the language. */
const DIALOGS = [
  async (page: Page) => {
    await goTo(page, "now");
    await page.locator("[data-key=budget]").first().click();
  },
  (page: Page) => page.locator("#verdict .actions button").last().click(),
  async (page: Page) => {
    await goTo(page, "outfits");
    await page.locator("[data-key='edit royal']").click();
  },
  (page: Page) => page.locator("[data-key='try royal']").click(),
];
