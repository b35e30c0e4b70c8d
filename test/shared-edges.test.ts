/** Small things that everything leans on: bounds, logs, redaction, heartbeats of processes, names of packs. */
import { expect, test } from "bun:test";
import { alertOperators } from "../shared/alerts.ts";
import { AppError, describe, httpStatuses, redact } from "../shared/errors.ts";
import { gate, rateLimit } from "../shared/gate.ts";
import { jobById } from "../shared/jobs.ts";
import { dueNotices, moveNotice, notify, settleNotice } from "../shared/notices.ts";
import { decidePack, packName, packSeen } from "../shared/packs.ts";
import { ownerIsGone, processOwner } from "../shared/process.ts";
import { botUsername, putSetting, secretOnce } from "../shared/settings.ts";
import { freshConfig, freshDb, freshLog, NOON, TOKEN, visitInQueue } from "./fresh.ts";

test("a gate lets so many in at once, the rest in turn, and a failure leaves no seat taken", async () => {
  const pass = gate(2);
  const doors = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const entered: number[] = [];
  const runs = doors.map((door, i) =>
    pass(async () => {
      entered.push(i);
      await door.promise;
      if (i === 0) throw new Error("no");
      return i;
    }).catch(() => -1),
  );
  const turn = () => new Promise((done) => setImmediate(done));
  await turn();
  expect(entered).toEqual([0, 1]);
  doors[0]?.resolve();
  await turn();
  expect(entered).toEqual([0, 1, 2]);
  for (const door of doors) door.resolve();
  expect(await Promise.all(runs)).toEqual([-1, 1, 2, 3, 4]);
  expect(await pass(async () => "free again")).toBe("free again");
});

test("a rate limit slides, counts each caller alone, and says how long to wait", () => {
  const limit = rateLimit(3, 60_000);
  expect([0, 10_000, 20_000].map((at) => limit.take("a", NOON + at))).toEqual([0, 0, 0]);
  expect(limit.take("a", NOON + 30_000)).toBe(30);
  expect(limit.take("b", NOON + 30_000)).toBe(0);
  // A refused one does not count.
  expect(limit.take("a", NOON + 59_999)).toBe(1);
  expect(limit.take("a", NOON + 60_000)).toBe(0);
  expect(limit.take("a", NOON + 60_000)).toBe(10);
});

test("a rate limit forgets the quietest callers first, so that its memory has an end", () => {
  const limit = rateLimit(1, 60_000);
  limit.take("loud", NOON);
  for (let i = 0; i < 10_000; i++) {
    if (i === 5_000) expect(limit.take("loud", NOON)).toBeGreaterThan(0);
    limit.take(`caller ${i}`, NOON);
  }
  expect(limit.take("loud", NOON)).toBeGreaterThan(0);
  expect(limit.take("caller 0", NOON)).toBe(0);
});

test("no secret survives in the text of an error", () => {
  const url = `https://api.telegram.org/bot${TOKEN}/sendMessage?key=abc123&chat=1`;
  for (const error of [new Error(`fetch failed: ${url}`), url, new TypeError(url), { toString: () => url }]) {
    expect(describe(error)).not.toContain("unit-test-token");
    expect(describe(error)).not.toContain("abc123");
  }
  expect(redact("123:AAbbccddeeffgghhiijj")).toBe("<bot token>");
  expect(redact("Incorrect key sk-proj-abcdefgh12345")).toBe("Incorrect key <key>");
  expect(redact("ENOENT: '/var/data/sessions/AbCdEfGhIjKlMnOpQrStUvWx/a.jpg'")).toBe(
    "ENOENT: '/var/data/sessions/AbCdEfGh…/a.jpg'",
  );
  expect(redact("AIzaSyA1234567890 is leaked")).toBe("<key> is leaked");
  expect(describe(new Error("x".repeat(10_000))).length).toBeLessThanOrEqual(300);
});

test("a log line is JSON, an error in it is short text with its cause, and neither holds the token", () => {
  const { log, lines } = freshLog();
  const cause = Object.assign(new Error(`GET /bot${TOKEN}/getMe failed`), { request: { headers: { secret: "s3" } } });
  log.error({ err: new AppError("internal", "It broke.", { cause }), job: 7 }, "a step threw");
  const line = JSON.parse(lines[0] ?? "");
  expect(line).toMatchObject({ level: "error", service: "test", job: 7, message: "a step threw" });
  expect(line.err).toBe("It broke. (because GET /bot<bot token>/getMe failed)");
  expect(Number.isNaN(Date.parse(line.at))).toBe(false);
  expect(lines[0]).not.toContain("s3");
  log.child({ job: 8 }).debug({}, "quiet");
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({ job: 8, level: "debug" });
});

test("every error code has a status of its kind", () => {
  for (const [code, status] of Object.entries(httpStatuses)) {
    expect([code, status >= 400 && status < 600]).toEqual([code, true]);
    expect(new AppError(code as "config", "x").status).toBe(status);
  }
});

test("an owner is gone when its process is, or when its number now belongs to another", async () => {
  expect(ownerIsGone(`${processOwner}/1`)).toBe(false);
  expect(ownerIsGone(`${process.pid}-others/1`)).toBe(true);
  const other = Bun.spawn([process.execPath, "-e", "await new Promise(() => setInterval(() => {}, 1e6))"]);
  expect(ownerIsGone(`${other.pid}-abc/2`)).toBe(false);
  other.kill("SIGKILL");
  await other.exited;
  expect(ownerIsGone(`${other.pid}-abc/2`)).toBe(true);
});

test("names of packs are valid for Telegram, whatever the bot and the job are called", () => {
  for (const username of ["a_bot", "x".repeat(28).concat("_bot"), "UPPER_Bot"]) {
    const names = [1, 42, 999_999_999].map((id) => packName(id, username));
    for (const name of names) expect(name).toMatch(new RegExp(`^booth_\\d+_[a-z0-5]{4,}_by_${username}$`));
    for (const name of names) expect([name.length <= 64, name.includes("__")]).toEqual([true, false]);
  }
  expect(packName(1, "a_bot")).not.toBe(packName(1, "a_bot"));
});

test("a pack's name is decided once; its title fits even when it is all emoji", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const job = jobById(db, visitInQueue(db, 1).jobId);
  if (!job) throw new Error("no job");
  const title = `Стикеры: ${"👨‍👩‍👧‍👦".repeat(30)}`;
  const first = decidePack(db, job, "a_bot", title, 9, NOON);
  expect(decidePack(db, job, "another_bot", "another", 4, NOON + 1)).toEqual(first);
  expect(first.title.length).toBeLessThanOrEqual(64);
  expect(first.title.isWellFormed()).toBe(true);
  expect(first.title.startsWith("Стикеры: 👨‍👩‍👧‍👦")).toBe(true);
});

test("a page must show the set twice in a row", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const job = jobById(db, visitInQueue(db, 1).jobId);
  if (!job) throw new Error("no job");
  const { name } = decidePack(db, job, "a_bot", "t", 9, NOON);
  const looks = [true, false, true, true].map((seen, i) => packSeen(db, name, seen, 2, NOON + i)?.visible_at);
  expect(looks).toEqual([null, null, null, NOON + 3]);
});

test("notices: in order within a chat, chats apart, once is once, a moved chat takes all along", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const say = (chatId: number, text: string, once?: string) => notify(db, { chatId, text, once, now: NOON });
  expect([say(1, "a"), say(1, "b"), say(-5, "c", "x"), say(-5, "d", "x"), say(-5, "e")]).toEqual([
    true,
    true,
    true,
    false,
    true,
  ]);
  const due = () => dueNotices(db, NOON, 10).map((n) => `${n.chat_id} ${JSON.parse(n.payload).text}`);
  expect(due()).toEqual(["1 a", "-5 c"]);
  settleNotice(db, 1, "sent", NOON);
  moveNotice(db, 3, -1005);
  expect(due()).toEqual(["1 b", "-1005 c"]);
  expect(db.query("SELECT payload FROM notices WHERE id = 1").get()).toEqual({ payload: "{}" });
});

test("operators hear of one cause once an hour, with nothing of it taken for markup", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const config = freshConfig();
  const alert = (cause: string, now: number) => alertOperators(db, config, { cause, text: "a < b", now });
  expect([alert("x", NOON), alert("x", NOON + 1), alert("y", NOON), alert("x", NOON + 3_600_000)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect(JSON.parse(dueNotices(db, NOON, 1)[0]?.payload ?? "").text).toBe("⚠️ a &lt; b");
});

test("settings in the database: a secret is made once, the bot's name is the configured or the learned one", () => {
  using fresh = freshDb();
  const { db } = fresh;
  expect(secretOnce(db, "salt", NOON)).toBe(secretOnce(db, "salt", NOON + 1));
  expect(botUsername(db, undefined)).toBeNull();
  expect(putSetting(db, "bot", { id: 1, username: "learned_bot" }, NOON)).toBe(true);
  expect(putSetting(db, "bot", { id: 1, username: "learned_bot" }, NOON)).toBe(false);
  expect([botUsername(db, undefined), botUsername(db, "given_bot")]).toEqual(["learned_bot", "given_bot"]);
});
