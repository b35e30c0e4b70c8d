import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { noteKiosk } from "../shared/kiosks.ts";
import {
  chromiumPath,
  faultsOf,
  goTo,
  LONG_MS,
  launch,
  type OpenOptions,
  openPage,
  overflowsOf,
  VIEWS,
} from "./admin-page-world.ts";
import { admin, openBooth } from "./admin-world.ts";
import { store, withDb } from "./leads-world.ts";
import type { World } from "./world.ts";

const SHOTS = join(import.meta.dir, "../artefacts/admin");
const SIZES = { laptop: { width: 1366, height: 850 }, phone: { width: 390, height: 844 } } as const;
const EVIL = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
const badSheet = { usable: false, problem: "distorted", stickers: [] };

const path = chromiumPath();

describe.skipIf(!path)("the operators' page", () => {
  let world: World;
  let browser: Browser;

  /** One guest got a pack, one failed, one is at the camera; names and requests that try to be markup. */
  beforeAll(async () => {
    [world, browser] = await Promise.all([
      openBooth({ env: { DAILY_BUDGET_USD: "50", LEADS_SECRET: "0123456789abcdef0123" } }),
      launch(path ?? ""),
    ]);
    mkdirSync(SHOTS, { recursive: true });
    world.sim.guest(7301, { name: EVIL });
    world.sim.guest(7302, { name: "Dilnoza" });
    const good = await world.visit(7301);
    await world.sendPhoto(good, world.selfie());
    await world.reaches(good, "done");
    world.sim.models.sheet = badSheet;
    const failed = await world.visit(7302, "en", "chef");
    await world.sendPhoto(failed, world.selfie());
    await world.reaches(failed, "failed");
    world.sim.models.sheet = undefined;
    await world.visit(7303, "en", "wizard");
    withDb(world, (db) => {
      noteKiosk(
        db,
        { kiosk: "hall-1", screen: "start", camera: "ok", battery: 0.8, charging: true, wake_lock: true },
        Date.now(),
      );
      noteKiosk(db, { kiosk: "hall-2", screen: "camera", camera: "blocked", battery: 0.1 }, Date.now());
      store(db, { name: EVIL, contact: "=1+1", comment: EVIL, event_type: "wedding", guests: 120, city: "Toshkent" });
      store(db, { name: "Камила" });
    });
    await admin(world, "POST maintenance", { on: true, reason: EVIL });
    await admin(world, "POST maintenance", { on: false });
  }, LONG_MS);
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  const open = (view: string, options: OpenOptions = {}) =>
    openPage(browser, world, view, { viewport: SIZES.laptop, ...options });

  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ["light", "dark"] as const) {
      test(
        `${size}, ${colorScheme}: every view shows, fits, and axe finds nothing`,
        async () => {
          await using site = await open("now", { viewport, colorScheme, reducedMotion: "reduce" });
          const { page, complaints } = site;
          for (const view of [...VIEWS, "jobs/2"]) {
            await goTo(page, view);
            expect([view, await overflowsOf(page)]).toEqual([view, []]);
            expect([view, await faultsOf(page)]).toEqual([view, []]);
            await page.screenshot({
              path: join(SHOTS, `${size}-${colorScheme}-${view.replace("/", "-")}.png`),
              fullPage: true,
            });
          }
          expect(complaints).toEqual([]);
        },
        LONG_MS,
      );
    }
  }

  test(
    "what a guest or a visitor wrote is text",
    async () => {
      for (const view of ["now", "jobs", "jobs/1", "visits", "leads", "audit"]) {
        await using site = await open(view);
        await site.page.waitForLoadState("networkidle");
        expect(await site.page.evaluate(() => "hacked" in window)).toBe(false);
        expect(await site.page.locator("img[src=x]").count()).toBe(0);
        expect(site.complaints).toEqual([]);
      }
    },
    LONG_MS,
  );

  test(
    "a new operator finds why a guest got no stickers, and gives them, in two taps",
    async () => {
      await using site = await open("now", { viewport: SIZES.phone });
      const { page } = site;
      await page.waitForSelector('#verdict[data-level="red"]');
      await page.locator("#verdict").getByText("Dilnoza got no stickers (pack 2): three drawings").waitFor();
      await page.getByRole("link", { name: "See why" }).click();
      await page.locator(".story").getByText("came out badly. Retry: it is drawn anew").waitFor();
      await page.locator("main").getByRole("button", { name: "Retry pack 2 of Dilnoza" }).click();
      await world.eventually(
        () => world.rows("SELECT 1 FROM jobs WHERE id = 2 AND status = 'done'").length > 0,
        "the pack",
      );
      await page.reload();
      await page.locator("main .tag").getByText("delivered").waitFor();
    },
    LONG_MS,
  );

  test(
    "a pack that is not there is said so, with a way back, and the booth's own state stays said",
    async () => {
      for (const [view, sentence] of [
        ["jobs/99999", "There is no pack 99999."],
        ["jobs/none", "There is no such pack."],
      ] as const) {
        await using site = await open(view);
        const { page } = site;
        await page.locator("main").getByText(sentence).waitFor();
        await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
        expect(await page.locator("#verdict").textContent()).not.toContain("old");
        await page.getByRole("link", { name: "← All packs" }).click();
        await page.waitForSelector("main[data-shown='#jobs'] table");
      }
      await using site = await open("leads?status=none");
      await site.page.getByRole("link", { name: "← Leads" }).click();
      await site.page.waitForSelector("main[data-shown='#leads'] table");
    },
    LONG_MS,
  );

  test(
    "pausing and opening by the page's buttons",
    async () => {
      await using site = await open("now");
      const { page } = site;
      await page.getByRole("button", { name: "Pause", exact: true }).click();
      await page.getByLabel(/Reason/).fill("cake");
      await page.locator("dialog").getByRole("button", { name: "Pause the booth" }).click();
      await page.getByText("The booth is paused: cake.").waitFor();
      expect((await world.post("/session")).body.error).toBe("maintenance");
      await page.getByRole("button", { name: "Open the booth" }).click();
      await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
      expect((await world.post("/session")).status).toBe(201);
    },
    LONG_MS,
  );

  test(
    "two operators save one outfit: the second is told, and keeps what was typed",
    async () => {
      await using one = await open("outfits");
      await using two = await open("outfits");
      for (const [{ page }, title] of [
        [one, "Cook"],
        [two, "Baker"],
      ] as const) {
        await page.getByRole("button", { name: "Edit Chef" }).click();
        await page.getByLabel("Title in English").fill(title);
      }
      await one.page.getByRole("button", { name: "Save" }).click();
      await one.page.getByRole("heading", { name: "Cook" }).waitFor();
      await two.page.getByRole("button", { name: "Save" }).click();
      await two.page.getByText("Somebody else saved this outfit meanwhile").waitFor();
      expect(await two.page.getByLabel("Title in English").inputValue()).toBe("Baker");
      expect(world.rows("SELECT title_en FROM templates WHERE id = 'chef'")[0].title_en).toBe("Cook");
    },
    LONG_MS,
  );

  test(
    "settings: a wrong value is blamed at its field, a right one holds at once",
    async () => {
      await using site = await open("settings");
      const { page } = site;
      const limit = page.getByLabel("Packs per guest per day");
      await limit.fill("5000");
      await page.getByRole("button", { name: "Save the settings" }).click();
      await page.getByText("must be a whole number from 0 to 1000").waitFor();
      expect(await limit.evaluate((input) => input === document.activeElement)).toBe(true);
      await limit.fill("7");
      await page.getByRole("button", { name: "Save the settings" }).click();
      await page.getByText("Saved.").waitFor();
      const settings = (await admin(world, "GET settings")).body.settings;
      expect(settings.find((s: { name: string }) => s.name === "PACK_LIMIT")).toMatchObject({ value: 7, own: true });
    },
    LONG_MS,
  );

  test(
    "a booth that does not answer is said so, and heals by itself",
    async () => {
      await using site = await open("costs", { viewport: SIZES.phone });
      const { page } = site;
      await page.context().setOffline(true);
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await page.getByText("The booth does not answer.").waitFor();
      await page.getByText("What you see below is old.").waitFor();
      await page.context().setOffline(false);
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await page.getByText("The booth does not answer.").waitFor({ state: "detached" });
    },
    LONG_MS,
  );
});
