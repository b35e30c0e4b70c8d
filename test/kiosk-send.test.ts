/** What becomes of a guest's photo after each answer of the server. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ApiError } from "../kiosk/api.js";
import { FATES, fateOf } from "../kiosk/fate.js";
import { httpStatuses } from "../shared/errors.ts";
import { onScreen } from "./kiosk/browser.ts";
import { walkTo } from "./kiosk/stand.ts";
import { inChromium, TEST_MS } from "./kiosk/suite.ts";

const ROOT = join(import.meta.dir, "..");
/** All that has a word in the answer to `POST /session/{token}/photo`. */
const SPEAKERS = [
  "api/answers.ts",
  "api/body.ts",
  "api/guard.ts",
  "api/photos.ts",
  "api/session-view.ts",
  "api/sessions.ts",
  "shared/photos.ts",
];
/** Said by them to other calls alone. */
const TO_OTHERS = ["not_json", "pack_limit"];

describe("the photo", () => {
  test("has a fate for every answer that the server or its proxy can give", async () => {
    const said = new Set<string>();
    for (const path of SPEAKERS) {
      const text = await Bun.file(join(ROOT, path)).text();
      for (const [, code = ""] of text.matchAll(/new AppError\(\s*"(\w+)"/g)) said.add(code);
    }
    const proxy = await Bun.file(join(ROOT, "deploy/caddy/stickers.caddy")).text();
    for (const [, code = ""] of proxy.matchAll(/"error":"(\w+)"/g)) said.add(code);
    expect(said.size).toBeGreaterThan(12);
    expect([...said].filter((code) => !(code in FATES) && !TO_OTHERS.includes(code))).toEqual([]);
    // And none for words that nobody says any more.
    expect(Object.keys(FATES).filter((code) => !(code in httpStatuses) && !said.has(code))).toEqual(["offline"]);
  });

  test("is sent again after what passes by itself, and only then", () => {
    const fates = (want: string) => Object.keys(FATES).filter((code) => FATES[code] === want);
    expect(fates("again").sort()).toEqual([
      ...["bad_request", "busy", "internal", "not_ready", "offline", "too_many", "unavailable"],
    ]);
    expect(fates("over")).toEqual(["disk_full", "storage", "maintenance", "kiosk_key", "not_found"]);
    // A proxy's page, a hotel's login, a code from another version.
    for (const [status, fate] of [
      [0, "again"],
      [502, "again"],
      [504, "again"],
      [429, "again"],
      [413, "retake"],
      [415, "retake"],
      [422, "retake"],
      [403, "over"],
      [418, "over"],
    ] as const) {
      expect(fateOf(new ApiError("server", status))).toBe(fate);
      expect(fateOf(new ApiError("toString", status))).toBe(fate);
    }
    expect(fateOf(new Error("ours"))).toBe("over");
  });
});

inChromium("the photo on its way", ({ open }) => {
  const PHOTO = /\/photo$/;

  test(
    "is kept through what passes, and told why there is nothing to be sent any more",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      await walkTo(stand, "review");
      for (const [status, code] of [
        [500, "internal"],
        [503, "busy"],
        [400, "bad_request"],
      ] as const) {
        mock.faults.push({ path: PHOTO, status, code, times: 1 });
      }
      await page.click("#use");
      await page.waitForSelector("#meter", { state: "hidden" });
      expect(mock.asked(PHOTO)).toBe(4);
      expect(mock.photos).toHaveLength(1);
      await page.locator("#offline").waitFor({ state: "hidden" });
      mock.last.status = "done";
      await page.click("#phone [data-do=leave]");

      for (const [status, code, screen, title] of [
        [503, "storage", "message", "end.server.title"],
        [422, "bad_image", "again", "problem.bad_image.title"],
      ] as const) {
        await onScreen(page, "start");
        mock.sessions.clear();
        await walkTo(stand, "review");
        const before = mock.asked(PHOTO);
        mock.faults = [{ path: PHOTO, status, code, times: 1 }];
        await page.click("#use");
        await onScreen(page, screen);
        expect([code, await page.locator(`#${screen} h1`).getAttribute("data-t")]).toEqual([code, title]);
        expect(mock.asked(PHOTO) - before).toBe(1);
        expect(await page.locator("#offline").isVisible()).toBe(false);
        await page.click(`#${screen} [data-do=leave]`);
      }
    },
    TEST_MS,
  );

  test(
    "whose answer hangs is given up once the session tells that it has come: the next one can be taken and sent",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      await walkTo(stand, "review");
      mock.faults = [{ path: PHOTO, heldUntil: new Promise(() => {}), times: 1 }];
      await page.click("#use");
      await page.waitForSelector('[data-t="sending.check.title"]');
      mock.refuse("blurred");
      await onScreen(page, "again");
      await page.click("#once-more");
      await onScreen(page, "camera");
      await walkTo(stand, "review", "en", "camera");
      await page.click("#use");
      await onScreen(page, "phone");
      expect(mock.photos.length).toBe(2);
      expect(stand.complaints).toEqual([]);
    },
    TEST_MS,
  );
});
