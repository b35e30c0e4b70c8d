import { expect, test } from "bun:test";
import { newForm, validateForm } from "../landing/form.ts";
import { readGuests } from "../landing/guests.ts";

test.each([
  ["12", 12],
  ["1 200", 1200],
  ["1\u00a0200", 1200],
  ["1,200", 1200],
  ["1.200", 1200],
  ["1’200", 1200],
  ["100000", 100_000],
  ["١٢٠", 120],
  ["۱۲۰", 120],
  ["１２０", 120],
  ["١٬٢٠٠", 1200],
])("%s is a plain number", (typed, count) => {
  expect(readGuests(typed)).toEqual({ count });
});

test.each([
  ["120-150", 150],
  ["120–150", 150],
  ["120 — 150 человек", 150],
  ["1 200-1 500", 1500],
  ["от 100 до 120", 120],
  ["100/120", 120],
  ["0-50", 50],
  ["~100", 100],
  ["≈ 100", 100],
  ["100+", 100],
  ["около 100", 100],
  ["около 1 200 гостей.", 1200],
  ["100 kishi atrofida", 100],
  ["100 киши", 100],
  ["100 ta", 100],
  ["about 80 people", 80],
  ["حوالي ١٥٠", 150],
  ["۱۲۰ تا ۱۵۰", 150],
])("of “%s” the largest number counts, and the words go along", (typed, count) => {
  expect(readGuests(typed)).toEqual({ count, said: typed });
});

test.each([
  ["много"],
  ["?"],
  ["0"],
  ["-5"],
  ["100001"],
  ["100 120"],
  ["1.5"],
  ["1,5 тыс."],
  ["2 тысячи"],
  ["2k"],
  ["2к"],
  ["1 ming"],
  ["+998 90 123 45 67"],
  ["90 123 45 67"],
  ["20 взрослых, 10 детей и 3 младенца"],
  ["12.05.2027"],
  [`${"x".repeat(100)} 5`],
  ["9".repeat(90)],
])("“%s” is asked about rather than guessed", (typed) => {
  expect(readGuests(typed)).toBeNull();
});

test("what was said of the guests stands before the comment, and never costs any of it", () => {
  const form = newForm(new URL("http://landing.test/ru"));
  const checked = (guests: string, comment: string) => {
    const state = { ...form, fields: { ...form.fields, name: "Азиз", contact: "@aziz", guests, comment } };
    return validateForm(state, "ru", "2026-01-01").request;
  };
  expect(checked("120–150", "Две будки")).toMatchObject({
    guests: 150,
    comment: "Сколько гостей: 120–150\nДве будки",
  });
  expect(checked("~100", "").comment).toBe("Сколько гостей: ~100");
  expect(checked("150", "").comment).toBeUndefined();
  expect(checked("120–150", "😀".repeat(2000))).toMatchObject({ guests: 150, comment: "😀".repeat(2000) });
});
