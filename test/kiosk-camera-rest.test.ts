/** What operators hear of a tablet while no guest stands at its camera: the camera's trouble, and the screen's sleep. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { onScreen } from "./kiosk/browser.ts";
import { inState, pointCamera, refuseCamera } from "./kiosk/cameras.ts";
import { type Stand, walkTo } from "./kiosk/stand.ts";
import { inChromium, TEST_MS } from "./kiosk/suite.ts";

/** Waits for a sign of life, from now on, that says all of this. */
async function says({ mock }: Stand, words: Record<string, unknown>) {
  const from = mock.beats.length;
  await mock.until(() =>
    mock.beats.slice(from).some((beat) => Object.entries(words).every(([name, value]) => beat[name] === value)),
  );
}

const devicesChange = (page: Page) =>
  page.evaluate(() => navigator.mediaDevices.dispatchEvent(new Event("devicechange")));

inChromium("a tablet between guests", ({ open }) => {
  test(
    "tells what was wrong with the camera last, until something changes or a picture comes",
    async () => {
      await using stand = await open();
      const { page } = stand;
      await says(stand, { screen: "start", camera: "off" });
      await refuseCamera(page, "NotReadableError");
      await walkTo(stand, "camera");
      await inState(page, "busy");
      await page.click("#camera [data-do=leave]");
      await onScreen(page, "start");
      await says(stand, { screen: "start", camera: "busy" });
      await devicesChange(page);
      await says(stand, { screen: "start", camera: "off" });

      await walkTo(stand, "camera");
      await inState(page, "busy");
      await pointCamera(page, { colour: "#888" });
      await inState(page, "live");
      await says(stand, { screen: "camera", camera: "ok" });
      await page.click("#camera [data-do=leave]");
      await says(stand, { screen: "start", camera: "off" });
    },
    TEST_MS,
  );

  test(
    "tells of a forbidden camera without opening one",
    async () => {
      await using stand = await open();
      const { page } = stand;
      await page.addInitScript(() => {
        const { permissions, mediaDevices } = navigator;
        const query = permissions.query.bind(permissions);
        permissions.query = (wish) =>
          String(wish.name) === "camera"
            ? Promise.resolve(
                Object.assign(new EventTarget(), {
                  name: "camera",
                  state: "denied",
                  onchange: null,
                }) as PermissionStatus,
              )
            : query(wish);
        mediaDevices.getUserMedia = () => {
          throw new Error("a camera was opened");
        };
      });
      await page.reload();
      await onScreen(page, "start");
      await says(stand, { screen: "start", camera: "blocked" });
      expect(stand.complaints).toEqual([]);
    },
    TEST_MS,
  );

  test(
    "says whether its screen stays awake, and asks again when that was taken back",
    async () => {
      await using stand = await open();
      const { page } = stand;
      const give = (answer: "never" | "refused" | "given") =>
        page.evaluate((answer) => {
          Object.defineProperty(navigator, "wakeLock", {
            configurable: true,
            value: {
              request: async () => {
                if (answer === "never") return new Promise(() => {});
                if (answer === "refused") throw new DOMException("as asked", "NotAllowedError");
                const lock = Object.assign(new EventTarget(), { released: false });
                const release = () => {
                  lock.released = true;
                  lock.dispatchEvent(new Event("release"));
                };
                return Object.assign(window, { release }) && lock;
              },
            },
          });
        }, answer);
      await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "wakeLock"));
      await page.reload();
      await says(stand, { wake_lock: false });

      await give("refused");
      await page.touchscreen.tap(300, 300);
      await says(stand, { wake_lock: false });
      await give("given");
      await page.touchscreen.tap(300, 300);
      await says(stand, { wake_lock: true });
      await page.evaluate(() => Reflect.get(window, "release")());
      await says(stand, { wake_lock: false });
      await page.touchscreen.tap(300, 300);
      await says(stand, { wake_lock: true });
    },
    TEST_MS,
  );
});

inChromium(
  "a tablet without a camera",
  ({ open }) => {
    test(
      "says so before any guest has come",
      async () => {
        await using stand = await open();
        await says(stand, { screen: "start", camera: "missing" });
      },
      TEST_MS,
    );
  },
  async () => null,
);
