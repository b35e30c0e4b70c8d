import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { removeSessionFiles } from "../shared/files.ts";
import { noteFilesRemoved } from "../shared/jobs.ts";
import { admin, openBooth, TEST_MS } from "./admin-world.ts";
import { textsIn, withDb } from "./leads-world.ts";
import type { World } from "./world.ts";

const DILSHOD = 9001;
const badSheet = { usable: false, problem: "distorted", stickers: [] };

const inChat = (world: World) => textsIn(world, world.sim.operatorsChatId);
const says = (world: World, text: string, options = {}) =>
  world.sim.operatorSays(world.sim.operatorsChatId, DILSHOD, text, { name: "Dilshod", ...options });

/** Waits for a message in the operators' chat that came after `from` others. */
const hears = (world: World, pattern: RegExp, from = 0) =>
  world.sim.until(
    () =>
      inChat(world)
        .slice(from)
        .find((text) => pattern.test(text)),
    `${pattern} in the operators' chat`,
    { timeoutMs: 20_000 },
  );

async function asks(world: World, command: string, pattern: RegExp, options = {}): Promise<string> {
  const before = inChat(world).length;
  says(world, command, options);
  return hears(world, pattern, before + 1);
}

const jobOf = (world: World, token: string) =>
  world.rows("SELECT id, status FROM jobs WHERE session_token = ? ORDER BY id DESC", token)[0];

describe("the operators' chat", () => {
  let world: World;
  beforeAll(async () => {
    world = await openBooth();
  }, TEST_MS);
  afterAll(() => world[Symbol.asyncDispose]());

  test("/status says how the booth is", async () => {
    const text = await asks(world, "/status", /Queue:/);
    expect(text).toStartWith("🟢 All is well.");
    expect(world.sim.buttons(world.sim.operatorsChatId)[0]?.callback_data).toBe("op:pause");
  });

  test("/pause closes the booth for new guests with its reason, /resume opens it; the audit log has both", async () => {
    expect(await asks(world, "/pause paper <jam>", /paused/)).toContain("paused by Dilshod: paper <jam>");
    expect((await world.post("/session")).body.error).toBe("maintenance");
    expect(await asks(world, "/pause", /paused/)).toBe("The booth is paused already.");
    expect(await asks(world, "/status", /Queue:/)).toContain("paused: paper <jam>");
    expect(await asks(world, "/resume", /open/)).toContain("Dilshod opened the booth.");
    expect((await world.post("/session")).status).toBe(201);
    expect(await asks(world, "/resume", /open/)).toBe("The booth is open already.");
    const rows = world.rows("SELECT actor, action, before, after FROM audit_log ORDER BY id");
    expect(rows.map((row) => [row.actor, row.action])).toEqual([
      [`operator:${DILSHOD} Dilshod`, "pause"],
      [`operator:${DILSHOD} Dilshod`, "resume"],
    ]);
    expect(JSON.parse(rows[0].after).reason).toBe("paper <jam>");
    expect(JSON.parse(rows[1].before).reason).toBe("paper <jam>");
  });

  test("an anonymous administrator acts by the chat", async () => {
    expect(await asks(world, "/pause", /paused/, { anonymous: true })).toContain("an anonymous administrator");
    await asks(world, "/resume", /open/, { anonymous: true });
    const [row] = world.rows("SELECT actor FROM audit_log ORDER BY id DESC LIMIT 1");
    expect(row.actor).toBe("operator:anonymous");
  });

  test("a stranger's command does nothing, in the private chat, in the sales group, and by a copied button", async () => {
    const before = world.rows("SELECT count(*) AS n FROM audit_log")[0].n;
    const messages = inChat(world).length;
    for (const text of ["/pause", "/status", "/retry 1", "/retry_1", "/budget 9"]) {
      world.sim.guestSays(7666, text);
      world.sim.operatorSays(world.sim.salesChatId, 7667, text);
    }
    const [own] = world.sim.messages(world.sim.operatorsChatId).filter((m) => m.reply_markup);
    const chat = world.sim.world.chats.get(world.sim.salesChatId)?.chat;
    if (!own || !chat) throw new Error("no message with a button");
    const press = world.sim.operatorPresses(chat.id, 7667, "op:pause", { message: { ...own, chat } });
    await world.sim.until(() => press.answers.length > 0, "the answer to the press");
    await asks(world, "/status", /Queue:/);
    expect((await world.call("/health")).body.maintenance).toBe(false);
    expect(world.rows("SELECT count(*) AS n FROM audit_log")[0].n).toBe(before);
    expect(inChat(world).length).toBe(messages + 2);
    expect(textsIn(world, 7666).join("\n")).not.toContain("Queue:");
    expect(textsIn(world, world.sim.salesChatId).filter((text) => text.includes("Queue:"))).toEqual([]);
  });

  test("a command that Telegram repeats is done once", async () => {
    await asks(world, "/pause rain", /paused/);
    await asks(world, "/resume", /open/);
    const count = inChat(world).length;
    const audits = world.rows("SELECT count(*) AS n FROM audit_log")[0].n;
    world.sim.redeliver(2);
    await asks(world, "/stats", /tapped Start/);
    expect(inChat(world).length).toBe(count + 2);
    expect(world.rows("SELECT count(*) AS n FROM audit_log")[0].n).toBe(audits);
    expect((await world.call("/health")).body.maintenance).toBe(false);
  });
});

// A booth of its own: a group hears no more than twenty messages a minute.
test(
  "a failed pack is told once with whose it was; its button tries it again and the guest gets it",
  async () => {
    await using world = await openBooth();
    world.sim.models.sheet = badSheet;
    const token = await world.visit(7001);
    await world.sendPhoto(token, world.selfie());
    await world.reaches(token, "failed");
    const { id } = jobOf(world, token);
    const alert = await hears(world, new RegExp(`Pack ${id} `));
    expect(alert).toContain(`Pack ${id} (Guest 7001, Astronaut, kiosk test) failed: three drawings`);
    expect(await asks(world, "/jobs", /Failed today/)).toContain(`/retry_${id}`);
    expect(await asks(world, "/stats", /tapped Start/)).toContain("1 failed");

    world.sim.models.sheet = undefined;
    world.sim.guest(DILSHOD, { name: "Tom & <Jerry>" });
    const press = world.sim.operatorPresses(world.sim.operatorsChatId, DILSHOD, `op:retry:${id}`);
    await world.sim.until(() => press.answers.length > 0, "the answer to the press");
    // A press is answered without markup.
    expect(press.answers[0]?.text).toBe(`🔁 Pack ${id} is tried again, by Tom & <Jerry>.`);
    const { timeline } = (await admin(world, `GET jobs/${id}`)).body;
    expect(timeline.map(({ what }: { what: string }) => what)).toContain("Tried again by Tom & <Jerry>");
    await world.reaches(token, "done");
    await hears(world, /Packs come out again/);

    const stats = await asks(world, "/stats", /tapped Start/);
    // How long it took with an operator's try in between is no guest's usual time.
    expect(stats).toContain("🎁 1 pack\n");
    expect(stats).toContain("0 failed");
    expect(await asks(world, `/retry ${id}`, /only a failed one/)).toContain(`Pack ${id} is delivered`);
    expect(await asks(world, "/retry 99999", /no pack/)).toBe("There is no pack 99999.");
    expect(await asks(world, "/retry", /number/)).toContain("/retry 12");
    expect(await asks(world, "/costs", /7 days/)).toContain("gemini, draw: $");
  },
  TEST_MS,
);

test(
  "what Telegram said when it refused a set stands in the alert and in the pack's story, bounded and without secrets",
  async () => {
    await using world = await openBooth();
    const token = `7100000001:${"x".repeat(35)}`;
    const body = {
      ok: false,
      error_code: 400,
      description: `Bad Request: STICKER_PNG_DIMENSIONS ${token} ${"y".repeat(500)}`,
    };
    world.sim.fault({ target: "telegram:createNewStickerSet", do: { status: 400, body } });
    const visit = await world.visit(7001);
    await world.sendPhoto(visit, world.selfie());
    await world.reaches(visit, "failed");
    const alert = await hears(world, /^⚠️ Pack 1 /);
    expect(alert).toContain("Telegram did not take the sticker set (");
    const { timeline } = (await admin(world, "GET jobs/1")).body;
    const { detail } = timeline.find(({ what }: { what: string }) => what === "Sticker set");
    for (const text of [alert, detail]) {
      expect(text).toContain("STICKER_PNG_DIMENSIONS");
      expect(text).not.toContain("xxxxx");
      expect(text.length).toBeLessThan(500);
    }
    // Its photo's time is over: nobody is promised what cannot be done.
    removeSessionFiles(world.dataDir, visit);
    withDb(world, (db) => noteFilesRemoved(db, visit, Date.now()));
    const [row] = (await admin(world, "GET jobs")).body.jobs;
    expect(row).toMatchObject({ files_removed_at: expect.any(String), todo: expect.stringContaining("kiosk again") });
    expect(await asks(world, "/retry 1", /no longer kept/)).toContain("Pack 1 cannot be made any more");
    const refused = await admin(world, "POST jobs/1/retry", {});
    expect([refused.status, refused.body.error]).toEqual([409, "wrong_status"]);
    expect(refused.body.message).toContain("Ask the guest to come to the booth again.");
    expect(world.rows("SELECT status FROM jobs")).toEqual([{ status: "failed" }]);
  },
  TEST_MS,
);

test(
  "what is changed on the page is told in the chat, once, with who and why; what changes nothing is not",
  async () => {
    await using world = await openBooth({ env: { DAILY_BUDGET_USD: "10" } });
    const change = async (call: string, body: unknown) => {
      for (const _ of ["once", "and again"]) expect((await admin(world, call, body)).status).toBe(200);
    };
    await change("POST maintenance", { on: true, reason: "paper <jam>\nagain\ud83c" });
    await hears(world, /paused by operator \(on the page\): paper <jam> again\ufffd\. New guests/);
    expect(world.sim.buttons(world.sim.operatorsChatId).at(-1)?.callback_data).toBe("op:resume");
    await change("POST maintenance", { on: false });
    await hears(world, /operator \(on the page\) opened the booth\./);
    await change("POST budget", { usd: 20 });
    await hears(world, /\$20\.00 allowed\. Set for today by operator \(on the page\)/);
    await change("POST budget", { usd: null });
    await hears(world, /No limit for today\..*by operator \(on the page\)/);
    await change("PUT settings", { DAILY_BUDGET_USD: 30, PACK_LIMIT: 4 });
    await hears(world, /The AI budget of every day is \$30\.00 now, by operator \(on the page\)/);
    await change("PUT settings", { PACK_LIMIT: 5 });
    await asks(world, "/status", /Queue:/);
    expect(inChat(world).length).toBe(7);
  },
  TEST_MS,
);

test(
  "one chat for operators and sales: both sets of commands work",
  async () => {
    await using world = await openBooth({ env: { LEADS_CHAT_ID: "-1001900000001" } });
    await asks(world, "/status", /Queue:/);
    await asks(world, "/leads", /No lead waits/);
    const from = inChat(world).length;
    says(world, "/stats");
    await hears(world, /tapped Start/, from);
    await hears(world, /Conversion/, from);
    const calls = world.sim
      .sent("setMyCommands")
      .filter((call) => JSON.stringify(call.params).includes("-1001900000001"));
    expect(calls.length).toBe(1);
    for (const command of ["pause", "leads"]) expect(JSON.stringify(calls[0]?.params)).toContain(command);
  },
  TEST_MS,
);

test(
  "an operators' group that becomes a supergroup is followed, with what it may do",
  async () => {
    await using world = await openBooth({
      env: { ADMIN_CHAT_ID: "-4900000002", LEADS_CHAT_ID: "-1001900000001" },
    });
    const old = world.sim.salesChatId;
    world.sim.operatorSays(old, DILSHOD, "/status");
    await world.sim.until(() => textsIn(world, old).some((text) => /Queue:/.test(text)), "the first answer");
    const fresh = world.sim.migrateGroup(old);
    world.sim.operatorSays(fresh, DILSHOD, "/pause", { name: "Dilshod" });
    await world.sim.until(
      () => textsIn(world, fresh).some((text) => /paused by Dilshod/.test(text)),
      "the answer there",
    );
    expect((await world.post("/session")).body.error).toBe("maintenance");
    // To Telegram it is another chat: its list of commands is told anew.
    const offered = () =>
      world.sim.sent("setMyCommands").filter(({ params }) => JSON.stringify(params).includes(`${fresh}`));
    await world.sim.until(() => offered().length > 0, "the commands there");
    expect(JSON.stringify(offered()[0]?.params)).toContain("resume");
  },
  TEST_MS,
);
