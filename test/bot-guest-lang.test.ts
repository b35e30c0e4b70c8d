/** The guest's language, and guests who block the bot or press late. */
import { afterAll, expect, test } from "bun:test";
import { openDb } from "../shared/db.ts";
import { speak } from "../shared/texts/index.ts";
import { localTime } from "../shared/time.ts";
import { chatIn, plain } from "./chat.ts";
import { World } from "./world.ts";

const world = await World.open();
const { sim } = world;
const db = openDb(world.dataDir);
const en = speak("en");
const { textsTo, lastTo, say, settled, asked, newGuest } = chatIn(world, 7150);

afterAll(async () => {
  db.close(false);
  await world[Symbol.asyncDispose]();
});

test("the guest's choice of language moves the kiosk, and stays against Telegram's own code", async () => {
  const { guest, token } = await asked();
  expect((await world.session(token)).lang).toBe("en");
  expect(await say(guest, "/language")).toBe(en.language.ask);
  sim.guestPresses(guest, "lang:uz");
  await sim.until(() => textsTo(guest).includes(speak("uz").language.set));
  await sim.until(() => sim.buttons(guest).some((b) => b.text === speak("uz").consent.yes), "the question in Uzbek");
  expect((await world.session(token)).lang).toBe("uz");
  expect(await say(guest, "hm", { lang: "ru" })).toBe(speak("uz").where.linked);
});

test("a new language before the consent: the question comes again in it, and the choice of languages goes", async () => {
  const { guest, token } = await asked();
  await say(guest, "/language");
  sim.guestPresses(guest, "lang:uz");
  const yes = speak("uz").consent.yes;
  await sim.until(() => sim.buttons(guest).some((b) => b.text === yes), "the question in Uzbek");
  expect(sim.buttons(guest).filter((b) => b.text === yes)[0]?.callback_data).toBe(`consent:${token}:yes`);
  await sim.until(() => !sim.buttons(guest).some((b) => b.callback_data === "lang:uz"), "no more languages to choose");
});

test("guests are spoken to in Telegram's language, and the menu of commands exists in each", async () => {
  for (const [code, lang] of [
    ["uz", "uz"],
    ["kk", "ru"],
    ["fr", "en"],
  ] as const)
    expect(await say(newGuest(), "/start", { lang: code })).toBe(plain(speak(lang).start));
  await sim.until(() => sim.sent("setMyCommands").filter((c) => c.params.language_code).length >= 2);
  const menus = sim.sent("setMyCommands").filter((c) => JSON.stringify(c.params.scope).includes("all_private_chats"));
  const known = menus.map((c) => [c.params.language_code ?? "", JSON.stringify(c.params.commands)]);
  for (const [code, lang] of [
    ["", "ru"],
    ["uz", "uz"],
    ["en", "en"],
  ] as const)
    expect(known.find(([c]) => c === code)?.[1]).toContain(speak(lang).commands.privacy);
});

test("a guest whose phone tells no language reads the kiosk's, until they choose another", async () => {
  const guest = newGuest();
  const token = await world.start("uz");
  sim.guestSays(guest, `/start ${token}`, { lang: null });
  await sim.until(
    () => sim.buttons(guest).some(({ text }) => text === speak("uz").consent.yes),
    "the question in Uzbek",
  );
  expect((await world.session(token)).lang).toBe("uz");
  expect(await say(guest, "hm", { lang: null })).toBe(speak("uz").where.linked);
  await say(guest, "/language", { lang: null });
  sim.guestPresses(guest, "lang:ru");
  await sim.until(() => textsTo(guest).includes(speak("ru").language.set));
  const next = await world.start("uz");
  sim.guestSays(guest, `/start ${next}`, { lang: null });
  const agree = await sim.until(
    () => sim.buttons(guest).find((button) => button.callback_data === `consent:${next}:yes`),
    "the question of the next visit",
  );
  expect(agree.text).toBe(speak("ru").consent.yes);
});

test("a guest who blocks the bot, in whatever phase, stops nothing; writing again makes them reachable", async () => {
  const { guest, token } = await asked();
  sim.guestBlocks(guest);
  const row = () => world.rows("SELECT unreachable_at FROM users WHERE id = ?", guest)[0];
  await world.eventually(() => row()?.unreachable_at, "the mark");
  expect((await world.session(token)).status).toBe("linked");
  sim.guestUnblocks(guest);
  await say(guest, `/start ${token}`);
  expect(row()).toEqual({ unreachable_at: null });
  expect(sim.buttons(guest).map((b) => b.callback_data)).toContain(`consent:${token}:yes`);
  // Blocked between pressing and the answer: the visit goes on at the kiosk.
  const hold = sim.hold("telegram:sendMessage", { chat_id: guest });
  sim.guestPresses(guest, `consent:${token}:yes`);
  await hold.reached;
  sim.guestBlocks(guest);
  hold.release();
  await world.reaches(token, "consented");
  await world.eventually(() => row()?.unreachable_at, "the mark again");
  const other = newGuest();
  await settled(other);
});

test("buttons too old to be answered still do their work", async () => {
  const { guest, token } = await asked();
  const hold = sim.hold("telegram:answerCallbackQuery");
  sim.guestPresses(guest, `consent:${token}:yes`);
  await hold.reached;
  sim.expirePresses();
  hold.release();
  await world.reaches(token, "consented");
  await sim.until(() => lastTo(guest) === en.consent.agreed);
});

test("packs are told apart by outfit, day and time, in the booth's own zone and the guest's language", async () => {
  const guest = newGuest();
  for (const outfit of ["astronaut", "chef"]) {
    const token = await world.visit(guest, "en", outfit);
    await world.sendPhoto(token, world.selfie());
    await world.reaches(token, "done");
  }
  // An evening in UTC, which is the next day in Tashkent already; two packs within the hour.
  const year = Number(localTime(Date.now(), "Asia/Tashkent").date.slice(0, 4));
  const at = Date.UTC(year, 4, 30, 22);
  const move = db.query(
    "UPDATE packs SET decided_at = ? WHERE job_id IN (SELECT id FROM jobs WHERE user_id = ? AND template_id = ?)",
  );
  move.run(at + 40 * 60_000, guest, "astronaut");
  move.run(at, guest, "chef");
  const listed = async (lang: "ru" | "uz" | "en") => {
    const packs = () => sim.buttons(guest).filter(({ url, text }) => url && text !== en.pack.add);
    const before = packs().length;
    sim.guestSays(guest, "/packs", { lang });
    await sim.until(() => packs().length > before);
    // Those of the newest message come first.
    return packs()
      .slice(0, 2)
      .map(({ text }) => text);
  };
  expect(await listed("en")).toEqual(["Astronaut · 31 May, 03:40", "Chef · 31 May, 03:00"]);
  expect(await listed("ru")).toEqual(["Космонавт · 31 мая, 03:40", "Шеф-повар · 31 мая, 03:00"]);
  expect(await listed("uz")).toEqual(["Kosmonavt · 31-may, 03:40", "Bosh oshpaz · 31-may, 03:00"]);
  // An outfit that the operators have removed since, and a year that is over.
  db.query("UPDATE jobs SET template_id = 'gone' WHERE user_id = ?").run(guest);
  db.query("UPDATE packs SET decided_at = ? WHERE user_id = ?").run(Date.UTC(2025, 4, 30, 22), guest);
  expect(await listed("uz")).toEqual(Array(2).fill("Toʻplam · 2025-yil 31-may, 03:00"));
});
