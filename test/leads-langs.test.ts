/** The sales group in the team's language: what stands in the chat, read where people read it. */
import { expect, test } from "bun:test";
import { leadStatuses } from "../shared/leads/lead.ts";
import { type Lang, langs } from "../shared/status.ts";
import { type SalesTexts, sales, type Who } from "../shared/texts/sales/index.ts";
import { card, cardSays, openDesk, SECRET, store, TEST_MS, textsIn, withDb } from "./leads-world.ts";
import { midday } from "./zones.ts";

const HOUR_MS = 3_600_000;
const NODIRA = 501;
const BEK = 502;

type Expected = {
  card: string[];
  time: RegExp;
  buttons: string[];
  take: string;
  late: string;
  taken: string;
  won: string;
  list: string;
  history: string[];
  stats: string[];
  digest: string[];
  reminder: string;
  alert: string;
};

const expected: Record<"ru" | "uz", Expected> = {
  ru: {
    card: ["🎉 Свадьба · суббота, 1 мая 2027 г. · 1 202 гостя", "🌐 Узбекский · sales.example/uz"],
    time: /^Заявка 2 · 🆕 новая, \d{1,2} [а-я]{3,5}\.?, \d\d:\d\d\n/,
    buttons: ["🙋 Взять", "🚫 Спам"],
    take: "Заявка 2 теперь ваша.",
    late: "Заявка 2 уже взята. Кто: Nodira (@nodira).",
    taken: "Заявка 2 · 🙋 в работе, Nodira (@nodira), ",
    won: "Заявка 2 закрыта: сделка.",
    list: "Открытые заявки: новых – 1, в работе – 1\n🆕 /lead_1 Old · 1 д 6 ч\n🙋 /lead_2 ",
    history: ["Заявка 2, что было\n", ": заявка пришла\n", ": 🙋 в работе, Nodira (@nodira)"],
    stats: ["🙋 в работе: 1", "Конверсия: пока ничего не закрыто", "На этой неделе: ", "(0 сделок)", "без метки: "],
    digest: ["Заявки за вчера: 1 новая\n", "Никто не взял\n🆕 /lead_1 Old · 1 д 6 ч"],
    reminder: "⏰ Эту заявку никто не взял\n🆕 /lead_1 Old · 1 д 6 ч",
    alert: "⚠️ Бота удалили из группы продаж. Заявок ждёт: ",
  },
  uz: {
    card: ["🎉 Toʻy · 2027-yil 1-may, shanba · 1 202 mehmon", "🌐 Oʻzbek tili · sales.example/uz"],
    time: /^2-soʻrov · 🆕 yangi, \d{1,2}-[a-z]{3}, \d\d:\d\d\n/,
    buttons: ["🙋 Olaman", "🚫 Spam"],
    take: "2-soʻrov endi sizda.",
    late: "2-soʻrov allaqachon olingan. Kim: Nodira (@nodira).",
    taken: "2-soʻrov · 🙋 ishda, Nodira (@nodira), ",
    won: "2-soʻrov yopildi: kelishildi.",
    list: "Ochiq soʻrovlar: 1 ta yangi, 1 ta ishda\n🆕 /lead_1 Old · 1 kun 6 soat\n🙋 /lead_2 ",
    history: ["2-soʻrov, nimalar boʻlgan\n", ": soʻrov keldi\n", ": 🙋 ishda, Nodira (@nodira)"],
    stats: ["🙋 ishda: 1", "Konversiya: hali hech biri yopilmagan", "Shu hafta: ", "(0 ta kelishilgan)", "belgisiz: "],
    digest: ["Kechagi soʻrovlar: 1 ta yangi\n", "Hech kim olmagan\n🆕 /lead_1 Old · 1 kun 6 soat"],
    reminder: "⏰ Bu soʻrovni hali hech kim olmadi\n🆕 /lead_1 Old · 1 kun 6 soat",
    alert: "⚠️ Bot savdo guruhidan chiqarib yuborildi. Kutayotgan soʻrovlar: ",
  },
};

test.each(["ru", "uz"] as const)(
  "a sales group that reads %s: card, buttons, commands, reminder, digest and alert",
  async (lang) => {
    const says = expected[lang];
    await using world = await openDesk({
      bot: false,
      api: false,
      env: { TEAM_LANG: lang, TZ_NAME: midday(), DIGEST_HOUR: "0", LEADS_REMIND_MINUTES: "1" },
    });
    const group = world.sim.salesChatId;
    const heard = (text: string, what: string, chat = group) =>
      world.sim.until(() => textsIn(world, chat).find((t) => plain(t).includes(text)), what, { timeoutMs: 20_000 });
    withDb(world, (db) => {
      store(db, { name: "Old" }, Date.now() - 30 * HOUR_MS);
      db.query("UPDATE leads SET published_at = created_at").run();
    });
    await world.startBot();
    await heard(says.reminder, "the reminder");
    for (const part of says.digest) await heard(part, "the digest");

    const number = withDb(world, (db) =>
      store(db, {
        event_type: "wedding",
        event_date: "2027-05-01",
        guests: 1202,
        locale: "uz",
        page: "sales.example/uz",
      }),
    );
    const title = sales(lang).lead(number);
    const shown = await world.sim.until(
      () => world.sim.messages(group).find((m) => m.text?.startsWith(`${title} ·`)),
      "the card",
    );
    expect(shown.text).toMatch(says.time);
    for (const line of says.card) expect(plain(shown.text ?? "").split("\n")).toContain(line);
    expect(shown.reply_markup?.inline_keyboard.flat().map((b) => b.text)).toEqual(says.buttons);

    const answerTo = async (who: number, action: string, look = {}) => {
      const pressed = world.sim.operatorPresses(group, who, `lead:${number}:${action}`, look);
      await world.sim.until(() => pressed.answers.length > 0, "the button's answer");
      return pressed.answers[0]?.text;
    };
    const copy = structuredClone(shown);
    expect(await answerTo(NODIRA, "take", { name: "Nodira", username: "nodira" })).toBe(says.take);
    expect(await answerTo(BEK, "take", { message: copy })).toBe(says.late);
    await heard(says.taken, "the card of a taken lead");
    for (const [command, parts] of [
      ["/leads", [says.list]],
      [`/lead ${number}`, says.history],
      ["/stats", says.stats],
    ] as const) {
      world.sim.operatorSays(group, BEK, command);
      for (const part of parts) await heard(part, `${command}: ${part}`);
    }
    expect(await answerTo(NODIRA, "won")).toBe(says.won);
    world.sim.throwsBotOut(group);
    await heard(says.alert, "the alert", world.sim.operatorsChatId);
    expect(world.sim.violations).toEqual([]);
  },
  TEST_MS,
);

test(
  "the api's alerts about the form are in the team's language too",
  async () => {
    await using world = await openDesk({ env: { TEAM_LANG: "ru" } });
    for (let i = 0; i < 5; i++) await world.post("/leads", {}, { "x-stickers-leads-secret": `not ${SECRET}` });
    const alerts = () => textsIn(world, world.sim.operatorsChatId).join("\n");
    await world.sim.until(() => alerts().includes(sales("ru").alerts.lockout), "the alert of the lockout");
  },
  TEST_MS,
);

test(
  "English is what it always was, also where nothing is set",
  async () => {
    await using world = await openDesk({ api: false });
    const number = withDb(world, (db) => store(db));
    expect((await card(world, number)).text).toStartWith(`Lead ${number} · 🆕 new, `);
    await cardSays(world, number, "🌐 English");
  },
  TEST_MS,
);

test("Russian counts as Russian does", () => {
  const { counted, guests, reminder, stats } = sales("ru");
  expect([0, 1, 2, 5, 11, 21, 22, 111].map((n) => counted(n, "won"))).toEqual([
    "0 сделок",
    "1 сделка",
    "2 сделки",
    "5 сделок",
    "11 сделок",
    "21 сделка",
    "22 сделки",
    "111 сделок",
  ]);
  expect([1, 3, 12, 101].map(guests)).toEqual(["1 гость", "3 гостя", "12 гостей", "101 гость"]);
  expect([1, 2, 5, 21].map(reminder)).toEqual([
    "Эту заявку никто не взял",
    "Никто не взял 2 заявки",
    "Никто не взял 5 заявок",
    "Никто не взял 21 заявку",
  ]);
  expect(stats.ended(1, 1, 100)).toBe("1 сделка из 1 закрытой, 100 %");
  expect(stats.ended(2, 21, 10)).toBe("2 сделки из 21 закрытой, 10 %");
});

/** Every text of a language, also those that are put together. */
function said(texts: SalesTexts): string[] {
  const { press, open, stats, alerts } = texts;
  const everyWho: Who[] = ["you", { name: "Bek" }, null];
  return [
    ...fixed(texts),
    texts.lead(12),
    texts.guests(1200),
    texts.erasedOn("2027-05-01"),
    texts.day("2027-05-01"),
    texts.moment(0, "Asia/Tashkent", 0),
    texts.moment(0, "Asia/Tashkent", 366 * 24 * HOUR_MS),
    ...leadStatuses.flatMap((status) => [
      texts.counted(2, status),
      press.moved(12, status),
      ...everyWho.map((who) => press.already(12, status, who)),
    ]),
    press.mine(12),
    press.takeFirst(12),
    texts.unknown(12),
    open.counts(2, 1),
    texts.more(3),
    stats.ended(2, 3, 67),
    texts.reminder(1),
    texts.reminder(2),
    alerts.thrownOut(3),
    alerts.forbidden("403", 3),
    alerts.failing("502", 3),
    alerts.refused(12, "400", 3),
  ];
}

const fixed = (value: unknown): string[] =>
  typeof value === "string" ? [value] : typeof value === "object" && value ? Object.values(value).flatMap(fixed) : [];

test.each([...langs])("%s: no text is empty, too long for its place, or in the wrong letters", (lang: Lang) => {
  const texts = sales(lang);
  const all = said(texts);
  for (const text of all) expect([text, text.trim() === "" || text.includes("undefined")]).toEqual([text, false]);
  const { press, commands } = texts;
  const long = { name: "n".repeat(60) };
  for (const status of leadStatuses) expect(press.already(10 ** 14, status, long).length).toBeLessThanOrEqual(200);
  for (const text of Object.values(commands)) expect(text.length).toBeLessThanOrEqual(100);
  const words = all.join("\n").replace(/POST|LEADS_\w+|Telegram|Bek|<\/?code>|\/leads?/g, "");
  if (lang === "uz") expect(words).not.toMatch(/[oOgG]['`‘’]|[а-яё]/i);
  if (lang === "ru") expect(words).not.toMatch(/[a-z]|['`]/i);
  if (lang === "en") expect(words).not.toMatch(/[а-яёʻʼ]/i);
});

/** Digits are grouped by spaces that do not break. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");
