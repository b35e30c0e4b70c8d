/** Getting updates: what breaks a poll, what ends the process, what waits. The real library against the simulator. */
import { expect, test } from "bun:test";
import { Api, Composer, type Context } from "grammy";
import type { BotContext } from "../bot/context.ts";
import { answerPress, createBot, createPoller, prepareBot } from "../bot/updates.ts";
import { EX_CONFIG } from "../shared/config.ts";
import { freshConfig, freshDb, freshLog } from "./fresh.ts";
import { type Sim, startSim } from "./sim/sim.ts";

type Handler = (ctx: Context) => unknown;

/** A bot over a database and a Telegram of its own. `leave` is remembered, not done. */
async function polling(
  handler: Handler,
  options: { env?: Record<string, string>; on?: "message" | "callback_query" } = {},
) {
  const sim = await startSim();
  const fresh = freshDb();
  const { log, lines } = freshLog();
  const config = freshConfig({ ...sim.env(), ...options.env });
  const api = new Api(config.BOT_TOKEN, { apiRoot: sim.root });
  const context: BotContext = { db: fresh.db, config, log, now: Date.now, api, slowApi: api, wake: () => {} };
  const left: number[] = [];
  const bot = createBot(config);
  const handlers = new Composer<Context>();
  handlers.on(options.on ?? "message", handler);
  prepareBot(bot, context, [handlers]);
  const poll = createPoller(bot, context, (code) => left.push(code));
  const close = async () => {
    await bot.stop().catch(() => {});
    await sim.stop();
    fresh[Symbol.dispose]();
  };
  return { sim, db: fresh.db, poll, left, lines, bot, [Symbol.asyncDispose]: close };
}

const conflict = {
  status: 409,
  body: { ok: false, error_code: 409, description: "Conflict: terminated by other getUpdates request" },
};
const polls = (sim: Sim) => sim.calls.filter((c) => c.target === "telegram:getUpdates");

test("the first poll comes back at once and leaves a sign of life; the next ones are long", async () => {
  await using p = await polling(() => {});
  const running = p.poll();
  await p.sim.until(() => polls(p.sim).length === 2, "the second poll");
  expect(polls(p.sim).map((c) => c.params.timeout)).toEqual([0, 25]);
  expect(p.db.query("SELECT loop, last_ok_at > 0 AS ok FROM heartbeats").all()).toEqual([{ loop: "poll", ok: 1 }]);
  expect(polls(p.sim)[0]?.params.allowed_updates).toEqual(["message", "callback_query", "my_chat_member"]);
  await p.bot.stop();
  await running;
});

test("a second poller that goes away is outlived, one that stays ends the process with a clear line", async () => {
  await using p = await polling(() => {});
  p.sim.fault({ target: "telegram:getUpdates", times: 11, do: conflict });
  for (let i = 0; i < 11; i++) await expect(p.poll()).rejects.toThrow("Conflict");
  expect(p.left).toEqual([]);
  // One good poll, and the count begins anew.
  const running = p.poll();
  await p.sim.until(() => polls(p.sim).some((c) => c.outcome === "ok"));
  await p.bot.stop();
  await running;
  p.sim.fault({ target: "telegram:getUpdates", times: -1, do: conflict });
  for (let i = 0; i < 12; i++) await expect(p.poll()).rejects.toThrow("Conflict");
  expect(p.left).toEqual([1]);
  expect(p.lines.join("\n")).toContain("another program polls with this BOT_TOKEN");
});

test("a token that Telegram does not know ends the process as a wrong setting", async () => {
  await using p = await polling(() => {}, { env: { BOT_TOKEN: "7100000001:another-token-than-telegrams" } });
  await expect(p.poll()).rejects.toThrow("Unauthorized");
  expect(p.left).toEqual([EX_CONFIG]);
  expect(p.lines.join("\n")).toContain("copy it anew from @BotFather");
  expect(p.lines.join("\n")).not.toContain("another-token");
});

for (const [what, fault] of [
  ["unreachable", { reset: true }],
  ["answering HTML", { html: "<h1>502</h1>" }],
  ["answering 500", { status: 500, body: { ok: false, error_code: 500, description: "Internal" } }],
  [
    "too busy",
    { status: 429, body: { ok: false, error_code: 429, description: "Too Many", parameters: { retry_after: 600 } } },
  ],
] as const) {
  for (const method of ["getMe", "deleteWebhook"]) {
    test(`Telegram ${what} at ${method}: the start fails at once, so that the loop tries again soon`, async () => {
      await using p = await polling(() => {});
      p.sim.fault({ target: `telegram:${method}`, do: fault });
      await expect(p.poll()).rejects.toThrow();
      expect(p.sim.calls.filter((c) => c.target === `telegram:${method}`)).toHaveLength(1);
      const running = p.poll();
      await p.sim.until(() => polls(p.sim).length > 0, "polling");
      expect(p.left).toEqual([]);
      await p.bot.stop();
      await running;
    });
  }
}

test("an update that meets a locked database waits for it and is done once; later ones keep their order", async () => {
  const done: string[] = [];
  let locked = 2;
  await using p = await polling((ctx) => {
    if (locked-- > 0) throw Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
    done.push(ctx.message?.text ?? "");
  });
  const running = p.poll();
  p.sim.guestSays(1, "first");
  p.sim.guestSays(1, "second");
  await p.sim.until(() => done.length === 2, "both updates", { everyMs: 20 });
  expect(done).toEqual(["first", "second"]);
  await p.bot.stop();
  await running;
});

const full = () => Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });

test("a bot that stops while an update waits for the database does not tell Telegram that it has it", async () => {
  let isFull = true;
  await using p = await polling(() => {
    if (isFull) throw full();
  });
  const running = p.poll();
  p.sim.guestSays(1, "hello");
  await p.sim.until(() => p.lines.some((line) => line.includes("an update waits")), "the wait", { everyMs: 20 });
  await p.bot.stop();
  expect(p.sim.world.updates.pending).toHaveLength(1);
  isFull = false;
  await running;
});

test("an update that waits for the database and then meets our own bug is let go like any other bug's", async () => {
  const done: string[] = [];
  let tries = 0;
  await using p = await polling((ctx) => {
    if (ctx.message?.text !== "bad") return done.push(ctx.message?.text ?? "");
    throw ++tries === 1 ? full() : new Error("a bug");
  });
  const running = p.poll();
  p.sim.guestSays(1, "bad");
  p.sim.guestSays(1, "good");
  await p.sim.until(() => done.length === 1, "the good one", { everyMs: 20 });
  await p.sim.until(() => p.sim.world.updates.pending.length === 0, "the end of both", { everyMs: 20 });
  expect([tries, done]).toEqual([2, ["good"]]);
  // Nor does the bot hold on to it when nothing else comes.
  tries = 0;
  p.sim.guestSays(1, "bad");
  await p.sim.until(() => p.sim.world.updates.pending.length === 0, "its end", { everyMs: 20 });
  expect(tries).toBe(2);
  await p.bot.stop();
  await running;
});

/** A button in a guest's chat, pressed. */
async function pressed({ sim, bot }: Awaited<ReturnType<typeof polling>>) {
  sim.guestSays(1, "hello");
  await bot.api.sendMessage(1, "a button", {
    reply_markup: { inline_keyboard: [[{ text: "b", callback_data: "b" }]] },
  });
  const press = sim.guestPresses(1, "b");
  await sim.until(() => press.answers.length > 0, "the answer to the button");
  return press;
}

test("what a press would have been answered with is not said while the database has not taken it", async () => {
  let tries = 0;
  await using p = await polling(
    (ctx) => {
      tries += 1;
      answerPress(ctx, tries < 2 ? "It is yours." : "It is another's.");
      if (tries < 2) throw full();
    },
    { on: "callback_query" },
  );
  const running = p.poll();
  const press = await pressed(p);
  expect(press.answers.map(({ text }) => text)).toEqual(["It is another's."]);
  await p.bot.stop();
  await running;
});

test("a press that our own bug breaks is answered with nothing, not with what was undone", async () => {
  await using p = await polling(
    (ctx) => {
      answerPress(ctx, "It is yours.");
      throw new Error("a bug");
    },
    { on: "callback_query" },
  );
  const running = p.poll();
  const press = await pressed(p);
  expect(press.answers.map(({ text }) => text)).toEqual([undefined]);
  await p.bot.stop();
  await running;
});

test("an update that our own bug breaks is logged and does not stop the next one; its button stops spinning", async () => {
  const done: string[] = [];
  await using p = await polling((ctx) => {
    if (ctx.message?.text === "bad") throw new Error("a bug");
    done.push(ctx.message?.text ?? "");
  });
  p.bot.on("callback_query", () => {
    throw new Error("another bug");
  });
  const running = p.poll();
  p.sim.guestSays(1, "bad");
  p.sim.guestSays(1, "good");
  await p.sim.until(() => done.length === 1, "the good one", { everyMs: 20 });
  await p.bot.api.sendMessage(1, "a button", {
    reply_markup: { inline_keyboard: [[{ text: "b", callback_data: "b" }]] },
  });
  const press = p.sim.guestPresses(1, "b");
  await p.sim.until(() => press.answers.length === 1, "the answer to the button");
  expect(p.lines.filter((line) => line.includes("could not be handled"))).toHaveLength(2);
  await p.bot.stop();
  await running;
});
