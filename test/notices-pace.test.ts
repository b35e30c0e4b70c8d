/** What is said to a group keeps the group's pace, and holds up nobody else. */
import { expect, test } from "bun:test";
import { Api, type Transformer } from "grammy";
import type { BotContext } from "../bot/context.ts";
import { Lanes } from "../bot/lanes.ts";
import { sendNotices } from "../bot/notices.ts";
import { createPace } from "../bot/pace.ts";
import { delayNotice, dueNotices, notify, untilNextNotice } from "../shared/notices.ts";
import { freshConfig, freshDb, freshLog, NOON, TOKEN } from "./fresh.ts";

const [GROUP, GUEST] = [-1001, 7001];
type Sent = { chatId: number; atMs: number; text: string };

/** The loop's step with the real client, its calls answered at once and noted, at a time that the test sets. */
function desk() {
  const fresh = freshDb();
  const time = { ms: 0 };
  const pace = createPace(() => time.ms);
  const sent: Sent[] = [];
  const out = new Set<number>();
  const answered = (async (_, __, payload) => {
    const { chat_id, text } = payload as { chat_id?: unknown; text?: unknown };
    if (out.has(Number(chat_id))) return { ok: false, error_code: 403, description: "Forbidden: bot was kicked" };
    sent.push({ chatId: Number(chat_id), atMs: time.ms, text: String(text) });
    return { ok: true, result: { message_id: sent.length } };
  }) as Transformer;
  const api = new Api(TOKEN);
  api.config.use(answered, pace.transformer);
  const { log } = freshLog();
  const context = {
    db: fresh.db,
    api,
    log,
    config: freshConfig(),
    now: () => NOON + time.ms,
  } as Partial<BotContext> as BotContext;
  const lanes = new Lanes("chats", log, () => {});
  return {
    pace,
    sent,
    /** Chats that the bot was thrown out of. */
    out,
    time,
    db: fresh.db,
    owe: (chatId: number) => notify(fresh.db, { chatId, text: "Hello", now: NOON }),
    answer: (chatId: number, text: string) => notify(fresh.db, { chatId, text, asked: true, now: NOON }),
    /** A round, and another for as long as one sent something. @returns what the last one asked for */
    async round(between = () => {}) {
      for (;;) {
        const before = sent.length;
        const nextMs = sendNotices(context, pace, lanes);
        between();
        while (lanes.busy.length > 0) await new Promise((done) => setImmediate(done));
        if (sent.length === before) return nextMs;
      }
    },
    [Symbol.dispose]: () => fresh[Symbol.dispose](),
  };
}

test("alerts wait a day for operators who threw the bot out, and other chats' messages do not", async () => {
  using it = desk();
  const config = freshConfig();
  const operators = Number(config.ADMIN_CHAT_ID);
  for (const chat of [operators, GROUP]) it.out.add(chat).size && it.owe(chat);
  await it.round();
  expect(await it.round()).toBe(60_000);
  const outcomes = () => it.db.query("SELECT chat_id, outcome FROM notices ORDER BY id").values();
  expect(outcomes()).toEqual([
    [operators, null],
    [GROUP, "unreachable"],
  ]);
  it.out.delete(operators);
  it.time.ms += 60_000;
  await it.round();
  expect(it.sent.map(({ chatId }) => chatId)).toEqual([operators]);
  it.out.add(operators);
  it.owe(operators);
  it.time.ms = 24 * 3_600_000;
  await it.round();
  expect(outcomes().at(-1)).toEqual([operators, "unreachable"]);
});

test("a group hears a burst, then one a second, and 20 a minute; a guest waits for no group", async () => {
  using it = desk();
  for (let i = 0; i < 25; i++) it.owe(GROUP);
  for (let nextMs = await it.round(); nextMs !== undefined; nextMs = await it.round()) {
    if (it.sent.length === 3) {
      it.owe(GUEST);
      await it.round();
      expect(it.sent.at(-1)).toMatchObject({ chatId: GUEST, atMs: it.time.ms });
    }
    expect(nextMs).toBeGreaterThan(0);
    it.time.ms += nextMs;
  }
  const at = it.sent.filter(({ chatId }) => chatId === GROUP).map(({ atMs }) => atMs);
  expect(at).toHaveLength(25);
  expect(at.slice(0, 3)).toEqual([0, 0, 0]);
  for (let i = 3; i < at.length; i++) expect((at[i] ?? 0) - (at[i - 3] ?? 0)).toBeGreaterThan(1_000);
  for (let i = 20; i < at.length; i++) expect((at[i] ?? 0) - (at[i - 20] ?? 0)).toBeGreaterThan(60_000);
});

test("a turn that the outbox took in the same moment is not taken twice", async () => {
  using it = desk();
  it.pace.remember(GROUP, 0);
  it.pace.remember(GROUP, 0);
  it.owe(GROUP);
  await it.round(() => it.pace.remember(GROUP, 0));
  expect(it.sent).toEqual([]);
  const nextMs = (await it.round()) ?? 0;
  expect(nextMs).toBeGreaterThan(0);
  it.time.ms += nextMs;
  await it.round();
  expect(it.sent).toHaveLength(1);
});

test("who asks is answered next, whatever else waits to be told; answers keep their order", async () => {
  using it = desk();
  for (let i = 0; i < 25; i++) it.owe(GROUP);
  const nextMs = (await it.round()) ?? 0;
  it.answer(GROUP, "first");
  it.answer(GROUP, "second");
  for (let ms: number | undefined = nextMs; it.sent.length < 6; ms = await it.round()) it.time.ms += ms ?? 0;
  expect(it.sent.map(({ text }) => text)).toEqual(["Hello", "Hello", "Hello", "first", "second", "Hello"]);
});

test("an answer does not break the silence that Telegram asked for", async () => {
  using it = desk();
  it.owe(GUEST);
  const [waiting] = dueNotices(it.db, NOON, 1);
  delayNotice(it.db, waiting?.id ?? 0, NOON + 9_000, false);
  it.answer(GUEST, "at once");
  expect(dueNotices(it.db, NOON + 8_999, 5)).toEqual([]);
  expect(untilNextNotice(it.db, NOON)).toBe(9_000);
  expect(dueNotices(it.db, NOON + 9_000, 5)).toHaveLength(1);
});
