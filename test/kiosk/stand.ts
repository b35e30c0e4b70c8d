import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { onScreen, openPage, type Tablet } from "./browser.ts";
import { Mock } from "./mock.ts";

/** One kiosk on its own stand-in api, and what its page complained about. */
export interface Stand extends AsyncDisposable {
  page: Page;
  mock: Mock;
  /** Errors of the page, and everything it fetched from elsewhere or was refused by the content policy. */
  complaints: string[];
}

/** The names of the screens on a guest's way, in order. */
export const WAY = ["start", "qr", "consent", "outfits", "camera", "review"] as const;

/** @param heldClock the page's time is the test's to move on (`page.clock`), beside the real one until `holdClock` */
export async function openStand(
  browser: Browser,
  {
    tablet = "landscape",
    hash = "",
    heldClock = false,
    ...options
  }: BrowserContextOptions & { tablet?: Tablet; hash?: string; heldClock?: boolean } = {},
): Promise<Stand> {
  const mock = new Mock();
  const complaints: string[] = [];
  const page = await openPage(browser, mock.url + hash, tablet, options, async (fresh) => {
    if (heldClock) await fresh.clock.install();
    fresh.on("pageerror", (error) => complaints.push(error.message));
    fresh.on("console", (message) => {
      // A refused or broken call is reported by the browser itself; what matters is what the page does about it.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        complaints.push(message.text());
    });
    fresh.on("request", (request) => {
      if (/^(http|ws)/.test(request.url()) && !request.url().startsWith(mock.url)) complaints.push(request.url());
    });
  });
  await onScreen(page, "start");
  return {
    page,
    mock,
    complaints,
    [Symbol.asyncDispose]: async () => {
      await page.context().close();
      await mock.stop();
    },
  };
}

/** Goes from Start (or from after the screen it is at) as far as the named screen, as a guest would. */
export async function walkTo(
  { page, mock }: Stand,
  last: (typeof WAY)[number],
  lang = "en",
  at: (typeof WAY)[number] | null = null,
): Promise<void> {
  const behind = at ? WAY.indexOf(at) + 1 : 0;
  for (const screen of WAY.slice(behind, WAY.indexOf(last) + 1)) {
    if (screen === "qr") await page.click("#begin");
    if (screen === "consent") mock.link(lang);
    if (screen === "outfits") mock.consent();
    if (screen === "camera") await page.locator(".card").first().click();
    if (screen === "review") await shoot(page);
    await onScreen(page, screen);
  }
}

/** Further than real time gets until the clock stands. */
const JUMP_MS = 10_000;

/** From here on the page's time is the test's alone; it begins `JUMP_MS` later. */
export async function holdClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + JUMP_MS);
}

/** Five taps into the corner, as fast as a finger: the page does not wait long for them. */
export async function tapCorner(page: Page): Promise<void> {
  await Promise.all(Array.from({ length: 5 }, () => page.touchscreen.tap(8, 8)));
}

/** Presses the shutter; where the tablet sees no face and says so first, once more. */
export async function shoot(page: Page): Promise<void> {
  await page.click("#shoot:enabled");
  await page.waitForSelector('#count:not(:empty), #shoot[data-t="camera.anyway"], body[data-screen=review]');
  const told = await page.locator('#shoot[data-t="camera.anyway"]:enabled').isVisible();
  if (told && (await page.locator("#count").textContent()) === "") await page.click("#shoot:enabled");
}
