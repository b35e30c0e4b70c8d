/** Which of several cameras is taken, the operators' corner with its picker, and a permission that is taken back. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { inState } from "./kiosk/cameras.ts";
import { type Stand, tapCorner, walkTo } from "./kiosk/stand.ts";
import { inChromium, TEST_MS } from "./kiosk/suite.ts";

const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
const TWO_CAMERAS = "--use-fake-device-for-media-stream=device-count=2";

/** The name of the camera whose picture a video shows. */
const shown = (page: Page, video: string) =>
  page.evaluate((video) => {
    const stream = document.querySelector<HTMLVideoElement>(video)?.srcObject;
    return stream instanceof MediaStream ? (stream.getVideoTracks()[0]?.label ?? null) : null;
  }, video);

const shows = (page: Page, video: string, label: string) =>
  page.waitForFunction(
    ([video, label]) => {
      const stream = document.querySelector<HTMLVideoElement>(video)?.srcObject;
      return stream instanceof MediaStream && stream.getVideoTracks()[0]?.label === label;
    },
    [video, label] as const,
  );

const devicesChange = (page: Page) =>
  page.evaluate(() => navigator.mediaDevices.dispatchEvent(new Event("devicechange")));

async function openCorner({ page }: Stand) {
  await tapCorner(page);
  await page.fill("#pin", "4821");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#picker");
}

inChromium(
  "a kiosk with two cameras",
  ({ open }) => {
    test(
      "operators see both by name, try them, and the chosen one is the guests'",
      async () => {
        await using stand = await open({ hash: "/#pin=4821" });
        const { page } = stand;
        await walkTo(stand, "camera");
        await inState(page, "live");
        await openCorner(stand);
        // Both ask for it: the corner has it first.
        expect(await shown(page, "#preview")).toBeNull();
        await shows(page, ".test-picture", "fake_device_0");
        await page.waitForFunction(() => document.querySelectorAll("#picker option").length === 3);
        const names = await page.locator("#picker option").allTextContents();
        expect(names.slice(1)).toEqual(["fake_device_0", "fake_device_1"]);
        await page.selectOption("#picker", { label: "fake_device_1" });
        await shows(page, ".test-picture", "fake_device_1");
        await page.waitForFunction(() => {
          const state = document.querySelector("#operator pre")?.textContent ?? "";
          return ["version: ", "camera: works, ", "looks for faces: ", "network: yes"].every((part) =>
            state.includes(part),
          );
        });
        await page.locator("#operator button").last().click();
        await shows(page, "#preview", "fake_device_1");
        await inState(page, "live");
        expect(
          await page.evaluate(() => document.querySelector<HTMLVideoElement>(".test-picture")?.srcObject),
        ).toBeNull();
      },
      TEST_MS,
    );

    test(
      "a chosen camera that is gone is stood in for, named as gone, and taken back when it returns",
      async () => {
        await using stand = await open({ hash: "/#pin=4821" });
        const { page } = stand;
        await openCorner(stand);
        await page.waitForFunction(() => document.querySelectorAll("#picker option").length === 3);
        await page.selectOption("#picker", { label: "fake_device_1" });
        await shows(page, ".test-picture", "fake_device_1");
        // As the browser has it once the plug is out.
        await page.evaluate(() => {
          const devices = navigator.mediaDevices;
          const [all, get] = [devices.enumerateDevices.bind(devices), devices.getUserMedia.bind(devices)];
          const gone = localStorage.getItem("kiosk.camera");
          devices.enumerateDevices = async () => (await all()).filter(({ deviceId }) => deviceId !== gone);
          devices.getUserMedia = (wish) =>
            JSON.stringify(wish).includes(String(gone))
              ? Promise.reject(new DOMException("as asked", "OverconstrainedError"))
              : get(wish);
          Object.assign(window, {
            putBack: () => Object.assign(devices, { enumerateDevices: all, getUserMedia: get }),
          });
          const stream = document.querySelector<HTMLVideoElement>(".test-picture")?.srcObject;
          if (stream instanceof MediaStream) stream.getTracks()[0]?.dispatchEvent(new Event("ended"));
        });
        await shows(page, ".test-picture", "fake_device_0");
        await devicesChange(page);
        await page.waitForFunction(() =>
          document.querySelector("#picker option:checked")?.textContent?.match(/Выбранной камеры нет|not there/),
        );
        await page.evaluate(() => Reflect.get(window, "putBack")());
        await devicesChange(page);
        await shows(page, ".test-picture", "fake_device_1");
      },
      TEST_MS,
    );

    test(
      "the one at the back is not for guests",
      async () => {
        await using stand = await open();
        const { page } = stand;
        await page.evaluate(() => {
          const settings = MediaStreamTrack.prototype.getSettings;
          MediaStreamTrack.prototype.getSettings = function () {
            return { ...settings.call(this), facingMode: this.label.endsWith("0") ? "environment" : "user" };
          };
        });
        await walkTo(stand, "camera");
        await inState(page, "live");
        expect(await shown(page, "#preview")).toBe("fake_device_1");
      },
      TEST_MS,
    );
  },
  async () => null,
  { args: [...QUIET, "--use-fake-ui-for-media-stream", TWO_CAMERAS] },
);

inChromium(
  "a permission",
  ({ open }) => {
    test(
      "that is taken back ends the picture, is told to operators, and comes back",
      async () => {
        await using stand = await open({ permissions: ["camera"] });
        const { page, mock } = stand;
        const devtools = await page.context().newCDPSession(page);
        const { browserContextId } = (await devtools.send("Target.getTargetInfo")).targetInfo;
        const allow = (setting: "granted" | "denied") =>
          devtools.send("Browser.setPermission", {
            permission: { name: "camera" },
            setting,
            origin: mock.url,
            browserContextId,
          });
        await walkTo(stand, "camera");
        await inState(page, "live");
        await allow("denied");
        await inState(page, "denied");
        await page.waitForSelector("#choose:visible");
        await mock.until(() => mock.beats.some((beat) => beat.camera === "blocked"));
        await allow("granted");
        await inState(page, "live");
        await page.waitForSelector("#shoot:enabled");
      },
      TEST_MS,
    );
  },
  async () => null,
  { args: [...QUIET, "--use-fake-device-for-media-stream"] },
);
