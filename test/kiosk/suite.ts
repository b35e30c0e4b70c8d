import { afterAll, beforeAll, describe } from "bun:test";
import { join } from "node:path";
import type { Browser, LaunchOptions } from "playwright-core";
import { chromiumOrReason, openBrowser } from "./browser.ts";
import { openStand, type Stand } from "./stand.ts";

/** A test in a browser, on a machine that is busy with others. */
export const TEST_MS = 180_000;

/** The portrait that the tests' cameras look at. */
export async function portrait(): Promise<Buffer> {
  return Buffer.from(await Bun.file(join(import.meta.dir, "../fixtures/selfie.jpg")).bytes());
}

export type Chromium = {
  /** A kiosk of its own, on its own stand-in api. */
  open: (options?: Parameters<typeof openStand>[1]) => Promise<Stand>;
  browser: () => Browser;
};

/**
 * Tests that share one Chromium; where there is none they are skipped, and it is said so.
 * @param camera what its camera shows; null: it has none
 */
export function inChromium(
  name: string,
  tests: (chromium: Chromium) => void,
  camera: () => Promise<Buffer | null> = portrait,
  more: LaunchOptions = {},
): void {
  const path = chromiumOrReason();
  describe.skipIf(!path)(name, () => {
    let browser: Awaited<ReturnType<typeof openBrowser>>;
    beforeAll(async () => {
      browser = await openBrowser(path ?? "", await camera(), more);
    }, TEST_MS);
    afterAll(async () => {
      await browser?.[Symbol.asyncDispose]();
    });
    tests({ open: (options) => openStand(browser, options), browser: () => browser });
  });
}
