/** Which leads wait for somebody, and since when: not the erased ones, and none before the group has seen it. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import type { BotContext } from "../bot/context.ts";
import { openLeadsReport } from "../bot/lead-reports.ts";
import { forgetLeads, remindOfLeads, sendDigest } from "../bot/leads-housekeeping.ts";
import { migrate } from "../shared/db.ts";
import { leadFigures } from "../shared/leads/figures.ts";
import { moveLead } from "../shared/leads/lead.ts";
import { publishAgain, published } from "../shared/leads/outbox.ts";
import { migrations } from "../shared/migrations/index.ts";
import { freshConfig, freshDb, freshLog, NOON } from "./fresh.ts";
import { store } from "./leads-world.ts";
import { format } from "./sim/telegram/entities.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const GROUP = -100901;

/** The steps of the bot that send nothing themselves, at a time that the test sets. */
function desk() {
  const fresh = freshDb();
  const { db } = fresh;
  const time = { at: NOON };
  const context = {
    db,
    config: freshConfig({ LEADS_CHAT_ID: String(GROUP), LEADS_RETENTION_DAYS: "30" }),
    log: freshLog().log,
    now: () => time.at,
    wake: () => {},
  } as Partial<BotContext> as BotContext;
  const said = () =>
    (db.query("SELECT payload FROM notices ORDER BY id").all() as { payload: string }[]).map(
      ({ payload }) => format(JSON.parse(payload).text, "HTML").text,
    );
  const cardSent = (number: number) =>
    published(db, { chatId: GROUP, messageId: time.at + number, number, version: 1 }, time.at);
  return { db, context, time, said, cardSent, [Symbol.dispose]: () => fresh[Symbol.dispose]() };
}

test("a lead that is erased while it is open waits for nobody: no reminder, no list, no count", () => {
  using it = desk();
  const { db, context, time } = it;
  const numbers = [store(db, {}, NOON), store(db, {}, NOON)];
  for (const number of numbers) it.cardSent(number);
  moveLead(db, numbers[1] as number, { to: "in_progress", actor: "operator:1", by: "Bek", now: NOON });
  time.at = NOON + 20 * DAY_MS;
  const kept = store(db, { name: "Kept" }, time.at);
  time.at = NOON + 31 * DAY_MS;
  forgetLeads(context);
  remindOfLeads(context);
  expect(it.said()).toEqual([]);
  expect(openLeadsReport(db, time.at).join("\n")).toMatch(/: 1 new, 0 in progress\n.*Kept · 11 d 0 h$/);
  sendDigest(context);
  expect(it.said()[0]).toEndWith(`\n\nWaiting for somebody\n🆕 /lead_${kept} Kept · 11 d 0 h`);
  db.query("UPDATE leads SET erased_at = ? WHERE number = ?").run(time.at, kept);
  expect(openLeadsReport(db, time.at)).toEqual(["No lead waits. 🎉"]);
  // The statistics still know of all.
  expect(leadFigures(db, "Asia/Tashkent", time.at).byStatus).toMatchObject({ new: 2, in_progress: 1 });
});

test("after an outage the group has its time: the first reminder counts from the first card, not from a later one", () => {
  using it = desk();
  const { db, context, time } = it;
  const number = store(db, {}, NOON);
  const spokeAt = (from: number, until: number) => {
    for (time.at = NOON + from * MINUTE_MS; time.at < NOON + until * MINUTE_MS; time.at += MINUTE_MS) {
      remindOfLeads(context);
      if (it.said().length > 0) return (time.at - NOON) / MINUTE_MS;
    }
    return null;
  };
  time.at = NOON + 40 * MINUTE_MS;
  it.cardSent(number);
  expect(spokeAt(40, 60)).toBeNull();
  publishAgain(db, number, time.at);
  it.cardSent(number);
  expect(spokeAt(60, 120)).toBe(70);
  expect(it.said()).toEqual([`⏰ Nobody has taken this lead\n🆕 /lead_${number} Aziz · 1 h 10 min`]);
});

test("cards that were sent before first ones were noted count as the first", () => {
  const old = new Database(":memory:", { strict: true });
  migrate(old, migrations.slice(0, 8));
  old.run(
    `INSERT INTO leads (request_id, status, locale, source, status_at, queued_at, published_at, next_publish_at, created_at, updated_at)
     VALUES ('a', 'new', 'en', 'direct', 1, 1, 5, 1, 1, 1), ('b', 'new', 'en', 'direct', 1, 1, NULL, 1, 1, 1)`,
  );
  migrate(old, migrations);
  expect(old.query("SELECT first_published_at AS at FROM leads ORDER BY number").all()).toEqual([
    { at: 5 },
    { at: null },
  ]);
  old.close();
});
