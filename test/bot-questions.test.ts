/** The question of consent loses its buttons with whatever ends its visit, and says what happened instead. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { openDb } from "../shared/db.ts";
import { langs } from "../shared/status.ts";
import { speak } from "../shared/texts/index.ts";
import { chatIn, plain } from "./chat.ts";
import { World } from "./world.ts";

const world = await World.open();
const { sim } = world;
const db = openDb(world.dataDir);
const en = speak("en");
const { closed } = en.consent;
const { heard, textsTo, lastTo, say, settled, asked, newGuest } = chatIn(world, 7300);

afterEach(() => sim.clearFaults());
afterAll(async () => {
  db.close(false);
  await world[Symbol.asyncDispose]();
});

const edits = (guest: number) => sim.sent("editMessageText", guest);
/** Asked, and the booth knows it: a crash in between would ask once more. */
async function known() {
  const one = await asked();
  await world.eventually(
    () => world.rows("SELECT 1 FROM questions WHERE session_token = ?", one.token).length > 0,
    "the question's place",
  );
  return one;
}
const open = () => world.rows("SELECT * FROM questions").length;
const givenUp = () => world.bot?.output.includes("a message was given up");

async function closes(guest: number, sentence: string) {
  await sim.until(() => sim.buttons(guest).length === 0, "no buttons any more");
  expect(textsTo(guest)).toContain(sentence);
}

test("a reset at the kiosk", async () => {
  const { guest, token } = await asked();
  await world.post(`/session/${token}/expire`);
  await closes(guest, closed.reset);
  await settled(guest);
  // Its words are gone with its buttons: nobody is left in front of a question.
  expect(textsTo(guest)).toEqual([closed.reset, plain(en.help)]);
  expect(edits(guest)).toHaveLength(1);
});

test("the time runs out, in each language", async () => {
  const visits = await Promise.all(
    langs.map(async (lang) => {
      const guest = newGuest();
      const token = await world.start(lang);
      sim.guestSays(guest, `/start ${token}`, { lang });
      await sim.until(() => sim.buttons(guest).length === 2);
      return { lang, guest, token };
    }),
  );
  for (const { token } of visits)
    db.query("UPDATE sessions SET expires_at = ? WHERE token = ?").run(Date.now() - 1, token);
  for (const { lang, guest } of visits) await closes(guest, speak(lang).consent.closed.timeout);
});

test("a no or a yes to one of two: the other one goes too, the pressed one keeps its words", async () => {
  for (const [answer, sentence] of [
    ["yes", closed.agreed],
    ["no", closed.declined],
  ] as const) {
    const { guest, token } = await asked();
    await say(guest, `/start ${token}`);
    const [first] = heard(guest);
    expect(sim.buttons(guest)).toHaveLength(4);
    sim.guestPresses(guest, `consent:${token}:${answer}`, { message: first });
    await closes(guest, sentence);
    await settled(guest);
    expect(textsTo(guest)[0]).toContain(en.consent[answer]);
    expect(textsTo(guest)[0]).toContain("Do you agree");
    expect(edits(guest)).toHaveLength(2);
  }
});

test("another visit of the same guest", async () => {
  const { guest, token } = await asked();
  const next = await world.start();
  await say(guest, `/start ${next}`);
  await sim.until(() => textsTo(guest)[0] === closed.reset);
  expect(sim.buttons(guest).map((b) => b.callback_data)).toEqual([`consent:${next}:yes`, `consent:${next}:no`]);
  expect((await world.session(token)).problem).toBe("reset");
});

test("what Telegram repeats edits nothing twice, nor does a restart", async () => {
  const { guest, token } = await asked();
  await world.post(`/session/${token}/expire`);
  await closes(guest, closed.reset);
  sim.redeliver(5);
  await settled(guest);
  // An answer that nobody has noted down would come once more, and look like the one to what is asked below.
  const unsent = () => world.rows("SELECT 1 FROM notices WHERE sent_at IS NULL").length;
  await world.eventually(() => unsent() === 0, "all answers noted down");
  await world.bot?.end("SIGKILL");
  await world.startBot();
  await settled(guest);
  expect(edits(guest)).toHaveLength(1);
  expect(textsTo(guest).filter((text) => text === closed.reset)).toHaveLength(1);
});

test("the bot is down while the visit ends: the question goes when it is back", async () => {
  const { guest, token } = await known();
  await world.bot?.end("SIGKILL");
  await world.post(`/session/${token}/expire`);
  expect(sim.buttons(guest)).toHaveLength(2);
  await world.startBot();
  await closes(guest, closed.reset);
});

test("a visit that ends before its question could be sent: nobody is asked, and reads why", async () => {
  const guest = newGuest();
  const token = await world.start();
  sim.fault({
    target: "telegram:sendMessage",
    when: { chat_id: guest },
    do: {
      status: 429,
      body: { ok: false, error_code: 429, description: "Too Many Requests", parameters: { retry_after: 2 } },
    },
  });
  sim.guestSays(guest, `/start ${token}`, { lang: "en" });
  await world.reaches(token, "linked");
  await world.post(`/session/${token}/expire`);
  await sim.until(() => lastTo(guest) === closed.reset);
  expect(sim.buttons(guest)).toEqual([]);
  expect(heard(guest)).toHaveLength(1);
});

test("a visit that ends while its question is on its way: it loses its buttons as soon as it is there", async () => {
  const guest = newGuest();
  const token = await world.start();
  const held = sim.hold("telegram:sendMessage", { chat_id: guest });
  sim.guestSays(guest, `/start ${token}`, { lang: "en" });
  await held.reached;
  await world.post(`/session/${token}/expire`);
  held.release();
  await sim.until(() => lastTo(guest) === closed.reset);
  expect(sim.buttons(guest)).toEqual([]);
});

test("a question that the guest deleted, a guest who blocked the bot: no error, no second try", async () => {
  const deleted = await known();
  sim.fault({
    target: "telegram:editMessageText",
    when: { chat_id: deleted.guest },
    do: { status: 400, body: { ok: false, error_code: 400, description: "Bad Request: message to edit not found" } },
  });
  const blocked = await known();
  sim.guestBlocks(blocked.guest);
  for (const { token } of [deleted, blocked]) await world.post(`/session/${token}/expire`);
  const waiting = () => world.rows("SELECT 1 FROM notices WHERE sent_at IS NULL").length;
  await world.eventually(() => waiting() === 0, "both settled");
  const tried = ({ guest }: { guest: number }) =>
    sim.calls.filter((call) => call.target === "telegram:editMessageText" && Number(call.params.chat_id) === guest);
  expect([tried(deleted).length, tried(blocked).length]).toEqual([1, 1]);
  expect(givenUp()).toBe(false);
});

test("a question that the booth does not know of (it crashed while asking): the first press takes its buttons", async () => {
  const { guest, token } = await known();
  db.query("DELETE FROM questions").run();
  await world.post(`/session/${token}/expire`);
  await world.reaches(token, "expired");
  sim.guestPresses(guest, `consent:${token}:yes`);
  await closes(guest, closed.reset);
  await sim.until(() => lastTo(guest) === en.link.over);
});

test("/delete before the answer: the question goes, and with it everything that quoted the guest", async () => {
  const { guest } = await asked();
  await say(guest, "/delete");
  sim.guestPresses(guest, "erase:data");
  await sim.until(() => textsTo(guest)[0] === closed.declined, "the closed question");
  await sim.until(() => lastTo(guest).startsWith("Erased"));
});

test("nothing is left open", async () => {
  await world.eventually(() => open() <= 1, "all questions closed but the one of the newer visit");
  expect(sim.violations).toEqual([]);
});
