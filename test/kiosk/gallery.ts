// Draws every screen of the kiosk, in three languages and on several tablets, into artefacts/kiosk/.
import { join } from "node:path";
import sharp from "sharp";
import { findChromium, keepShot, onScreen, openBrowser, openPage, TABLETS, type Tablet } from "./browser.ts";
import { Mock } from "./mock.ts";

const PROBLEMS = ["no_face", "many_faces", "too_dark", "blurred", "face_hidden", "not_a_photo", "strange"];

const [only, lang1] = process.argv.slice(2);
const chromium = findChromium();
if (!chromium) throw new Error("Chromium is needed");
const selfie = join(import.meta.dir, "../fixtures/selfie.jpg");
const frame = await sharp(selfie).resize(1280, 720, { fit: "contain", background: "#c9b8a8" }).jpeg().toBuffer();
await using browser = await openBrowser(chromium, frame);

for (const tablet of Object.keys(TABLETS) as Tablet[]) {
  if (only && only !== "all" && only !== tablet) continue;
  for (const lang of ["ru", "uz", "en"]) {
    if (lang1 && lang1 !== lang) continue;
    await walk(tablet, lang);
  }
}

async function walk(tablet: Tablet, lang: string) {
  const mock = new Mock();
  const page = await openPage(browser, mock.url, tablet);
  let count = 10;
  const shot = async (name: string) => {
    await page.waitForTimeout(700);
    await keepShot(page, `${tablet}-${lang}-${count++}-${name}`);
  };
  const start = async () => {
    await onScreen(page, "start");
    await page.click(`[data-lang=${lang}]`);
    await page.click("#begin");
  };
  await onScreen(page, "start");
  await page.click(`[data-lang=${lang}]`);
  await shot("start");
  await page.click("#begin");
  await onScreen(page, "qr");
  await shot("qr");
  mock.link(lang, lang === "ru" ? "Александра" : "Gulnoza");
  await onScreen(page, "consent");
  await shot("consent");
  mock.consent();
  await onScreen(page, "outfits");
  await shot("outfits");
  await page.click(".card");
  await onScreen(page, "camera");
  await page.waitForSelector("#shoot:enabled");
  await page.waitForTimeout(1000);
  await shot("camera");
  await page.click("#shoot");
  await keepShot(page, `${tablet}-${lang}-${count++}-count`);
  await onScreen(page, "review");
  await shot("review");
  mock.faults.push({ path: /photo/, slowMs: 1500, times: 1 });
  await page.click("#use");
  await shot("sending");
  await page.waitForSelector("#meter", { state: "hidden" });
  await shot("checking");
  for (const problem of PROBLEMS) {
    mock.refuse(problem);
    await onScreen(page, "again");
    await shot(`again-${problem}`);
    mock.last.status = "photo_taken";
    await onScreen(page, "sending");
  }
  await onScreen(page, "phone");
  await shot("phone");
  mock.last.status = "done";
  await page.waitForTimeout(1100);
  await shot("done");
  mock.last.status = "failed";
  await onScreen(page, "message");
  await shot("failed");
  for (const [status, problem] of [
    ["expired", "timeout"],
    ["expired", "declined"],
    ["expired", "reset"],
    ["blocked", null],
  ] as const) {
    await page.click("#message-home");
    await start();
    await onScreen(page, "qr");
    Object.assign(mock.last, { status, problem, lang });
    await onScreen(page, "message");
    await shot(problem ?? status);
  }
  for (const [status, code] of [
    [503, "maintenance"],
    [503, "not_ready"],
    [429, "rate_limited"],
    [401, "unauthorized"],
    [500, "server"],
  ] as const) {
    await page.click("#message-home");
    mock.faults = [{ path: /^\/session$/, status, code }];
    await start();
    await onScreen(page, "message");
    await shot(code);
  }
  mock.faults = [];
  await page.click("#message-home");
  await mock.stop();
  await start();
  await page.waitForSelector("#offline:visible");
  await shot("offline");
  mock.restart();
  await page.waitForSelector("#offline", { state: "hidden" });
  await page.clock.install();
  await start();
  await onScreen(page, "qr");
  await page.clock.runFor(83_000);
  await page.waitForSelector("#idle:visible");
  await shot("idle");
  await page.context().close();
  await mock.stop();
}
