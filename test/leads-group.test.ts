import { afterEach, beforeEach, expect, test } from "bun:test";
import { card, cardSays, dataOf, openDesk, store, TEST_MS, textsIn, withDb } from "./leads-world.ts";
import type { World } from "./world.ts";

const NODIRA = 501;
const BEK = 502;

let world: World;
let number: number;
// A world each: together they would meet the group's limit of messages a minute.
beforeEach(async () => {
  world = await openDesk({ api: false });
  number = withDb(world, (db) => store(db));
  await card(world, number);
}, TEST_MS);
afterEach(() => world[Symbol.asyncDispose]());

const group = () => world.sim.salesChatId;
const lead = (n = number) => world.rows("SELECT * FROM leads WHERE number = ?", n)[0];
const history = (n = number) =>
  world.rows("SELECT before, after, actor FROM history WHERE machine = 'leads' AND subject = ? ORDER BY id", String(n));
const press = (who: number, action: string, look = {}) =>
  world.sim.operatorPresses(group(), who, `lead:${number}:${action}`, look);
async function answerOf(pressed: ReturnType<typeof press>) {
  await world.sim.until(() => pressed.answers.length > 0, "the button's answer");
  return pressed.answers[0]?.text;
}
async function says(command: string, options = {}) {
  const before = world.sim.messages(group()).length;
  world.sim.operatorSays(group(), NODIRA, command, options);
  // The command itself is a message too.
  await world.sim.until(() => world.sim.messages(group()).length > before + 1, `an answer to ${command}`);
  return world.sim.messages(group()).at(-1)?.text ?? "";
}

test(
  "new → in progress → won → reopened, by buttons that fit the status; the card says who and when",
  async () => {
    expect(dataOf(await card(world, number))).toEqual([`lead:${number}:take`, `lead:${number}:spam`]);
    expect(await answerOf(press(NODIRA, "take", { name: "Nodira", username: "nodira" }))).toBe(
      `Lead ${number} is yours.`,
    );
    await cardSays(world, number, "🙋 in progress, Nodira (@nodira), ");
    expect(dataOf(await card(world, number)).map((data) => data?.split(":")[2])).toEqual([
      "won",
      "lost",
      "spam",
      "reopen",
    ]);
    expect(await answerOf(press(BEK, "won", { name: "Bek" }))).toBe(`Lead ${number} is won now.`);
    await cardSays(world, number, "✅ won, Bek");
    expect(dataOf(await card(world, number))).toEqual([`lead:${number}:reopen`]);
    const { taken_at } = lead();
    press(BEK, "reopen");
    await cardSays(world, number, "🆕 new, Bek");
    press(BEK, "take");
    await cardSays(world, number, "🙋 in progress, Bek");
    expect(lead()).toMatchObject({ status: "in_progress", taken_at });
    expect(history().map((h) => [h.after, h.actor])).toEqual([
      ["new", "landing"],
      ["in_progress", `operator:${NODIRA} Nodira (@nodira)`],
      ["won", `operator:${BEK} Bek (@guest_502)`],
      ["new", `operator:${BEK} Bek (@guest_502)`],
      ["in_progress", `operator:${BEK} Bek (@guest_502)`],
    ]);
    expect(world.sim.violations).toEqual([]);
  },
  TEST_MS,
);

test(
  "two operators at once: one wins, the other reads who",
  async () => {
    const [first, second] = [press(NODIRA, "take", { name: "Nodira" }), press(BEK, "take", { name: "Bek" })];
    const texts = [await answerOf(first), await answerOf(second)];
    expect(texts).toEqual([`Lead ${number} is yours.`, expect.stringContaining("is already taken by Nodira")]);
    expect(history()).toHaveLength(2);
    expect(await answerOf(press(NODIRA, "take", { message: world.sim.messages(group()).at(-1) }))).toContain("by you");
    // Somebody else of the same name is told so.
    const namesake = { name: "Nodira", username: "guest_501", message: world.sim.messages(group()).at(-1) };
    expect(await answerOf(press(503, "take", namesake))).toContain("already taken by Nodira (@guest_501).");
  },
  TEST_MS,
);

test(
  "whoever still saw the new card does not overrule the one who took the lead",
  async () => {
    const [take, spam] = [press(NODIRA, "take", { name: "Nodira" }), press(BEK, "spam")];
    await answerOf(take);
    expect(await answerOf(spam)).toContain("already taken by Nodira");
    expect(lead().status).toBe("in_progress");
    await cardSays(world, number, "in progress");
    await answerOf(press(BEK, "spam"));
    expect(lead().status).toBe("spam");
  },
  TEST_MS,
);

test(
  "a button that no card of a new lead has does not close it; the one who takes it may",
  async () => {
    // A message so old that Telegram sends it without its buttons.
    const { reply_markup: _, ...message } = await card(world, number);
    for (const action of ["won", "lost"])
      expect(await answerOf(press(BEK, action, { message }))).toBe(`Lead ${number} is new: take it first.`);
    expect(lead().status).toBe("new");
    expect(await answerOf(press(BEK, "take", { message }))).toBe(`Lead ${number} is yours.`);
    expect(await answerOf(press(BEK, "lost", { message }))).toBe(`Lead ${number} is lost now.`);
    expect(await answerOf(press(NODIRA, "won", { message }))).toContain("already lost by Guest 502");
  },
  TEST_MS,
);

test(
  "an update that Telegram repeats changes nothing and is answered how it stands; an old card works after a restart",
  async () => {
    const taken = press(NODIRA, "take", { name: "Nodira" });
    await answerOf(taken);
    await world.bot?.end("SIGKILL");
    await world.startBot();
    world.sim.redeliver(1);
    await world.sim.until(() => taken.answers.length > 1, "the repeated update handled");
    expect(history()).toHaveLength(2);
    // The first answer may have been lost with the process.
    expect(taken.answers.at(-1)?.text).toBe(`Lead ${number} is already taken, by you.`);
    // Its card may have been redrawn by neither of the two processes yet.
    await cardSays(world, number, "in progress, Nodira");
    await answerOf(press(NODIRA, "lost"));
    await cardSays(world, number, "❌ lost, Nodira");
  },
  TEST_MS,
);

test(
  "buttons and commands act in the sales group only",
  async () => {
    const { operatorsChatId } = world.sim;
    const stranger = 7301;
    const copy = world.sim.messages(group()).find((m) => m.text?.startsWith(`Lead ${number} ·`));
    if (!copy) throw new Error("no card");
    world.sim.joins(operatorsChatId, BEK);
    const elsewhere = { ...copy, chat: { id: operatorsChatId, type: "supergroup" as const } };
    const pressed = world.sim.operatorPresses(operatorsChatId, BEK, `lead:${number}:take`, { message: elsewhere });
    expect(await answerOf(pressed)).toContain("sales group only");
    const said = world.sim.messages(operatorsChatId).length;
    for (const command of ["/leads", `/lead ${number}`]) world.sim.operatorSays(operatorsChatId, BEK, command);
    world.sim.guestSays(stranger, `/lead ${number}`);
    world.sim.guestSays(stranger, "/leads");
    await world.sim.until(() => textsIn(world, stranger).length === 4, "the guest's answers");
    expect(textsIn(world, stranger).join()).not.toContain("Aziz");
    expect(world.sim.messages(operatorsChatId).slice(said + 2)).toEqual([]);
    expect(lead().status).toBe("new");
  },
  TEST_MS,
);

test(
  "/leads lists what waits, /lead shows one with a fresh card, and an anonymous administrator may ask too",
  async () => {
    await answerOf(press(NODIRA, "take", { name: "No<b>dira" }));
    const list = await says("/leads");
    expect(list).toContain("Open leads");
    expect(list).toContain(`🙋 /lead_${number} Aziz`);
    expect(list).toContain("No<b>dira");
    const cardsOf = () => world.sim.messages(group()).filter((m) => m.text?.startsWith(`Lead ${number} ·`));
    const shown = cardsOf().length;
    for (const command of [`/lead ${number}`, `/lead_${number}`, `/lead@${world.sim.botUsername} #${number}`]) {
      const before = cardsOf().length;
      world.sim.operatorSays(group(), BEK, command, { anonymous: true });
      await world.sim.until(() => cardsOf().length === before + 1, `a card for ${command}`);
      await world.eventually(() => lead().published_at, "the card marked as published");
    }
    expect(cardsOf()).toHaveLength(shown + 3);
    const histories = () => textsIn(world, group()).filter((text) => text.startsWith(`Lead ${number}, what happened`));
    await world.sim.until(() => histories().length === 3, "a history each");
    const time = String.raw`\d+ \w+, \d\d:\d\d`;
    expect(histories()[0]).toMatch(
      new RegExp(`\n${time}: requested\n${time}: 🙋 in progress, No<b>dira \\(@guest_501\\)$`),
    );
    press(NODIRA, "won", { messageId: cardsOf()[0]?.message_id });
    await world.sim.until(() => cardsOf().every((m) => m.text?.includes("✅ won")), "all cards at won", {
      timeoutMs: 40_000,
    });
    expect(await says("/lead")).toContain("/lead 12");
    expect(await says("/lead 999999")).toBe("There is no lead 999999.");
  },
  TEST_MS,
);

test(
  "/stats tells figures",
  async () => {
    await answerOf(press(NODIRA, "take"));
    const text = await says("/stats");
    for (const part of [
      "🙋 in progress: ",
      "Conversion: ",
      "Median time to first take: 0 min",
      "This week: ",
      "By source",
      "direct: ",
    ])
      expect(text).toContain(part);
    expect(world.sim.violations).toEqual([]);
  },
  TEST_MS,
);
