/** The demo's phone page in real Chromium, with the test in the part of the bot. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Api, InputFile } from "grammy";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import sharp from "sharp";
import { findChromium, openBrowser } from "./kiosk/browser.ts";
import { type Sim, startSim } from "./sim/sim.ts";

const MADINA = 7001;
const EMMA = 7002;
const TEST_MS = 60_000;
/** Shorter than a test: a step that fails says which it was. */
const STEP_MS = 15_000;
const TOKEN = "abcdefABCDEF_0123456789-z";
const AXE = new URL("../node_modules/axe-core/axe.min.js", import.meta.url).pathname;
const ARTEFACTS = new URL("../artefacts/phone/", import.meta.url).pathname;
const DESKTOP = { width: 1360, height: 900 };
const HANDHELD = { width: 390, height: 800 };

const chromium = findChromium();
if (!chromium) console.warn("SKIPPED: the demo's phone page in a browser, because there is no Chromium.");

describe.skipIf(!chromium)("the phone page in Chromium", () => {
  let browser: Browser & AsyncDisposable;
  let sim: Sim;
  let api: Api;
  let complaints: string[];

  beforeAll(async () => {
    browser = await openBrowser(chromium ?? "", null);
  }, TEST_MS);
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    sim = await startSim();
    api = new Api(sim.token, { apiRoot: sim.root });
    complaints = [];
    sim.guest(MADINA, { name: "Madina", lang: "uz" });
    sim.guest(EMMA, { name: "Emma", lang: "en" });
    sim.joins(sim.operatorsChatId, 9001, "creator", { name: "Dilshod" });
    sim.joins(sim.salesChatId, 9002, "creator", { name: "Kamila" });
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    await sim.stop();
    expect(complaints).toEqual([]);
  });

  async function open(path = "/phone", options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    page.setDefaultTimeout(STEP_MS);
    await page.goto(sim.root + path);
    await page.waitForSelector(".view");
    return page;
  }

  async function sendPack(guest: number): Promise<string> {
    const name = "pack_1_by_sim_booth_bot";
    const create = { width: 512, height: 512, channels: 4 as const, background: "#e63946" };
    const sticker = new InputFile(await sharp({ create }).webp().toBuffer());
    const stickers = ["😀", "😎", "🥳"].map((emoji) => ({ sticker, format: "static" as const, emoji_list: [emoji] }));
    await api.createNewStickerSet(guest, name, "Pack <1>", stickers);
    const url = `${sim.root}/addstickers/${name}`;
    await api.sendMessage(guest, "Ready", { reply_markup: { inline_keyboard: [[{ text: "Add", url }]] } });
    await api.sendSticker(guest, (await api.getStickerSet(name)).stickers[0]?.file_id ?? "");
    return name;
  }

  test(
    "a scanned code leads to START, for the guest who is chosen, and buttons are answered",
    async () => {
      const page = await open(`/${sim.botUsername}?start=${TOKEN}`);
      expect(page.url()).toBe(`${sim.root}/phone`);
      await page.click(".start .chip:has-text('Emma')");
      await page.click(".start .wide");
      await sim.until(() => sim.messages(EMMA).length === 1);
      expect(sim.messages(EMMA)[0]?.text).toBe(`/start ${TOKEN}`);
      await api.sendMessage(EMMA, "Agree?", {
        reply_markup: { inline_keyboard: [[{ text: "I agree", callback_data: `consent:${TOKEN}:yes` }]] },
      });
      await page.click(".key:has-text('I agree')");
      await sim.until(() => sim.world.presses.size === 1, "the press");
      const query = (await api.getUpdates({})).at(-1)?.callback_query;
      expect([query?.data, query?.from.id]).toEqual([`consent:${TOKEN}:yes`, EMMA]);
      await page.waitForSelector(".key.busy");
      // Looked for before it comes: it does not stay.
      await Promise.all([
        page.waitForSelector(".toast:has-text('Thank you')"),
        api.answerCallbackQuery(query?.id ?? "", { text: "Thank you" }),
      ]);
      await page.waitForSelector(".key:not(.busy)");
      await page.reload();
      await page.waitForSelector(".view");
      expect(await page.locator(".start").count()).toBe(0);
    },
    TEST_MS,
  );

  test(
    "a code is scanned by pasting its address, other addresses are refused",
    async () => {
      const page = await open();
      await page.click(".scan");
      await page.fill(".sheet textarea", "https://example.org/other?start=abc");
      await page.click(".sheet .wide");
      expect(await page.locator(".fault").textContent()).not.toBe("");
      await page.fill(".sheet textarea", ` ${sim.root}/${sim.botUsername}?start=${TOKEN} `);
      await page.click(".sheet .wide");
      await page.waitForSelector(".start");
    },
    TEST_MS,
  );

  test(
    "text is shown as text, entities as what they are",
    async () => {
      const evil = `<img src=x onerror="alert(1)">`;
      sim.guestSays(MADINA, evil);
      sim.guest(MADINA, { name: evil });
      await api.sendMessage(
        MADINA,
        `<b>${evil.replace(/</g, "&lt;")}</b> <a href="javascript:alert(2)">go</a> /packs`,
        {
          parse_mode: "HTML",
        },
      );
      const page = await open();
      await page.click(".chat-row");
      expect(await page.locator(".bubble .text").allTextContents()).toEqual([evil, `${evil} go /packs`]);
      expect(await page.locator(".bubble b").textContent()).toBe(evil);
      expect(await page.locator(".bubble img").count()).toBe(0);
      await page.click(".link:has-text('go')");
      await page.click(".link:has-text('/packs')");
      await sim.until(() => sim.messages(MADINA).at(-1)?.text === "/packs");
      const quote = "<blockquote>one <b>two</b> /packs three\nfour</blockquote>";
      await api.sendMessage(MADINA, `<i>before</i>\n${quote}\nafter`, { parse_mode: "HTML" });
      await page.waitForSelector("blockquote");
      expect(await page.locator("blockquote").allTextContents()).toEqual(["one two /packs three\nfour"]);
      expect(await page.locator("blockquote :is(b, .link)").allTextContents()).toEqual(["two", "/packs"]);
    },
    TEST_MS,
  );

  test(
    "a pack opens with all its stickers, is added and found again",
    async () => {
      sim.guestSays(MADINA, "/start");
      await sendPack(MADINA);
      const page = await open();
      await page.click(".chat-row");
      await page.click(".key:has-text('Add')");
      expect(await page.locator(".sheet h2").textContent()).toBe("Pack <1>");
      expect(await page.locator(".stickers figcaption").allTextContents()).toEqual(["😀", "😎", "🥳"]);
      await page.waitForFunction(() =>
        [...document.querySelectorAll<HTMLImageElement>(".stickers img")].every((image) => image.naturalWidth === 512),
      );
      await page.click(".sheet .wide");
      await page.click(".header .round");
      await page.click(".shelf-row");
      await page.waitForSelector(".sheet .wide.quiet");
      const set = await browser.newPage();
      await set.goto(`${sim.root}/addstickers/${sim.sets[0]?.name}`);
      expect(await set.locator(".stickers img").count()).toBe(3);
    },
    TEST_MS,
  );

  test(
    "guests write, send photos, use the menu, change the language, block and come back",
    async () => {
      await api.setMyCommands([{ command: "packs", description: "Your packs" }]);
      await api.setMyCommands([{ command: "packs", description: "Toʻplamlar" }], { language_code: "uz" });
      sim.guestSays(MADINA, "/start");
      const page = await open();
      await page.click(".chat-row");
      await page.fill(".field textarea", "Salom");
      await page.keyboard.press("Enter");
      await sim.until(() => sim.messages(MADINA).at(-1)?.text === "Salom");
      const create = { width: 300, height: 400, channels: 3 as const, background: "#345" };
      const buffer = await sharp({ create }).jpeg().toBuffer();
      const picture = { name: "me.jpg", mimeType: "image/jpeg", buffer };
      await page.setInputFiles("input[type=file][accept='image/*']", picture);
      await page.waitForSelector(".bubble .photo");
      expect(sim.messages(MADINA).at(-1)?.photo?.at(-1)?.height).toBe(400);
      await page.click(".menu");
      await page.click(".command:has-text('Toʻplamlar')");
      await sim.until(() => sim.messages(MADINA).at(-1)?.text === "/packs");
      await page.click(".header .round:last-child");
      await page.click(".pill:has-text('English')");
      await page.waitForSelector("[placeholder=Message]");
      expect(sim.world.users.get(MADINA)?.language_code).toBe("en");
      await page.click(".header .round:last-child");
      await page.click(".wide.danger");
      await page.waitForSelector(".footer .wide:has-text('Unblock')");
      expect(sim.world.chats.get(MADINA)?.botStatus).toBe("kicked");
      await page.click(".footer .wide");
      await page.waitForSelector(".composer");
    },
    TEST_MS,
  );

  test(
    "guests send a photo as a file, and stickers, by the page and by the control",
    async () => {
      sim.guestSays(EMMA, "/start");
      const name = await sendPack(EMMA);
      await sim.until(() => sim.messages(EMMA).length === 3);
      const page = await open();
      await page.click(".card:has-text('Emma')");
      await page.click(".chat-row");
      const attach = async (what: string) => {
        await page.click("[aria-label=Attach]");
        await page.click(`.attach:has-text('${what}')`);
      };
      const create = { width: 300, height: 400, channels: 3 as const, background: "#345" };
      const buffer = await sharp({ create }).png().toBuffer();
      const chooser = page.waitForEvent("filechooser");
      await attach("as a file");
      await (await chooser).setFiles({ name: "me.png", mimeType: "image/png", buffer });
      await page.waitForSelector(".bubble .file:has-text('me.png')");
      const sent = sim.messages(EMMA).at(-1)?.document;
      expect(sent).toMatchObject({ file_name: "me.png", mime_type: "image/png", file_size: buffer.length });

      // Telegram's own heart, until there is a pack to take one from.
      await attach("sticker");
      await sim.until(() => sim.messages(EMMA).at(-1)?.sticker?.emoji === "❤️");
      await page.click(".key:has-text('Add')");
      await page.click(".sheet .wide");
      await attach("sticker");
      await sim.until(() => sim.messages(EMMA).at(-1)?.sticker?.set_name === name, "a sticker of the pack");
      await page.locator(".mine .sticker").nth(1).waitFor();
      await page.click("[aria-label=Attach]");
      await page.screenshot({ path: `${ARTEFACTS}attach.png` });

      const act = (action: string, ...args: unknown[]) =>
        fetch(`${sim.root}/sim/do`, { method: "POST", body: JSON.stringify({ action, args }) });
      const bytes = { base64: buffer.toString("base64") };
      expect((await act("guestSendsFile", EMMA, bytes, "other.png", "image/png")).status).toBe(200);
      expect((await act("guestSendsSticker", EMMA)).status).toBe(200);
      expect((await act("guestSendsSticker", EMMA, "no-such-file")).status).toBe(400);
      const updates = await api.getUpdates({});
      expect(updates.map(({ message }) => message?.document?.file_name ?? message?.sticker?.emoji)).toEqual([
        undefined,
        "me.png",
        "❤️",
        "😀",
        "other.png",
        "❤️",
      ]);
    },
    TEST_MS,
  );

  test(
    "a guest is added, and the groups have people and buttons too",
    async () => {
      await api.sendMessage(sim.salesChatId, "Lead 1", {
        reply_markup: { inline_keyboard: [[{ text: "Take", callback_data: "lead:1:take" }]] },
      });
      const page = await open();
      await page.click(".card.add");
      await page.fill(".sheet input", "Rustam");
      await page.click(".sheet .wide");
      await page.waitForSelector(".card[aria-pressed=true]:has-text('Rustam')");
      await page.click("[role=tab]:nth-child(3)");
      await page.click(".key:has-text('Take')");
      await sim.until(() => sim.world.presses.size === 1, "the press");
      await page.click("[role=tab]:nth-child(2)");
      await page.fill(".field textarea", "/status");
      await page.click(".go");
      await sim.until(() => sim.messages(sim.operatorsChatId).length === 1);
      const [take, status] = await api.getUpdates({});
      expect(take?.callback_query).toMatchObject({ data: "lead:1:take", from: { first_name: "Kamila" } });
      expect(status?.message).toMatchObject({ text: "/status", from: { first_name: "Dilshod" } });
      const moved = sim.migrateGroup(sim.salesChatId);
      await api.sendMessage(moved, "Lead 2");
      await page.click("[role=tab]:nth-child(3)");
      await page.waitForSelector(".text:has-text('Lead 2')");
    },
    TEST_MS,
  );

  test(
    "a button that is held down while news come is clicked",
    async () => {
      sim.guestSays(MADINA, "/start");
      const page = await open();
      for (const [button, then] of [
        ["[role=tab]:nth-child(2)", "[role=tab]:nth-child(2)[aria-selected=true]"],
        [".card:has-text('Emma')", ".card[aria-pressed=true]:has-text('Emma')"],
      ] as const) {
        await page.hover(button);
        await page.mouse.down();
        const calls = sim.calls.length;
        await api.getMe();
        await page.waitForFunction((n) => document.querySelectorAll("#wire li").length > n, calls);
        await page.mouse.up();
        await page.waitForSelector(then);
      }
    },
    TEST_MS,
  );

  for (const colorScheme of ["light", "dark"] as const)
    test(
      `fits every window and is readable, ${colorScheme}`,
      async () => {
        sim.guestSays(MADINA, "/start");
        await api.sendMessage(MADINA, `${"x".repeat(200)} <code>code</code>`, { parse_mode: "HTML" });
        await sendPack(MADINA);
        for (const viewport of [DESKTOP, { width: 700, height: 700 }, HANDHELD, { width: 320, height: 600 }]) {
          const page = await open("/phone", { viewport, colorScheme });
          const views: [name: string, show: () => Promise<unknown>][] = [
            ["list", async () => {}],
            ["chat", () => page.click(".chat-row")],
            ["pack", () => page.click(".key:has-text('Add')")],
          ];
          for (const [name, show] of views) {
            await show();
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            expect(wide).toBeLessThanOrEqual(0);
            await page.screenshot({ path: `${ARTEFACTS}${name}-${viewport.width}-${colorScheme}.png` });
            if (viewport === DESKTOP || viewport === HANDHELD) expect(await faults(page)).toEqual([]);
          }
          await page.context().close();
        }
      },
      TEST_MS * 2,
    );

  /** What axe finds against people who see or move otherwise. */
  async function faults(page: Page): Promise<string[]> {
    // The page's policy lets no foreign script in: this one comes by the debugger.
    await page.evaluate(await Bun.file(AXE).text());
    return await page.evaluate(async () => {
      const { axe } = window as unknown as { axe: typeof import("axe-core") };
      const { violations } = await axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] });
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)}`));
    });
  }
});
