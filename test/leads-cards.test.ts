import type { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { cardOf } from "../bot/cards.ts";
import { contactHtml } from "../bot/contacts.ts";
import { leadReport } from "../bot/lead-reports.ts";
import { openDb } from "../shared/db.ts";
import type { NewLead } from "../shared/leads/intake.ts";
import { type Lead, leadByNumber, moveLead } from "../shared/leads/lead.ts";
import { eraseOldLeads } from "../shared/leads/upkeep.ts";
import { runs } from "./fuzz-tools.ts";
import { store } from "./leads-world.ts";
import { format } from "./sim/telegram/entities.ts";

const ZONE = "Asia/Tashkent";
const NOON = Date.parse("2027-03-12T07:00:00Z");
const TELEGRAM_LENGTH = 4096;

let folder: string;
let db: Database;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cards-"));
  db = openDb(folder);
  // Nothing here outlives the test.
  db.run("PRAGMA synchronous = OFF");
});
afterAll(() => {
  db.close(false);
  rmSync(folder, { recursive: true });
});

const made = (more: Partial<NewLead>): Lead => leadByNumber(db, store(db, more, NOON)) as Lead;
/** The card as Telegram shows it; throws where Telegram would refuse its HTML. */
const shown = (more: Partial<NewLead>) => format(cardOf(made(more), ZONE, NOON).text, "HTML");

test("everything that was asked stands on the card, in words", () => {
  const lead = made({
    name: "Aziz Karimov",
    contact: "+998 90 123 45 67",
    event_type: "wedding",
    event_date: "2027-05-01",
    guests: 1200,
    city: "Ташкент",
    comment: "Two booths\r\nat the entrance",
    locale: "uz",
    page: "sales.example/uz",
    utm: { source: "insta", campaign: "spring" },
  });
  const { text, entities } = format(cardOf(lead, ZONE, NOON).text, "HTML");
  expect(text.split("\n")).toEqual([
    `Lead ${lead.number} · 🆕 new, 12 Mar, 12:00`,
    "",
    "👤 Aziz Karimov",
    "📞 +998 90 123 45 67 · Telegram",
    "🎉 Wedding · Saturday, 1 May 2027 · 1,200 guests",
    "📍 Ташкент",
    "Two booths",
    "at the entrance",
    "🌐 Uzbek · sales.example/uz",
    "📈 source=insta, campaign=spring",
    lead.request_id,
  ]);
  expect(entities.map((e) => e.url).filter(Boolean)).toEqual(["https://t.me/+998901234567"]);
});

test.each([
  ["@aziz_events", '<a href="https://t.me/aziz_events">@aziz_events</a>'],
  ["https://t.me/aziz_events", '<a href="https://t.me/aziz_events">@aziz_events</a>'],
  ["+998 (90) 123-45-67", '+998 (90) 123-45-67 · <a href="https://t.me/+998901234567">Telegram</a>'],
  ["90 123 45 67", '+998901234567 · <a href="https://t.me/+998901234567">Telegram</a>'],
  ["998901234567", '+998901234567 · <a href="https://t.me/+998901234567">Telegram</a>'],
  ["0049 170 1234567", '+491701234567 · <a href="https://t.me/+491701234567">Telegram</a>'],
  ["aziz@example.com", "aziz@example.com"],
  ["12345", "12345"],
  ["call me <now>", "call me &lt;now&gt;"],
  ['@x" onclick="1', "@x&quot; onclick=&quot;1"],
])("contact %s", (contact, html) => {
  expect(contactHtml(contact)).toBe(html);
});

const markup = `<b>bold</b> </blockquote><a href="tg://x">y</a> &lt; &amp; *a* _b_ \`c\` ||d|| [e](http://f) {{g}} %00 '"`;

test("a comment of 2000 characters with markup of every kind is shown as it was typed", () => {
  const comment = markup.repeat(40).slice(0, 2000);
  const { text, entities } = shown({ comment });
  expect(text).toContain(comment.trim());
  expect(entities.filter((e) => ["bold", "blockquote"].includes(e.type))).toHaveLength(3);
  expect(text.length).toBeLessThanOrEqual(TELEGRAM_LENGTH);
});

test("markup in every other field breaks nothing either", () => {
  const { text } = shown({ name: markup, contact: markup, city: markup, page: markup, utm: { [markup]: markup } });
  expect(text).toContain(`👤 ${markup}`);
});

test("the longest request that is taken fits into one message, and /lead sends the whole comment", () => {
  const lead = made({
    name: "😀".repeat(100),
    contact: "&".repeat(120),
    city: "😀".repeat(100),
    comment: "🎉".repeat(2000),
    page: "😀".repeat(500),
    utm: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${"k".repeat(60)}${i}`, "<".repeat(500)])),
  });
  const card = cardOf(lead, ZONE, NOON);
  const { text } = format(card.text, "HTML");
  expect(text.length).toBeLessThanOrEqual(TELEGRAM_LENGTH);
  expect(text.isWellFormed()).toBe(true);
  expect(text).toContain("😀".repeat(100));
  expect(card.commentIsCut).toBe(true);
  const parts = leadReport(db, lead, ZONE, NOON).map((html) => format(html, "HTML").text);
  for (const part of parts) expect(part.length).toBeLessThanOrEqual(TELEGRAM_LENGTH);
  expect(parts).toContain(lead.comment as string);
});

test("fields of nothing but spaces leave no empty lines", () => {
  const { text } = shown({ city: "  ", comment: " \n\u202e ", page: "\u00a0" });
  expect(text.split("\n").slice(2, -1)).toEqual(["👤 Aziz", "📞 @aziz_events", "🌐 English"]);
});

test("no field can forge a line, hide characters or turn the direction of its neighbours", () => {
  const { text } = shown({
    name: "Aziz\n📞 +1 555\u2028Lead 1 · ✅ won\u202e\u0000\u0007",
    comment: "a\u2066b\u202ec",
  });
  expect(text).toContain("👤 Aziz 📞 +1 555 Lead 1 · ✅ won\n");
  expect(text).toContain("\nabc\n");
  const rtl = shown({ name: "محمد", comment: "שלום" });
  expect(rtl.text).toContain("👤 \u2068محمد\u2069\n");
  expect(rtl.text).toContain("\n\u2068שלום\u2069\n");
});

test("whatever is typed, the card is one message that Telegram takes, with nothing in it but what was typed", () => {
  const nasty = fc.constantFrom(
    "<",
    ">",
    "&",
    "&lt;",
    '"',
    "\n",
    "\u202e",
    "\u2067",
    "😀",
    "ا",
    "\ud83d",
    "</b>",
    "\u0000",
    "a",
    " ",
    "@",
    "+9",
  );
  const text = (max: number) =>
    fc
      .array(fc.oneof(nasty, fc.string({ unit: "binary", maxLength: 3 })), { maxLength: max })
      .map((parts) => [...parts.join("")].slice(0, max).join(""));
  const request = fc.record({
    name: text(100),
    contact: text(120),
    city: text(100),
    comment: text(2000),
    page: text(500),
    utm: fc.dictionary(text(64), text(500), { maxKeys: 20 }),
  });
  const lead = made({});
  fc.assert(
    fc.property(request, ({ utm, ...typed }) => {
      const { text, entities } = format(
        cardOf({ ...lead, ...typed, utm: JSON.stringify(utm) }, ZONE, NOON).text,
        "HTML",
      );
      expect(text.length).toBeLessThanOrEqual(TELEGRAM_LENGTH);
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/[\u202a-\u202e]/);
      const own = entities.filter((e) => ["bold", "blockquote", "text_link"].includes(e.type));
      expect(own.length).toBeLessThanOrEqual(4);
    }),
    runs(300),
  );
});

test.each([
  ["en", "12 Mar 2027, 12:00", "12 Mar, 12:00", "1 Jan, 00:30"],
  ["ru", "12 мар. 2027 г., 12:00", "12 мар., 12:00", "1 янв., 00:30"],
  ["uz", "2027-yil 12-mar, 12:00", "12-mar, 12:00", "1-yan, 00:30"],
] as const)("%s: what happened in another year shows it, on cards and in the history", (lang, far, near, newYear) => {
  const lead = made({});
  const head = (at: Lead, now: number) => cardOf(at, ZONE, now, lang).text.split("\n")[0];
  const history = (now: number) => leadReport(db, lead, ZONE, now, lang)[0];
  const next = Date.parse("2028-01-01T00:30:00+05:00");
  for (const [now, moment] of [
    [NOON, near],
    [next, far],
  ] as const) {
    expect(head(lead, now)).toEndWith(`, ${moment}`);
    expect(history(now)).toContain(`\n${moment}: `);
  }
  // The year is the zone's: elsewhere it is still December.
  expect(head({ ...lead, status_at: next }, next + 86_400_000)).toEndWith(`, ${newYear}`);
});

test("an operator's name is escaped like a visitor's", () => {
  const { number } = made({});
  moveLead(db, number, { to: "in_progress", actor: "operator:1", by: "<i>Bek</i> & co", now: NOON });
  expect(format(cardOf(leadByNumber(db, number) as Lead, ZONE, NOON).text, "HTML").text).toContain(
    "in progress, <i>Bek</i> & co, 12 Mar",
  );
});

test("a history without end is told by its end", () => {
  const { number } = made({});
  for (let i = 0; i < 60; i++)
    moveLead(db, number, { to: i % 2 ? "new" : "in_progress", actor: "operator:1 Bek", by: "Bek", now: NOON + i });
  const lines = leadReport(db, leadByNumber(db, number) as Lead, ZONE, NOON)
    .join("\n")
    .split("\n");
  expect(lines).toHaveLength(42);
  expect(lines[1]).toBe("… and 21 more");
  expect(lines.at(-1)).toEndWith("🆕 new, Bek");
});

test("an erased lead keeps what is counted and shows nobody", () => {
  const old = store(
    db,
    {
      name: "Old Name",
      contact: "@old_contact",
      city: "Oldtown",
      comment: "old words",
      page: "old.example",
      utm: { source: "insta", term: "old-term" },
      event_type: "wedding",
      guests: 80,
    },
    NOON - 366 * 86_400_000,
  );
  expect(eraseOldLeads(db, NOON - 365 * 86_400_000, NOON)).toBe(1);
  expect(eraseOldLeads(db, NOON - 365 * 86_400_000, NOON)).toBe(0);
  const lead = leadByNumber(db, old) as Lead;
  expect(JSON.stringify(lead)).not.toMatch(/old/i);
  expect(lead).toMatchObject({ status: "new", event_type: "wedding", guests: 80, source: "insta", version: 2 });
  const { text } = format(cardOf(lead, ZONE, NOON).text, "HTML");
  expect(text).toContain("Wedding · 80 guests\nContact data was erased on Friday, 12 March 2027.");
});
