/** Makes docs/journey.png, the README's picture, from the running product: `bun test/pictures.ts`. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { chromiumOrReason, onScreen, openBrowser, openPage } from "./kiosk/browser.ts";
import { shoot } from "./kiosk/stand.ts";
import { World } from "./world.ts";

const HEIGHT = 900;
const GAP = 28;
const GROUND = "#f4efe9";
const guest = 7700;

const chromium = chromiumOrReason();
if (!chromium) process.exit(1);
const frame = await sharp(join(import.meta.dir, "fixtures/selfie.jpg"))
  .resize({ width: 1280, height: 960, fit: "contain", background: "#c9b8a8" })
  .toBuffer();
await using world = await World.open({ env: { AI_PROVIDERS: "offline" } });
await using browser = await openBrowser(chromium, frame);
const shots: Buffer[] = [];

const kiosk = await openPage(browser, world.url, "portrait", { locale: "en-GB" });
await onScreen(kiosk, "start");
await kiosk.click("[data-lang=en]");
await keep(kiosk);
await kiosk.click("#begin");
await onScreen(kiosk, "qr");
const [{ token }] = world.rows("SELECT token FROM sessions");
world.sim.guest(guest, { name: "Emma", lang: "en" });
await world.agree(guest, token, "en");
await onScreen(kiosk, "outfits");
await kiosk.waitForFunction(() =>
  [...document.querySelectorAll<HTMLImageElement>(".card img")].every((image) => image.naturalWidth > 0),
);
await keep(kiosk);
await kiosk.locator(".card").nth(0).click();
await onScreen(kiosk, "camera");
await kiosk.waitForSelector("#shoot:enabled");
await keep(kiosk);
await shoot(kiosk);
await onScreen(kiosk, "review");
await kiosk.click("#use");
await world.eventually(async () => (await world.session(token)).status === "done", "the pack", 120_000);

const phone = await browser.newPage({ viewport: { width: 430, height: 900 }, locale: "en-GB" });
await phone.goto(`${world.sim.root}/phone`);
await phone.locator("text=Sticker Booth").first().click();
await phone.locator("a:has-text('Add to Telegram'), button:has-text('Add to Telegram')").last().click();
await phone.waitForFunction(() => {
  const images = [...document.querySelectorAll<HTMLImageElement>(".stickers img")];
  return images.length >= 9 && images.every((image) => image.naturalWidth > 0);
});
await keep(phone);

const sized = await Promise.all(
  shots.map((shot) => sharp(shot).resize({ height: HEIGHT }).png().toBuffer({ resolveWithObject: true })),
);
const width = sized.reduce((sum, s) => sum + s.info.width + GAP, GAP);
let left = GAP;
const layers = sized.map(({ data, info }) => {
  const layer = { input: data, left, top: GAP };
  left += info.width + GAP;
  return layer;
});
const out = join(import.meta.dir, "../docs/journey.png");
const sheet = await sharp({ create: { width, height: HEIGHT + 2 * GAP, channels: 3, background: GROUND } })
  .composite(layers)
  .png()
  .toBuffer();
await sharp(sheet).resize({ width: 1600 }).png({ palette: true, quality: 90 }).toFile(out);
console.log(out);

async function keep(page: Page) {
  // Every motion at its end: a picture is no moment.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((a) => a.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((a) => a.finished),
    ),
  );
  shots.push(await page.screenshot());
}
