/** The page and the chat in the team's language, and the page in the one that an operator asks for. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { langs } from "../shared/status.ts";
import { team } from "../shared/texts/operators/index.ts";
import { AUTH, admin, basic, openBooth, TEST_MS, USER } from "./admin-world.ts";
import { plain } from "./chat.ts";
import { store, textsIn, withDb } from "./leads-world.ts";
import type { Json, World } from "./world.ts";

const badSheet = { usable: false, problem: "distorted", stickers: [] };

describe("a team that speaks Russian", () => {
  let world: World;
  const heard = () => textsIn(world, world.sim.operatorsChatId);
  const hears = (text: string | RegExp) => {
    const fits = (each: string) => (typeof text === "string" ? each.includes(text) : text.test(each));
    return world.sim.until(() => heard().find(fits), String(text), { timeoutMs: 20_000 });
  };
  const says = (text: string) => world.sim.operatorSays(world.sim.operatorsChatId, 9001, text, { name: "Дилшод" });

  /** One guest's pack has failed. */
  beforeAll(async () => {
    world = await openBooth({ env: { TEAM_LANG: "ru", DAILY_BUDGET_USD: "10" } });
    world.sim.models.sheet = badSheet;
    world.sim.guest(7001, { name: "Дилноза" });
    const token = await world.visit(7001, "uz", "chef");
    await world.sendPhoto(token, world.selfie());
    await world.reaches(token, "failed");
    world.sim.models.sheet = undefined;
  }, TEST_MS);
  afterAll(() => world[Symbol.asyncDispose]());

  test(
    "the chat speaks it: alerts, buttons, answers, the list of commands",
    async () => {
      await hears(
        "Набор 1 (Дилноза, Шеф-повар, киоск test) не удался: три рисунка подряд вышли неудачными. Гостю сообщили.",
      );
      const buttons = () => world.sim.buttons(world.sim.operatorsChatId).map(({ text }) => text);
      expect(buttons()).toContain("🔁 Повторить набор 1");
      const { chat } = team("ru");
      for (const [command, answer] of [
        ["/status", "🟠 Без стикеров: Дилноза (набор 1). Причина: три рисунка подряд вышли неудачными."],
        ["/jobs", "❌ 1 · Дилноза · три рисунка подряд вышли неудачными · /retry_1"],
        ["/stats", "❌ не удалось 1, остановлено 0"],
        ["/costs", /7 дней: \d+,\d\d\u00a0\$/],
        ["/budget 20", "лимит 20,00\u00a0$. Задано на сегодня. Кто: Дилшод."],
        ["/pause дождь", "⏸ Будка на паузе: дождь. Кто: Дилшод."],
        ["/resume", "▶️ Будка открыта. Кто: Дилшод."],
        ["/retry", plain(chat.retry.howTo)],
        ["/retry 77", "Набора 77 нет."],
      ] as const) {
        says(command);
        await hears(answer);
      }
      const [call] = world.sim.sent("setMyCommands").filter((each) => {
        const { scope } = each.params as { scope?: unknown };
        return JSON.stringify(scope).includes(String(world.sim.operatorsChatId));
      });
      expect(JSON.stringify(call?.params)).toContain(chat.commands.status);
      // Nothing of all that was said in another language.
      for (const text of heard().filter((each) => !each.startsWith("/")))
        expect([text, /\p{Script=Cyrillic}/u.test(text)]).toEqual([text, true]);
    },
    TEST_MS,
  );

  test("a press elsewhere is answered in it, and so is what the page told the chat", async () => {
    const [own] = world.sim.messages(world.sim.operatorsChatId).filter((m) => m.reply_markup);
    const chat = world.sim.world.chats.get(world.sim.salesChatId)?.chat;
    if (!own || !chat) throw new Error("no message with a button");
    const press = world.sim.operatorPresses(chat.id, 7667, "op:pause", { message: { ...own, chat } });
    await world.sim.until(() => press.answers.length > 0, "the answer to the press");
    expect(press.answers[0]?.text).toBe("Это работает только в чате операторов.");
    await admin(world, "POST maintenance", { on: true, reason: "ветер" });
    await hears("Будка на паузе: ветер. Кто: operator, со страницы.");
    await admin(world, "POST maintenance", { on: false });
  });

  test("the page gets the language that it asks for, the team's when it asks for none or for another", async () => {
    const verdict = async (query: string) => (await admin(world, `GET overview${query}`)).body;
    const [en, ru, uz] = [await verdict("?lang=en"), await verdict(""), await verdict("?lang=uz")];
    expect(en.verdict.what).toBe("Дилноза got no stickers (pack 1): three drawings in a row came out badly.");
    expect(ru.verdict.what).toBe("Без стикеров: Дилноза (набор 1). Причина: три рисунка подряд вышли неудачными.");
    expect(uz.verdict.what).toBe("Stikersiz qoldi: Дилноза (1-toʻplam). Sababi: ketma-ket uchta rasm yomon chiqdi.");
    for (const query of ["?lang=de", "?lang=", "?lang=RU", "?lang=en%00"])
      expect([query, (await verdict(query)).verdict.what]).toEqual([query, ru.verdict.what]);
    expect(en.lang).toBe("ru");
  });

  test("lists, stories and the audit log too", async () => {
    const told = async (list: string, pick: (body: Json) => unknown) => {
      const bodies = await Promise.all(langs.map((lang) => admin(world, `GET ${list}lang=${lang}`)));
      return bodies.map(({ body }) => pick(body));
    };
    expect(await told("jobs?", ({ jobs }) => jobs[0].template)).toEqual(["Шеф-повар", "Bosh oshpaz", "Chef"]);
    expect(await told("jobs?", ({ jobs }) => jobs[0].problem_text)).toEqual(
      langs.map((lang) => team(lang).booth.problems.bad_sheet.what),
    );
    expect(await told("sessions?", ({ sessions }) => sessions[0].template)).toEqual([
      "Шеф-повар",
      "Bosh oshpaz",
      "Chef",
    ]);
    expect(await told("jobs/1?", ({ timeline }) => timeline.map(({ what }: Json) => what).slice(0, 3))).toEqual([
      ["Нажали «Начать» у киоска test", "Дилноза: код отсканирован", "Дилноза: согласие на фото получено"],
      ["«Boshlash» bosildi: test kioski", "Дилноза kodni skanerladi", "Дилноза suratga rozi boʻldi"],
      ["Start was tapped at kiosk test", "Дилноза scanned the code", "Дилноза agreed to the photo"],
    ]);
    expect(await told("audit?", ({ entries }) => entries[0].words)).toEqual([
      "Будка снова открыта.",
      "Kabina yana ochildi.",
      "The booth was opened again.",
    ]);
  });

  test("a refusal is said in it, with its fields; the code stays", async () => {
    const number = withDb(world, (db) => store(db));
    const said = async (call: string, body: unknown) => {
      const [method, path] = call.split(" ");
      const ask = (lang: string) => admin(world, `${method} ${path}?lang=${lang}`, body);
      const [ru, uz] = [await ask("ru"), await ask("uz")];
      expect([call, uz.status, uz.body.error]).toEqual([call, ru.status, ru.body.error]);
      return [ru.body.message, uz.body.message, Object.values(ru.body.fields ?? {})[0]];
    };
    expect(await said("POST budget", { usd: 0 })).toEqual([
      expect.stringContaining("Нулевой бюджет"),
      expect.stringContaining("Nol byudjet"),
      "нужно больше 0",
    ]);
    expect(await said("POST maintenance", { on: "yes" })).toEqual([
      "Некоторые поля заполнены неверно.",
      "Ayrim maydonlar notoʻgʻri toʻldirilgan.",
      "нужно true или false",
    ]);
    expect((await said("PUT settings", { PACK_LIMIT: 5000 }))[2]).toBe("нужно целое число от 0 до 1000");
    expect((await said("POST jobs/77/retry", {}))[0]).toBe("Набора 77 нет.");
    expect((await said("POST nothing", {}))[0]).toBe("По этому адресу ничего нет.");
    expect((await said("POST templates", { id: "cat" }))[2]).toBe("нужен текст длиной от 1 до 40 знаков");
    expect((await said(`POST leads/${number}/status`, { status: "won", seen: "spam" }))[0]).toContain(
      `Заявку ${number} тем временем изменили: теперь она «новая»`,
    );
    expect((await said("POST leads/1/status", { status: "won", seen: "sold" }))[2]).toStartWith("нужно одно из: new, ");
    expect((await said("PUT branding", { paper: "#ffffff", ink: "#fffffe", accent: "#111111" }))[2]).toBe(
      "не читается на фоне: 1.0 : 1, а нужно 4.5 : 1",
    );
    expect((await said("POST tryouts", { template_id: "chef", photo: "AAAA" }))[2]).toBe(
      "Такое фото прочитать не удаётся. Отправьте JPEG, PNG или WebP.",
    );
  });

  test("the door speaks it as well, to whoever is not let in", async () => {
    const knock = async (query: string, headers: Record<string, string>) =>
      (await world.call(`/admin/api/overview${query}`, { headers })).body.message;
    expect(await knock("", {})).toBe("Войдите с именем и паролем операторов.");
    expect(await knock("?lang=en", {})).toBe("Log in with the operators' user and password.");
    const wrong = { authorization: basic(USER, "x"), "x-forwarded-for": "203.0.113.9" };
    for (let i = 0; i < 5; i++) await knock("", wrong);
    expect(await knock("?lang=uz", { ...wrong, authorization: AUTH })).toBe(
      "Bu manzildan juda koʻp notoʻgʻri parol kiritildi. 15 daqiqa kuting.",
    );
    await hears("Кто-то пять раз ввёл неверный пароль к /admin");
  });
});
