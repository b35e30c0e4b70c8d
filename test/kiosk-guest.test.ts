/** What one guest sees and what the next one must not, in a real browser against a stand-in api. */
import { expect, test } from "bun:test";
import sharp from "sharp";
import { say } from "../kiosk/texts.js";
import { onScreen, painted } from "./kiosk/browser.ts";
import { shoot, walkTo } from "./kiosk/stand.ts";
import { type Chromium, inChromium, TEST_MS } from "./kiosk/suite.ts";

/** A wide camera: of its 1280 columns the frame of 3:4 holds the 540 in the middle. */
const WIDE = { width: 1280, height: 720 };
const FRAMED = { left: 370, top: 0, width: 540, height: 720 };

/** A picture in which every place has its own colour, so that a shift, a stretch or a mirror shows. */
async function chart(): Promise<Buffer> {
  const pixels = Buffer.alloc(WIDE.width * WIDE.height * 3);
  for (let y = 0, at = 0; y < WIDE.height; y++) {
    for (let x = 0; x < WIDE.width; x++) {
      pixels[at++] = 40 + (x / WIDE.width) * 200;
      pixels[at++] = 40 + (y / WIDE.height) * 200;
      pixels[at++] = ((x >> 5) + (y >> 5)) % 2 ? 180 : 60;
    }
  }
  return sharp(pixels, { raw: { ...WIDE, channels: 3 } })
    .png()
    .toBuffer();
}

/**
 * The share of places where the chart's squares differ. Colours come out of a camera a little different; squares do
 * not move: a shift by one pixel makes six places of a hundred differ.
 */
async function moved(a: Buffer | Uint8Array, b: Buffer | Uint8Array): Promise<number> {
  const [left, right] = await Promise.all([a, b].map((image) => sharp(image).removeAlpha().raw().toBuffer()));
  if (!left || !right || left.length !== right.length) throw new Error("the pictures differ in size");
  const blue = 2;
  let different = 0;
  for (let i = blue; i < left.length; i += 3) if ((left[i] ?? 0) > 120 !== (right[i] ?? 0) > 120) different++;
  return different / (left.length / 3);
}

const source = await chart();
inChromium("a guest at the kiosk", guests, async () => source);

function guests({ open }: Chromium) {
  test(
    "what the frame shows is what is uploaded",
    async () => {
      await using stand = await open({ tablet: "portrait" });
      const { page, mock } = stand;
      await walkTo(stand, "camera");
      await page.waitForSelector("#stage[data-state=live]");
      // Bare: without the plate's round corners and what is drawn over the picture; a pixel of the camera on each of the
      // screen's, so that no smoothing moves an edge.
      await page.evaluate(() => {
        const bare = new CSSStyleSheet();
        bare.replaceSync(
          ".stage{border-radius:0!important;width:540px!important;height:720px!important}.oval,.stage-note{display:none!important}",
        );
        document.adoptedStyleSheets = [bare];
      });
      await painted(page);
      // On whole pixels, or a picture of it has a row more than it has itself.
      await page.locator("#stage").evaluate((stage) => {
        const { x, y } = stage.getBoundingClientRect();
        stage.style.translate = `${Math.round(x) - x}px ${Math.round(y) - y}px`;
      });
      const shown = await page.locator("#stage").screenshot();
      await shoot(page);
      await onScreen(page, "review");
      await page.click("#use");
      await page.waitForSelector("body[data-screen=sending]");
      await page.waitForSelector("#meter", { state: "hidden" });

      const [photo] = mock.photos;
      const uploaded = Buffer.from(photo?.bytes ?? []);
      const { format, width, height, exif } = await sharp(uploaded).metadata();
      expect({ format, width, height, exif }).toEqual({ format: "jpeg", width: 540, height: 720, exif: undefined });
      const expected = await sharp(source).extract(FRAMED).toBuffer();
      expect(await moved(uploaded, expected)).toBeLessThan(0.02);
      expect(await moved(uploaded, await sharp(expected).flop().toBuffer())).toBeGreaterThan(0.3);

      // The preview is its mirror image, edge to edge.
      const { width: w = 0, height: h = 0 } = await sharp(shown).metadata();
      const mirrored = await sharp(uploaded).flop().resize(w, h, { fit: "fill" }).toBuffer();
      expect(await moved(shown, mirrored)).toBeLessThan(0.03);
      expect(stand.complaints).toEqual([]);
    },
    TEST_MS,
  );

  test(
    "after a reset nothing of the guest is left, and the session is closed",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      await walkTo(stand, "review");
      const { token } = mock.last;
      const blob = (await page.locator("#shot").getAttribute("src")) ?? "";
      expect(blob).toStartWith("blob:");
      await page.click("#review [data-do=leave]");
      await onScreen(page, "start");
      const html = await page.content();
      expect(html).not.toContain("Aziza");
      expect(html).not.toContain(token);
      expect(html).not.toContain("blob:");
      const alive = await page.evaluate(
        (url) =>
          fetch(url).then(
            () => true,
            () => false,
          ),
        blob,
      );
      expect(alive).toBe(false);
      expect(await page.evaluate(() => document.querySelector("video")?.srcObject ?? null)).toBeNull();
      // Until the server has answered, the token is kept for asking again.
      await page.waitForFunction(() => sessionStorage.getItem("kiosk.expire") === null);
      const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
      expect(kept).not.toContain(token);
      expect(mock.sessions.get(token)).toMatchObject({ status: "expired", problem: "reset" });
      expect(await page.evaluate(() => document.documentElement.lang)).toBe("ru");
    },
    TEST_MS,
  );

  test(
    "late answers of an old session never show",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      await walkTo(stand, "consent");
      const old = mock.last;
      // The answer that would open the outfits is on its way when the guest walks off.
      const late = Promise.withResolvers<void>();
      const looks = mock.asked(`/session/${old.token}`);
      mock.faults.push({ path: new RegExp(`^/session/${old.token}$`), method: "GET", heldUntil: late.promise });
      mock.consent();
      await mock.until(() => mock.asked(`/session/${old.token}`) > looks);
      await page.click("#consent [data-do=leave]");
      await onScreen(page, "start");
      await page.click("#begin");
      await onScreen(page, "qr");
      late.resolve();
      // Rounds of the new guest's polls later, nothing of the old one's has come through.
      await mock.until(() => mock.asked(`/session/${mock.last.token}`) >= 3);
      expect(await page.locator("body").getAttribute("data-screen")).toBe("qr");
      expect(await page.locator("#qr-address").textContent()).toContain(mock.last.token);
      expect(mock.last.token).not.toBe(old.token);
    },
    TEST_MS,
  );

  for (const [what, part, screen] of [
    ["an answer that is being read", "Response.prototype.json", "consent"],
    ["a code that is being drawn", "HTMLImageElement.prototype.decode", "start"],
  ] as const)
    test(
      `${what} when the guest leaves shows nothing any more`,
      async () => {
        await using stand = await open();
        const { page, mock } = stand;
        await walkTo(stand, screen);
        // Only what is the guest's hangs: the outfits that were asked for, or the picture of the code.
        await page.evaluate((part) => {
          const [owner, , name] = part.split(".") as ["Response" | "HTMLImageElement", string, string];
          const target = window[owner].prototype;
          const real: () => Promise<unknown> = Reflect.get(target, name);
          const held = Promise.withResolvers<void>();
          const left = { hanging: 0, through: 0 };
          Object.assign(window, { left, letGo: held.resolve });
          Reflect.set(target, name, async function (this: Response | HTMLImageElement) {
            const value = await real.call(this).catch(() => undefined);
            const hangs = this instanceof HTMLImageElement ? this.id === "qr-code" : Array.isArray(value);
            if (!hangs) return value;
            left.hanging++;
            await held.promise;
            setTimeout(() => left.through++, 0);
            return value;
          });
        }, part);
        if (screen === "start") await page.click("#begin");
        else mock.consent();
        await page.waitForFunction(() => Reflect.get(window, "left").hanging > 0);
        await page.evaluate(() => history.back());
        await mock.until(() => mock.last.status === "expired");
        await page.evaluate(() => Reflect.get(window, "letGo")());
        await page.waitForFunction(() => Reflect.get(window, "left").through > 0);
        await painted(page);
        expect(await page.locator("body").getAttribute("data-screen")).toBe("start");
        expect(await page.locator("#cards").innerHTML()).toBe("");
        expect(await page.locator("#qr-address").innerHTML()).toBe("");
        await page.click("#begin");
        await onScreen(page, "qr");
        expect(await page.locator("#qr-address").textContent()).toContain(mock.last.token);
        expect(stand.complaints).toEqual([]);
      },
      TEST_MS,
    );

  test(
    "a shot that is still being drawn gives way to the selfie from the phone",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      await walkTo(stand, "camera");
      await page.evaluate(() => {
        const held = Promise.withResolvers<void>();
        const left = { hanging: 0, through: 0 };
        Object.assign(window, { left, letGo: held.resolve });
        const real = HTMLImageElement.prototype.decode;
        HTMLImageElement.prototype.decode = async function () {
          await real.call(this).catch(() => {});
          if (this.id !== "shot") return;
          left.hanging++;
          await held.promise;
          setTimeout(() => left.through++, 0);
        };
      });
      await shoot(page);
      await page.waitForFunction(() => Reflect.get(window, "left").hanging > 0);
      Object.assign(mock.last, { status: "photo_taken", queue_position: 1 });
      await page.waitForSelector("body[data-screen=sending]");
      await page.evaluate(() => Reflect.get(window, "letGo")());
      await page.waitForFunction(() => Reflect.get(window, "left").through > 0);
      expect(await page.locator("body").getAttribute("data-screen")).toBe("sending");
      await onScreen(page, "phone");
      expect(mock.photos).toEqual([]);
    },
    TEST_MS,
  );

  test(
    "back and reload end the visit",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      await walkTo(stand, "outfits");
      const first = mock.last;
      await page.evaluate(() => history.back());
      await onScreen(page, "start");
      expect(await page.locator("#cards").innerHTML()).toBe("");
      await walkTo(stand, "consent");
      const second = mock.last;
      const expired = page.waitForRequest((request) => request.url().endsWith(`${second.token}/expire`));
      await Promise.all([expired, page.reload()]);
      await onScreen(page, "start");
      await mock.until(() => first.status === "expired" && second.status === "expired");
    },
    TEST_MS,
  );

  test(
    "a refused photo is taken again, with the reason in words",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      await walkTo(stand, "review");
      await page.click("#use");
      await page.waitForSelector("#meter", { state: "hidden" });
      mock.refuse("too_dark");
      await onScreen(page, "again");
      expect(await page.locator("#again-title").textContent()).toBe("Too dark");
      await page.click("#once-more");
      await onScreen(page, "camera");
      await shoot(page);
      await onScreen(page, "review");
      await page.click("#use");
      // The old refusal, still on its way in a poll, must not refuse the new photo.
      await onScreen(page, "phone");
      expect(mock.photos).toHaveLength(2);
      expect(await page.locator("#phone-facts").textContent()).toBe("Place in the queue: 2About 2 min");
      await page.click("#phone [data-do=leave]");
      await onScreen(page, "start");
      expect(mock.calls.some((call) => call.endsWith("/expire"))).toBe(false);
    },
    TEST_MS,
  );

  test(
    "every end has its own sentence",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      const title = () => page.locator("#message-title").textContent();
      const ends = [
        [{ status: "expired", problem: "timeout" }, "Time is up"],
        [{ status: "expired", problem: "declined" }, "All right, we won’t"],
        [{ status: "expired", problem: "reset" }, "This visit is over"],
        [{ status: "blocked" }, "That’s all for today"],
        [{ status: "failed" }, "The drawing failed"],
      ] as const;
      for (const [change, sentence] of ends) {
        await walkTo(stand, "consent");
        Object.assign(mock.last, change);
        await onScreen(page, "message");
        expect(await title()).toBe(sentence);
        await page.click("#message-home");
        await onScreen(page, "start");
      }
      await walkTo(stand, "outfits");
      mock.faults.push({ path: /template$/, status: 409, code: "pack_limit", times: 1 });
      await page.locator(".card").first().click();
      await onScreen(page, "message");
      expect(await title()).toBe("That’s all for today");
    },
    TEST_MS,
  );

  test(
    "the key is taken once from the address and sent with every call",
    async () => {
      await using stand = await open({ hash: "/#key=s3cret" });
      const { page, mock } = stand;
      expect(page.url()).toBe(`${mock.url}/`);
      await page.click("#begin");
      await onScreen(page, "qr");
      const { token } = mock.last;
      const keyed = mock.calls.map((call, at) => [call, mock.keys[at]]);
      expect(keyed).toContainEqual(["POST /session", "s3cret"]);
      expect(keyed).toContainEqual([`GET /session/${token}/qr.svg`, "s3cret"]);
      mock.faults.push({ path: /^\/session$/, status: 401, code: "kiosk_key" });
      await page.click("#qr [data-do=leave]");
      await onScreen(page, "start");
      await page.click("#begin");
      await onScreen(page, "message");
      expect(await page.locator("#message-title").textContent()).toBe(say("ru", "end.unpaired.title"));
    },
    TEST_MS,
  );

  test(
    "the address is a link only where no phone could follow it",
    async () => {
      await using stand = await open();
      const { page, mock } = stand;
      await page.click("#begin");
      await onScreen(page, "qr");
      expect(await page.locator("#qr-address a").count()).toBe(0);
      expect(await page.locator("#qr-address").textContent()).toBe(`t.me/my_booth_bot?start=${mock.last.token}`);
      await page.click("#qr [data-do=leave]");
      await onScreen(page, "start");
      mock.deepLinkRoot = "http://127.0.0.1:9/booth";
      await page.click("#begin");
      await onScreen(page, "qr");
      const link = page.locator("#qr-address a");
      expect(await link.getAttribute("target")).toBe("_blank");
      expect(await link.getAttribute("rel")).toBe("noopener");
      expect(await link.getAttribute("href")).toBe(mock.last.deep_link);
    },
    TEST_MS,
  );
}
