/** The pack's page and the guest's messages: believed when seen twice, sent once, waited for without end of patience. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { openDb } from "../shared/db.ts";
import { speak } from "../shared/texts/index.ts";
import { World } from "./world.ts";

const world = await World.open({ env: { PACK_LIMIT: "0" } });
const { sim, jobOf, packOf, textsTo } = world;
const db = openDb(world.dataDir);
const en = speak("en");
let guests = 7700;

afterEach(() => sim.clearFaults());
afterAll(async () => {
  db.close(false);
  await world[Symbol.asyncDispose]();
});

const links = (guest: number) => textsTo(guest).filter((text) => text.includes("/addstickers/")).length;
const stickers = (guest: number) => sim.messages(guest).filter((m) => m.sticker).length;
const visits = (token: string) => sim.pageVisits.get(packOf(token)?.name ?? "") ?? 0;
/** Ten minutes, as far as this pack can tell. */
function passPatience(token: string) {
  const { id } = jobOf(token);
  db.query("UPDATE packs SET created_at = created_at - 601000 WHERE job_id = ?").run(id);
  db.query("UPDATE jobs SET not_before = 0 WHERE id = ?").run(id);
}

async function sent(): Promise<{ guest: number; token: string }> {
  const guest = ++guests;
  const token = await world.visit(guest);
  await world.sendPhoto(token, world.selfie());
  return { guest, token };
}

async function delivered({ guest, token }: { guest: number; token: string }) {
  await world.reaches(token, "done");
  expect([links(guest), stickers(guest)]).toEqual([1, 1]);
}

test("the message has the link, its button and a preview; the first sticker follows", async () => {
  const one = await sent();
  await delivered(one);
  const [link, sticker] = sim.messages(one.guest).slice(-2);
  const { name } = packOf(one.token);
  expect(link?.text).toBe(`${en.pack.ready(9)}\n${sim.root}/addstickers/${name}`);
  expect(link?.reply_markup?.inline_keyboard).toEqual([
    [{ text: en.pack.add, url: `${sim.root}/addstickers/${name}` }],
  ]);
  expect(sim.sent("sendMessage", one.guest).at(-1)?.params.link_preview_options).toBeUndefined();
  expect(sticker?.sticker?.set_name).toBe(name);
});

for (const [what, action] of [
  ["says that there is no such set", { missing: true }],
  ["breaks off", { truncate: true }],
] as const) {
  test(`a page that ${what}, once seen and not again: twice in a row is needed`, async () => {
    // Seen, failing, failing, then seen twice.
    sim.fault({ target: "page", skip: 1, times: 2, do: action });
    const one = await sent();
    await delivered(one);
    expect(visits(one.token)).toBe(5);
  });
}

test("while the page is missing nothing is sent, and the kiosk's visit is still being worked on", async () => {
  sim.fault({ target: "page", times: -1, do: { missing: true } });
  const one = await sent();
  await world.eventually(() => visits(one.token) >= 4, "some looks");
  expect([links(one.guest), jobOf(one.token).status]).toEqual([0, "delivering"]);
  expect(await world.session(one.token)).toMatchObject({ status: "photo_taken", queue_position: 0 });
  sim.clearFaults();
  await delivered(one);
});

test("a page that has failed for ten minutes: getStickerSet is enough", async () => {
  sim.fault({ target: "page", times: -1, do: { status: 503 } });
  const one = await sent();
  await world.eventually(() => visits(one.token) >= 1, "a look");
  passPatience(one.token);
  await delivered(one);
});

test("after ten minutes the set itself is gone: the guest and the operators are told, and it ends", async () => {
  sim.fault({ target: "page", times: -1, do: { missing: true } });
  const one = await sent();
  await world.eventually(() => visits(one.token) >= 1, "a look");
  sim.world.sets.delete(packOf(one.token).name.toLowerCase());
  passPatience(one.token);
  expect(await world.reaches(one.token, "failed")).toMatchObject({ problem: "pack_refused" });
  await sim.until(() => textsTo(one.guest).includes(en.failed.pack_refused));
  const { id } = jobOf(one.token);
  await sim.until(
    () => textsTo(sim.operatorsChatId).some((text) => text.includes(`pack ${id}`)),
    "the operators' alert",
  );
});

test("a page that hangs holds up nobody else's pack", async () => {
  sim.fault({ target: "page", do: { hang: true } });
  const slow = await sent();
  await world.eventually(() => visits(slow.token) === 1, "the look that hangs");
  // However long the other one takes.
  sim.fault({ target: "page", times: -1, when: { name: packOf(slow.token).name }, do: { hang: true } });
  const quick = await sent();
  await delivered(quick);
  expect(jobOf(slow.token).status).toBe("delivering");
  sim.clearFaults();
  await delivered(slow);
});

test("the guest blocked the bot: the pack is theirs all the same, the job is done, and they get it when they return", async () => {
  const hold = sim.hold("page");
  const one = await sent();
  await hold.reached;
  sim.guestBlocks(one.guest);
  hold.release();
  await world.reaches(one.token, "done");
  expect(links(one.guest)).toBe(0);
  expect(world.rows("SELECT unreachable_at > 0 AS gone FROM users WHERE id = ?", one.guest)).toEqual([{ gone: 1 }]);
  sim.guestUnblocks(one.guest);
  await sim.until(() => links(one.guest) > 0, "the link that they missed");
  const before = sim.messages(one.guest).length;
  sim.guestSays(one.guest, "/packs");
  await sim.until(() => sim.messages(one.guest).length > before + 1, "the list of packs");
  expect(sim.buttons(one.guest).some((b) => b.url?.endsWith(packOf(one.token).name))).toBe(true);
  expect(links(one.guest)).toBe(1);
});

test("a 429 at the link is waited for as long as it asks, 5xx and HTML are tried again, nothing comes twice", async () => {
  const retry = { ok: false, error_code: 429, description: "Too Many Requests", parameters: { retry_after: 2 } };
  const link = { reply_markup: { inline_keyboard: [[{ text: en.pack.add }]] } };
  sim.fault({ target: "telegram:sendMessage", when: link, do: { status: 429, body: retry } });
  sim.fault({ target: "telegram:sendMessage", when: link, do: { html: "<h1>502</h1>" } });
  sim.fault({ target: "telegram:sendSticker", do: { status: 500 } });
  const one = await sent();
  await delivered(one);
  const tries = sim.calls.filter(
    (c) => c.target === "telegram:sendMessage" && String(c.params.text).includes(packOf(one.token).name),
  );
  expect(tries).toHaveLength(3);
  expect((tries[1]?.at ?? 0) - (tries[0]?.at ?? 0)).toBeGreaterThanOrEqual(2_000);
});

test("a sticker that Telegram will not send is let go: the link is what counts, and the operators hear of it", async () => {
  const body = { ok: false, error_code: 400, description: "Bad Request: wrong file identifier" };
  sim.fault({ target: "telegram:sendSticker", do: { status: 400, body } });
  const one = await sent();
  await world.reaches(one.token, "done");
  expect([links(one.guest), stickers(one.guest)]).toEqual([1, 0]);
  await sim.until(
    () => textsTo(sim.operatorsChatId).some((text) => text.includes(`pack ${jobOf(one.token).id}`)),
    "the alert",
  );
});

test("Telegram's own limits of one message a second are kept to", async () => {
  sim.limits.enabled = true;
  const one = await sent();
  await world.reaches(one.token, "done");
  sim.limits.enabled = false;
  expect([links(one.guest), stickers(one.guest)]).toEqual([1, 1]);
  expect(sim.violations).toEqual([]);
});
