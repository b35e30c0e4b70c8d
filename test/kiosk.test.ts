/** The kiosk page in a real browser, against the real processes: from Start to the delivered pack. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import sharp from "sharp";
import { say } from "../kiosk/texts.js";
import { chromiumOrReason, keepShot, onScreen, openBrowser, openPage, type Tablet } from "./kiosk/browser.ts";
import { World } from "./world.ts";

const TEST_MS = 90_000;
const FRAME = { width: 1280, height: 960 };
const chromium = chromiumOrReason();

describe.skipIf(!chromium)("the kiosk, from Start to the pack", () => {
  let world: World;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let guest = 7100;

  beforeAll(async () => {
    const selfie = join(import.meta.dir, "fixtures/selfie.jpg");
    const frame = await sharp(selfie)
      .resize({ ...FRAME, fit: "contain", background: "#c9b8a8" })
      .toBuffer();
    [world, browser] = await Promise.all([World.open(), openBrowser(chromium ?? "", frame)]);
  }, TEST_MS);
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await world?.[Symbol.asyncDispose]();
  });

  for (const lang of ["ru", "uz", "en"] as const) {
    for (const tablet of ["portrait", "landscape"] satisfies Tablet[]) {
      test(
        `${lang}, ${tablet}`,
        async () => {
          const me = guest++;
          const page = await openPage(browser, world.url, tablet);
          const shot = (name: string) => keepShot(page, `journey-${tablet}-${lang}-${name}`);
          const heading = () => page.locator("main > .screen:not([hidden]) h1").textContent();

          // The guest's own language is another than the screen's, until the phone tells.
          await onScreen(page, "start");
          await page.click(`[data-lang=${lang === "ru" ? "en" : "ru"}]`);
          await shot("1-start");
          await page.click("#begin");
          await onScreen(page, "qr");
          await shot("2-qr");
          const [session] = world.rows(
            "SELECT token, kiosk FROM sessions ORDER BY created_at DESC, rowid DESC LIMIT 1",
          );
          expect(session.kiosk).toMatch(/^kiosk-[a-z0-9]{8}$/);

          world.sim.guestSays(me, `/start ${session.token}`, { lang });
          await onScreen(page, "consent");
          await shot("3-consent");
          await world.sim.until(
            () => world.sim.buttons(me).some((button) => button.callback_data === `consent:${session.token}:yes`),
            "the question",
          );
          world.sim.guestPresses(me, `consent:${session.token}:yes`);

          await onScreen(page, "outfits");
          expect(await heading()).toBe(say(lang, "outfits.title"));
          const cards = page.locator(".card");
          expect(await cards.count()).toBe(8);
          await page.waitForFunction(() =>
            [...document.querySelectorAll<HTMLImageElement>(".card img")].every((image) => image.naturalWidth > 0),
          );
          await shot("4-outfits");
          await cards.nth(2).click();

          await onScreen(page, "camera");
          await page.waitForSelector("#shoot:enabled");
          await shot("5-camera");
          await page.click("#shoot");
          await onScreen(page, "review");
          await shot("6-review");
          await page.click("#use");
          await onScreen(page, "phone");
          // The pack may take longer than the screen stands here; how long that is has tests of its own.
          await page.evaluate((path) => import(path).then((idle) => idle.noIdle()), "/idle.js");
          await shot("7-phone");
          expect(await heading()).toBe(say(lang, "phone.title"));

          await world.reaches(session.token, "done");
          await page.waitForFunction(
            (text) => document.getElementById("phone-lead")?.textContent === text,
            say(lang, "phone.done"),
          );
          await shot("8-done");
          const set = world.sim.sets.find((other) => other.ownerId === me);
          expect(set?.stickers).toHaveLength(9);
          const link = world.sim.sent("sendMessage", me).map((call) => String(call.params.text));
          expect(link.some((text) => text.includes(`/addstickers/${set?.name}`))).toBe(true);

          await page.click("#phone [data-do=leave]");
          await onScreen(page, "start");
          expect(await page.locator("#cards").innerHTML()).toBe("");
          await page.context().close();
          expect((await world.session(session.token)).status).toBe("done");
        },
        TEST_MS,
      );
    }
  }
});
