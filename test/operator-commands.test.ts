/** The list of commands in the team's chats: told once each, again after a refusal's pause, and followed to where a group went. */
import { expect, test } from "bun:test";
import { GrammyError } from "grammy";
import type { BotContext } from "../bot/context.ts";
import { createAnnouncer } from "../bot/operator-commands.ts";
import { leadsChat } from "../shared/leads/group.ts";
import { effective } from "../shared/overrides.ts";
import { freshConfig, freshDb, freshLog, NOON } from "./fresh.ts";

const [OPERATORS, SALES, MOVED] = [-100500, -500, -1009];

test("each chat once; a refusal is tried again after its pause; a moved group is followed", async () => {
  using fresh = freshDb();
  const config = effective(fresh.db, freshConfig({ LEADS_CHAT_ID: String(SALES) }));
  const told: number[] = [];
  const refusals: object[] = [];
  const setMyCommands = async (_: unknown, { scope }: { scope: { chat_id: number } }) => {
    told.push(scope.chat_id);
    const refusal = refusals.shift();
    if (refusal) throw new GrammyError("", { ok: false, description: "no", ...refusal } as never, "setMyCommands", {});
  };
  const context = { db: fresh.db, config, api: { setMyCommands }, log: freshLog().log, now: () => NOON, wake() {} };
  let at = 0;
  const announce = createAnnouncer(context as unknown as BotContext, () => at);
  const round = async (later = 0) => {
    at += later;
    told.length = 0;
    await announce();
    return [...told];
  };

  refusals.push(
    { error_code: 429, parameters: { retry_after: 7 } },
    { error_code: 400, parameters: { migrate_to_chat_id: MOVED } },
  );
  expect(await round()).toEqual([OPERATORS, SALES]);
  expect(leadsChat(fresh.db, config)).toBe(MOVED);
  expect(await round(6_999)).toEqual([MOVED]);
  expect(await round(1)).toEqual([OPERATORS]);
  expect(await round(3_600_000)).toEqual([]);
});

test("a bot that is not in the sales group yet asks again seldom", async () => {
  using fresh = freshDb();
  const config = effective(fresh.db, freshConfig({ LEADS_CHAT_ID: String(OPERATORS) }));
  let lists = 0;
  const setMyCommands = async (commands: { command: string }[]) => {
    // One chat for both desks: one list, nothing in it twice.
    expect(new Set(commands.map(({ command }) => command)).size).toBe(commands.length);
    lists++;
    throw new GrammyError("", { ok: false, error_code: 400, description: "chat not found" }, "setMyCommands", {});
  };
  const context = { db: fresh.db, config, api: { setMyCommands }, log: freshLog().log, now: () => NOON, wake() {} };
  let at = 0;
  const announce = createAnnouncer(context as unknown as BotContext, () => at);
  for (; at < 600_000; at += 5_000) await announce();
  expect(lists).toBe(2);
});
