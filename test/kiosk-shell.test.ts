/** The kiosk's page kept by its service worker: no network, a new version, no room on the tablet. */
import { expect, test } from "bun:test";
import type { Page, Worker } from "playwright-core";
import { onScreen } from "./kiosk/browser.ts";
import { type Stand, walkTo } from "./kiosk/stand.ts";
import { inChromium, TEST_MS } from "./kiosk/suite.ts";

/** Until the page's own worker has the whole shell, answers for it, and has had its look after the load. */
async function kept({ page, mock }: Stand): Promise<Worker> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const looks = () => mock.files.filter((path) => path === "/shell-version").length;
  const before = looks();
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await onScreen(page, "start");
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error("no service worker");
  await mock.until(() => looks() > before);
  // Two looks at once are one: this one ends with the worker's own.
  await look(worker);
  return worker;
}

/** What a look for a new version came to, in the worker's own words. */
const look = (worker: Worker) =>
  worker.evaluate(() =>
    Reflect.apply(Reflect.get(globalThis, "look"), null, []).then(
      () => "looked",
      (error: Error) => error.name,
    ),
  );

/** The versions of the files that are kept, each named once, and on how many shelves. */
const shelves = (page: Page) =>
  page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith("shell"));
    const versions = new Set<string>();
    let files = 0;
    for (const name of names) {
      const shelf = await caches.open(name);
      for (const request of await shelf.keys()) {
        versions.add((await shelf.match(request))?.headers.get("etag")?.match(/-(\w+)"$/)?.[1] ?? "");
        files++;
      }
    }
    return { shelves: names.length, versions: [...versions], files };
  });

async function withoutNetwork({ page, mock }: Stand) {
  await mock.stop();
  await page.reload();
  await onScreen(page, "start");
}

inChromium("the kiosk's shell", ({ open }) => {
  test(
    "opens without network after a reload, with all its pictures",
    async () => {
      await using stand = await open();
      const { page } = stand;
      await kept(stand);
      await withoutNetwork(stand);
      expect(await page.locator("#begin").textContent()).toBe("Начать");
      await page.click("[data-lang=uz]");
      const shown = () =>
        [...document.querySelectorAll<HTMLImageElement>(".floating")].filter(
          (image) => image.complete && image.naturalWidth > 0 && image.src.includes("/samples/uz/"),
        ).length === 5;
      await page.waitForFunction(shown);
      await page.click("#begin");
      await page.waitForSelector("#offline:visible");
    },
    TEST_MS,
  );

  test(
    "is kept later where the worker did not come at first, and then not with the whole shell",
    async () => {
      await using stand = await open({ heldClock: true });
      const { page, mock } = stand;
      mock.faults = ["sw.js", "art/heart.svg"].map((file) => ({
        path: new RegExp(`^/${file}$`),
        status: 502,
        code: "unavailable",
        times: 1,
      }));
      const isKept = () => page.evaluate(() => navigator.serviceWorker.controller !== null);
      while (!(await isKept())) await page.clock.runFor(10_000);
      expect(mock.faults).toEqual([]);
      await withoutNetwork(stand);
    },
    TEST_MS,
  );

  test(
    "takes up a new version between guests only",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      const worker = await kept(stand);
      expect((await shelves(page)).versions).toEqual(["1"]);
      await walkTo(stand, "consent");
      mock.version = "2";
      const told = page.evaluate(
        () =>
          new Promise((resolve) =>
            navigator.serviceWorker.addEventListener("message", (event) => resolve(event.data), { once: true }),
          ),
      );
      expect(await look(worker)).toBe("looked");
      expect(await told).toBe("new version");
      expect(await shelves(page)).toMatchObject({ shelves: 1, versions: ["2"] });
      // Rounds of polls later the guest is still where the guest was.
      const looks = mock.asked(`/session/${mock.last.token}`);
      await mock.until(() => mock.asked(`/session/${mock.last.token}`) >= looks + 3);
      expect(await page.locator("body").getAttribute("data-screen")).toBe("consent");
      const reloaded = page.waitForEvent("load");
      await page.click("#consent [data-do=leave]");
      await reloaded;
      await onScreen(page, "start");
      await page.waitForFunction(() => document.querySelector(".floating") !== null);
      expect(stand.complaints).toEqual([]);
    },
    TEST_MS,
  );

  test(
    "an idle page asks for one small file a minute",
    async () => {
      await using stand = await open({ heldClock: true });
      const { page, mock } = stand;
      await kept(stand);
      mock.files.length = 0;
      await page.reload();
      await onScreen(page, "start");
      // All of the page comes from its worker, which then looks whether that is still right.
      await mock.until(() => mock.files.includes("/shell-version"));
      // The face model comes past the shell, once a page; the browser itself looks at the worker's script when it likes.
      const asked = () => mock.files.filter((path) => !path.endsWith(".tflite") && path !== "/sw.js");
      expect([...new Set(asked())]).toEqual(["/shell-version"]);
      for (let minute = 1; minute <= 5; minute++) {
        await page.clock.runFor(60_000);
        await mock.until(() => asked().length > minute);
      }
      // Once a minute, once a load (that of the page before this one may come late), and for each look of the browser's.
      const looks = mock.files.filter((path) => path === "/sw.js").length;
      expect([...new Set(asked())]).toEqual(["/shell-version"]);
      expect(asked().length).toBeLessThanOrEqual(5 + 2 + looks);
      // The outfits' list is asked for at the start and every few minutes, the rest is signs of life.
      expect([...new Set(mock.calls)]).toEqual(["GET /templates"]);
      expect(mock.calls.length).toBeLessThan(10);
    },
    TEST_MS,
  );

  test(
    "files of two versions, or a network that answers everything with its own page, change nothing",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      const worker = await kept(stand);
      const before = await shelves(page);
      mock.version = "2";
      const { promise: heldUntil, resolve: letGo } = Promise.withResolvers<void>();
      mock.faults = [{ path: /^\/visit\.js$/, heldUntil, times: 1 }];
      mock.files.length = 0;
      const looked = look(worker);
      await mock.until(() => mock.files.includes("/visit.js"));
      mock.version = "3";
      letGo();
      expect(await looked).toBe("Error");
      expect(await shelves(page)).toEqual(before);
      mock.version = "<h1>Welcome to our Wi-Fi</h1>";
      expect(await look(worker)).toBe("Error");
      expect(await shelves(page)).toEqual(before);
      mock.version = "3";
      expect(await look(worker)).toBe("looked");
      expect((await shelves(page)).versions).toEqual(["3"]);
    },
    TEST_MS,
  );

  test(
    "comes from the network while the tablet's storage fails, and from the shelf again afterwards",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      const worker = await kept(stand);
      // A guest stands here: the page does not reload for the new version, which has the worker look for its shelf anew.
      await walkTo(stand, "qr");
      mock.version = "2";
      expect(await look(worker)).toBe("looked");
      await worker.evaluate(() => {
        const { open } = CacheStorage.prototype;
        CacheStorage.prototype.open = function (name) {
          const broken = Reflect.get(globalThis, "broken") === true;
          return broken ? Promise.reject(new DOMException("as asked", "UnknownError")) : open.call(this, name);
        };
        Object.assign(globalThis, { broken: true });
      });
      mock.files.length = 0;
      const status = (path: string) => page.evaluate((path) => fetch(path).then(({ status }) => status), path);
      const paths = ["/visit.js", "/faces/face_detection_short_range.tflite"];
      for (const path of paths) expect([path, await status(path)]).toEqual([path, 200]);
      expect(mock.files).toEqual(expect.arrayContaining(paths));
      await worker.evaluate(() => Object.assign(globalThis, { broken: false }));
      mock.files.length = 0;
      expect(await status("/visit.js")).toBe(200);
      expect(mock.files).not.toContain("/visit.js");
    },
    TEST_MS,
  );

  test(
    "half of a new version, or one that finds no room, changes nothing",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      const worker = await kept(stand);
      const before = await shelves(page);
      expect(before).toMatchObject({ shelves: 1, versions: ["1"] });

      mock.version = "2";
      mock.faults = [{ path: /^\/visit\.js$/, status: 502, code: "unavailable", times: 1 }];
      expect(await look(worker)).toBe("Error");
      expect(await shelves(page)).toEqual(before);

      // Enough for a part of the files.
      const devtools = await page.context().newCDPSession(page);
      const { usage } = await devtools.send("Storage.getUsageAndQuota", { origin: mock.url });
      await devtools.send("Storage.overrideQuotaForOrigin", {
        origin: mock.url,
        quotaSize: Math.ceil(usage) + 200_000,
      });
      expect(await look(worker)).toBe("QuotaExceededError");
      expect(await shelves(page)).toEqual(before);
      await withoutNetwork(stand);
      expect(await page.locator("#begin").textContent()).toBe("Начать");

      mock.restart();
      await devtools.send("Storage.overrideQuotaForOrigin", { origin: mock.url });
      expect(await look(worker)).toBe("looked");
      expect(await shelves(page)).toEqual({ ...before, versions: ["2"] });
    },
    TEST_MS,
  );
});
