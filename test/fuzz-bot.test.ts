/** Whatever people send to the bot: no update is let go, and everything it promises is something that Telegram takes. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { Api, Bot } from "grammy";
import type { Update, UserFromGetMe } from "grammy/types";
import type { BotContext } from "../bot/context.ts";
import { guestHandlers } from "../bot/guest.ts";
import { leadHandlers } from "../bot/leads.ts";
import { operatorHandlers } from "../bot/operator.ts";
import { prepareBot } from "../bot/updates.ts";
import { takeLead } from "../shared/leads/intake.ts";
import { freshConfig, freshDb, freshLog, TOKEN, visitAtCamera } from "./fresh.ts";
import { attack, grown, holdingsOf, inTime } from "./fuzz-judge.ts";
import { FUZZ_MS, text } from "./fuzz-tools.ts";
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
/** What the last press was answered with. */
let answer = "";
bot.api.config.use(async (_prev, method, payload) => {
  if (method === "answerCallbackQuery") answer = String((payload as { text?: string }).text ?? "");
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
takeLead(
  db,
  { request_id: crypto.randomUUID(), name: "A", contact: "@aaa", locale: "uz" },
  { mark: "m", limit: 5 },
  Date.now(),
);

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

const holdings = holdingsOf(db, fresh.dataDir);
/** What moves something, and the tables that it may add a row to. All else is nonsense, a question, or refused. */
const moves: [RegExp, string[]][] = [
  [/^\/start\b/, ["history", "visit_moves", "questions"]],
  [/^\/(pause|resume)\b/, ["audit_log", "settings"]],
  [/^consent:[\w-]+:(yes|no)$/, ["history", "visit_moves"]],
  [/^lead:1:(take|won|reopen)$/, ["history", "lead_cards"]],
  [/^erase:data$/, ["history", "visit_moves"]],
];

/**
 * Hands over an update, and once more as Telegram does when it did not hear that we got it. It leaves its own mark, a
 * person who is new, what it promises, and a row of what it moves; the second time nothing.
 */
async function judged(body: Record<string, unknown>, said: string, tables: string[] = []) {
  db.run("DELETE FROM notices");
  const [heard, before] = [lines.length, holdings()];
  updates += 1;
  const update = { update_id: updates, ...body } as unknown as Update;
  await inTime(JSON.stringify(update), () => bot.handleUpdate(update));
  const after = holdings();
  const may = ["updates", "users", ...tables, ...moves.flatMap(([pattern, of]) => (pattern.test(said) ? of : []))];
  const { notices = 0, ...rows } = grown(before, after);
  expect(Object.entries(rows).filter(([table, more]) => more > 1 || (more > 0 && !may.includes(table)))).toEqual([]);
  // One update, a handful of messages at most.
  expect(notices).toBeLessThanOrEqual(12);
  expect(after.files).toEqual(before.files);
  await bot.handleUpdate(update);
  expect(holdings()).toEqual(after);
  expect(lines.slice(heard)).toEqual([]);
  expect(promised()).toBe(notices);
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
  await attack(
    fc.asyncProperty(person, chatOf, words, more, async (from, chat, said, extra) => {
      const date = Math.floor(Date.now() / 1000);
      const message = { message_id: 1, date, chat, from, text: said, entities: entitiesOf(said), ...extra };
      // A photo waits to be fetched; a group's new id is a setting.
      await judged(
        { message },
        said,
        "photo" in extra || "document" in extra ? ["chat_photos"] : "migrate_to_chat_id" in extra ? ["settings"] : [],
      );
    }),
    600,
  );
  // The bot did hear all that: much of it was answered.
  expect(total).toBeGreaterThan(120);
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
  await attack(
    fc.asyncProperty(person, data, message, async (from, pressed, on) => {
      await judged({ callback_query: { id: "1", from, chat_instance: "1", data: pressed, message: on } }, pressed);
      expect(answer.length).toBeLessThanOrEqual(200);
    }),
    500,
  );
});
