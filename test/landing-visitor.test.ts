/** The landing's limit for a visitor, when the server's clock is set. */
import { expect, test } from "bun:test";
import { VisitorLimit } from "../landing/visitor.ts";

const NOON = Date.UTC(2026, 5, 15, 12);
const HOUR_MS = 3_600_000;
const WINDOW_S = 600;

test("what was counted by a clock that ran ahead holds nobody up once it is right, and the limit goes on", () => {
  const limit = new VisitorLimit();
  const take = (atMs: number) => limit.take("203.0.113.7", crypto.randomUUID(), atMs);
  for (let request = 0; request < 5; request++) expect(take(NOON + 3 * HOUR_MS)).toBe(0);
  expect(take(NOON + 3 * HOUR_MS)).toBe(WINDOW_S);
  for (let request = 0; request < 5; request++) expect(take(NOON)).toBe(0);
  expect(take(NOON)).toBe(WINDOW_S);
  expect(take(NOON + WINDOW_S * 1000)).toBe(0);
});
