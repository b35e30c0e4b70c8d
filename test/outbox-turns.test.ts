/** Whose turn it is in the outbox, and what a change of the bot's rights does to it. */
import { afterEach, expect, test } from "bun:test";
import { card, cardSays, openDesk, store, TEST_MS, textsIn, withDb } from "./leads-world.ts";
import type { World } from "./world.ts";

let world: World;
afterEach(() => world?.[Symbol.asyncDispose]());

const put = () => withDb(world, (db) => store(db));
const row = (number: number) => world.rows("SELECT * FROM leads WHERE number = ?", number)[0];
const group = () => world.sim.salesChatId;
const toGroup = () => ({ chat_id: group() });
const alerts = () => textsIn(world, world.sim.operatorsChatId);

test(
  "a bot that may not write any more says so, and goes on when it may; an administrator's hat ends no pause",
  async () => {
    world = await openDesk({ api: false });
    const chat = world.sim.world.chats.get(group())?.chat;
    const from = { id: 501, is_bot: false, first_name: "Nodira" };
    const becomes = (before: object, after: object) => {
      const member = (is: object) => ({ user: world.sim.world.bot, ...is });
      const my_chat_member = { chat, from, date: 1, old_chat_member: member(before), new_chat_member: member(after) };
      world.sim.world.updates.push({ my_chat_member } as Parameters<typeof world.sim.world.updates.push>[0]);
    };
    const member = { status: "member" };
    const mute = { status: "restricted", is_member: true, can_send_messages: false };
    const body = { ok: false, error_code: 400, description: "Bad Request: not enough rights to send text messages" };
    const times = Number.POSITIVE_INFINITY;
    world.sim.fault({ target: "telegram:sendMessage", when: toGroup(), times, do: { status: 400, body } });
    becomes(member, mute);
    await world.sim.until(() => alerts().length === 1, "the alert");
    expect(alerts()[0]).toContain("cannot write in the sales group (restricted)");
    const number = put();
    await world.eventually(() => world.bot?.output.includes("not published yet"), "the refused card");
    world.sim.clearFaults();
    becomes(mute, member);
    await card(world, number);
    await world.sim.until(() => alerts().length === 2, "the all-clear");
    expect(alerts()[1]).toContain("again");

    const flood = { ok: false, error_code: 429, description: "Too Many Requests", parameters: { retry_after: 900 } };
    world.sim.fault({ target: "telegram:sendMessage", when: toGroup(), do: { status: 429, body: flood } });
    const held = put();
    await world.eventually(() => row(held).next_publish_at > Date.now() + 800_000, "the hold");
    const { next_publish_at } = row(held);
    becomes(member, { status: "administrator", can_be_edited: false });
    world.sim.operatorSays(group(), 501, "/stats");
    const answers = () => world.rows("SELECT sent_at FROM notices WHERE chat_id = ?", group());
    await world.eventually(() => answers().length > 0, "an answer after it");
    // Whoever may be written to is.
    world.sim.guestSays(7001, "/help", { lang: "en" });
    await world.sim.until(() => textsIn(world, 7001).length > 1, "an answer to a guest");
    // Telegram asked for silence: the answer waits as well.
    expect(answers()).toEqual([{ sent_at: null }]);
    expect(row(held).next_publish_at).toBe(next_publish_at);
  },
  TEST_MS,
);

test(
  "hundreds of cards that only have to forget somebody do not hold up a new lead",
  async () => {
    world = await openDesk({ api: false, bot: false, env: { LEADS_RETENTION_DAYS: "30" } });
    const ago = Date.now() - 40 * 86_400_000;
    withDb(world, (db) => {
      for (let i = 1; i <= 300; i++) {
        const number = store(db, { name: `Old ${i}` }, ago + i);
        db.query("INSERT INTO lead_cards (chat_id, message_id, number, shown, stale) VALUES (?, ?, ?, 1, 0)").run(
          group(),
          1_000_000 + i,
          number,
        );
      }
      db.query("UPDATE leads SET published_at = created_at").run();
    });
    await world.startBot();
    await world.eventually(
      () => world.rows("SELECT count(*) AS n FROM lead_cards WHERE stale = 1")[0].n > 250,
      "the erased cards",
    );
    const number = put();
    await card(world, number);
    const edits = () => world.sim.calls.filter((call) => call.target === "telegram:editMessageText").length;
    expect(edits()).toBeLessThan(10);
    world.sim.operatorPresses(group(), 501, `lead:${number}:take`);
    await cardSays(world, number, "in progress");
    expect(edits()).toBeLessThan(15);
    await world.sim.until(() => edits() > 1, "the tidying goes on", { timeoutMs: 20_000 });
    expect(world.rows("SELECT count(*) AS n FROM leads WHERE name IS NOT NULL")[0].n).toBe(1);
  },
  TEST_MS,
);

test(
  "Telegram's limits are kept without a single 429: bursts at first, then one a second",
  async () => {
    world = await openDesk({ api: false, sim: { limits: true } });
    const numbers = Array.from({ length: 8 }, () => put());
    for (const number of numbers) await card(world, number);
    expect(world.sim.calls.filter((call) => call.outcome.startsWith("refused 429"))).toEqual([]);
  },
  TEST_MS,
);

test(
  "what Telegram asks of an edit holds for new cards too: the group is left alone",
  async () => {
    world = await openDesk({ api: false });
    const number = put();
    await card(world, number);
    await world.eventually(() => row(number).published_at, "the first card marked as published");
    const flood = { ok: false, error_code: 429, description: "Too Many Requests", parameters: { retry_after: 900 } };
    world.sim.fault({ target: "telegram:editMessageText", when: toGroup(), do: { status: 429, body: flood } });
    world.sim.operatorPresses(group(), 501, `lead:${number}:take`);
    const heldUntil = () => world.rows("SELECT next_edit_at AS at FROM lead_cards")[0].at;
    await world.eventually(() => heldUntil() > Date.now() + 800_000, "the hold");
    const late = put();
    await world.eventually(
      () => world.rows("SELECT last_ok_at FROM heartbeats WHERE loop = 'outbox'")[0]?.last_ok_at > row(late).created_at,
      "a round of the outbox",
    );
    expect(row(late)).toMatchObject({ published_at: null, publish_failures: 0 });
    expect(world.sim.sent("sendMessage", group())).toHaveLength(1);
  },
  TEST_MS,
);

test(
  "an edit of a process that died arrives after a newer one: the card is drawn once more and tells the truth",
  async () => {
    world = await openDesk({ api: false });
    const number = put();
    await card(world, number);
    const edits = () => world.sim.calls.filter((call) => call.target === "telegram:editMessageText");
    const again = () => world.rows("SELECT again_at FROM lead_cards")[0].again_at;
    const press = (action: string) => world.sim.operatorPresses(group(), 501, `lead:${number}:${action}`);

    const late = world.sim.hold("telegram:editMessageText", toGroup());
    press("take");
    await late.reached;
    await world.bot?.end("SIGKILL");
    await world.startBot();
    await cardSays(world, number, "in progress");
    press("won");
    await cardSays(world, number, "won");
    const noted = () => world.rows("SELECT 1 FROM lead_cards WHERE stale = 0 AND failures = 0").length > 0;
    await world.eventually(noted, "the edit noted down");
    late.release();
    await world.sim.until(() => edits()[0]?.ms !== undefined, "the late edit");
    await cardSays(world, number, "in progress");
    expect(again()).toBeGreaterThan(Date.now());
    // As if the while were over.
    withDb(world, (db) => db.run("UPDATE lead_cards SET again_at = 1"));
    await cardSays(world, number, "won");
    await world.eventually(() => again() === null, "the end of doubt");
  },
  TEST_MS,
);
