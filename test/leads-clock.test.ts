import type { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BotContext } from "../bot/context.ts";
import { forgetLeads, remindOfLeads, sendDigest } from "../bot/leads-housekeeping.ts";
import { readConfig } from "../shared/config.ts";
import { openDb } from "../shared/db.ts";
import { leadByNumber, moveLead } from "../shared/leads/lead.ts";
import { createLog } from "../shared/log.ts";
import { store } from "./leads-world.ts";
import { format } from "./sim/telegram/entities.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const GROUP = -100901;

let folder: string;
let db: Database;
let now: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "clock-"));
  db = openDb(folder);
  // Nothing here outlives the test.
  db.run("PRAGMA synchronous = OFF");
});
afterEach(() => {
  db.close(false);
  rmSync(folder, { recursive: true });
});

function contextWith(env: Record<string, string> = {}): BotContext {
  const config = readConfig({
    BOT_TOKEN: "4242:AAaaBBbbCCccDDddEEeeFFffGGggHHhhIIi",
    ADMIN_CHAT_ID: "-100900",
    LEADS_CHAT_ID: String(GROUP),
    DATA_DIR: folder,
    ...env,
  });
  const log = createLog("test", "error", { write: () => {} });
  // None of these steps calls Telegram: what they owe to somebody they store.
  return { db, config, log, now: () => now, wake: () => {} } as Omit<BotContext, "api" | "slowApi"> as BotContext;
}

const local = (text: string) => Date.parse(`${text}:00+05:00`);
const notices = () =>
  (db.query("SELECT chat_id, payload FROM notices ORDER BY id").all() as { chat_id: number; payload: string }[]).map(
    ({ chat_id, payload }) => ({ chat_id, text: format(JSON.parse(payload).text, "HTML").text }),
  );
const silent = () =>
  (db.query("SELECT payload FROM notices ORDER BY id").all() as { payload: string }[]).map(
    ({ payload }) => JSON.parse(payload).disable_notification === true,
  );
function lead(at: number, more: Parameters<typeof store>[1] = {}): number {
  const number = store(db, more, at);
  db.query("UPDATE leads SET published_at = ? WHERE number = ?").run(at, number);
  return number;
}
/** Runs a step once a minute, as its loop does, or more seldom, and says at which local times it spoke. */
function minutes(
  step: (context: BotContext) => unknown,
  context: BotContext,
  from: number,
  until: number,
  everyMs = MINUTE_MS,
): string[] {
  const spoke: string[] = [];
  let said = notices().length;
  for (now = from; now <= until; now += everyMs) {
    step(context);
    const count = notices().length;
    if (count > said) spoke.push(new Date(now + 5 * HOUR_MS).toISOString().slice(0, 16));
    said = count;
  }
  return spoke;
}

test("a lead nobody takes is pinged after 30 minutes, then at growing intervals, without a sound at night, until it is taken", () => {
  const context = contextWith();
  const start = local("2027-03-12T09:00");
  const number = lead(start);
  expect(minutes(remindOfLeads, context, start, local("2027-03-13T13:00"))).toEqual([
    "2027-03-12T09:30",
    "2027-03-12T10:30",
    "2027-03-12T12:30",
    "2027-03-12T16:30",
    "2027-03-13T00:30",
  ]);
  expect(silent()).toEqual([false, false, false, false, true]);
  expect(notices()[0]).toEqual({
    chat_id: GROUP,
    text: `⏰ Nobody has taken this lead\n🆕 /lead_${number} Aziz · 30 min`,
  });
  moveLead(db, number, { to: "in_progress", actor: "operator:1", by: "Bek", now });
  expect(minutes(remindOfLeads, context, now, now + 2 * DAY_MS, 30 * MINUTE_MS)).toEqual([]);
  moveLead(db, number, { to: "new", actor: "operator:1", by: "Bek", now: local("2027-03-16T10:00") });
  expect(minutes(remindOfLeads, context, local("2027-03-16T10:00"), local("2027-03-16T11:00"))).toEqual([
    "2027-03-16T10:30",
  ]);
});

test("many leads that are due together are one message; unpublished ones are none", () => {
  const context = contextWith();
  const start = local("2027-03-12T09:00");
  for (let i = 0; i < 5; i++) lead(start);
  store(db, {}, start);
  expect(minutes(remindOfLeads, context, start, start + 40 * MINUTE_MS)).toEqual(["2027-03-12T09:30"]);
  expect(notices()).toHaveLength(1);
  expect(notices()[0]?.text).toContain("these 5 leads");
});

test("a lead that stays untouched is pinged a few times only; the digest goes on naming it", () => {
  const start = local("2027-03-01T09:00");
  lead(start);
  const spoken = minutes(remindOfLeads, contextWith(), start, start + 10 * DAY_MS, 30 * MINUTE_MS);
  expect(spoken.length).toBeGreaterThanOrEqual(5);
  expect(spoken.length).toBeLessThanOrEqual(7);
});

test("a reminder that a clock ahead has moved far away comes all the same", () => {
  const context = contextWith();
  const start = local("2027-03-12T09:00");
  const [untold, told] = [lead(start), lead(start)];
  now = start + 30 * MINUTE_MS;
  db.query("UPDATE leads SET status_at = ? WHERE number = ?").run(start + 300 * DAY_MS, untold);
  db.query("UPDATE leads SET reminders = 1, remind_at = ? WHERE number = ?").run(start + 300 * DAY_MS, told);
  remindOfLeads(context);
  expect(notices().map((n) => n.text)).toEqual([expect.stringContaining(`/lead_${untold} `)]);
  expect(notices()[0]?.text).toContain(`/lead_${told} `);
  // Set anew by the clock of now.
  remindOfLeads(context);
  expect(notices()).toHaveLength(1);
});

test("a morning with hundreds of waiting leads is still a message that people read", () => {
  const night = local("2027-03-12T23:00");
  for (let i = 0; i < 300; i++) lead(night, { name: "😀".repeat(60) });
  now = local("2027-03-13T08:00");
  remindOfLeads(contextWith());
  const texts = notices().map((n) => n.text);
  expect(texts.length).toBeLessThanOrEqual(2);
  expect(texts.join("\n")).toContain("these 300 leads");
  expect(texts.join("\n")).toEndWith("… and 260 more: /leads");
});

test("the digest comes once a local day, also when the bot was away at that minute", () => {
  const context = contextWith();
  lead(local("2027-03-11T15:00"), { name: "Old & <b>" });
  expect(minutes(sendDigest, context, local("2027-03-12T08:50"), local("2027-03-13T09:10"))).toEqual([
    "2027-03-12T09:00",
    "2027-03-13T09:00",
  ]);
  expect(notices()[0]?.text).toBe(
    "☀️ Friday, 12 March 2027\nLeads yesterday: 1 new\n\nWaiting for somebody\n🆕 /lead_1 Old & <b> · 18 h 00 min",
  );
  expect(minutes(sendDigest, context, local("2027-03-14T17:42"), local("2027-03-14T18:00"))).toEqual([
    "2027-03-14T17:42",
  ]);
});

test("a restart at that very minute, or a clock set back, brings no second digest", () => {
  lead(local("2027-03-11T15:00"));
  now = local("2027-03-12T09:00");
  sendDigest(contextWith());
  db.close(false);
  db = openDb(folder);
  sendDigest(contextWith());
  now = local("2027-03-11T09:30");
  sendDigest(contextWith());
  now = local("2027-03-12T09:00");
  sendDigest(contextWith());
  expect(notices()).toHaveLength(1);
});

test("a crash between deciding and storing the digest loses neither", () => {
  lead(local("2027-03-11T15:00"));
  now = local("2027-03-12T09:00");
  db.run("CREATE TRIGGER crash BEFORE INSERT ON notices BEGIN SELECT RAISE(ABORT, 'crash'); END");
  expect(() => sendDigest(contextWith())).toThrow("crash");
  db.run("DROP TRIGGER crash");
  sendDigest(contextWith());
  expect(notices()).toHaveLength(1);
});

test.each([
  ["an hour that summer time skips", "2027-03-27T12:00:00Z", "2027-03-29T12:00:00Z"],
  ["an hour that winter time repeats", "2027-10-30T12:00:00Z", "2027-11-01T12:00:00Z"],
])("the digest and %s: once a day", (_, from, until) => {
  const context = contextWith({ TZ_NAME: "Europe/Berlin", DIGEST_HOUR: "2" });
  lead(Date.parse(from) - DAY_MS);
  now = Date.parse(from) - HOUR_MS;
  sendDigest(context);
  expect(notices()).toHaveLength(1);
  expect(minutes(sendDigest, context, Date.parse(from), Date.parse(until), 15 * MINUTE_MS)).toHaveLength(2);
});

test("a digest longer than one message is sent whole, in parts that each fit", () => {
  const numbers = Array.from({ length: 250 }, () => lead(local("2027-03-11T15:00"), { name: `${"<&>😀".repeat(20)}` }));
  now = local("2027-03-12T09:00");
  sendDigest(contextWith());
  sendDigest(contextWith());
  const parts = notices().map((n) => n.text);
  expect(parts.length).toBeGreaterThan(1);
  for (const part of parts) expect(part.length).toBeLessThanOrEqual(4096);
  for (const number of numbers) expect(parts.filter((part) => part.includes(`/lead_${number} `))).toHaveLength(1);
});

test.each([
  ["before the digest's hour", "2027-03-12T07:10"],
  ["after it", "2027-03-12T15:00"],
])("a fresh booth's first request comes %s: the first digest is the next day's, with that request in it", (_, at) => {
  lead(local(at));
  expect(minutes(sendDigest, contextWith(), local(at), local("2027-03-14T08:00"), 5 * MINUTE_MS)).toEqual([
    "2027-03-13T09:00",
  ]);
  expect(notices()[0]?.text).toContain("Leads yesterday: 1 new\n");
});

test("before the first lead there is no digest, and without a group neither digest nor reminders", () => {
  now = local("2027-03-12T10:00");
  sendDigest(contextWith());
  lead(local("2027-03-11T15:00"));
  sendDigest(contextWith({ LEADS_CHAT_ID: "" }));
  remindOfLeads(contextWith({ LEADS_CHAT_ID: "" }));
  expect(notices()).toEqual([]);
});

test("contact data is erased after the retention, in batches; the counted row and its history stay", () => {
  const context = contextWith({ LEADS_RETENTION_DAYS: "30" });
  const start = local("2027-01-01T10:00");
  for (let i = 0; i < 250; i++) lead(start, { utm: { source: "insta" } });
  const fresh = lead(start + 25 * DAY_MS, { name: "Fresh" });
  now = start + 30 * DAY_MS + 1;
  expect(forgetLeads(context)).toBe("again");
  while (forgetLeads(context) === "again");
  expect(
    db.query("SELECT count(*) AS n FROM leads WHERE name IS NULL AND contact IS NULL AND source = 'insta'").get(),
  ).toEqual({ n: 250 });
  expect(leadByNumber(db, fresh)?.name).toBe("Fresh");
  expect(db.query("SELECT count(*) AS n FROM history WHERE machine = 'leads'").get()).toEqual({ n: 251 });
  expect(db.query("SELECT count(*) AS n FROM lead_visits").get()).toEqual({ n: 0 });
});
