/** The bot's start and stop: a wrong token, Telegram away, a second poller, messages that wait for better times. */
import { expect, test } from "bun:test";
import { openDb } from "../shared/db.ts";
import { notify } from "../shared/notices.ts";
import { Program, World } from "./world.ts";

const guest = 7001;

test("a wrong token: exit 78 with a clear line that does not quote it, and nothing that waits is lost", async () => {
  await using world = await World.open({ api: false, bot: false });
  const { sim } = world;
  sim.guestSays(guest, "hello");
  const db = openDb(world.dataDir);
  notify(db, { chatId: guest, text: "promised", now: Date.now() });
  db.close(false);
  const wrong = "7100000001:wrong-token-wrong-token-wrong";
  const program = new Program("bot/main.ts", { ...world.env, BOT_TOKEN: wrong });
  expect(await program.process.exited).toBe(78);
  expect(program.output).toContain("Telegram does not know this BOT_TOKEN: copy it anew from @BotFather");
  expect(program.output).not.toContain("wrong-token");
  expect(sim.sent("sendMessage", guest)).toEqual([]);
  // With the right one, what was promised arrives.
  await world.startBot();
  await sim.until(() => sim.sent("sendMessage", guest).some((c) => c.params.text === "promised"), "the promise", {
    timeoutMs: 15_000,
  });
});

test("Telegram is away at the start: the bot waits, other work goes on, and it comes up when Telegram does", async () => {
  await using world = await World.open({ bot: false });
  const { sim } = world;
  sim.fault({ target: "telegram:*", times: -1, do: { html: "<h1>503 Service Unavailable</h1>", status: 503 } });
  const bot = new Program("bot/main.ts", world.env);
  world.bot = bot;
  await bot.said("the bot works");
  await sim.until(() => sim.calls.filter((c) => c.target === "telegram:getMe").length >= 3, "three tries");
  expect(bot.process.exitCode).toBeNull();
  // Visits expire meanwhile: the loops do not wait for Telegram.
  const token = await world.start();
  const db = openDb(world.dataDir);
  db.query("UPDATE sessions SET expires_at = 1 WHERE token = ?").run(token);
  db.close(false);
  await world.eventually(() => world.rows("SELECT status FROM sessions")[0]?.status === "expired", "the visit's end");
  sim.clearFaults();
  await bot.said('"polling"');
  sim.guestSays(guest, "/help", { lang: "en" });
  await sim.until(() => sim.sent("sendMessage", guest).length === 1);
});

test("asked to stop while Telegram is away, the bot stops with 0", async () => {
  await using world = await World.open({ api: false, bot: false });
  const { sim } = world;
  sim.fault({ target: "telegram:*", times: -1, do: { reset: true } });
  const bot = new Program("bot/main.ts", world.env);
  world.bot = bot;
  await sim.until(() => sim.calls.filter((c) => c.target === "telegram:getMe").length >= 2, "two tries");
  expect(await bot.end()).toBe(0);
});

test("asked to stop while Telegram is silent, the bot does not wait for it", async () => {
  await using world = await World.open({ api: false });
  const { sim } = world;
  const bot = world.bot as Program;
  sim.fault({ target: "telegram:*", times: -1, do: { hang: true } });
  const db = openDb(world.dataDir);
  notify(db, { chatId: guest, text: "a message that nobody answers", now: Date.now() });
  db.close(false);
  await sim.until(() => sim.calls.some((c) => c.target === "telegram:sendMessage"), "the message on its way");
  expect(await bot.end()).toBe(0);
  expect(bot.output).not.toContain("took too long");
});

test("a bot that another one replaces in the middle loses no update", async () => {
  await using world = await World.open();
  const { sim } = world;
  const first = world.bot as Program;
  sim.guestSays(guest, "/help", { lang: "en" });
  await sim.until(() => sim.sent("sendMessage", guest).length === 1);
  await first.end("SIGKILL");
  for (let i = 0; i < 3; i++) sim.guestSays(guest, "/privacy");
  await world.startBot();
  // The help may come twice: its answer was on its way when the first bot died.
  const said = (text: string) => world.textsTo(guest).filter((each) => each.startsWith(text)).length;
  await sim.until(() => said("What we keep") >= 3, "three answers");
  sim.guestSays(guest, "/packs");
  await sim.until(() => said("You have no packs yet") === 1, "the list of packs");
  expect(said("What we keep")).toBe(3);
  expect(sim.violations).toEqual([]);
});

test("two bots at once, as when one replaces the other: conflicts, and every update is handled, once", async () => {
  await using world = await World.open();
  const { sim } = world;
  const second = new Program("bot/main.ts", world.env);
  try {
    await sim.until(() => sim.calls.filter((c) => c.outcome.startsWith("refused 409")).length >= 2, "conflicts", {
      timeoutMs: 20_000,
    });
    for (let i = 0; i < 5; i++) sim.guestSays(guest, "/help", { lang: "en" });
    await sim.until(() => sim.sent("sendMessage", guest).length >= 5, "five answers", { timeoutMs: 20_000 });
    await second.end("SIGKILL");
    sim.guestSays(guest, "/packs");
    await sim.until(
      () => sim.sent("sendMessage", guest).some((c) => String(c.params.text).startsWith("You have no packs")),
      "the last",
      { timeoutMs: 20_000 },
    );
    expect(world.rows("SELECT count(*) AS n FROM updates")).toEqual([{ n: 6 }]);
  } finally {
    if (second.process.exitCode === null) await second.end("SIGKILL");
  }
});

test("messages: a slow chat holds up no other, a 429 is waited for, an unreachable one is marked", async () => {
  await using world = await World.open({ api: false });
  const { sim } = world;
  const [slow, busy, gone, fine] = [8001, 8002, 8003, 8004];
  for (const id of [slow, busy, gone, fine]) sim.guestSays(id, "/help", { lang: "en" });
  await sim.until(() => [slow, busy, gone, fine].every((id) => sim.sent("sendMessage", id).length === 1));
  sim.fault({ target: "telegram:sendMessage", when: { chat_id: slow }, do: { hang: true } });
  const retry = { ok: false, error_code: 429, description: "Too Many Requests", parameters: { retry_after: 1 } };
  sim.fault({ target: "telegram:sendMessage", when: { chat_id: busy }, do: { status: 429, body: retry } });
  sim.guestBlocks(gone);
  const db = openDb(world.dataDir);
  const say = (chatId: number, text: string) => notify(db, { chatId, text, now: Date.now() });
  say(slow, "held");
  await sim.until(() => sim.calls.some((c) => c.params.text === "held"));
  for (const id of [busy, gone, fine]) for (const text of ["one", "two"]) say(id, text);
  const got = (id: number) =>
    sim
      .sent("sendMessage", id)
      .slice(1)
      .map((c) => c.params.text);
  await sim.until(() => got(fine).length === 2 && got(busy).length === 2, "the others' messages");
  expect([got(fine), got(busy), got(gone)]).toEqual([["one", "two"], ["one", "two"], []]);
  await world.eventually(
    () => world.rows("SELECT 1 FROM notices WHERE chat_id = ? AND sent_at IS NULL", gone).length === 0,
    "the blocked chat's end",
  );
  expect(world.rows("SELECT DISTINCT outcome FROM notices WHERE chat_id = ? AND id > 4", gone)).toEqual([
    { outcome: "unreachable" },
  ]);
  expect(world.rows("SELECT unreachable_at > 0 AS gone FROM users WHERE id = ?", gone)).toEqual([{ gone: 1 }]);
  db.close(false);
});

test("a booth without any artist says so to its operators at the start", async () => {
  await using world = await World.open({ api: false, env: { GEMINI_API_KEY: "", OPENAI_API_KEY: "" } });
  const { sim } = world;
  await sim.until(
    () => sim.messages(sim.operatorsChatId).some((m) => m.text?.includes("No artist can draw")),
    "the alert",
  );
});
