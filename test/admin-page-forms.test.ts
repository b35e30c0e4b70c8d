import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { chromiumPath, goTo, hold, LONG_MS, launch, openPage } from "./admin-page-world.ts";
import { admin, openBooth } from "./admin-world.ts";
import type { World } from "./world.ts";

const path = chromiumPath();

describe.skipIf(!path)("forms of the operators' page", () => {
  let world: World;
  let browser: Browser;

  beforeAll(async () => {
    [world, browser] = await Promise.all([
      openBooth({ env: { DAILY_BUDGET_USD: "50", LEADS_SECRET: "0123456789abcdef0123" } }),
      launch(path ?? ""),
    ]);
  }, LONG_MS);
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  const open = (view: string, options = {}) => openPage(browser, world, view, { lang: "en", ...options });
  const look = async () => (await admin(world, "GET branding")).body;

  // The first one: nothing is there yet.
  test(
    "an empty booth says what is not there yet; what a filter hides is another matter",
    async () => {
      for (const [lang, ...said] of [
        ["en", "but no kiosk has connected yet", "No packs yet.", "No packs here.", "No leads yet.", "No leads here."],
        ["ru", "но ни один киоск ещё не на связи", "Наборов пока нет.", "Таких", "Заявок пока нет.", "Таких"],
        [
          "uz",
          "hali bironta kiosk aloqada emas",
          "Hozircha toʻplam yoʻq.",
          "Bunday",
          "Hozircha soʻrov yoʻq.",
          "Bunday",
        ],
      ] as const) {
        const [kiosk, packs, somePacks, leads, someLeads] = said;
        await using site = await open("jobs", { lang });
        const { page } = site;
        await page.locator("#verdict[data-level=green]").getByText(kiosk).waitFor();
        await page.locator(".empty").getByText(packs).waitFor();
        await goTo(page, "jobs?status=done");
        await page.locator(".empty").getByText(somePacks).waitFor();
        await goTo(page, "leads");
        await page.locator(".empty").getByText(leads).waitFor();
        await goTo(page, "leads?status=won");
        await page.locator(".empty").getByText(someLeads).waitFor();
      }
    },
    LONG_MS,
  );

  test(
    "what is typed outlives the save of another form, the verdict's buttons, a picture taken away, another language",
    async () => {
      await using site = await open("settings");
      const { page } = site;
      const picture = { name: "party.jpg", mimeType: "image/jpeg", buffer: Buffer.from(world.selfie()) };
      await page.locator("[name=logo]").setInputFiles(picture);
      await page.getByRole("button", { name: "Save the look" }).click();
      await page.getByRole("button", { name: "Take the logo away" }).waitFor();
      await type(page, "Anna & Timur");
      await page.locator("[name=background]").setInputFiles(picture);

      await page.getByLabel("Packs per guest per day").fill("6");
      await redrawnBy(page, () => page.getByRole("button", { name: "Save the settings" }).click());
      await isTyped(page, "Anna & Timur");
      await page.getByRole("button", { name: "Pause", exact: true }).click();
      await redrawnBy(page, () => page.getByRole("button", { name: "Pause the booth" }).click());
      await redrawnBy(page, () => page.getByRole("button", { name: "Open the booth" }).click());
      await isTyped(page, "Anna & Timur");
      await page.getByRole("button", { name: "Take the logo away" }).click();
      await page.getByRole("button", { name: "Take the logo away" }).waitFor({ state: "detached" });
      await isTyped(page, "Anna & Timur");
      await page.getByRole("button", { name: /Русский/ }).click();
      await page.getByLabel("Название события").waitFor();
      await isTyped(page, "Anna & Timur");
      await page.locator(".file").getByText("party.jpg").waitFor();

      await page.getByRole("button", { name: "Сохранить вид" }).click();
      await page.getByText("Сохранено.").waitFor();
      expect(await look()).toMatchObject({ name: "Anna & Timur", welcome: { en: "Come in!" }, logo_url: null });
      expect((await look()).background_url).toStartWith("/");
      await goTo(page, "now");
    },
    LONG_MS,
  );

  test(
    "what was saved is not asked about while the page has yet to hear of it",
    async () => {
      await using site = await open("settings");
      const { page } = site;
      for (const [label, typed, button] of [
        ["Name of the event", "Saved a moment ago", "Save the look"],
        ["Packs per guest per day", "7", "Save the settings"],
      ] as const) {
        await page.getByLabel(label).fill(typed);
        const overview = await hold(page, "**/admin/api/overview*");
        await page.getByRole("button", { name: button }).click();
        await overview.reached;
        await page.getByRole("link", { name: "Now" }).click();
        overview.release();
        await page.waitForSelector("main[data-shown='#now']");
        expect(await page.getByRole("dialog").count()).toBe(0);
        await goTo(page, "settings");
        expect(await page.getByLabel(label).inputValue()).toBe(typed);
      }
    },
    LONG_MS,
  );

  test(
    "a second press saves nothing twice; what is typed while a save is under way stays, and is saved after it",
    async () => {
      await using site = await open("settings");
      const { page } = site;
      let saves = 0;
      page.on("request", (request) => {
        saves += Number(request.method() === "PUT");
      });
      for (const [label, first, then, button, path] of [
        ["Name of the event", "First", "Second", "Save the look", "branding"],
        ["Packs per guest per day", "8", "9", "Save the settings", "settings"],
      ] as const) {
        saves = 0;
        await page.getByLabel(label).fill(first);
        const put = await hold(page, `**/admin/api/${path}*`, "PUT");
        await page.getByRole("button", { name: button }).click();
        await put.reached;
        await page.getByRole("button", { name: button }).click();
        await page.getByLabel(label).fill(then);
        await redrawnBy(page, async () => put.release());
        expect(await page.getByLabel(label).inputValue()).toBe(then);
        expect(saves).toBe(1);
        await redrawnBy(page, () => page.getByRole("button", { name: button }).click());
        expect(saves).toBe(2);
        expect(await page.getByRole("alert").filter({ hasText: "meanwhile" }).count()).toBe(0);
      }
      expect((await look()).name).toBe("Second");
      const { settings } = (await admin(world, "GET settings")).body;
      expect(settings.find((row: { name: string }) => row.name === "PACK_LIMIT").value).toBe(9);
    },
    LONG_MS,
  );

  test(
    "what is typed over a redraw stands on what was saved before: somebody else's words are asked about",
    async () => {
      await admin(world, "PUT branding", { name: "Old" });
      await using site = await open("settings");
      const { page } = site;
      await page.getByLabel("Name of the event").fill("Mine");
      await admin(world, "PUT branding", { name: "Theirs" });
      await page.getByRole("button", { name: /Русский/ }).click();
      await page.getByLabel("Название события").waitFor();
      await page.getByRole("button", { name: "Сохранить вид" }).click();
      const question = page.getByRole("alert").filter({ hasText: "Тем временем" });
      await question.getByText("Theirs").waitFor();
      expect((await look()).name).toBe("Theirs");
      await question.getByRole("button").last().click();
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>("[name=name]")?.value === "Theirs");
    },
    LONG_MS,
  );

  test(
    "the event's colours are saved by choosing them, and given up by the box",
    async () => {
      await using site = await open("settings");
      const { page } = site;
      await page.getByLabel("Paper").fill("#ffffff");
      expect(await page.getByLabel("Colours of the event").isChecked()).toBe(true);
      // It is said for a few seconds, which the redraw may take.
      await Promise.all([
        page.getByText("Saved.").waitFor(),
        redrawnBy(page, () => page.getByRole("button", { name: "Save the look" }).click()),
      ]);
      expect((await look()).colours.paper).toBe("#ffffff");
      expect(await page.getByLabel("Paper").inputValue()).toBe("#ffffff");
      await page.getByLabel("Colours of the event").uncheck();
      await redrawnBy(page, () => page.getByRole("button", { name: "Save the look" }).click());
      expect((await look()).colours).toBe(null);
    },
    LONG_MS,
  );

  test(
    "who keeps their own beside somebody else's, and saves more before the redraw, takes nothing of theirs back",
    async () => {
      await using site = await open("settings");
      const { page } = site;
      const welcome = `Xush kelibsiz ${Date.now()}`;
      const { settings } = (await admin(world, "GET settings")).body;
      const hour = settings.find((row: { name: string }) => row.name === "DIGEST_HOUR").value === 7 ? 8 : 7;
      for (const [path, theirs, name, first, then, button] of [
        ["branding", { welcome_uz: welcome }, "name", "Mine", "Mine too", "Save the look"],
        ["settings", { DIGEST_HOUR: hour }, "PACK_LIMIT", "11", "12", "Save the settings"],
      ] as const) {
        const { version } = (await admin(world, `GET ${path}`)).body;
        await page.locator(`[name=${name}]`).fill(first);
        expect((await admin(world, `PUT ${path}`, { ...theirs, version })).status).toBe(200);
        await page.getByRole("button", { name: button }).click();
        const mine = page.locator(".conflict button.main");
        await mine.waitFor();
        const redraw = await hold(page, `**/admin/api/${path}*`);
        await mine.click();
        await redraw.reached;
        await page.locator(`[name=${name}]`).fill(then);
        const saved = page.waitForResponse((response) => response.request().method() === "PUT");
        await page.getByRole("button", { name: button }).click();
        expect((await saved).status()).toBe(200);
        await redrawnBy(page, async () => redraw.release());
      }
      expect(await look()).toMatchObject({ name: "Mine too", welcome: { uz: welcome } });
      const now = (await admin(world, "GET settings")).body.settings as { name: string; value: number }[];
      const values = Object.fromEntries(now.map((row) => [row.name, row.value]));
      expect(values).toMatchObject({ PACK_LIMIT: 12, DIGEST_HOUR: hour });
    },
    LONG_MS,
  );

  test(
    "whoever presses again between a save and its redraw saves once",
    async () => {
      await using site = await open("settings");
      const { page } = site;
      let saves = 0;
      page.on("request", (request) => {
        saves += Number(request.method() === "PUT");
      });
      const redraw = await hold(page, "**/admin/api/branding*");
      const save = page.getByRole("button", { name: "Save the look" });
      await type(page, "Twice");
      await save.dblclick();
      await redraw.reached;
      await save.click();
      await redrawnBy(page, async () => redraw.release());
      expect(saves).toBe(1);
      expect((await look()).name).toBe("Twice");
    },
    LONG_MS,
  );

  for (const [during, late] of [
    ["PUT", "while it is being saved"],
    ["GET", "between a save and its redraw"],
  ] as const) {
    test(
      `what is typed ${late} is neither saved nor lost, and what was saved is no draft`,
      async () => {
        await using site = await open("settings");
        const { page } = site;
        const picture = { name: "party.jpg", mimeType: "image/jpeg", buffer: Buffer.from(world.selfie()) };
        const call = await hold(page, "**/admin/api/branding*", during);
        const { version } = await look();
        await page.locator("[name=name]").fill(`${during} ${version}`);
        await page.locator("[name=logo]").setInputFiles(picture);
        await page.locator("[name=pin]").fill("2468");
        await redrawnBy(page, async () => {
          await page.getByRole("button", { name: "Save the look" }).click();
          await call.reached;
          if (during === "GET") await page.getByText("Saved.").waitFor();
          await page.locator("[name=welcome_en]").fill(`Late ${during}`);
          call.release();
        });
        expect((await look()).welcome.en).not.toBe(`Late ${during}`);
        expect(await page.locator("[name=welcome_en]").inputValue()).toBe(`Late ${during}`);
        expect(await page.locator("[name=name]").inputValue()).toBe(`${during} ${version}`);
        expect(await page.locator("[name=pin]").inputValue()).toBe("");
        expect(await page.locator(".file").getByText("party.jpg").count()).toBe(0);
        await redrawnBy(page, () => page.getByRole("button", { name: "Save the look" }).click());
        expect((await look()).welcome.en).toBe(`Late ${during}`);
        await goTo(page, "now");
      },
      LONG_MS,
    );
  }

  test(
    "what is wrong is said by the booth, in the page's language, and the first such field is gone to",
    async () => {
      await using site = await open("costs", { lang: "ru" });
      const { page } = site;
      const dialog = page.getByRole("dialog");
      const isAt = (name: string) =>
        page.waitForFunction((field) => document.activeElement?.getAttribute("name") === field, name);
      const limit = async () => (await admin(world, "GET overview")).body.budget.limit_usd;
      await page.getByRole("button", { name: "Поднять лимит на сегодня" }).click();
      for (const [typed, sentence] of [
        ["0", "Нулевой бюджет означал бы «без лимита»."],
        ["", "нужна сумма в долларах, больше 0"],
        ["-e", "нужна сумма в долларах, больше 0"],
      ] as const) {
        await page.locator("[name=usd]").fill("");
        await page.keyboard.type(typed);
        await page.getByRole("button", { name: "Задать на сегодня" }).click();
        await dialog.getByText(sentence).waitFor();
        await isAt("usd");
        expect(await limit()).toBe(50);
      }
      await page.getByRole("button", { name: "Отмена" }).click();

      await goTo(page, "outfits");
      await page.getByRole("button", { name: "Добавить образ" }).click();
      await page.locator("[name=title_ru]").fill("Пират");
      await page.locator("[name=id]").fill("Pirate");
      await page.getByRole("button", { name: "Сохранить" }).click();
      await dialog.getByText("строчные латинские буквы, цифры, - или _, первой").waitFor();
      expect(await dialog.getByText("нужен текст длиной от 1 до").count()).toBe(3);
      await isAt("id");
      await page.getByRole("button", { name: "Отмена" }).click();

      await page.locator("[data-key='try chef']").click();
      await page.getByRole("button", { name: "Нарисовать" }).click();
      await dialog.getByText("выберите фото").waitFor();
      await isAt("photo");
      await page.getByRole("button", { name: "Закрыть" }).click();

      await goTo(page, "settings");
      await page.locator("[name=DIGEST_HOUR]").fill("");
      await page.keyboard.type("-");
      await page.getByRole("button", { name: "Сохранить настройки" }).click();
      await page.getByText("нужно число; пусто").waitFor();
      await isAt("DIGEST_HOUR");
      await page.locator("[name=pin]").fill("12");
      await page.getByRole("button", { name: "Сохранить вид" }).click();
      await page.getByText("нужно от четырёх до восьми цифр").waitFor();
      await isAt("pin");
    },
    LONG_MS,
  );

  test(
    "whoever has left what was typed is not asked again while the next view is awaited",
    async () => {
      await using site = await open("settings");
      const { page } = site;
      await type(page, "Lost");
      const costs = await hold(page, "**/admin/api/costs*");
      await page.getByRole("link", { name: "Costs" }).click();
      await page.getByRole("button", { name: "Leave" }).click();
      await costs.reached;
      await goTo(page, "now");
      expect(await page.getByRole("dialog").count()).toBe(0);
      costs.release();
    },
    LONG_MS,
  );

  test(
    "leaving the tab with something typed is asked about; what is left is lost, and nobody is asked twice",
    async () => {
      await using site = await open("settings");
      const { page } = site;
      await type(page, "Lost");
      await page.getByRole("link", { name: "Now" }).click();
      const dialog = page.getByRole("dialog", { name: "Unsaved changes will be lost. Leave?" });
      await dialog.getByRole("button", { name: "Cancel" }).click();
      expect(new URL(page.url()).hash).toBe("#settings");
      await isTyped(page, "Lost");
      await page.getByRole("link", { name: "Now" }).click();
      await dialog.getByRole("button", { name: "Leave" }).click();
      await page.waitForSelector("main[data-shown='#now']");
      await goTo(page, "settings");
      expect(await page.getByLabel("Name of the event").inputValue()).not.toBe("Lost");
      await goTo(page, "now");
      expect(await page.getByRole("dialog").count()).toBe(0);
    },
    LONG_MS,
  );
});

async function type(page: Page, name: string) {
  await page.locator("[name=name]").fill(name);
  await page.locator("[name=welcome_en]").fill("Come in!");
}

/** What was done had the view drawn anew. */
async function redrawnBy(page: Page, act: () => Promise<void>) {
  await page
    .locator("main > *")
    .first()
    .evaluate((element) => element.setAttribute("data-old", ""));
  await act();
  await page.locator("main > [data-old]").waitFor({ state: "detached" });
}

async function isTyped(page: Page, name: string) {
  expect(await page.locator("[name=name]").inputValue()).toBe(name);
  expect(await page.locator("[name=welcome_en]").inputValue()).toBe("Come in!");
}
