/** Whatever a visitor writes into the form: its card and its report are messages that Telegram takes. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { cardOf } from "../bot/cards.ts";
import { leadReport } from "../bot/lead-reports.ts";
import { takeLead } from "../shared/leads/intake.ts";
import { leadByNumber } from "../shared/leads/lead.ts";
import { freshDb, NOON } from "./fresh.ts";
import { attack, inTime } from "./fuzz-judge.ts";
import { FUZZ_MS, text } from "./fuzz-tools.ts";
import { format } from "./sim/telegram/entities.ts";

setDefaultTimeout(FUZZ_MS);

const MESSAGE_LENGTH = 4096;
const ZONE = "Asia/Tashkent";

const fresh = freshDb();
const { db } = fresh;
db.run("PRAGMA synchronous = OFF");
afterAll(() => fresh[Symbol.dispose]());

test("a lead of any text is a card that Telegram takes", async () => {
  const field = (max: number) => text.map((value) => [...value.toWellFormed()].slice(0, max).join(""));
  const filled = fc.record({
    name: field(100).map((name) => `${name}.`),
    contact: field(120).map((contact) => `${contact}@`),
    comment: field(2000),
    page: field(500),
    utm: fc.dictionary(field(64), field(500), { maxKeys: 20 }),
  });
  await attack(
    fc.asyncProperty(filled, async (form) => {
      const request = { request_id: crypto.randomUUID(), locale: "uz", ...form } as const;
      const taken = takeLead(db, request, { mark: crypto.randomUUID(), limit: 5 }, NOON);
      const stored = taken.kind === "stored" ? leadByNumber(db, taken.number) : null;
      if (!stored) throw new Error(taken.kind);
      const messages = () => [cardOf(stored, ZONE, 0).text, ...leadReport(db, stored, ZONE, 0)];
      for (const html of await inTime(JSON.stringify(form), messages)) {
        const { text: shown } = format(html, "HTML");
        expect(shown.length).toBeLessThanOrEqual(MESSAGE_LENGTH);
        expect(shown).toContain(`Lead ${stored.number}`);
      }
    }),
    300,
  );
});
