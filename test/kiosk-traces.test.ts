/** Nothing of one guest is left for the next: pages that browsers keep, crashes, restarts, and a tablet that is full. */
import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { findChromium, LAUNCH_ARGS, onScreen } from "./kiosk/browser.ts";
import { Mock } from "./kiosk/mock.ts";
import { walkTo } from "./kiosk/stand.ts";
import { inChromium, TEST_MS } from "./kiosk/suite.ts";

const GUEST = "Gulchehraxon";

/** Everything that a person could see or a script could read of the page. */
const traces = (page: Page) =>
  page.evaluate(() => ({
    page: document.documentElement.outerHTML,
    kept: JSON.stringify({ ...localStorage }),
    pictures: [...document.images].map((image) => image.src).filter((src) => src.startsWith("blob:")),
  }));

async function expectNoTraces(page: Page, token: string) {
  const { page: html, kept, pictures } = await traces(page);
  expect(html).not.toContain(GUEST);
  expect(html).not.toContain(token);
  expect(kept).not.toContain(GUEST);
  expect(kept).not.toContain(token);
  expect(pictures).toEqual([]);
}

inChromium("a full tablet", ({ open }) => {
  test(
    "serves guests as before, and forgets them as before",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      // To the last letter, so that not even a short value finds room.
      const fill = () => {
        for (const area of [localStorage, sessionStorage]) {
          area.clear();
          for (let size = 1 << 20, at = 0; size >= 1; ) {
            try {
              area.setItem(`x${at}`, "x".repeat(size));
              at++;
            } catch {
              size >>= 1;
            }
          }
        }
      };
      await page.evaluate(fill);
      await page.reload();
      await onScreen(page, "start");
      const refused = await page.evaluate(() => {
        try {
          localStorage.setItem("kiosk.lang", "uz");
          return false;
        } catch (error) {
          return error instanceof DOMException && error.name;
        }
      });
      expect(refused).toBe("QuotaExceededError");

      const beats = mock.beats.length;
      await walkTo(stand, "qr");
      mock.link("en", GUEST);
      await onScreen(page, "consent");
      await walkTo(stand, "review", "en", "consent");
      await page.click("#use");
      await page.waitForSelector("#meter", { state: "hidden" });
      mock.last.status = "done";
      await onScreen(page, "phone");
      await page.click("#phone [data-do=leave]");
      await onScreen(page, "start");
      await expectNoTraces(page, mock.last.token);
      await mock.until(() => mock.beats.length >= beats + 2);
      expect(new Set(mock.beats.slice(beats).map((beat) => beat.kiosk)).size).toBe(1);
      await page.click("#sound");
      await page.click("[data-lang=uz]");
      // What cannot be written down cannot be closed after a reload; leaving says it while there is time. A browser that
      // is starved does not always let a page that goes send its last word: then the api's own time limit ends the visit.
      let told = false;
      for (let tries = 0; !told && tries < 4; tries++) {
        await walkTo(stand, "consent");
        const { token } = mock.last;
        await page.reload();
        await onScreen(page, "start");
        const seen = mock.beats.length;
        const isTold = () => mock.sessions.get(token)?.status === "expired";
        await mock.until(() => isTold() || mock.beats.length >= seen + 2);
        told = isTold();
      }
      expect(told).toBe(true);
      expect(stand.complaints).toEqual([]);
    },
    TEST_MS,
  );
});

inChromium(
  "a page that the browser keeps",
  ({ open }) => {
    test(
      "comes back as a new one",
      async () => {
        await using stand = await open();
        const { page, mock } = stand;
        await page.evaluate(() => {
          window.addEventListener("pageshow", (event) => {
            if (event.persisted) sessionStorage.setItem("seen", document.documentElement.outerHTML);
          });
        });
        await walkTo(stand, "qr");
        mock.link("en", GUEST);
        await onScreen(page, "consent");
        await walkTo(stand, "review", "en", "consent");
        const { token } = mock.last;
        await page.goto(`${mock.url}/outfits/royal.svg`);
        await mock.until(() => mock.sessions.get(token)?.status === "expired");
        await page.goBack();
        await onScreen(page, "start");
        const seen = await page.evaluate(() => sessionStorage.getItem("seen"));
        // Kept and shown again by the browser, with nobody on it, and then loaded anew.
        expect(seen).toContain('data-screen="start"');
        expect(seen).not.toContain(GUEST);
        expect(seen).not.toContain(token);
        expect(seen).not.toContain("blob:");
        await expectNoTraces(page, token);
        await walkTo(stand, "consent");
        expect(mock.last.token).not.toBe(token);
        expect(mock.last.status).toBe("linked");
      },
      TEST_MS,
    );

    test(
      "that crashes begins anew and closes what was open",
      async () => {
        await using stand = await open();
        const { page, mock } = stand;
        await walkTo(stand, "qr");
        mock.link("en", GUEST);
        await onScreen(page, "consent");
        const { token } = mock.last;
        const devtools = await page.context().newCDPSession(page);
        const crashed = page.waitForEvent("crash");
        // It never answers: there is nobody left to do so.
        void devtools.send("Page.crash").catch(() => {});
        await crashed;
        expect(mock.sessions.get(token)?.status).toBe("linked");
        // As a person who taps "reload" on the sad tab; Playwright itself has given the page up.
        await devtools.send("Page.navigate", { url: mock.url });
        await mock.until(() => mock.sessions.get(token)?.status === "expired");
        const { result } = await devtools.send("Runtime.evaluate", {
          expression: "JSON.stringify([document.body.dataset.screen, document.documentElement.outerHTML])",
        });
        const [screen, html] = JSON.parse(result.value);
        expect(screen).toBe("start");
        expect(html).not.toContain(GUEST);
        expect(html).not.toContain(token);
      },
      TEST_MS,
    );
  },
  undefined,
  { ignoreDefaultArgs: ["--disable-back-forward-cache"] },
);

inChromium("a browser that is killed", () => {
  test(
    "starts with nobody, and has written no guest down",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "kiosk-profile-"));
      const mock = new Mock();
      const start = async (): Promise<[BrowserContext, Page]> => {
        const context = await chromium.launchPersistentContext(folder, {
          executablePath: findChromium() ?? "",
          args: LAUNCH_ARGS,
          locale: "en-GB",
        });
        const page = context.pages()[0] ?? (await context.newPage());
        await page.goto(mock.url);
        await onScreen(page, "start");
        return [context, page];
      };
      try {
        const [first, page] = await start();
        await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
        await page.click("#begin");
        await onScreen(page, "qr");
        mock.link("en", GUEST);
        await onScreen(page, "consent");
        expect(await page.locator("#consent-title").textContent()).toContain(GUEST);
        const { token } = mock.last;
        const closed = first.waitForEvent("close");
        const devtools = await first.newCDPSession(page);
        void devtools.send("Browser.crash").catch(() => {});
        await closed;

        const [second, fresh] = await start();
        await expectNoTraces(fresh, token);
        await fresh.click("#begin");
        await onScreen(fresh, "qr");
        expect(await fresh.locator("#qr-address").textContent()).toContain(mock.last.token);
        expect(mock.last.token).not.toBe(token);
        await second.close();
        expect(await filesWith(folder, GUEST)).toEqual([]);
      } finally {
        await mock.stop();
        await rm(folder, { recursive: true, force: true });
      }
    },
    TEST_MS,
  );
});

/** Files below a folder that hold a text, in either of a browser's spellings. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = Buffer.from(await Bun.file(path).bytes());
    if (bytes.includes(text, 0, "utf8") || bytes.includes(text, 0, "utf16le")) found.push(path);
  }
  return found;
}
