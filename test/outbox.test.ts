import { afterEach, expect, test } from "bun:test";
import { card, cardSays, cards, dataOf, openDesk, store, TEST_MS, textsIn, withDb } from "./leads-world.ts";
import type { Env, World } from "./world.ts";

let world: World;
afterEach(() => world?.[Symbol.asyncDispose]());

const open = async (env: Env = {}) => {
  world = await openDesk({ api: false, env });
  return world;
};
const put = (more: Parameters<typeof store>[1] = {}) => withDb(world, (db) => store(db, more));
const row = (number: number) => world.rows("SELECT * FROM leads WHERE number = ?", number)[0];
const published = (number: number) =>
  world.eventually(() => row(number).published_at, `lead ${number} marked as published`);
const group = () => world.sim.salesChatId;
const toGroup = () => ({ chat_id: group() });
const alerts = () => textsIn(world, world.sim.operatorsChatId);
const tellsOfPutOff = (line: string) => line.includes("not published yet");
/** The outbox has put a card off so many times, and what it keeps of that is written. */
const putOff = (times: number) =>
  world.eventually(() => world.bot?.lines.filter(tellsOfPutOff).length === times, `${times} cards put off`, 40_000);
/** As if the pause were over. */
const hurry = () => withDb(world, (db) => db.run("UPDATE leads SET next_publish_at = 0"));

test(
  "leads stored while the bot is down are published in order when it comes up, and a new one at once",
  async () => {
    await open();
    await world.bot?.end();
    const numbers = [put(), put(), put()];
    await world.startBot();
    for (const number of numbers) await card(world, number);
    const order = textsIn(world, group()).map((text) => Number(/^Lead (\d+)/.exec(text)?.[1]));
    expect(order).toEqual(numbers);
    const next = put({ name: "Live" });
    expect(dataOf(await card(world, next))).toEqual([`lead:${next}:take`, `lead:${next}:spam`]);
    for (const number of [...numbers, next]) expect(await published(number)).toBeGreaterThan(0);
    expect(world.sim.violations).toEqual([]);
  },
  TEST_MS,
);

test(
  "a 429 is honoured for as long as it asks, also over a restart, and is no failure; nobody overtakes",
  async () => {
    await open();
    const body = {
      ok: false,
      error_code: 429,
      description: "Too Many Requests: retry after 900",
      parameters: { retry_after: 900 },
    };
    world.sim.fault({ target: "telegram:sendMessage", when: toGroup(), do: { status: 429, body } });
    const before = Date.now();
    const first = put();
    await world.eventually(() => row(first).next_publish_at >= before + 900_000, "the hold");
    expect(row(first).publish_failures).toBe(0);
    await world.bot?.end();
    await world.startBot();
    const second = put();
    await world.eventually(
      () =>
        world.rows("SELECT last_ok_at FROM heartbeats WHERE loop = 'outbox'")[0]?.last_ok_at > row(second).created_at,
      "a round of the outbox",
    );
    expect([...cards(world, first), ...cards(world, second)]).toEqual([]);
    hurry();
    await card(world, second);
    expect(textsIn(world, group()).map((text) => text.slice(0, 6))).toEqual([`Lead ${first}`, `Lead ${second}`]);
    expect(alerts()).toEqual([]);
  },
  TEST_MS,
);

test(
  "pauses grow, five failures alert once, and one all-clear follows",
  async () => {
    await open();
    const html = "<html><body><h1>502 Bad Gateway</h1></body></html>";
    const faults = [
      { html },
      { html, status: 200 },
      { reset: true } as const,
      { status: 500 },
      { truncate: true } as const,
      { html },
    ];
    for (const fault of faults) world.sim.fault({ target: "telegram:sendMessage", when: toGroup(), do: fault });
    const number = put();
    const pauses: number[] = [];
    for (let failures = 1; failures <= 6; failures++) {
      await putOff(failures);
      const { next_publish_at } = row(number);
      const saidAt = Date.parse(JSON.parse(world.bot?.lines.findLast(tellsOfPutOff) ?? "{}").at);
      pauses.push(Math.round((next_publish_at - saidAt) / 5000) * 5);
      expect(row(number).published_at).toBeNull();
      if (failures < 5) expect(alerts()).toEqual([]);
      hurry();
    }
    expect(pauses).toEqual([5, 15, 60, 300, 900, 900]);
    await published(number);
    await world.sim.until(() => alerts().length === 2, "alert and all-clear");
    expect(alerts()[0]).toContain("Leads do not reach the sales group");
    expect(alerts()[1]).toContain("Leads reach the sales group again");
    // The truncated answer was carried out: a card may repeat, and both act on the lead.
    expect(cards(world, number)).toHaveLength(2);
  },
  TEST_MS,
);

test(
  "kill -9 between send and mark repeats the card, and both cards work and are kept up to date",
  async () => {
    await open();
    world.sim.fault({ target: "telegram:sendMessage", when: toGroup(), do: { executeThenLose: "hang" } });
    const number = put();
    await card(world, number);
    await world.bot?.end("SIGKILL");
    expect(row(number).published_at).toBeNull();
    await world.startBot();
    await world.sim.until(() => cards(world, number).length === 2, "the repeated card", { timeoutMs: 20_000 });
    await published(number);
    const [lost, known] = cards(world, number);
    world.sim.operatorPresses(group(), 501, `lead:${number}:take`, { name: "Nodira", messageId: known?.message_id });
    await cardSays(world, number, "in progress, Nodira");
    const late = world.sim.operatorPresses(group(), 502, `lead:${number}:take`, { messageId: lost?.message_id });
    await world.sim.until(() => late.answers.length > 0, "the answer");
    expect(late.answers[0]?.text).toContain("already taken by Nodira");
    await world.sim.until(() => lost?.text?.includes("in progress, Nodira"), "the first card");
    world.sim.operatorPresses(group(), 501, `lead:${number}:won`, { messageId: lost?.message_id });
    for (const each of [lost, known]) await world.sim.until(() => each?.text?.includes("✅ won"), "both cards at won");
  },
  TEST_MS,
);

test(
  "a group that became a supergroup is followed: new cards, old leads, digest and commands",
  async () => {
    await open();
    const old = put();
    await card(world, old);
    await published(old);
    const there = world.sim.migrateGroup(group());
    const fresh = put();
    await card(world, fresh, there);
    // What changes about a lead whose card stayed behind comes as a new card.
    withDb(world, (db) => db.run("UPDATE leads SET version = version + 1"));
    expect(dataOf(await card(world, old, there))).toContain(`lead:${old}:take`);
    world.sim.operatorPresses(there, 501, `lead:${old}:take`, { name: "Nodira" });
    await cardSays(world, old, "in progress, Nodira", there);
    // A card that stayed behind is pressed: it cannot follow, and the new group has one already.
    const edit = world.sim.hold("telegram:editMessageText");
    world.sim.operatorPresses(group(), 502, `lead:${old}:take`);
    await edit.reached;
    edit.release();
    await card(world, put(), there);
    expect(cards(world, old, there)).toHaveLength(1);
    await world.bot?.end();
    await world.startBot();
    await card(world, put(), there);
    expect(alerts()).toEqual([]);
    expect(world.sim.violations).toEqual([]);
  },
  TEST_MS,
);

test(
  "a group that moved unseen is followed by the refused call alone",
  async () => {
    await open();
    await world.bot?.end();
    const number = put();
    const there = world.sim.migrateGroup(group());
    world.sim.world.updates.drop();
    await world.startBot();
    await card(world, number, there);
  },
  TEST_MS,
);

test(
  "a bot that was thrown out holds the leads and says so once; let in again, all of them come",
  async () => {
    await open();
    world.sim.throwsBotOut(group());
    await world.sim.until(() => alerts().length === 1, "the alert");
    const numbers = [put(), put()];
    await putOff(1);
    hurry();
    await putOff(2);
    expect(row(numbers[0] as number).publish_failures).toBe(2);
    expect(alerts()).toHaveLength(1);
    expect(alerts()[0]).toContain("taken out of the sales group");
    world.sim.invitesBot(group());
    for (const number of numbers) await card(world, number);
    await world.sim.until(() => alerts().length === 2, "the all-clear");
    expect(alerts()[1]).toContain("again");
  },
  TEST_MS,
);

test(
  "a card that Telegram refuses for itself is kept, told once, and does not hold up the others",
  async () => {
    await open();
    const bad = { ok: false, error_code: 400, description: "Bad Request: can't parse entities: whatever" };
    world.sim.fault({
      target: "telegram:sendMessage",
      times: Number.POSITIVE_INFINITY,
      when: (params) => params.chat_id === group() && String(params.text).includes("Poison"),
      do: { status: 400, body: bad },
    });
    const poison = put({ name: "Poison" });
    const after = put();
    await card(world, after);
    await world.sim.until(() => alerts().length === 1, "the alert");
    expect(alerts()[0]).toContain(`card of lead ${poison}`);
    world.sim.clearFaults();
    hurry();
    await card(world, poison);
    await world.sim.until(() => alerts().length === 2, "the all-clear");
  },
  TEST_MS,
);

test(
  "without a group leads wait",
  async () => {
    await open({ LEADS_CHAT_ID: "" });
    const number = put();
    await world.eventually(
      () =>
        world.rows("SELECT last_ok_at FROM heartbeats WHERE loop = 'outbox'")[0]?.last_ok_at > row(number).created_at,
      "a round of the outbox",
    );
    await world.bot?.end();
    expect(row(number)).toMatchObject({ published_at: null, publish_failures: 0 });
    await world.startBot({ LEADS_CHAT_ID: String(group()) });
    await card(world, number);
  },
  TEST_MS,
);

test(
  "a call that hangs does not hold up the end of the bot, and its lead is sent by the next one",
  async () => {
    await open();
    const held = world.sim.hold("telegram:sendMessage", toGroup());
    const number = put();
    await held.reached;
    expect(await world.bot?.end()).toBe(0);
    expect(row(number).published_at).toBeNull();
    held.release();
    await world.startBot();
    await published(number);
  },
  TEST_MS,
);
