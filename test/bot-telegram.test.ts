/** Telegram's answers in the classes that the bot acts on, by the real client against the simulator. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { Api, HttpError, InputFile } from "grammy";
import { ask, type Refusal, sendWhole } from "../bot/telegram.ts";
import { heartbeats } from "../shared/heartbeats.ts";
import { spoken } from "../shared/plain-words.ts";
import { freshDb, NOON } from "./fresh.ts";
import type { FaultAction } from "./sim/faults.ts";
import { startSim } from "./sim/sim.ts";

const guest = 7001;
const sim = await startSim();
const apiOf = (token: string, timeoutSeconds = 30) =>
  new Api(token, { apiRoot: sim.root, timeoutSeconds, fetch: sendWhole });
const api = apiOf(sim.token);
sim.guestSays(guest, "hello");

test("what our own words say of the network is said in the team's language, Telegram's words as they are", () => {
  expect(spoken("Telegram could not be reached (ECONNREFUSED)", "ru")).toBe(
    "до Telegram не достучаться (ECONNREFUSED)",
  );
  expect(spoken("Telegram did not answer in time", "uz")).toBe("Telegram vaqtida javob bermadi");
  expect(spoken("Forbidden: bot was kicked", "ru")).toBe("Forbidden: bot was kicked");
});

afterEach(() => sim.clearFaults());
afterAll(() => sim.stop());

const say = (chat = guest) => ask(() => api.sendMessage(chat, "hi"));
const refused = (error_code: number, description: string, parameters?: object): FaultAction => ({
  status: error_code,
  body: JSON.parse(JSON.stringify({ ok: false, error_code, description, parameters })),
});

const faults: [string, FaultAction, Refusal][] = [
  ["429", refused(429, "Too Many Requests: retry after 7", { retry_after: 7 }), { kind: "wait", retryAfterMs: 7_000 }],
  [
    "429 for hours",
    refused(429, "Too Many Requests", { retry_after: 40_000 }),
    { kind: "wait", retryAfterMs: 40_000_000 },
  ],
  [
    "429 for weeks",
    refused(429, "Too Many Requests", { retry_after: 4e6 }),
    { kind: "wait", retryAfterMs: 86_400_000 },
  ],
  ["429 without a time", refused(429, "Too Many Requests"), { kind: "wait", retryAfterMs: 1_000 }],
  ["500", refused(500, "Internal Server Error"), { kind: "unknown" }],
  ["502 in HTML", { html: "<h1>502</h1>" }, { kind: "unknown" }],
  ["200 in HTML", { html: "<h1>Sign in to the Wi-Fi</h1>", status: 200 }, { kind: "unknown" }],
  ["403 in HTML", { html: "<h1>Blocked by the proxy</h1>", status: 403 }, { kind: "unknown" }],
  ["a reset", { reset: true }, { kind: "unknown" }],
  ["an answer that was lost", { executeThenLose: "reset" }, { kind: "unknown" }],
  ["half an answer", { truncate: true }, { kind: "unknown" }],
  ["401", refused(401, "Unauthorized"), { kind: "unknown" }],
  [
    "a group that moved",
    refused(400, "Bad Request: group chat was upgraded to a supergroup chat", { migrate_to_chat_id: -1009 }),
    { kind: "moved", chatId: -1009 },
  ],
  ["403", refused(403, "Forbidden: bot was blocked by the user"), { kind: "unreachable" }],
  ["a chat never met", refused(400, "Bad Request: chat not found"), { kind: "unreachable" }],
  [
    "nothing to change",
    refused(400, "Bad Request: message is not modified: specified new message content…"),
    { kind: "done" },
  ],
  [
    "a question too old",
    refused(400, "Bad Request: query is too old and response timeout expired or query ID is invalid"),
    { kind: "done" },
  ],
  ["a name that is taken", refused(400, "Bad Request: sticker set name is already occupied"), { kind: "occupied" }],
  ["a set that is not", refused(400, "Bad Request: STICKERSET_INVALID"), { kind: "absent" }],
  ["any other 400", refused(400, "Bad Request: can't parse entities"), { kind: "bug" }],
];

for (const [what, action, refusal] of faults) {
  test(`${what}: ${refusal.kind}`, async () => {
    sim.fault({ target: "telegram:sendMessage", do: action });
    const answer = await say();
    expect(answer).toMatchObject(refusal);
    if (answer.kind === "ok") throw new Error("it cannot be ok");
    expect(answer.reason).not.toContain(sim.token);
    expect(answer.reason).not.toBe("");
  });
}

test("silence ends with the client's own time-out, and nothing is known", async () => {
  const silence = sim.fault({ target: "telegram:sendMessage", do: { hang: true } });
  expect(await ask(() => apiOf(sim.token, 1).sendMessage(guest, "hi"))).toMatchObject({ kind: "unknown" });
  expect(silence.met).toBe(1);
});

test("a server that is not there: unknown, and its address does not leak the token", async () => {
  const nowhere = new Api(sim.token, { apiRoot: "http://127.0.0.1:9" });
  const answer = await ask(() => nowhere.sendMessage(guest, "hi"));
  expect(answer.kind).toBe("unknown");
  expect(JSON.stringify(answer)).not.toContain(sim.token.split(":")[1] ?? "?");
});

test("people read Telegram's own description alone, and plain words of a call without an answer", async () => {
  const reasonOf = async (call: () => Promise<unknown>) => {
    const answer = await ask(call);
    return answer.kind === "ok" ? "ok" : answer.reason;
  };
  const faulty = (action: FaultAction) => {
    sim.fault({ target: "telegram:sendMessage", do: action });
    return reasonOf(() => api.sendMessage(guest, "hi"));
  };
  const at = (apiRoot: string) => reasonOf(() => new Api(sim.token, { apiRoot }).sendMessage(guest, "hi"));
  expect([
    await faulty(refused(403, "Forbidden: bot was kicked from the group chat")),
    await faulty(refused(400, "Bad Request: can't parse entities")),
    await faulty({ html: "<h1>502</h1>" }),
    await at("http://127.0.0.1:9"),
    await reasonOf(() => Promise.reject(new HttpError("failed", new TypeError("getaddrinfo ENOTFOUND a.example")))),
  ]).toEqual([
    "Forbidden: bot was kicked from the group chat",
    "Bad Request: can't parse entities",
    "Telegram's answer could not be read",
    "Telegram could not be reached (ECONNREFUSED)",
    "Telegram's address was not found: no network, or no DNS (ENOTFOUND)",
  ]);
  const silence = sim.fault({ target: "telegram:sendMessage", do: { hang: true } });
  const late = await reasonOf(() => apiOf(sim.token, 1).sendMessage(guest, "hi"));
  expect([late, silence.met]).toEqual(["Telegram did not answer in time", 1]);
  sim.fault({ target: "telegram:sendMessage", do: { reset: true } });
  expect(await reasonOf(() => api.sendMessage(guest, "hi"))).toStartWith("Telegram could not be reached");
});

test("a part of the bot that fails is told in the same words", async () => {
  using fresh = freshDb();
  const { failed } = heartbeats(fresh.db, () => NOON);
  const errors = await Promise.all([
    apiOf("1:x")
      .getMe()
      .catch((error: unknown) => error),
    new Api(sim.token, { apiRoot: "http://127.0.0.1:9" }).getMe().catch((error: unknown) => error),
  ]);
  const kept = [...errors, new TypeError("ours")].map((error) => {
    failed({ name: "updates", everyMs: 1_000, failures: 1 }, error);
    return (fresh.db.query("SELECT last_error FROM heartbeats").get() as { last_error: string }).last_error;
  });
  expect(kept).toEqual(["Unauthorized", "Telegram could not be reached (ECONNREFUSED)", "TypeError: ours"]);
});

test("what the simulated Telegram itself says falls into the same classes", async () => {
  expect((await say()).kind).toBe("ok");
  expect((await say(424242)).kind).toBe("unreachable");
  sim.guestBlocks(guest);
  expect((await say()).kind).toBe("unreachable");
  sim.guestUnblocks(guest);
  const moved = sim.migrateGroup(sim.salesChatId);
  expect(await say(sim.salesChatId)).toMatchObject({ kind: "moved", chatId: moved });
  expect((await ask(() => api.getStickerSet("nothing_by_sim_booth_bot"))).kind).toBe("absent");
  expect((await ask(() => api.answerCallbackQuery("123"))).kind).toBe("done");
  const message = await api.sendMessage(guest, "same");
  expect((await ask(() => api.editMessageText(guest, message.message_id, "same"))).kind).toBe("done");
  const sticker = {
    sticker: new InputFile(new Uint8Array([1]), "a.png"),
    format: "static" as const,
    emoji_list: ["😀"],
  };
  expect((await ask(() => api.createNewStickerSet(guest, "bad name", "t", [sticker]))).kind).toBe("bug");
  expect((await ask(() => apiOf("1:x").getMe())).kind).toBe("unknown");
});

test("an upload goes out in one piece, with its length, and is given up after its time", async () => {
  const seen: { length: number; chunked: string | null; fields: string[] }[] = [];
  const never = Promise.withResolvers<Response>();
  const leftAlone = Promise.withResolvers<boolean>();
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (seen.length > 0) {
        request.signal.addEventListener("abort", () => leftAlone.resolve(true));
        return never.promise;
      }
      const { headers } = request;
      const fields = [...(await request.formData()).keys()];
      seen.push({ length: Number(headers.get("content-length")), chunked: headers.get("transfer-encoding"), fields });
      return Response.json({ ok: true, result: true });
    },
  });
  const client = (timeoutSeconds: number) =>
    new Api("1:x", { apiRoot: `http://127.0.0.1:${server.port}`, timeoutSeconds, fetch: sendWhole });
  const sticker = {
    sticker: new InputFile(new Uint8Array(70_000), "a.png"),
    format: "static" as const,
    emoji_list: ["😀"],
  };
  const create = (timeoutSeconds: number) =>
    ask(() => client(timeoutSeconds).createNewStickerSet(5, "n", "t", [sticker, sticker]));
  expect(await create(30)).toEqual({ kind: "ok", value: true });
  expect(seen).toEqual([
    { length: expect.any(Number), chunked: null, fields: expect.arrayContaining(["user_id", "name"]) },
  ]);
  expect(seen[0]?.length).toBeGreaterThan(140_000);
  expect(await create(1)).toMatchObject({ kind: "unknown" });
  expect(await leftAlone.promise).toBe(true);
  never.resolve(new Response());
});
