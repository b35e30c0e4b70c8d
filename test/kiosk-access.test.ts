/** The kiosk for everyone: fits its screens, big letters, keyboard, screen reader, contrast, calm motion. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { onScreen, painted, TABLETS } from "./kiosk/browser.ts";
import { walkTo } from "./kiosk/stand.ts";
import { putInto, STATES } from "./kiosk/states.ts";
import { inChromium, TEST_MS } from "./kiosk/suite.ts";

/** No button is smaller, whichever way it is measured. */
const THUMB_PX = 64;
const LANGS = ["ru", "uz", "en"] as const;
const AXE = join(import.meta.dir, "../node_modules/axe-core/axe.min.js");

/** What sticks out, is cut off, or needs scrolling on the screen that is shown. */
const misfits = (page: Page, mayScroll: boolean) =>
  page.evaluate((mayScroll) => {
    for (const animation of document.getAnimations()) animation.finish();
    const overlay = [...document.querySelectorAll<HTMLElement>(".overlay")].find((element) => !element.hidden);
    const shown = overlay ?? document.querySelector<HTMLElement>("main > .screen:not([hidden])");
    if (!shown) return ["nothing is shown"];
    const found: string[] = [];
    const box = overlay?.querySelector<HTMLElement>(".note") ?? shown;
    if (box.scrollWidth > box.clientWidth + 1)
      found.push(`${shown.id} is ${box.scrollWidth - box.clientWidth}px too wide`);
    if (!mayScroll && box.scrollHeight > box.clientHeight + 1)
      found.push(`${shown.id} is ${box.scrollHeight - box.clientHeight}px too high`);
    for (const element of shown.querySelectorAll<HTMLElement>(
      "h1, h2, p, button, .button, .card span, .show img, .stage",
    )) {
      const { left, right, top, bottom, width } = element.getBoundingClientRect();
      if (width === 0 || element.classList.contains("unseen")) continue;
      const name = `${element.tagName} “${element.textContent?.trim().slice(0, 20)}”`;
      if (left < -1 || right > innerWidth + 1) found.push(`${name} sticks out sideways`);
      if (!mayScroll && (top < -1 || bottom > innerHeight + 1)) found.push(`${name} sticks out`);
      if (element.scrollWidth > element.clientWidth + 2) found.push(`${name} is cut off`);
    }
    const parts = [...shown.querySelectorAll<HTMLElement>(".langs, h1, .lead, .cards, .show > *, .art, button")];
    const boxes = parts.map((part) => ({ part, box: part.getBoundingClientRect() })).filter(({ box }) => box.width > 0);
    for (const [at, one] of boxes.entries()) {
      for (const other of boxes.slice(at + 1)) {
        if (one.part.contains(other.part)) continue;
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (across > 2 && down > 2)
          found.push(`“${one.part.id || one.part.className}” lies over “${other.part.textContent?.trim()}”`);
      }
    }
    return found;
  }, mayScroll);

/** What is to be touched on the screen that is shown, and where it is, px. */
const touchable = (page: Page) =>
  page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
    const overlay = [...document.querySelectorAll<HTMLElement>(".overlay")].find((element) => !element.hidden);
    const shown = overlay ?? document.querySelector<HTMLElement>("main > .screen:not([hidden])");
    return [...(shown?.querySelectorAll<HTMLElement>("button, .button") ?? [])].flatMap((element) => {
      const { width, height, top } = element.getBoundingClientRect();
      const name = element.textContent?.trim() || element.getAttribute("aria-label") || element.id;
      return width > 0 ? [{ name, width, height, top }] : [];
    });
  });

inChromium("the kiosk for everyone", ({ open }) => {
  test(
    "every screen fits every tablet in every language, survives 200 % zoom, and has buttons as large as thumbs",
    async () => {
      await using stand = await open({ reducedMotion: "reduce" });
      const { page } = stand;
      const found: string[] = [];
      const sizes = Object.entries(TABLETS).flatMap(([tablet, { width, height }]) => [
        { name: tablet, width, height, zoomed: false },
        { name: `${tablet} ×2`, width: width / 2, height: height / 2, zoomed: true },
      ]);
      for (const { name, width, height, zoomed } of sizes) {
        await page.setViewportSize({ width, height });
        await painted(page);
        for (const lang of LANGS) {
          for (const state of STATES) {
            await putInto(page, state, lang);
            for (const { name: button, width, height } of await touchable(page)) {
              if (Math.min(width, height) < THUMB_PX - 0.5)
                found.push(`${name} ${lang} ${state}: “${button}” is ${Math.round(width)}×${Math.round(height)} px`);
            }
            for (const misfit of await misfits(page, zoomed)) found.push(`${name} ${lang} ${state}: ${misfit}`);
          }
        }
      }
      expect(found).toEqual([]);
    },
    TEST_MS,
  );

  test(
    "axe-core finds nothing",
    async () => {
      await using stand = await open({ reducedMotion: "reduce" });
      const { page } = stand;
      await page.evaluate(await Bun.file(AXE).text());
      const found: string[] = [];
      for (const [at, state] of STATES.entries()) {
        await putInto(page, state, LANGS[at % LANGS.length] ?? "en");
        await painted(page);
        const violations = await page.evaluate(async () => {
          const axe: { run(): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }> } = Reflect.get(
            window,
            "axe",
          );
          return (await axe.run()).violations.map(({ id, nodes }) => `${id} at ${nodes.map((node) => node.target)}`);
        });
        for (const violation of violations) found.push(`${state}: ${violation}`);
      }
      expect(found).toEqual([]);
    },
    TEST_MS,
  );

  test(
    "the keyboard alone walks from Start to the phone",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      /** Tabs to the element, as a switch control would, and presses it. */
      const press = async (selector: string, enter = true) => {
        for (let i = 0; i < 20; i++) {
          await page.keyboard.press("Tab");
          if (await page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector)) break;
        }
        expect(await page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector)).toBe(true);
        if (enter) await page.keyboard.press("Enter");
      };
      await press("[data-lang=uz]");
      await press("#low");
      await press("#sound");
      expect(await page.evaluate(() => document.body.classList.contains("low"))).toBe(true);
      await press("#begin");
      await onScreen(page, "qr");
      // While the screen is covered no key reaches what is below; afterwards the focus is where it was.
      const focused = () => page.evaluate(() => document.activeElement?.id);
      await press("#qr [data-do=leave]", false);
      await mock.stop();
      await page.waitForSelector("#offline:visible");
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.closest("main") ?? null)).toBe(null);
      mock.restart();
      await page.locator("#offline").waitFor({ state: "hidden" });
      expect(await page.evaluate(() => document.activeElement?.matches("#qr [data-do=leave]"))).toBe(true);
      mock.link("en");
      await onScreen(page, "consent");
      expect(await focused()).toBe("consent-title");
      mock.consent();
      await onScreen(page, "outfits");
      await press("[data-outfit=superhero]");
      await onScreen(page, "camera");
      expect(mock.last.template_id).toBe("superhero");
      await page.waitForSelector("#shoot:enabled");
      await press("#shoot");
      await onScreen(page, "review");
      await press("#use");
      await onScreen(page, "phone");
      await press("#phone [data-do=leave]");
      await onScreen(page, "start");
    },
    TEST_MS,
  );

  test(
    "a finger that taps twenty times presses one thing",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      const devtools = await page.context().newCDPSession(page);
      /** Sent together, so that no slow machine makes a patient finger of it. */
      const tapTwenty = async (selector: string) => {
        const box = await page.locator(selector).first().boundingBox();
        if (!box) throw new Error(`no ${selector}`);
        const finger = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
        const taps = Array.from({ length: 20 }, () => [
          devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: finger }),
          devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] }),
        ]);
        await Promise.all(taps.flat());
      };
      await tapTwenty("#begin");
      await onScreen(page, "qr");
      expect(mock.calls.filter((call) => call === "POST /session")).toHaveLength(1);
      mock.link();
      mock.consent();
      await onScreen(page, "outfits");
      await tapTwenty(".card");
      await onScreen(page, "camera");
      expect(mock.calls.filter((call) => call.endsWith("/template"))).toHaveLength(1);
      await page.waitForSelector("#shoot:enabled");
      await tapTwenty("#shoot");
      await onScreen(page, "review");
      await tapTwenty("#use");
      // Taps are answered before they press anything, and the meter is out of sight until then.
      await page.waitForSelector("body[data-screen=sending]");
      await page.waitForSelector("#meter", { state: "hidden" });
      expect(mock.photos).toHaveLength(1);
      expect(mock.sessions.size).toBe(1);
    },
    TEST_MS,
  );

  test(
    "on request everything to be touched lies in the lower half, for this guest only",
    async () => {
      await using stand = await open({ tablet: "portrait", reducedMotion: "reduce" });
      const { page } = stand;
      await page.click("#low");
      await walkTo(stand, "qr");
      for (const [tablet, { width, height }] of Object.entries(TABLETS)) {
        await page.setViewportSize({ width, height });
        for (const state of STATES.filter((name) => !["idle", "offline", "trouble"].includes(name))) {
          await putInto(page, state, "ru");
          const high = (await touchable(page)).filter(({ top }) => top < height / 2);
          expect([tablet, state, high.map(({ name }) => name)]).toEqual([tablet, state, []]);
          expect([tablet, state, await misfits(page, false)]).toEqual([tablet, state, []]);
        }
      }
      await putInto(page, "qr", "ru");
      await page.click("#qr [data-do=leave]");
      expect(await page.evaluate(() => document.body.classList.contains("low"))).toBe(false);
    },
    TEST_MS,
  );

  test(
    "who asks for calm gets it, and a kiosk has no browser's gestures",
    async () => {
      await using stand = await open({ reducedMotion: "reduce" });
      const { page } = stand;
      const moving = await page.evaluate(
        () => document.getAnimations().filter((animation) => animation.playState === "running").length,
      );
      expect(moving).toBe(0);
      const allowed = await page.evaluate(() =>
        ["contextmenu", "dragstart", "selectstart", "drop"].filter((type) =>
          document.body.dispatchEvent(new Event(type, { bubbles: true, cancelable: true })),
        ),
      );
      expect(allowed).toEqual([]);
    },
    TEST_MS,
  );
});
