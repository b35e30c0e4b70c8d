// Draws every screen of the kiosk, in three languages and on several tablets, into artefacts/kiosk/.
//   bun test/kiosk/gallery.ts [tablet|all] [lang]
import { join } from "node:path";
import sharp from "sharp";
import { findChromium, keepShot, onScreen, openBrowser, painted, TABLETS, type Tablet } from "./browser.ts";
import { openStand, shoot, walkTo } from "./stand.ts";
import { putInto, STATES } from "./states.ts";

const [tablet = "all", only] = process.argv.slice(2);
const chromium = findChromium();
if (!chromium) throw new Error("Chromium is needed");
const selfie = join(import.meta.dir, "../fixtures/selfie.jpg");
const frame = await sharp(selfie).resize(1280, 960, { fit: "contain", background: "#c9b8a8" }).toBuffer();
await using browser = await openBrowser(chromium, frame);

for (const size of Object.keys(TABLETS) as Tablet[]) {
  if (tablet !== "all" && tablet !== size) continue;
  for (const lang of ["ru", "uz", "en"]) if (!only || only === lang) await draw(size, lang);
}

async function draw(size: Tablet, lang: string) {
  await using stand = await openStand(browser, { tablet: size });
  const { page } = stand;
  let count = 10;
  const shot = async (name: string) => {
    await page.waitForFunction(() => [...document.images].every((image) => !image.src || image.complete));
    await painted(page);
    await keepShot(page, `${size}-${lang}-${count++}-${name}`);
  };
  // What moves and what has a picture in it is walked to; the rest is put on directly.
  await page.click(`[data-lang=${lang}]`);
  await shot("first");
  await page.waitForFunction(() => document.querySelectorAll(".floating").length === 5);
  await shot("start");
  await walkTo(stand, "qr");
  await shot("qr");
  await walkTo(stand, "camera", lang, "qr");
  await page.waitForSelector("#shoot:enabled");
  await shot("camera");
  await shoot(page);
  await page.waitForSelector("#count:not(:empty)");
  await keepShot(page, `${size}-${lang}-${count++}-count`);
  await onScreen(page, "review");
  await shot("review");
  await page.click("#review [data-do=leave]");
  await onScreen(page, "start");
  for (const state of STATES.filter((name) => !["start", "qr", "camera", "review"].includes(name))) {
    await putInto(page, state, lang);
    await shot(state);
  }
}
