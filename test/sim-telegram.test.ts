import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Api, GrammyError, HttpError, InputFile } from "grammy";
import sharp from "sharp";
import { type Sim, startSim } from "./sim/sim.ts";

const GUEST = 7001;
let sim: Sim;
let api: Api;
beforeEach(async () => {
  sim = await startSim();
  api = new Api(sim.token, { apiRoot: sim.root });
});
afterEach(() => sim.stop());

/** What Telegram answered instead of `ok`. */
async function refusal(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof GrammyError)) throw new Error(`a refusal was expected, not ${error}`);
  return { code: error.error_code, description: error.description, parameters: error.parameters };
}

async function picture(width = 512, height = 512, format: "png" | "webp" | "jpeg" = "webp") {
  const create = { width, height, channels: 4 as const, background: "#e63946" };
  return new InputFile(await sharp({ create }).toFormat(format).toBuffer(), `sticker.${format}`);
}

describe("messages", () => {
  test("a guest's message is an update, the answer stands in the chat with its entities", async () => {
    sim.guestSays(GUEST, "/start abc", { lang: "uz" });
    const [update] = await api.getUpdates({});
    expect(update?.message?.from?.language_code).toBe("uz");
    expect(update?.message?.entities).toEqual([{ type: "bot_command", offset: 0, length: 6 }]);
    const sent = await api.sendMessage(GUEST, "Salom, <b>A &amp; B</b> 👋 <a href='https://a.b/?x=1&amp;y=2'>bu</a>", {
      parse_mode: "HTML",
    });
    expect(sent.text).toBe("Salom, A & B 👋 bu");
    expect(sent.entities).toEqual([
      { type: "bold", offset: 7, length: 5 },
      { type: "text_link", offset: 16, length: 2, url: "https://a.b/?x=1&y=2" },
    ]);
    expect(sim.messages(GUEST).map((message) => message.text)).toEqual(["/start abc", "Salom, A & B 👋 bu"]);
    expect(sim.violations).toEqual([]);
  });

  test("calls that no sound bot makes are refused in Telegram's words and noted", async () => {
    sim.guestSays(GUEST, "hi");
    const html = { parse_mode: "HTML" } as const;
    const wrong: [call: () => Promise<unknown>, expected: RegExp][] = [
      [() => api.sendMessage(GUEST, "   "), /message text is empty/],
      [() => api.sendMessage(GUEST, "x".repeat(4097)), /message is too long/],
      [() => api.sendMessage(GUEST, "a < b", html), /can't parse entities: Unclosed start tag at byte offset 2/],
      [
        () => api.sendMessage(GUEST, "<b>a</i>", html),
        /Unmatched end tag at byte offset 4, expected "<\/b>", found "<\/i>"/,
      ],
      [() => api.sendMessage(GUEST, "<h1>a</h1>", html), /Unsupported start tag "h1" at byte offset 0/],
      [() => api.sendMessage(GUEST, "<b>a", html), /Can't find end tag corresponding to start tag "b"/],
      [
        () =>
          api.sendMessage(GUEST, "a", {
            reply_markup: { inline_keyboard: [[{ text: "b", callback_data: "ж".repeat(33) }]] },
          }),
        /BUTTON_DATA_INVALID/,
      ],
      [
        () =>
          api.sendMessage(GUEST, "a", {
            reply_markup: { inline_keyboard: [[{ text: "b", url: "http://localhost/x" }]] },
          }),
        /Wrong HTTP URL/,
      ],
      [() => api.raw.sendMessage({ chat_id: GUEST, text: "a", colour: "red" } as never), /no field "colour"/],
      [
        () => api.raw.sendMessage({ chat_id: GUEST, text: "a", link_preview_options: { is_disabled: 1 } } as never),
        /can't parse/,
      ],
    ];
    for (const [call, expected] of wrong) {
      const { code, description } = await refusal(call());
      expect(code).toBe(400);
      expect(description).toMatch(expected);
    }
    expect(sim.violations).toHaveLength(wrong.length);
    expect(sim.messages(GUEST)).toHaveLength(1);
  });

  test("a text of 4096 characters after parsing passes", async () => {
    sim.guestSays(GUEST, "hi");
    const sent = await api.sendMessage(GUEST, `<b>${"&amp;".repeat(4096)}</b>`, { parse_mode: "HTML" });
    expect(sent.text).toHaveLength(4096);
  });

  test("edits need a change, an own message and keep what is not given", async () => {
    const guests = sim.guestSays(GUEST, "hi");
    const markup = { inline_keyboard: [[{ text: "OK", callback_data: "ok" }]] };
    const sent = await api.sendMessage(GUEST, "one", { reply_markup: markup });
    const same = await refusal(api.editMessageText(GUEST, sent.message_id, "one", { reply_markup: markup }));
    expect(same.description).toStartWith("Bad Request: message is not modified: specified new message content");
    await api.editMessageText(GUEST, sent.message_id, "two");
    expect(sim.buttons(GUEST)).toEqual([]);
    expect((await refusal(api.editMessageText(GUEST, 99_999, "x"))).description).toBe(
      "Bad Request: message to edit not found",
    );
    expect((await refusal(api.editMessageText(GUEST, guests.message_id, "x"))).description).toBe(
      "Bad Request: message can't be edited",
    );
    expect(sim.violations).toEqual([]);
  });

  test("strangers, blockers and deleted accounts cannot be reached", async () => {
    expect((await refusal(api.sendMessage(GUEST, "x"))).description).toBe("Bad Request: chat not found");
    sim.guest(GUEST);
    expect((await refusal(api.sendMessage(GUEST, "x"))).description).toBe("Bad Request: chat not found");
    sim.guestSays(GUEST, "/start");
    sim.guestBlocks(GUEST);
    expect(await refusal(api.sendMessage(GUEST, "x"))).toMatchObject({
      code: 403,
      description: "Forbidden: bot was blocked by the user",
    });
    sim.guestUnblocks(GUEST);
    await api.sendMessage(GUEST, "x");
    const kinds = (await api.getUpdates({})).map((update) => update.my_chat_member?.new_chat_member.status);
    expect(kinds).toEqual([undefined, "kicked", "member"]);
    sim.guestDeletesAccount(GUEST);
    expect((await refusal(api.sendMessage(GUEST, "x"))).description).toBe("Forbidden: user is deactivated");
  });
});

describe("buttons", () => {
  test("a press is a callback query that is answered while it is young", async () => {
    sim.guestSays(GUEST, "hi");
    await api.sendMessage(GUEST, "Agree?", {
      reply_markup: { inline_keyboard: [[{ text: "Yes", callback_data: "consent:abc:yes" }]] },
    });
    const press = sim.guestPresses(GUEST, /^consent:.*:yes$/);
    const query = (await api.getUpdates({})).at(-1)?.callback_query;
    expect(query?.data).toBe("consent:abc:yes");
    expect(query?.message?.text).toBe("Agree?");
    expect((await refusal(api.answerCallbackQuery(press.id, { text: "x".repeat(201) }))).description).toMatch(
      /TOO_LONG/,
    );
    await api.answerCallbackQuery(press.id, { text: "Thanks", show_alert: true });
    expect(press.answers).toEqual([{ text: "Thanks", alert: true }]);
    sim.expirePresses();
    expect((await refusal(api.answerCallbackQuery(press.id))).description).toBe(
      "Bad Request: query is too old and response timeout expired or query ID is invalid",
    );
    expect(() => sim.guestPresses(GUEST, "nothing")).toThrow(/no button nothing/);
  });
});

describe("getUpdates", () => {
  test("hands over until confirmed, and once more on redelivery", async () => {
    sim.guestSays(GUEST, "one");
    sim.guestSays(GUEST, "two");
    const first = await api.getUpdates({});
    expect(await api.getUpdates({})).toEqual(first);
    const last = first.at(-1)?.update_id ?? 0;
    expect(await api.getUpdates({ offset: last })).toEqual(first.slice(1));
    expect(await api.getUpdates({ offset: last + 1 })).toEqual([]);
    sim.redeliver(2);
    expect(await api.getUpdates({ offset: last + 1 })).toEqual(first);
    expect(await api.getUpdates({ offset: last + 1 })).toEqual([]);
  });

  test("a long poll ends with the first update", async () => {
    const poll = api.getUpdates({ timeout: 50 });
    await sim.until(() => sim.world.updates.polling);
    sim.guestSays(GUEST, "hi");
    expect(await poll).toHaveLength(1);
  });

  test("a second poll ends the first with 409; one whose caller has gone is no rival", async () => {
    const first = refusal(api.getUpdates({ timeout: 50 }));
    await sim.until(() => sim.world.updates.polling);
    const gone = new AbortController();
    const second = api.getUpdates({ timeout: 50 }, gone.signal as never).catch(() => "gone");
    expect(await first).toMatchObject({
      code: 409,
      description: expect.stringContaining("terminated by other getUpdates request"),
    });
    await sim.until(() => sim.world.updates.polling);
    gone.abort();
    expect(await second).toBe("gone");
    await sim.until(() => !sim.world.updates.polling);
    expect(await api.getUpdates({})).toEqual([]);
  });

  test("a webhook stands in the way until it is deleted", async () => {
    sim.setWebhook("https://example.org/hook");
    expect((await refusal(api.getUpdates({}))).description).toMatch(
      /can't use getUpdates method while webhook is active/,
    );
    expect((await api.getWebhookInfo()).url).toBe("https://example.org/hook");
    await api.deleteWebhook();
    expect(await api.getUpdates({})).toEqual([]);
  });

  test("allowed_updates are remembered and hold for coming updates", async () => {
    await api.getUpdates({ allowed_updates: ["callback_query"] });
    sim.guestSays(GUEST, "unheard");
    expect(await api.getUpdates({})).toEqual([]);
    await api.getUpdates({ allowed_updates: [] });
    sim.guestSays(GUEST, "heard");
    expect(await api.getUpdates({})).toHaveLength(1);
  });

  test("a wrong token is 401", async () => {
    expect(await refusal(new Api("1:wrong", { apiRoot: sim.root }).getMe())).toMatchObject({
      code: 401,
      description: "Unauthorized",
    });
  });
});

describe("groups", () => {
  test("the bot hears commands and replies to it, anonymous administrators too", async () => {
    const chat = sim.operatorsChatId;
    const card = await api.sendMessage(chat, "card");
    sim.operatorSays(chat, 1, "just talk");
    sim.operatorSays(chat, 1, "/stats@another_bot");
    sim.operatorSays(chat, 1, `/stats@${sim.botUsername}`);
    sim.operatorSays(chat, 1, "/status", { anonymous: true });
    sim.operatorSays(chat, 1, "yes", { replyTo: sim.messages(chat).find((one) => one.message_id === card.message_id) });
    const heard = (await api.getUpdates({})).map((update) => update.message);
    expect(heard.map((message) => message?.text)).toEqual([`/stats@${sim.botUsername}`, "/status", "yes"]);
    expect(heard[1]?.from?.username).toBe("GroupAnonymousBot");
    expect(heard[1]?.sender_chat?.id).toBe(chat);
  });

  test("a migrated group refuses with its new id, under which it is reached", async () => {
    const fresh = sim.migrateGroup(sim.salesChatId);
    const { code, description, parameters } = await refusal(api.sendMessage(sim.salesChatId, "x"));
    expect([code, description]).toEqual([400, "Bad Request: group chat was upgraded to a supergroup chat"]);
    expect(parameters.migrate_to_chat_id).toBe(fresh);
    expect((await api.sendMessage(fresh, "x")).chat.type).toBe("supergroup");
    const moves = (await api.getUpdates({})).map((update) => update.message?.migrate_to_chat_id);
    expect(moves).toEqual([fresh, undefined]);
  });

  test("a bot that was thrown out is told so", async () => {
    sim.throwsBotOut(sim.operatorsChatId);
    expect(await refusal(api.sendMessage(sim.operatorsChatId, "x"))).toMatchObject({
      code: 403,
      description: "Forbidden: bot was kicked from the supergroup chat",
    });
    sim.invitesBot(sim.operatorsChatId);
    await api.sendMessage(sim.operatorsChatId, "x");
  });

  test("limits answer 429 with the seconds to wait", async () => {
    sim.limits.enabled = true;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.sendMessage(sim.salesChatId, "x").catch((error: GrammyError) => error)),
    );
    const tooMany = answers.filter((answer) => answer instanceof GrammyError);
    expect(tooMany.length).toBeGreaterThan(0);
    expect(tooMany[0]).toMatchObject({ error_code: 429, parameters: { retry_after: 1 } });
    expect(sim.messages(sim.salesChatId)).toHaveLength(answers.length - tooMany.length);
  });
});

describe("sticker sets", () => {
  const name = "pack_1_abc_by_sim_booth_bot";
  beforeEach(() => sim.guestSays(GUEST, "/start"));

  async function stickers(count = 2) {
    const sticker = await picture();
    return Array.from({ length: count }, () => ({ sticker, format: "static" as const, emoji_list: ["😀"] }));
  }

  test("one call creates a set that getStickerSet, its page and sendSticker know", async () => {
    await api.createNewStickerSet(GUEST, name, "Pack <1>", await stickers(3));
    const set = await api.getStickerSet(name);
    expect(set.stickers.map((sticker) => sticker.emoji)).toEqual(["😀", "😀", "😀"]);
    const sent = await api.sendSticker(GUEST, set.stickers[0]?.file_id ?? "");
    expect(sent.sticker.set_name).toBe(name);
    const file = await api.getFile(sent.sticker.file_id);
    const bytes = await fetch(`${sim.root}/file/bot${sim.token}/${file.file_path}`).then((answer) => answer.bytes());
    expect((await sharp(bytes).metadata()).width).toBe(512);
    const page = await fetch(`${sim.root}/addstickers/${name}`).then((answer) => answer.text());
    expect(page).toContain(`tg://addstickers?set=${name}`);
    expect(page).not.toContain("Pack <1>");
    expect(await fetch(`${sim.root}/addstickers/none_by_sim_booth_bot`).then((answer) => answer.text())).toContain(
      "Sorry",
    );
  });

  test("names are checked, never given twice, and not freed by deletion", async () => {
    for (const bad of ["1_by_sim_booth_bot", "a__b_by_sim_booth_bot", "pack", `${"x".repeat(60)}_by_sim_booth_bot`]) {
      const { description } = await refusal(api.createNewStickerSet(GUEST, bad, "T", await stickers()));
      expect(description).toBe("Bad Request: invalid sticker set name is specified");
    }
    await api.createNewStickerSet(GUEST, name, "T", await stickers());
    const taken = "Bad Request: sticker set name is already occupied";
    const shout = name.replace("pack", "PACK");
    expect((await refusal(api.createNewStickerSet(GUEST, shout, "T", await stickers()))).description).toBe(taken);
    await api.deleteStickerSet(name);
    expect((await refusal(api.getStickerSet(name))).description).toBe("Bad Request: STICKERSET_INVALID");
    expect((await refusal(api.createNewStickerSet(GUEST, name, "T", await stickers()))).description).toBe(taken);
  });

  test("pictures, emoji, titles and numbers are held to Telegram's rules", async () => {
    const [good] = await stickers(1);
    if (!good) throw new Error("no sticker");
    const noise = await sharp({
      create: {
        width: 512,
        height: 512,
        channels: 3,
        background: "#000",
        noise: { type: "gaussian", mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    const cut = (await sharp(noise).webp().toBuffer()).subarray(0, 9_000);
    const wrong: [Partial<typeof good>[], string, RegExp][] = [
      [[{ sticker: await picture(511, 511) }], "T", /STICKER_PNG_DIMENSIONS/],
      [[{ sticker: await picture(512, 513) }], "T", /STICKER_PNG_DIMENSIONS/],
      [[{ sticker: await picture(512, 512, "jpeg") }], "T", /STICKER_PNG_NOPNG/],
      [[{ sticker: new InputFile(cut, "cut.webp") }], "T", /STICKER_PNG_NOPNG/],
      [[{ sticker: new InputFile(noise, "big.png") }], "T", /file is too big/],
      [[{ emoji_list: ["x"] }], "T", /STICKER_EMOJI_INVALID/],
      [[{ emoji_list: [] }], "T", /STICKER_EMOJI_INVALID/],
      [[{ emoji_list: Array(21).fill("😀") }], "T", /STICKER_EMOJI_INVALID/],
      [Array(51).fill({}), "T", /STICKERS_TOO_MUCH/],
      [[], "T", /STICKERS_EMPTY/],
      [[{}], "x".repeat(65), /PACK_TITLE_INVALID/],
    ];
    for (const [list, title, expected] of wrong) {
      const full = list.map((part) => ({ ...good, ...part }));
      expect((await refusal(api.createNewStickerSet(GUEST, name, title, full))).description).toMatch(expected);
    }
    expect(sim.sets).toEqual([]);
    expect(sim.violations).toHaveLength(wrong.length);
    await api.createNewStickerSet(GUEST, name, "T", [
      { ...good, sticker: await picture(512, 100, "png"), emoji_list: ["❤", "👨‍👩‍👧"] },
    ]);
  });

  test("stickers are added, replaced, moved and deleted", async () => {
    await api.createNewStickerSet(GUEST, name, "T", await stickers(2));
    await api.addStickerToSet(GUEST, name, { sticker: await picture(), format: "static", emoji_list: ["😎"] });
    const [first, second, third] = (await api.getStickerSet(name)).stickers;
    await api.setStickerPositionInSet(third?.file_id ?? "", 0);
    await api.replaceStickerInSet(GUEST, name, first?.file_id ?? "", {
      sticker: await picture(),
      format: "static",
      emoji_list: ["🔥"],
    });
    await api.deleteStickerFromSet(second?.file_id ?? "");
    expect((await api.getStickerSet(name)).stickers.map((sticker) => sticker.emoji)).toEqual(["😎", "🔥"]);
  });
});

describe("photos", () => {
  test("a guest's photo comes upright in several sizes and can be downloaded", async () => {
    const create = { width: 400, height: 200, channels: 3 as const, background: "#222" };
    await sim.guestSendsPhoto(GUEST, await sharp({ create }).withMetadata({ orientation: 6 }).jpeg().toBuffer());
    const sizes = (await api.getUpdates({}))[0]?.message?.photo ?? [];
    expect(sizes.map((size) => [size.width, size.height])).toEqual([
      [45, 90],
      [160, 320],
      [200, 400],
    ]);
  });

  test("the bot's photo may come with a caption of 1024 characters", async () => {
    sim.guestSays(GUEST, "hi");
    const photo = await picture(300, 300, "png");
    const sent = await api.sendPhoto(GUEST, photo, { caption: "x".repeat(1024) });
    expect(sent.photo.at(-1)?.width).toBe(300);
    expect((await refusal(api.sendPhoto(GUEST, photo, { caption: "x".repeat(1025) }))).description).toMatch(
      /caption is too long/,
    );
    expect((await refusal(api.sendPhoto(GUEST, new InputFile(Buffer.from("no picture"))))).description).toBe(
      "Bad Request: IMAGE_PROCESS_FAILED",
    );
    const album = await api.sendMediaGroup(GUEST, [
      { type: "photo", media: photo },
      { type: "photo", media: await picture(200, 200, "png"), caption: "two" },
    ]);
    expect(album).toHaveLength(2);
  });
});

describe("faults", () => {
  beforeEach(() => sim.guestSays(GUEST, "/start"));

  test("a status, a page of HTML, a broken connection, half an answer", async () => {
    const body = {
      ok: false,
      error_code: 429,
      description: "Too Many Requests: retry after 3",
      parameters: { retry_after: 3 },
    };
    sim.fault({ target: "telegram:sendMessage", do: { status: 429, body } });
    expect((await refusal(api.sendMessage(GUEST, "x"))).parameters.retry_after).toBe(3);
    for (const action of [{ html: "<html>bad gateway</html>" }, { reset: true }, { truncate: true }] as const) {
      sim.fault({ target: "telegram:*", do: action });
      expect(await api.sendMessage(GUEST, "x").catch((error: unknown) => error)).toBeInstanceOf(HttpError);
    }
    await api.sendMessage(GUEST, "fine again");
    // The answer that was cut short belongs to a message that was sent.
    expect(sim.sent("sendMessage", GUEST)).toHaveLength(2);
  });

  test("the set exists although the answer was lost", async () => {
    const name = "lost_by_sim_booth_bot";
    const sticker = { sticker: await picture(), format: "static" as const, emoji_list: ["😀"] };
    sim.fault({ target: "telegram:createNewStickerSet", do: { executeThenLose: "reset" } });
    const lost = await api.createNewStickerSet(GUEST, name, "T", [sticker]).catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(HttpError);
    expect((await api.getStickerSet(name)).stickers).toHaveLength(1);
    expect(sim.sent("createNewStickerSet")[0]?.outcome).toBe("ok, answer lost (reset)");
  });

  test("a silent server answers when the caller has long gone", async () => {
    sim.fault({ target: "telegram:sendMessage", do: { hang: true } });
    const caller = new AbortController();
    const call = api.sendMessage(GUEST, "x", {}, caller.signal as never).catch(() => "given up");
    await sim.until(() => sim.calls.some((one) => one.outcome.includes("hang")));
    caller.abort();
    expect(await call).toBe("given up");
    expect(sim.sent("sendMessage")).toEqual([]);
  });

  test("faults choose their calls, let some pass and end", async () => {
    sim.fault({
      target: "telegram:sendMessage",
      when: { chat_id: sim.salesChatId },
      skip: 1,
      times: 2,
      do: { status: 500 },
    });
    const outcome = (chat: number) =>
      api.sendMessage(chat, "x").then(
        () => "sent",
        () => "failed",
      );
    expect(await outcome(GUEST)).toBe("sent");
    const four: string[] = [];
    for (let round = 0; round < 4; round++) four.push(await outcome(sim.salesChatId));
    expect(four).toEqual(["sent", "failed", "failed", "sent"]);
  });

  test("a held call stands still until it is released", async () => {
    const hold = sim.hold("telegram:sendMessage");
    const call = api.sendMessage(GUEST, "x");
    await hold.reached;
    expect(sim.messages(GUEST)).toHaveLength(1);
    hold.release();
    await call;
    expect(sim.messages(GUEST)).toHaveLength(2);
  });

  test("the clock of Telegram can be wrong", async () => {
    sim.skewClock(3_600_000);
    const answer = await fetch(`${sim.root}/bot${sim.token}/getMe`);
    expect(Date.parse(answer.headers.get("date") ?? "") - Date.now()).toBeGreaterThan(3_500_000);
  });

  test("another process steers over HTTP, another site's page does not", async () => {
    const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${sim.root}${path}`, { method: "POST", body: JSON.stringify(body), headers });
    await post("/sim/fault", { target: "page", times: -1, do: { missing: true } });
    await post("/sim/do", { action: "guestSays", args: [7002, "/start"] });
    expect(sim.messages(7002)).toHaveLength(1);
    expect(sim.activeFaults).toHaveLength(1);
    const foreign = await post("/sim/do", { action: "guestBlocks", args: [7002] }, { origin: "https://example.org" });
    expect(foreign.status).toBe(403);
    const state = (await fetch(`${sim.root}/sim/state`).then((answer) => answer.json())) as { chats: unknown[] };
    expect(state.chats).toHaveLength(4);
  });
});
