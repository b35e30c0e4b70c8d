/** What the kiosk shows to whoever passes by, for ten hours: stickers of the event's outfits, and little work. */
import { expect, test } from "bun:test";
import { basename } from "node:path";
import type { Page } from "playwright-core";
import { holdClock } from "./kiosk/stand.ts";
import { inChromium, TEST_MS } from "./kiosk/suite.ts";

/** A page that has come is calm after this time, or a little less. */
const CALM_MS = 6000;
/** The page waits no longer than that for a picture before it takes itself for loaded and calm. */
const COME_MS = 30_000;
/** The loop changes one sticker in this time; a little more than that. */
const TURN_MS = 3300;
/** Each turn is this long, and a sticker takes this long to leave, or a little less. */
const EVERY_MS = 3200;
const LEAVING_MS = 400;
/** How many turns a picture takes to come; the loop gives up where it takes more. */
const SLOW_TURNS = [1, 2, 3];
/** Less than a sticker takes to leave. */
const STEP_MS = 100;
/** Within this time the loop asks anew what the outfits are. */
const ASK_MS = 200_000;

const shown = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll(".floating")].map((image) => image.getAttribute("src") ?? ""));

/** The page comes to rest, all the stickers are there, and time stands still. */
async function gathered(page: Page) {
  await page.clock.runFor(CALM_MS);
  await page.waitForFunction(() => document.querySelectorAll(".floating").length === 5);
  await holdClock(page);
}

/** Lets the loop turn until the stickers are as wanted. */
async function turnUntil(page: Page, holds: (pictures: string[]) => boolean) {
  while (!holds(await shown(page))) await page.clock.runFor(TURN_MS);
}

inChromium("the start screen", ({ open }) => {
  test(
    "shows stickers in the guest's language, each of another outfit, and changes them",
    async () => {
      await using stand = await open({ hash: "#lang=en", heldClock: true });
      const { page } = stand;
      await gathered(page);
      const first = await shown(page);
      expect(new Set(first).size).toBe(5);
      expect(first.every((src) => /^\/samples\/en\/\w+\.webp$/.test(src))).toBe(true);
      await page.click("[data-lang=uz]");
      expect(await shown(page)).toEqual(first.map((src) => src.replace("/en/", "/uz/")));
      // By name alone: where pictures come slowly, the page goes home to its own language meanwhile.
      const seen = new Set<string>();
      await turnUntil(page, (pictures) => {
        expect(new Set(pictures).size).toBe(5);
        for (const src of pictures) seen.add(basename(src));
        return seen.size === 8;
      });
      expect(stand.complaints).toEqual([]);
    },
    TEST_MS,
  );

  test(
    "comes with one sticker, and the others gather round it when the page has come to rest",
    async () => {
      await using stand = await open({ hash: "#lang=en", heldClock: true });
      const { page, mock } = stand;
      await page.addInitScript(() =>
        window.addEventListener("load", () => {
          Object.assign(window, { atLoad: document.querySelectorAll(".floating").length });
        }),
      );
      await page.reload();
      await page.waitForFunction(() => Reflect.has(window, "atLoad"));
      expect(await page.evaluate(() => Reflect.get(window, "atLoad"))).toBe(1);
      await gathered(page);
      await mock.until(() => mock.files.includes("/sw.js") && mock.files.includes("/faces/worker.js"));
      expect(stand.complaints).toEqual([]);
    },
    TEST_MS,
  );

  test(
    "a picture that hangs holds up neither the others nor what waits for calm",
    async () => {
      await using stand = await open({ hash: "#lang=en", heldClock: true });
      const { page, mock } = stand;
      const heldUntil = new Promise(() => {});
      mock.faults = [
        { path: /superhero\.webp$/, heldUntil },
        { path: /royal\.webp$/, heldUntil },
      ];
      await page.reload({ waitUntil: "commit" });
      await page.waitForSelector("body[data-screen=start]");
      await page.clock.runFor(COME_MS);
      await mock.until(() => mock.files.includes("/sw.js") && mock.files.includes("/faces/worker.js"));
      expect(await page.evaluate(() => document.readyState)).toBe("interactive");
      while ((await shown(page)).length < 5) await page.clock.runFor(TURN_MS);
      await turnUntil(page, (pictures) => !pictures.some((src) => /superhero|royal/.test(src)));
    },
    TEST_MS,
  );

  test(
    "shows each outfit, however long a picture takes",
    async () => {
      await using stand = await open({ hash: "#lang=en", heldClock: true });
      const { page } = stand;
      await gathered(page);
      for (const turns of SLOW_TURNS) {
        await page.evaluate(
          (lateMs) => {
            HTMLImageElement.prototype.decode = () => new Promise((done) => setTimeout(done, lateMs));
          },
          turns * EVERY_MS - LEAVING_MS,
        );
        const seen = new Set<string>();
        for (let turn = 0; turn < 20 * turns; turn++) {
          await page.clock.runFor(EVERY_MS);
          for (const src of await shown(page)) seen.add(basename(src));
        }
        expect([turns, seen.size]).toEqual([turns, 8]);
      }
    },
    TEST_MS,
  );

  test(
    "shows no outfit that operators took away where calm was asked for either",
    async () => {
      await using stand = await open({ hash: "#lang=en", heldClock: true, reducedMotion: "reduce" });
      const { page, mock } = stand;
      await gathered(page);
      mock.outfits = mock.outfits.filter(({ id }) => id !== "superhero" && id !== "chopon");
      await page.clock.runFor(ASK_MS);
      await turnUntil(page, (pictures) => !pictures.some((src) => /superhero|chopon/.test(src)));
    },
    TEST_MS,
  );

  test(
    "shows no outfit that operators took away, and their own by its card",
    async () => {
      await using stand = await open({ hash: "#lang=en", heldClock: true });
      const { page, mock } = stand;
      await gathered(page);
      const card = (id: string) => `/outfits/${id}.svg`;
      mock.outfits = [
        ...["royal", "chef", "wizard", "chopon"].map((id) => ({ id, image_url: card(id) })),
        { id: "detective", image_url: "/art/clock.svg" },
        { id: "bride", image_url: "/art/heart.svg" },
      ];
      await page.clock.runFor(ASK_MS);
      const wanted = ["royal", "chef", "wizard", "chopon"].map((id) => `/samples/en/${id}.webp`);
      await turnUntil(page, (pictures) => pictures.includes("/art/heart.svg"));
      await turnUntil(page, (pictures) => pictures.includes("/art/clock.svg"));
      await turnUntil(page, (pictures) =>
        pictures.every((src) => [...wanted, "/art/clock.svg", "/art/heart.svg"].includes(src)),
      );
      // A card that is gone leaves what is there.
      mock.outfits = [...mock.outfits, { id: "groom", image_url: "/nothing-here.svg" }];
      await page.clock.runFor(ASK_MS);
      while (!mock.files.includes("/nothing-here.svg")) await page.clock.runFor(TURN_MS);
      for (let turn = 0; turn < 4; turn++) await page.clock.runFor(TURN_MS);
      expect(await shown(page)).not.toContain("/nothing-here.svg");
    },
    TEST_MS,
  );

  test(
    "moves by what costs little, and not at all where nobody looks or calm was asked for",
    async () => {
      await using stand = await open({ heldClock: true });
      const { page } = stand;
      await gathered(page);
      const moved = await page.evaluate(() => [
        ...new Set(
          document.getAnimations().flatMap((animation) => {
            const frames = animation.effect instanceof KeyframeEffect ? animation.effect.getKeyframes() : [];
            return frames.flatMap((frame) => Object.keys(frame));
          }),
        ),
      ]);
      const free = ["offset", "easing", "composite", "computedOffset", "transform", "opacity", "scale"];
      expect(moved.filter((property) => !free.includes(property))).toEqual([]);

      const rests = async () => {
        // A change that had begun is finished first: a picture has ten seconds to come.
        for (let turn = 0; turn < 4; turn++) await page.clock.runFor(TURN_MS);
        const before = await shown(page);
        for (let turn = 0; turn < 6; turn++) await page.clock.runFor(TURN_MS);
        expect(await shown(page)).toEqual(before);
      };
      const hide = (hidden: boolean) =>
        page.evaluate(
          (hidden) => Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden }),
          hidden,
        );
      await hide(true);
      await rests();
      await hide(false);
      const before = await shown(page);
      await turnUntil(page, (pictures) => pictures.join() !== before.join());
      await page.emulateMedia({ reducedMotion: "reduce" });
      await rests();
    },
    TEST_MS,
  );

  test(
    "rests while a guest is served",
    async () => {
      await using stand = await open({ heldClock: true });
      const { page } = stand;
      await gathered(page);
      // A sticker is on its way out when the guest begins.
      while (!(await page.$(".floating.leaving"))) await page.clock.runFor(STEP_MS);
      const before = await shown(page);
      await page.click("#begin");
      await page.waitForSelector("body[data-screen=qr]");
      expect(await page.evaluate(() => document.querySelector(".floating")?.getAnimations().length)).toBe(0);
      for (let turn = 0; turn < 6; turn++) await page.clock.runFor(TURN_MS);
      expect(await shown(page)).toEqual(before);
      await page.click("#qr [data-do=leave]");
      await page.waitForSelector("body[data-screen=start]");
      await turnUntil(page, (pictures) => pictures.join() !== before.join());
    },
    TEST_MS,
  );
});
