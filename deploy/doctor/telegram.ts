/** Telegram, asked as the bot will ask it; nothing is sent to anybody. */
import { existsSync } from "node:fs";
import type { Config } from "../../shared/config.ts";
import { databasePath, openReadOnly } from "../../shared/db.ts";
import { describe } from "../../shared/errors.ts";
import { leadsChat } from "../../shared/leads/group.ts";
import { adminChat } from "../../shared/operators.ts";
import { about, type Finding } from "./finding.ts";

const TIMEOUT_MS = 10_000;
/** A `Date` header counts whole seconds. */
const CLOCK_WARN_MS = 5_000;
const CLOCK_FAIL_MS = 60_000;

type Settings = Pick<
  Config,
  "BOT_TOKEN" | "BOT_USERNAME" | "ADMIN_CHAT_ID" | "LEADS_CHAT_ID" | "TELEGRAM_API_ROOT" | "DATA_DIR"
>;
type Reply<T> = { ok: true; result: T } | { ok: false; error_code: number; description: string };
type Me = { id: number; username: string };
type Chat = { type: string; title?: string; permissions?: { can_send_messages?: boolean } };
type Member = { status: string; can_send_messages?: boolean; can_post_messages?: boolean; can_edit_messages?: boolean };

const { ok, fail } = about("telegram");

export async function checkTelegram(config: Settings, now: () => number = Date.now): Promise<Finding[]> {
  const asked = now();
  let me: Reply<Me>;
  let date: number;
  let between: number;
  try {
    const response = await call(config, "getMe");
    between = (asked + now()) / 2;
    date = Date.parse(response.headers.get("date") ?? "");
    me = (await response.json()) as Reply<Me>;
  } catch (error) {
    return [
      fail(
        `does not answer (${describe(error)})`,
        "check this machine's network, DNS and firewall, and TELEGRAM_API_ROOT",
      ),
    ];
  }
  if (!me.ok) {
    const mend =
      me.error_code === 401 || me.error_code === 404 ? "copy BOT_TOKEN anew from @BotFather" : "try again in a minute";
    return [fail(`refuses the bot (${me.error_code} ${describe(me.description)})`, mend)];
  }
  const chats = chatsOf(config);
  return [
    ...checkName(config, me.result),
    await webhook(config),
    ...(await Promise.all(
      chats.flatMap(([name, id]) => (id === undefined ? [] : [checkChat(config, me.result.id, name, id)])),
    )),
    checkClock(date, between),
  ];
}

/** The groups by their present ids: the bot follows one that Telegram has given another, and so do we. */
function chatsOf(config: Settings): [string, number | undefined][] {
  const path = databasePath(config.DATA_DIR);
  const db = existsSync(path) ? openReadOnly(path) : null;
  try {
    return [
      ["ADMIN_CHAT_ID", db ? adminChat(db, config.ADMIN_CHAT_ID) : config.ADMIN_CHAT_ID],
      ["LEADS_CHAT_ID", (db ? leadsChat(db, config) : config.LEADS_CHAT_ID) ?? undefined],
    ];
  } catch {
    // A damaged or very old database is the database check's business.
    return [
      ["ADMIN_CHAT_ID", config.ADMIN_CHAT_ID],
      ["LEADS_CHAT_ID", config.LEADS_CHAT_ID],
    ];
  } finally {
    db?.close(false);
  }
}

function checkName({ BOT_USERNAME }: Settings, me: Me): Finding[] {
  if (BOT_USERNAME && BOT_USERNAME.toLowerCase() !== me.username.toLowerCase())
    return [fail(`the token is @${me.username}'s, BOT_USERNAME is ${BOT_USERNAME}`, "set the right one, or none")];
  return [ok(`the bot is @${me.username}`)];
}

async function webhook(config: Settings): Promise<Finding> {
  const info = await ask<{ url: string }>(config, "getWebhookInfo");
  if (!info.ok) return fail(`getWebhookInfo failed (${info.description})`, "try again in a minute");
  if (info.result.url !== "")
    return fail("a webhook is set, so long polling gets nothing", "call deleteWebhook with this bot's token");
  return ok("no webhook stands in the way of polling");
}

async function checkChat(config: Settings, me: number, name: string, id: number): Promise<Finding> {
  const chat = await ask<Chat>(config, "getChat", { chat_id: id });
  if (!chat.ok) {
    const mend = /upgraded to a supergroup/.test(chat.description)
      ? "set the group's new id, which @getidsbot or the bot's log tells"
      : id < 0
        ? "add the bot to the group, or correct the id"
        : "open the bot in that account and press Start, or correct the id";
    return fail(`${name} cannot be reached (${chat.description})`, mend);
  }
  if (chat.result.type === "private") return ok(`${name} is a private chat that can be reached`);
  const member = await ask<Member>(config, "getChatMember", { chat_id: id, user_id: me });
  if (!member.ok)
    return fail(`${name} does not tell our rights there (${member.description})`, "add the bot to the group");
  const where = `${name} is the ${chat.result.type} “${(chat.result.title ?? "").slice(0, 60)}”`;
  if (!mayPost(chat.result, member.result))
    return fail(
      `${where}, where the bot may not post and edit`,
      "make it an administrator there, or allow members to write",
    );
  return ok(`${where}, where the bot may post and edit`);
}

/** A bot may always edit its own messages where it may send them; in a channel both are rights of administrators. */
function mayPost(chat: Chat, member: Member): boolean {
  if (chat.type === "channel")
    return member.status === "administrator" && member.can_post_messages === true && member.can_edit_messages === true;
  if (member.status === "administrator" || member.status === "creator") return true;
  if (member.status === "member") return chat.permissions?.can_send_messages !== false;
  return member.status === "restricted" && member.can_send_messages === true;
}

function checkClock(telegramMs: number, hereMs: number): Finding {
  const clock = about("clock");
  if (Number.isNaN(telegramMs))
    return clock.warn("Telegram sent no Date to compare with", "check the clock by hand: `timedatectl`");
  const aheadMs = hereMs - telegramMs - 500;
  const text = `${Math.abs(aheadMs / 1000).toFixed(0)} s ${aheadMs < 0 ? "behind" : "ahead of"} Telegram's`;
  const mend = "switch time synchronisation on: `timedatectl set-ntp true`";
  if (Math.abs(aheadMs) > CLOCK_FAIL_MS) return clock.fail(text, mend);
  if (Math.abs(aheadMs) > CLOCK_WARN_MS) return clock.warn(text, mend);
  return clock.ok("agrees with Telegram's");
}

const call = ({ TELEGRAM_API_ROOT, BOT_TOKEN }: Settings, method: string, body: object = {}) =>
  fetch(`${TELEGRAM_API_ROOT}/bot${BOT_TOKEN}/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });

async function ask<T>(config: Settings, method: string, body: object = {}): Promise<Reply<T>> {
  try {
    return (await (await call(config, method, body)).json()) as Reply<T>;
  } catch (error) {
    return { ok: false, error_code: 0, description: describe(error) };
  }
}
