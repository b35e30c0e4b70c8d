/** Whatever people send to the bot: no update is let go, and everything it promises is something that Telegram takes. */
import type { Database } from "bun:sqlite";
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { Api, Bot } from "grammy";
import type { Update, UserFromGetMe } from "grammy/types";
import { cardOf } from "../bot/cards.ts";
import type { BotContext } from "../bot/context.ts";
import { guestHandlers } from "../bot/guest.ts";
import { leadReport } from "../bot/lead-reports.ts";
import { leadHandlers } from "../bot/leads.ts";
import { operatorHandlers } from "../bot/operator.ts";
import { prepareBot } from "../bot/updates.ts";
import { takeLead } from "../shared/leads/intake.ts";
import { leadByNumber } from "../shared/leads/lead.ts";
import { freshConfig, freshDb, freshLog, TOKEN, visitAtCamera } from "./fresh.ts";
import { FUZZ_MS, runs, text } from "./fuzz-tools.ts";
import { format } from "./sim/telegram/entities.ts";

setDefaultTimeout(FUZZ_MS);

const SALES = -2002;
const ADMINS = -100500;
const GUEST = 7001;
const MESSAGE_LENGTH = 4096;
const PRESS_BYTES = 64;

const fresh = freshDb();
const { db } = fresh;
db.run("PRAGMA synchronous = OFF");
afterAll(() => fresh[Symbol.dispose]());

const { log, lines } = freshLog("error");
const config = freshConfig({ LEADS_CHAT_ID: String(SALES), DATA_DIR: fresh.dataDir });
const me: UserFromGetMe = {
  id: 1,
  is_bot: true,
  first_name: "Booth",
  username: "unit_booth_bot",
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_inline_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
  has_topics_enabled: false,
  allows_users_to_create_topics: false,
  can_manage_bots: false,
  supports_join_request_queries: false,
};
const bot = new Bot(TOKEN, { botInfo: me });
const answers: string[] = [];
bot.api.config.use(async (_prev, method, payload) => {
  if (method === "answerCallbackQuery") answers.push(String((payload as { text?: string }).text ?? ""));
  return { ok: true, result: true } as never;
});
const context: BotContext = {
  db,
  config,
  log,
  now: Date.now,
  api: new Api(TOKEN),
  slowApi: new Api(TOKEN),
  wake: () => {},
};
prepareBot(bot, context, [operatorHandlers(context), leadHandlers(context), guestHandlers(context)]);

let updates = 0;
let total = 0;
/** Hands an update to the bot as the poller does. */
async function handle(body: Record<string, unknown>) {
  updates += 1;
  await bot.handleUpdate({ update_id: updates, ...body } as unknown as Update);
}

/** What was promised since the last look, each held against Telegram's rules. */
function promised(): number {
  const rows = db.query("SELECT id, method, payload FROM notices WHERE sent_at IS NULL").all() as {
    id: number;
    method: string;
    payload: string;
  }[];
  for (const { method, payload } of rows) {
    const { text: html, reply_markup } = JSON.parse(payload) as {
      text?: string;
      reply_markup?: { inline_keyboard: { text: string; callback_data?: string }[][] };
    };
    if (method === "deleteStickerSet") continue;
    const shown = format(html ?? "", "HTML").text;
    expect(shown.trim().length).toBeGreaterThan(0);
    expect(shown.length).toBeLessThanOrEqual(MESSAGE_LENGTH);
    for (const button of reply_markup?.inline_keyboard.flat() ?? []) {
      expect(button.text.length).toBeGreaterThan(0);
      expect(Buffer.byteLength(button.callback_data ?? "")).toBeLessThanOrEqual(PRESS_BYTES);
    }
  }
  db.run("DELETE FROM notices");
  total += rows.length;
  return rows.length;
}

const person = fc.record({
  id: fc.constantFrom(GUEST, 7002, 2 ** 52 - 1),
  is_bot: fc.constant(false),
  first_name: text.filter((name) => name !== ""),
  language_code: fc.option(fc.oneof(fc.constantFrom("ru", "uz-Latn", "en"), text), { nil: undefined }),
  username: fc.option(fc.constant("somebody"), { nil: undefined }),
});
const chatOf = fc.constantFrom(
  { id: GUEST, type: "private" },
  { id: SALES, type: "group" },
  { id: ADMINS, type: "supergroup" },
  { id: -3, type: "group" },
);
const token = visitAtCamera(db, GUEST, Date.now());
const lead = (more: object = {}) =>
  db.transaction(() =>
    takeLead(
      db,
      { request_id: crypto.randomUUID(), name: "A", contact: "@aaa", locale: "uz", ...more },
      { mark: crypto.randomUUID(), limit: 5 },
      Date.now(),
    ),
  )();
lead();

const commands = [
  "start",
  "help",
  "packs",
  "language",
  "privacy",
  "delete",
  "leads",
  "lead",
  "stats",
  "status",
  "pause",
  "resume",
  "jobs",
  "retry",
  "costs",
  "lead_1",
];
const words = fc.oneof(
  text,
  fc
    .tuple(fc.constantFrom(...commands), fc.oneof(text, fc.constantFrom(token, "1", "-1", "99999999999999999999")))
    .map(([c, t]) => `/${c} ${t}`),
  fc.constantFrom(...commands).map((command) => `/${command}@unit_booth_bot`),
);

/** Telegram marks a command where a text begins with one. */
const entitiesOf = (said: string) => {
  const length = /^\/\w+(@\w+)?/.exec(said)?.[0].length;
  return length ? [{ type: "bot_command", offset: 0, length }] : [];
};

async function judged(body: Record<string, unknown>) {
  const before = lines.length;
  await handle(body);
  expect(lines.slice(before)).toEqual([]);
  // One update, a handful of messages at most.
  expect(promised()).toBeLessThanOrEqual(12);
}

test("messages and commands of every kind, in every chat", async () => {
  const more = fc.constantFrom(
    {},
    { photo: [] },
    { photo: [{ file_id: "f", file_unique_id: "u", width: 1, height: 1 }] },
    { document: { file_id: "f", file_unique_id: "u" } },
    { sticker: {} },
    { migrate_to_chat_id: SALES },
  );
  await fc.assert(
    fc.asyncProperty(person, chatOf, words, more, async (from, chat, said, extra) => {
      const date = Math.floor(Date.now() / 1000);
      await judged({ message: { message_id: 1, date, chat, from, text: said, entities: entitiesOf(said), ...extra } });
    }),
    runs(600),
  );
  // The bot did hear all that: most of it was answered.
  expect(total).toBeGreaterThan(200);
});

test("pressed buttons with any data, on any message", async () => {
  const good = [
    `consent:${token}:yes`,
    `consent:${token}:no`,
    "lang:uz",
    "erase:no",
    "erase:data",
    "lead:1:take",
    "lead:1:won",
    "lead:1:reopen",
    "lead:999999999999999:take",
  ];
  const data = fc.oneof(
    fc.constantFrom(...good),
    text,
    fc
      .tuple(fc.constantFrom(...good), fc.nat(30), text)
      .map(([whole, at, other]) => whole.slice(0, at) + other + whole.slice(at + 2)),
  );
  const message = fc.oneof(
    fc.constant(undefined),
    chatOf.map((chat) => ({ message_id: 1, date: 0, chat })),
    chatOf.map((chat) => ({
      message_id: 2,
      date: 1,
      chat,
      text: "Lead 1",
      reply_markup: { inline_keyboard: [[{ text: "x", callback_data: "lead:1:take" }]] },
    })),
  );
  await fc.assert(
    fc.asyncProperty(person, data, message, async (from, pressed, on) => {
      await judged({ callback_query: { id: "1", from, chat_instance: "1", data: pressed, message: on } });
      expect((answers.at(-1) ?? "").length).toBeLessThanOrEqual(200);
    }),
    runs(500),
  );
});

const ZONE = "Asia/Tashkent";

test("a lead of any text is a card that Telegram takes", () => {
  const field = (max: number) => text.map((value) => [...value.toWellFormed()].slice(0, max).join(""));
  fc.assert(
    fc.property(
      field(100),
      field(120),
      field(2000),
      field(500),
      fc.dictionary(field(64), field(500), { maxKeys: 20 }),
      (name, contact, comment, page, utm) => {
        const taken = lead({ name: `${name}.`, contact: `${contact}@`, comment, page, utm });
        const stored = taken.kind === "stored" ? leadByNumber(db as Database, taken.number) : null;
        if (!stored) throw new Error(taken.kind);
        for (const html of [cardOf(stored, ZONE, 0).text, ...leadReport(db, stored, ZONE, 0)]) {
          const { text: shown } = format(html, "HTML");
          expect(shown.length).toBeLessThanOrEqual(MESSAGE_LENGTH);
          expect(shown).toContain(`Lead ${stored.number}`);
        }
      },
    ),
    runs(300),
  );
});
