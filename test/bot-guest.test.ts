/** The guest's chat: codes, consent, languages, strange input, repeats. One real pair of processes, a guest a test. */
import { afterAll, expect, test } from "bun:test";
import { openDb } from "../shared/db.ts";
import { speak } from "../shared/texts/index.ts";
import { chatIn, plain } from "./chat.ts";
import { World } from "./world.ts";

const world = await World.open();
const { sim } = world;
const db = openDb(world.dataDir);
const en = speak("en");
const { heard, textsTo, lastTo, say, settled, asked, newGuest } = chatIn(world, 7100);

afterAll(async () => {
  db.close(false);
  await world[Symbol.asyncDispose]();
});

test("a code leads to the question, a yes to the outfits; the question keeps its words and loses its buttons", async () => {
  const { guest, token } = await asked();
  expect(await world.session(token)).toMatchObject({ status: "linked", guest_name: `Guest ${guest}` });
  const press = sim.guestPresses(guest, `consent:${token}:yes`);
  await world.reaches(token, "consented");
  await sim.until(
    () => press.answers.length === 1 && sim.buttons(guest).length === 0 && lastTo(guest) === en.consent.agreed,
  );
  expect(heard(guest)[0]?.text).toContain("Do you agree");
  expect(heard(guest)[0]?.text).toContain(en.consent.yes);
});

test("a no ends the visit kindly; a second no says nothing, a later yes is told that it is over", async () => {
  const { guest, token } = await asked();
  const question = heard(guest)[0];
  sim.guestPresses(guest, `consent:${token}:no`);
  expect(await world.reaches(token, "expired")).toMatchObject({ problem: "declined" });
  await sim.until(() => lastTo(guest) === en.consent.declined);
  const count = heard(guest).length;
  sim.guestPresses(guest, `consent:${token}:no`, { message: question });
  await settled(guest);
  expect(heard(guest)).toHaveLength(count + 1);
  sim.guestPresses(guest, `consent:${token}:yes`, { message: question });
  await sim.until(() => lastTo(guest) === en.link.over);
  expect((await world.session(token)).status).toBe("expired");
});

test("updates that Telegram repeats change nothing and say nothing twice", async () => {
  const { guest, token } = await asked();
  sim.guestPresses(guest, `consent:${token}:yes`);
  await world.reaches(token, "consented");
  await say(guest, "hello?");
  await settled(guest);
  const before = { texts: textsTo(guest), history: world.rows("SELECT * FROM history WHERE subject = ?", token) };
  expect(sim.redeliver(12).length).toBeGreaterThanOrEqual(4);
  await settled(guest);
  expect(textsTo(guest)).toEqual([...before.texts, plain(en.help)]);
  expect(world.rows("SELECT * FROM history WHERE subject = ?", token)).toEqual(before.history);
});

test("two guests, one code: the first has it, the second is told, and neither disturbs the other", async () => {
  const { guest, token } = await asked();
  const second = newGuest();
  expect(await say(second, `/start ${token}`)).toBe(en.link.used);
  expect(sim.buttons(second)).toEqual([]);
  expect(await world.session(token)).toMatchObject({ status: "linked", guest_name: `Guest ${guest}` });
  // Nor can the second press the first one's button, whatever the client sends.
  const [question] = heard(second);
  sim.guestPresses(second, `consent:${token}:yes`, { message: question });
  await sim.until(() => textsTo(second).length === 2);
  expect((await world.session(token)).status).toBe("linked");
});

test("both scan at the same moment: one gets it", async () => {
  const token = await world.start();
  const pair = [newGuest(), newGuest()];
  for (const guest of pair) sim.guestSays(guest, `/start ${token}`, { lang: "en" });
  await sim.until(() => pair.every((guest) => heard(guest).length === 1));
  expect(pair.map((guest) => sim.buttons(guest).length).sort()).toEqual([0, 2]);
});

test("the same guest scans again: the question is repeated, or told what comes next", async () => {
  const { guest, token } = await asked();
  await say(guest, `/start ${token}`);
  expect(sim.buttons(guest)).toHaveLength(4);
  sim.guestPresses(guest, `consent:${token}:yes`);
  await world.reaches(token, "consented");
  await settled(guest);
  expect(await say(guest, `/start ${token}`)).toBe(en.where.consented);
});

test("a guest who starts at another kiosk leaves the first visit", async () => {
  const { guest, token } = await asked();
  const next = await world.start();
  await say(guest, `/start ${next}`);
  expect(await world.session(token)).toMatchObject({ status: "expired", problem: "reset" });
  expect((await world.session(next)).status).toBe("linked");
});

test("codes that are unknown, misshapen, over or long used", async () => {
  const guest = newGuest();
  for (const code of ["A".repeat(24), "x", "🙂", "a b c", "<b>", "A".repeat(64)])
    expect([code, await say(guest, `/start ${code}`)]).toEqual([code, en.link.unknown]);
  const token = await world.start();
  await world.post(`/session/${token}/expire`);
  expect(await say(guest, `/start ${token}`)).toBe(en.link.over);
  const late = await world.start();
  db.query("UPDATE sessions SET expires_at = ? WHERE token = ?").run(Date.now() - 1, late);
  expect(await say(guest, `/start ${late}`)).toBe(en.link.over);
  expect(await world.session(late)).toMatchObject({ status: "expired", problem: "timeout" });
});

test("whatever a guest types, the answer says what the visit waits for", async () => {
  const stranger = newGuest();
  expect(await say(stranger, "/start")).toBe(plain(en.start));
  for (const text of ["hi", "/nonsense", "/START", "?".repeat(4000), "<script>", "\u202egnp.a"])
    expect(await say(stranger, text)).toBe(en.where.nothing);
  const { guest, token } = await asked();
  expect(await say(guest, "what now")).toBe(en.where.linked);
  sim.guestPresses(guest, `consent:${token}:yes`);
  await world.reaches(token, "consented");
  await settled(guest);
  expect(await say(guest, "and now")).toBe(en.where.consented);
  await world.post(`/session/${token}/template`, { template_id: "chef" });
  expect(await say(guest, "and now?")).toBe(en.where.template_chosen);
  expect(await say(guest, "/packs")).toBe(en.packs.none);
  expect(await say(guest, "/privacy")).toBe(plain(en.privacy(24, ["Google", "OpenAI"])));
});

test("photos and files at the wrong moment: each gets a sensible answer", async () => {
  const stranger = newGuest();
  await sim.guestSendsPhoto(stranger, world.selfie(), { lang: "en" });
  await sim.until(() => lastTo(stranger) === en.photo.notNow);
  sim.guestSendsFile(stranger, new Uint8Array(10), "cv.pdf", "application/pdf");
  await sim.until(() => lastTo(stranger) === en.photo.onlyPhotos);
  const { guest, token } = await asked();
  await sim.guestSendsPhoto(guest, world.selfie());
  await sim.until(() => lastTo(guest) === en.where.linked);
  sim.guestPresses(guest, `consent:${token}:yes`);
  await world.reaches(token, "consented");
  await sim.guestSendsPhoto(guest, world.selfie());
  await sim.until(() => lastTo(guest) === en.photo.chooseFirst);
  expect((await world.session(token)).status).toBe("consented");
});

test("groups hear nothing from the guest's side of the bot", async () => {
  const guest = newGuest();
  const group = sim.salesChatId;
  const before = sim.messages(group).length;
  const token = await world.start();
  for (const text of ["/start", "/help", `/start ${token}`, "/delete"]) sim.operatorSays(group, guest, text);
  await settled(guest);
  // What was said in the group was not answered in private either.
  expect(textsTo(guest)).toEqual([plain(en.help)]);
  expect((await world.session(token)).status).toBe("created");
  expect(
    sim
      .messages(group)
      .slice(before)
      .filter((m) => m.from?.is_bot),
  ).toEqual([]);
});

test("a name full of markup is shown as it is, and spoils nothing", async () => {
  const guest = newGuest();
  const token = await world.start();
  sim.guestSays(guest, `/start ${token}`, { lang: "en", name: '<b>&"\\_*`' });
  await sim.until(() => heard(guest).length === 1);
  expect(lastTo(guest)).toContain('Hi, <b>&"\\_*`!');
  expect((await world.session(token)).guest_name).toBe('<b>&"\\_*`');
});

test("the bot broke no rule of Telegram, and its log names no guest", () => {
  expect(sim.violations).toEqual([]);
  const output = `${world.bot?.output}`;
  const secrets = [...world.rows("SELECT token FROM sessions").map((r) => r.token), "Guest 7", sim.token];
  expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
  expect(world.bot?.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
