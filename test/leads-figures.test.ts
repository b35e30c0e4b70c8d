import { expect, test } from "bun:test";
import { leadFigures } from "../shared/leads/figures.ts";
import { leadByNumber, moveLead } from "../shared/leads/lead.ts";
import { freshDb } from "./fresh.ts";
import { store } from "./leads-world.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const local = (text: string) => Date.parse(`${text}:00+05:00`);

test("figures: statuses, conversion, median, sources and weeks", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const lead = (at: number, more: Parameters<typeof store>[1] = {}) => store(db, more, at);

  const monday = local("2027-03-08T00:00");
  const wednesday = local("2027-03-10T12:00");
  const take = (number: number, afterMs: number, to?: "won" | "lost" | "spam") => {
    const at = (leadByNumber(db, number)?.created_at ?? 0) + afterMs;
    moveLead(db, number, { to: "in_progress", actor: "operator:1", by: "Bek", now: at });
    if (to) moveLead(db, number, { to, actor: "operator:1", by: "Bek", now: at });
  };
  take(lead(monday, { utm: { source: "Insta" } }), 4 * MINUTE_MS, "won");
  take(lead(monday + DAY_MS, { utm: { utm_source: "insta" } }), 10 * MINUTE_MS, "lost");
  take(lead(monday + DAY_MS, { utm: { source: "x y <b>" } }), 20 * MINUTE_MS);
  take(lead(monday - 7 * DAY_MS), 40 * MINUTE_MS, "won");
  lead(monday - 2 * DAY_MS);
  take(lead(monday), MINUTE_MS, "spam");
  // Closed without having been taken: that is its first take.
  moveLead(db, lead(monday - 20 * DAY_MS), { to: "won", actor: "admin:boss", by: "boss", now: monday - 19 * DAY_MS });
  const figures = leadFigures(db, "Asia/Tashkent", wednesday);
  expect(figures.byStatus).toEqual({ new: 1, in_progress: 1, won: 3, lost: 1, spam: 1 });
  expect(figures.conversion).toBeCloseTo(3 / 4);
  expect(figures.medianTakeMs).toBe(20 * MINUTE_MS);
  expect(figures.bySource).toEqual([
    { source: "direct", leads: 3, won: 2 },
    { source: "insta", leads: 2, won: 1 },
    { source: "other", leads: 1, won: 0 },
  ]);
  expect(figures.weeks).toEqual({
    current: { leads: 3, won: 1 },
    lastByNow: { leads: 1, won: 1 },
    last: { leads: 2, won: 1 },
  });
});
