/** Local time: days begin where the event's day begins, also when clocks change. */
import { expect, test } from "bun:test";
import { addDays, dayStart, eventDay, instantOf, iso, isoOrNull, localTime } from "../shared/time.ts";

const at = (text: string) => Date.parse(text);
const tashkent = { TZ_NAME: "Asia/Tashkent", DAY_STARTS_HOUR: 6 };
const berlin = { TZ_NAME: "Europe/Berlin", DAY_STARTS_HOUR: 6 };

test("the wall clock of a zone", () => {
  expect(localTime(at("2026-06-15T20:30:00Z"), "Asia/Tashkent")).toEqual({ date: "2026-06-16", hour: 1, minute: 30 });
  expect(localTime(at("2026-06-15T19:00:00Z"), "Asia/Tashkent")).toEqual({ date: "2026-06-16", hour: 0, minute: 0 });
  expect(localTime(at("2026-06-15T20:15:00Z"), "Asia/Kathmandu")).toEqual({ date: "2026-06-16", hour: 2, minute: 0 });
});

test("a party past midnight is one day, and the day turns at its hour exactly", () => {
  expect(eventDay(at("2026-06-16T00:59:59Z"), tashkent)).toBe("2026-06-15");
  expect(eventDay(at("2026-06-16T01:00:00Z"), tashkent)).toBe("2026-06-16");
  expect(iso(dayStart(at("2026-06-16T00:59:59Z"), tashkent))).toBe("2026-06-15T01:00:00.000Z");
  expect(iso(dayStart(at("2026-06-16T01:00:00Z"), tashkent))).toBe("2026-06-16T01:00:00.000Z");
});

test("days of 23 and 25 hours", () => {
  // Berlin: 2026-03-29 02:00 → 03:00, 2026-10-25 03:00 → 02:00.
  expect(iso(dayStart(at("2026-03-29T12:00:00Z"), berlin))).toBe("2026-03-29T04:00:00.000Z");
  expect(iso(dayStart(at("2026-03-29T03:59:59Z"), berlin))).toBe("2026-03-28T05:00:00.000Z");
  expect(iso(dayStart(at("2026-10-25T12:00:00Z"), berlin))).toBe("2026-10-25T05:00:00.000Z");
  expect(iso(dayStart(at("2026-10-25T04:59:59Z"), berlin))).toBe("2026-10-24T04:00:00.000Z");
});

test("an hour that the clock skips begins when it jumps, one that comes twice begins the first time", () => {
  expect(iso(instantOf("2026-03-29", 2, "Europe/Berlin"))).toBe("2026-03-29T01:00:00.000Z");
  expect(iso(instantOf("2026-10-25", 2, "Europe/Berlin"))).toBe("2026-10-25T00:00:00.000Z");
  expect(iso(instantOf("2026-06-15", 0, "Pacific/Kiritimati"))).toBe("2026-06-14T10:00:00.000Z");
  expect(iso(instantOf("2026-06-15", 23, "Pacific/Pago_Pago"))).toBe("2026-06-16T10:00:00.000Z");
});

test("every instant lies in the day that it is said to be in", () => {
  for (const zone of [tashkent, berlin, { TZ_NAME: "America/New_York", DAY_STARTS_HOUR: 0 }]) {
    for (let hour = 0; hour < 24 * 400; hour += 41) {
      const now = at("2026-01-01T00:30:00Z") + hour * 3_600_000;
      const start = dayStart(now, zone);
      expect(start).toBeLessThanOrEqual(now);
      expect(now - start).toBeLessThan(25 * 3_600_000);
      expect(eventDay(start, zone)).toBe(eventDay(now, zone));
      expect(eventDay(start - 1, zone)).toBe(addDays(eventDay(now, zone), -1));
    }
  }
});

test("dates are added over months, years and leap days", () => {
  expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
  expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
  expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
  expect(isoOrNull(null)).toBeNull();
});
