import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { noteKiosk } from "../shared/kiosks.ts";
import { createSession } from "../shared/sessions.ts";
import {
  chromiumPath,
  FAILED_JOB,
  faultsOf,
  goTo,
  hold,
  LONG_MS,
  launch,
  openEvening,
  openPage,
  overflowsOf,
  redrawn,
  WAITING_JOB,
} from "./admin-page-world.ts";
import { admin } from "./admin-world.ts";
import { withDb } from "./leads-world.ts";
import type { World } from "./world.ts";

const path = chromiumPath();

describe.skipIf(!path)("operators at the page on a plausible evening", () => {
  let world: World;
  let browser: Browser;

  beforeAll(async () => {
    [world, browser] = await Promise.all([openEvening(), launch(path ?? "")]);
  }, LONG_MS);
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  const open = (view: string, options = {}) => openPage(browser, world, view, { lang: "en", ...options });
  const outfit = (id: string) => world.rows("SELECT * FROM templates WHERE id = ?", id)[0];

  test(
    "a pack that waits for Telegram is said so: on Now, in the list, in its story, with seconds that run down",
    async () => {
      await using site = await open("now");
      const { page } = site;
      expect(await page.locator("#verdict").getAttribute("data-level")).not.toBe("green");
      const wait = /waiting for Telegram, attempt 3, next in \d+ (s|min)/;
      await page.locator("main .rows").getByText(wait).waitFor();
      // Looked for and set until the next second: a refresh by the clock may draw the row anew in between.
      await page.waitForFunction(() => {
        const left = document.querySelector<HTMLElement>("main .rows [data-until]");
        if (left) left.dataset.until = String(Date.now() + 61_000);
        return /next in \d\d s/.test(left?.textContent ?? "");
      });
      await goTo(page, "jobs");
      await page
        .locator("tr", { hasText: `#${WAITING_JOB}` })
        .getByText(wait)
        .waitFor();
      await goTo(page, `jobs/${WAITING_JOB}`);
      await page.locator(".card").first().getByText(wait).waitFor();
    },
    LONG_MS,
  );

  test(
    "a pause is not forgotten beside what is worse, in any tab",
    async () => {
      await admin(world, "POST maintenance", { on: true, reason: "Cake!" });
      const { problems } = (await admin(world, "GET overview")).body;
      expect(problems.length).toBeGreaterThan(1);
      expect(problems[0].what).toBe("The booth is paused: Cake. New guests are asked to come back later.");
      await admin(world, "POST budget", { usd: 0.01 });
      try {
        for (const [lang, words] of [
          ["en", "Paused · Today: "],
          ["ru", "На паузе · Сегодня: "],
          ["uz", "Tanaffusda · Bugun: "],
        ] as const) {
          await using site = await open("leads", { lang, viewport: { width: 390, height: 844 } });
          await site.page.locator("#verdict .pulse:visible").getByText(words).waitFor();
        }
      } finally {
        await admin(world, "POST budget", { usd: 50 });
        await admin(world, "POST maintenance", { on: false });
      }
    },
    LONG_MS,
  );

  test(
    "what ails a kiosk is seen, and one that was put away is taken off the list in one tap",
    async () => {
      await using site = await open("now", { viewport: { width: 360, height: 740 } });
      const { page } = site;
      for (const words of ["camera blocked", "screen may sleep", "battery 10 %"])
        await page.locator("main .tag").getByText(words).waitFor();
      await page.getByRole("button", { name: "Take off the list" }).click();
      await page.locator("main").getByText("entrance").waitFor({ state: "detached" });
    },
    LONG_MS,
  );

  test(
    "times are the event's, whatever zone the operator's device is in, and a wrong clock there ages nothing",
    async () => {
      await using site = await open("now", { timezoneId: "Pacific/Auckland" });
      const { page } = site;
      const evening = /^as of 2[12]:\d\d$/;
      expect(await page.locator("#fresh").textContent()).toMatch(evening);
      expect(await page.getByText(/^since /).textContent()).toBe("since 06:00");
      await using late = await open("now", { timezoneId: "America/Lima" });
      await late.page.clock.setFixedTime(Date.now() - 5 * 3_600_000);
      await late.page.reload();
      await late.page.getByText(/^as of/).waitFor();
      expect(await late.page.locator("#fresh").textContent()).toMatch(evening);
      expect(await late.page.getByText(/last answer/).textContent()).toMatch(/last answer \d+ s ago/);
    },
    LONG_MS,
  );

  test(
    "repeated steps of a story are folded, and unfolded ones stay so over a refresh",
    async () => {
      await using site = await open(`jobs/${FAILED_JOB}`);
      const { page } = site;
      const fold = page.getByText(/The same 2 more times before/);
      await fold.waitFor();
      const hidden = page.locator(".folded li").first();
      expect(await hidden.isVisible()).toBe(false);
      await fold.click();
      await hidden.waitFor();
      await redrawn(page);
      expect(await hidden.isVisible()).toBe(true);
    },
    LONG_MS,
  );

  test(
    "two operators at one outfit: keeping mine keeps what the other changed elsewhere",
    async () => {
      await using site = await open("outfits");
      const { page } = site;
      await page.getByRole("button", { name: "Edit Wizard" }).click();
      await page.getByLabel("Title in English").fill("Magician");
      await admin(world, "PUT templates/wizard", { title_en: "Mage", title_ru: "Маг" });
      await page.getByRole("button", { name: "Save" }).click();
      const question = page.getByRole("alert").filter({ hasText: "Somebody else saved this outfit meanwhile" });
      await question.getByText("Title in English").waitFor();
      expect(await question.locator("li").allInnerTexts()).toEqual([
        expect.stringMatching(/Title in Russian\s+was\s+Волшебник\s+theirs\s+Маг\s+you did not touch it/),
        expect.stringMatching(/Title in English\s+was\s+Wizard\s+theirs\s+Mage\s+yours\s+Magician/),
      ]);
      expect([await overflowsOf(page), await faultsOf(page)]).toEqual([[], []]);
      await question.getByRole("button", { name: "Keep mine" }).click();
      await page.getByRole("heading", { name: "Magician" }).waitFor();
      expect(outfit("wizard")).toMatchObject({ title_en: "Magician", title_ru: "Маг" });
    },
    LONG_MS,
  );

  test(
    "two operators at one outfit: taking theirs shows theirs, and nothing is saved",
    async () => {
      await using site = await open("outfits");
      const { page } = site;
      await page.getByRole("button", { name: "Edit Astronaut" }).click();
      await page.getByLabel("What the person wears").fill("a silver suit");
      await admin(world, "PUT templates/astronaut", { prompt: "a blue suit" });
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("button", { name: "Take theirs" }).click();
      await page.getByRole("dialog").waitFor();
      expect(await page.getByLabel("What the person wears").inputValue()).toBe("a blue suit");
      expect(outfit("astronaut").prompt).toBe("a blue suit");
    },
    LONG_MS,
  );

  test(
    "two operators at the settings: both ways out",
    async () => {
      await using site = await open("settings");
      const { page } = site;
      const visits = page.getByLabel("A visit with no progress");
      const value = async (name: string) =>
        (await admin(world, "GET settings")).body.settings.find((row: { name: string }) => row.name === name).value;
      const clash = async (mine: string, theirs: number) => {
        await visits.fill(mine);
        await admin(world, "PUT settings", { SESSION_TTL_MINUTES: theirs, LEADS_REMIND_MINUTES: theirs });
        await page.getByRole("button", { name: "Save the settings" }).click();
        await page.getByText("Somebody else saved the settings meanwhile").waitFor();
      };
      await clash("12", 20);
      await page.getByRole("button", { name: "Keep mine" }).click();
      await page.getByText("Saved.").waitFor();
      expect([await value("SESSION_TTL_MINUTES"), await value("LEADS_REMIND_MINUTES")]).toEqual([12, 20]);
      await page.reload();
      await visits.waitFor();
      await clash("13", 25);
      await page.getByRole("button", { name: "Take theirs" }).click();
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>("[name=SESSION_TTL_MINUTES]")?.value === "25",
      );
      expect(await value("SESSION_TTL_MINUTES")).toBe(25);
    },
    LONG_MS,
  );

  test(
    "two operators at the kiosks' look: keeping mine keeps their welcome",
    async () => {
      await using site = await open("settings");
      const { page } = site;
      await page.getByLabel("Name of the event").fill("Anna & Timur");
      await admin(world, "PUT branding", { name: "Timur & Anna", welcome_en: "Come in!" });
      await page.getByRole("button", { name: "Save the look" }).click();
      const question = page.getByRole("alert").filter({ hasText: "Somebody else saved the kiosks' look meanwhile" });
      await question.getByText("Come in!").waitFor();
      await question.getByRole("button", { name: "Keep mine" }).click();
      await page.getByText("Saved.").waitFor();
      const { name, welcome } = (await admin(world, "GET branding")).body;
      expect([name, welcome.en]).toEqual(["Anna & Timur", "Come in!"]);
    },
    LONG_MS,
  );

  test(
    "a lead that somebody else has just moved is not moved again: it is said by whom, and shown as it is",
    async () => {
      await using site = await open("leads");
      const { page } = site;
      const row = page.locator("tr", { hasText: "#5" });
      // While it is on its way: what was moved before the click, a refresh by the clock would already show.
      await page.route(
        "**/admin/api/leads/5/status*",
        async (route) => {
          withDb(world, (db) => db.run("UPDATE leads SET status = 'lost', status_by = 'Rustam' WHERE number = 5"));
          await route.continue();
        },
        { times: 1 },
      );
      await row.getByRole("button", { name: "Take lead 5" }).click();
      await row.getByRole("status").getByText("Rustam").waitFor();
      await row.locator(".tag").getByText("lost").waitFor();
      expect(world.rows("SELECT status FROM leads WHERE number = 5")[0].status).toBe("lost");
      await row.getByRole("combobox").selectOption("new");
      await row.getByRole("button", { name: "Take lead 5" }).click();
      await row.locator(".tag").getByText("in progress").waitFor();
      expect(await row.getByRole("status").count()).toBe(0);
    },
    LONG_MS,
  );

  test(
    "filters name many, tags name one",
    async () => {
      for (const [lang, leads, packs] of [
        ["en", "All|new|in progress|won|lost|spam", "All|failed|waiting|drawing|on the way|delivered|stopped"],
        [
          "ru",
          "Все|новые|в работе|сделки|отказы|спам",
          "Все|неудавшиеся|ждут|рисуются|в пути|доставленные|остановленные",
        ],
        [
          "uz",
          "Hammasi|yangilari|ishdagilari|kelishilganlari|kelishilmaganlari|spam",
          "Hammasi|chiqmaganlari|kutayotganlari|chizilayotganlari|yoʻldagilari|yetkazilganlari|toʻxtatilganlari",
        ],
      ] as const) {
        await using site = await open("leads", { lang });
        const chips = () => site.page.locator(".tools .chips a").allInnerTexts();
        expect((await chips()).map((text) => text.replace(/ \d+$/, "")).join("|")).toBe(leads);
        await goTo(site.page, "jobs");
        expect((await chips()).join("|")).toBe(packs);
      }
    },
    LONG_MS,
  );

  test(
    "a view whose answer is slow is not forgotten when the clock asks in between",
    async () => {
      await using site = await open("now");
      const { page } = site;
      const branding = await hold(page, "**/admin/api/branding*");
      await page.evaluate(() => {
        location.hash = "settings";
      });
      await branding.reached;
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      branding.release();
      await page.getByRole("button", { name: "Save the settings" }).waitFor();
    },
    LONG_MS,
  );

  test(
    "an answer that comes late takes no field from whoever went on meanwhile",
    async () => {
      await using site = await open("now");
      const { page } = site;
      const costs = await hold(page, "**/admin/api/costs*");
      const asked = page.waitForRequest(/api\/costs/);
      await page.getByRole("link", { name: "Costs" }).click();
      const late = await asked;
      await page.getByRole("link", { name: "Packs", exact: true }).click();
      await page.waitForSelector("main[data-shown='#jobs']");
      await page.getByRole("searchbox").focus();
      await page.keyboard.type("Mad");
      costs.release();
      await (await late.response())?.finished();
      await drawnBy(page);
      await page.keyboard.type("ina");
      expect(await page.getByRole("searchbox").inputValue()).toBe("Madina");
    },
    LONG_MS,
  );

  for (const [who, search, typed, act] of [
    ["whoever goes into the search while a filter is awaited", "", "Mad", "chip"],
    ["whoever types on after a search was sent", "Ma", "d", "search"],
  ] as const)
    test(
      `${who} types on when the answer comes`,
      async () => {
        await using site = await open("jobs");
        const { page } = site;
        const held = Promise.withResolvers<void>();
        await page.route("**/admin/api/jobs?*=*", async (route) => {
          if (/search=|status=/.test(route.request().url())) await held.promise;
          await route.continue();
        });
        const asked = page.waitForRequest(/api\/jobs\?(search|status)=/);
        const box = page.getByRole("searchbox");
        await box.fill(search);
        if (act === "chip") await page.locator("main .chips a[href='#jobs?status=failed']").click();
        else await box.press("Enter");
        await asked;
        await box.focus();
        await page.keyboard.type(typed);
        held.resolve();
        await page.waitForSelector("main[data-shown*='?']");
        await drawnBy(page);
        await page.keyboard.type("ina");
        expect(await box.inputValue()).toBe("Madina");
      },
      LONG_MS,
    );

  test(
    "outfits that are moved one after the other, faster than the booth answers, are all moved",
    async () => {
      await using site = await open("outfits", { hasTouch: true, isMobile: true });
      const { page } = site;
      const order = () =>
        page.locator("[data-key^='try ']").evaluateAll((all) => all.map((it) => it.dataset.key?.slice(4)));
      const [first, second, third, fourth, ...others] = await order();
      const held = Promise.withResolvers<void>();
      await page.route("**/admin/api/templates/order*", async (route) => {
        await held.promise;
        await route.continue();
      });
      const asked = page.waitForRequest(/templates\/order/);
      await page.locator(`[data-key='down ${first}']`).tap();
      await asked;
      await page.locator(`[data-key='up ${fourth}']`).tap();
      held.resolve();
      await page.waitForFunction(
        (id) => document.querySelectorAll("[data-key^='try ']")[2]?.getAttribute("data-key") === `try ${id}`,
        fourth,
      );
      expect(await order()).toEqual([second, first, fourth, third, ...others]);
    },
    LONG_MS,
  );

  test(
    "a redraw leaves the caret where it was in the search",
    async () => {
      await using site = await open("jobs?search=Main");
      const { page } = site;
      await page.getByRole("searchbox").focus();
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      await redrawn(page);
      await page.keyboard.type("d");
      expect(await page.getByRole("searchbox").inputValue()).toBe("Madin");
    },
    LONG_MS,
  );

  test(
    "a button that is being pressed is not taken away by an answer that comes in between",
    async () => {
      await using site = await open("jobs");
      const { page } = site;
      const pause = page.getByRole("button", { name: "Pause", exact: true });
      await pause.hover();
      await page.mouse.down();
      const answer = page.waitForResponse(/api\/overview/);
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await (await answer).finished();
      await drawnBy(page);
      await page.mouse.up();
      await page.getByRole("dialog", { name: "Pause the booth" }).waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      // What came meanwhile is drawn after it.
      await redrawn(page);
    },
    LONG_MS,
  );

  test(
    "a button that is at work is not replaced by one that could be pressed again",
    async () => {
      await using site = await open("jobs?status=failed");
      const { page } = site;
      const held = Promise.withResolvers<void>();
      await page.route(`**/admin/api/jobs/${FAILED_JOB}/retry*`, async (route) => {
        await held.promise;
        await route.abort();
      });
      const retry = page.locator(`[data-key='retry ${FAILED_JOB}']`);
      await retry.click();
      expect(await retry.isDisabled()).toBe(true);
      const answer = page.waitForResponse(/api\/jobs\?/);
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await (await answer).finished();
      await drawnBy(page);
      expect(await retry.isDisabled()).toBe(true);
      held.resolve();
      await page.waitForFunction(
        (key) => document.querySelector<HTMLButtonElement>(`[data-key='${key}']`)?.disabled === false,
        `retry ${FAILED_JOB}`,
      );
    },
    LONG_MS,
  );

  test(
    "what is typed into the search outlives a redraw, and what was searched for is not typed again",
    async () => {
      await using site = await open("jobs");
      const { page } = site;
      await page.getByRole("searchbox").fill("Mad");
      await page.getByRole("button", { name: /Русский/ }).click();
      await page.getByRole("link", { name: "Наборы", exact: true }).waitFor();
      expect(await page.getByRole("searchbox").inputValue()).toBe("Mad");
      await page.getByRole("searchbox").press("Enter");
      await page.waitForSelector("main[data-shown*='search=Mad']");
      await page.goBack();
      await page.waitForSelector("main[data-shown='#jobs']");
      expect(await page.getByRole("searchbox").inputValue()).toBe("");
    },
    LONG_MS,
  );

  test(
    "a try-out is followed through an answer that was lost",
    async () => {
      await using site = await open("outfits");
      const { page } = site;
      let lost = 0;
      await page.route(
        "**/admin/api/tryouts/*",
        async (route) => {
          lost += 1;
          await route.abort();
        },
        { times: 2 },
      );
      await page.locator("[data-key='try wizard']").click();
      const dialog = page.getByRole("dialog");
      const photo = { name: "me.jpg", mimeType: "image/jpeg", buffer: Buffer.from(world.selfie()) };
      await dialog.locator("[name=photo]").setInputFiles(photo);
      await dialog.getByRole("button", { name: "Draw" }).click();
      await dialog.locator("form[aria-busy=true]").waitFor();
      // It may be closed all the while, and looks so.
      expect(await dialog.getByRole("button", { name: "Close" }).evaluate((it) => getComputedStyle(it).opacity)).toBe(
        "1",
      );
      await dialog.locator(".pictures img").first().waitFor();
      expect(lost).toBe(2);
    },
    LONG_MS,
  );

  test(
    "leads are written to and called in one tap, and their days are words",
    async () => {
      await using site = await open("leads");
      const { page } = site;
      const links = await page.locator("a.contact").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
      expect(links.sort()).toEqual([
        "https://t.me/john_wick",
        "https://t.me/kamila_wed",
        "mailto:events@prazdnik.uz",
        "tel:+998901234567",
      ]);
      await page.getByText("wedding · Sat, 15 May 2027 · 120 guests · Toshkent").waitFor();
      await page.getByText("birthday · 1 guest · Samarqand").waitFor();
    },
    LONG_MS,
  );

  test(
    "a long comment is unfolded by a tap, is told whole, and stays unfolded",
    async () => {
      const long = `${"Please bring <two> booths. ".repeat(40)}The end.`;
      withDb(world, (db) => db.query("UPDATE leads SET comment = ? WHERE number = 4").run(long));
      await using site = await open("leads");
      const { page } = site;
      const comment = page.locator("tr", { hasText: "#4" }).locator("details");
      expect(((await comment.locator("summary").textContent()) ?? "").length).toBeLessThan(300);
      const colourOf = (element: Element) => getComputedStyle(element).color;
      const [summary, unfold] = [comment.locator("summary"), comment.getByText("more", { exact: true })];
      expect(await summary.evaluate(colourOf)).toBe(await comment.evaluate(colourOf));
      expect(await unfold.isVisible()).toBe(true);
      await summary.click();
      expect(await unfold.isVisible()).toBe(false);
      await redrawn(page);
      await page.locator("tr", { hasText: "#4" }).getByText("The end.").waitFor();
      const told = ((await comment.textContent()) ?? "").replace(" … more", " ").replace(/\s+/g, " ");
      expect(told.trim()).toBe(long);
    },
    LONG_MS,
  );

  test(
    "money for today: raised, without a limit, the usual one again",
    async () => {
      await using site = await open("costs");
      const { page } = site;
      const limit = async () => (await admin(world, "GET overview")).body.budget.limit_usd;
      await page.getByRole("button", { name: "Raise today's budget" }).click();
      await page.getByLabel("Dollars for today").fill("75.5");
      await page.getByRole("button", { name: "Set for today" }).click();
      await page.getByText("today, of $75.50").waitFor();
      await page.getByRole("button", { name: "Raise today's budget" }).click();
      await page.getByRole("button", { name: "No limit today" }).click();
      await page.getByText("today, no limit").waitFor();
      expect(await limit()).toBe(0);
      await page.getByRole("button", { name: "Set a limit for today" }).click();
      await page.getByText("There is no limit.").waitFor();
      await page.getByRole("button", { name: "The usual $50.00 again" }).click();
      await page.getByText("today, of $50.00").waitFor();
      expect(await limit()).toBe(50);
    },
    LONG_MS,
  );

  test(
    "a pack is stopped only after a second word",
    async () => {
      await using site = await open(`jobs/${WAITING_JOB}`);
      const { page } = site;
      const status = () => world.rows("SELECT status FROM jobs WHERE id = ?", WAITING_JOB)[0].status;
      await page.getByRole("button", { name: "Stop this pack" }).click();
      await page.getByRole("button", { name: "Cancel" }).click();
      expect(status()).toBe("queued");
      await page.getByRole("button", { name: "Stop this pack" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Stop this pack" }).click();
      await page.locator("main .tag").getByText("stopped").waitFor();
      expect(status()).toBe("cancelled");
    },
    LONG_MS,
  );

  test(
    "the day's chart is drawn in both halves, and says in words what it shows",
    async () => {
      await using site = await open("now", { viewport: { width: 360, height: 740 } });
      const { page } = site;
      const chart = page.getByRole("img", { name: /^Packs per hour, \d+ in all: / });
      expect(await chart.locator("rect.bar").count()).toBeGreaterThan(4);
      expect(await chart.locator("circle").count()).toBeGreaterThan(4);
      for (const words of ["packs an hour", "usual seconds", "time of day"]) await chart.getByText(words).waitFor();
      expect(await smallestText(page)).toBeGreaterThanOrEqual(11);
    },
    LONG_MS,
  );

  // The last one: its crowd stays.
  test(
    "a crowd is counted where it is too long to be listed, and one trouble of many kiosks is one sentence",
    async () => {
      withDb(world, (db) => {
        const now = Date.now();
        for (let i = 0; i < 70; i++)
          createSession(db, { kiosk: "hall-1", lang: "en", ttl: { SESSION_TTL_MINUTES: 10 }, now });
        for (let i = 1; i <= 7; i++) noteKiosk(db, { kiosk: `tab-${i}`, camera: "busy" }, now);
        db.run(
          `INSERT INTO jobs (session_token, user_id, lang, template_id, selfie, status, created_at, updated_at, not_before)
           SELECT s.token, j.user_id, 'en', j.template_id, 'none.jpg', 'queued', ?1, ?1, ?1 + 3600000
           FROM sessions s, jobs j WHERE j.id = ?2 AND s.status = 'created' LIMIT 20`,
          [now, WAITING_JOB],
        );
      });
      await admin(world, "POST budget", { usd: 0.01 });
      await using site = await open("now");
      const { page } = site;
      const problem = /\b8 kiosks have no picture from their cameras: .+ and 3 more\./;
      await page.locator("#verdict").getByText(problem).waitFor();
      const codes = page.locator(".way li").first();
      expect(Number(await codes.locator("b").textContent())).toBeGreaterThanOrEqual(70);
      expect(await codes.locator(".who").textContent()).toMatch(/^hall-1, .+ and \d\d more$/);
      const late = page.locator(".card .rows").first().locator("li");
      expect(await late.count()).toBe(9);
      const { queued } = (await admin(world, "GET overview")).body.queue;
      expect(queued).toBeGreaterThanOrEqual(20);
      expect(await late.last().textContent()).toBe(`and ${queued - 8} more`);
    },
    LONG_MS,
  );
});

/** The page has done whatever it does with an answer that has come. */
const drawnBy = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
  });

/** Pixels on the screen of the smallest words of the charts. */
const smallestText = (page: Page) =>
  page.evaluate(() => {
    const texts = [...document.querySelectorAll(".card svg.chart[role=img] text")];
    return Math.min(
      ...texts.map((text) => {
        const svg = text.closest("svg")!;
        const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        return Number.parseFloat(getComputedStyle(text).fontSize) * scale;
      }),
    );
  });
