import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type LaunchOptions, type Page } from "playwright-core";
import sharp from "sharp";

const LOOKED_FOR = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** What every Chromium of the tests is started with. */
export const LAUNCH_ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Where Chromium is: `CHROMIUM_PATH`, the usual places, or PATH; null when it is nowhere. */
export function findChromium(): string | null {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) return existsSync(CHROMIUM_PATH) ? CHROMIUM_PATH : null;
  return LOOKED_FOR.find((path) => existsSync(path)) ?? Bun.which("chromium") ?? Bun.which("google-chrome");
}

/** Says loudly why the browser tests do not run, when they do not. */
export function chromiumOrReason(): string | null {
  const path = findChromium();
  if (!path) {
    console.warn("SKIPPED: the kiosk's browser tests need Chromium (apt-get install chromium, or set CHROMIUM_PATH).");
  }
  return path;
}

/**
 * A Chromium whose camera shows `frame` (any picture sharp reads) for ever.
 * @param frame null: a machine without a camera
 * @param more how else it is started
 */
export async function openBrowser(
  executablePath: string,
  frame: Buffer | null,
  more: LaunchOptions = {},
): Promise<Browser & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), "kiosk-"));
  const args = [...LAUNCH_ARGS, "--use-fake-ui-for-media-stream"];
  if (frame) {
    const path = join(folder, "camera.mjpeg");
    const jpeg = await sharp(frame).jpeg({ quality: 95, chromaSubsampling: "4:4:4" }).toBuffer();
    // A Motion JPEG file is nothing but pictures in a row.
    await Bun.write(path, Buffer.concat([jpeg, jpeg]));
    args.push("--use-fake-device-for-media-stream", `--use-file-for-fake-video-capture=${path}`);
  }
  const browser = await chromium.launch({ executablePath, args, ...more });
  return Object.assign(browser, {
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

/** The tablets the kiosk is looked at on, CSS pixels. */
export const TABLETS = {
  portrait: { width: 800, height: 1280 },
  landscape: { width: 1280, height: 800 },
  "small-portrait": { width: 600, height: 960 },
  "small-landscape": { width: 960, height: 600 },
  "large-landscape": { width: 1366, height: 1024 },
} as const;
export type Tablet = keyof typeof TABLETS;

/** @param before sees the page before it goes anywhere */
export async function openPage(
  browser: Browser,
  url: string,
  tablet: Tablet,
  options: BrowserContextOptions = {},
  before: (page: Page) => unknown = (page) => page.on("pageerror", (error) => console.error("the page threw:", error)),
): Promise<Page> {
  const context = await browser.newContext({ viewport: TABLETS[tablet], hasTouch: true, locale: "ru-RU", ...options });
  const page = await context.newPage();
  await before(page);
  await page.goto(url);
  return page;
}

/** Waits until the kiosk shows the screen and takes touches. */
export async function onScreen(page: Page, name: string, timeout = 40_000): Promise<void> {
  await page.waitForSelector(`body[data-screen=${name}]:not(.settling)`, { timeout });
}

/**
 * Waits until what a module of the page exports says the wanted. Loaded first, then asked: Playwright waits for no promise,
 * and takes one for a yes.
 */
export async function moduleSays(page: Page, module: string, name: string, wanted: string): Promise<void> {
  const loaded = await page.evaluateHandle((module) => import(module), module);
  await page.waitForFunction(({ loaded, name, wanted }) => loaded[name]() === wanted, { loaded, name, wanted });
}

/** Until what was put on the page has been drawn, with nothing on its way any more but what moves for ever. */
export const painted = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });

/** The next calls of `path` reach the server, but their answers get lost on the way. */
export async function loseAnswers(page: Page, path: string, times: number): Promise<void> {
  await page.route(
    (url) => url.pathname.endsWith(path),
    async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    },
    { times },
  );
}

const ARTEFACTS = new URL("../../artefacts/kiosk/", import.meta.url).pathname;

/** Keeps a picture of the page for people to look at. */
export async function keepShot(page: Page, name: string): Promise<void> {
  await mkdir(ARTEFACTS, { recursive: true });
  await page.screenshot({ path: `${ARTEFACTS}${name}.png` });
}
