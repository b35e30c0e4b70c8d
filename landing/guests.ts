/**
 * How many guests somebody means. People write ranges, “about 100”, words around the number, and the digits of their own
 * script; the server takes one whole number. The largest number counts: a booth for 150 also serves 120.
 */

const TEXT_MAX = 100;
const GUESTS_MAX = 100_000;
/** Zeros of the scripts whose digits keyboards here offer: Arabic, Persian, full width. */
const ZEROS = [0x0660, 0x06f0, 0xff10];
const GROUPED = /\d{1,3}(?:[ \u00a0\u202f.,'’٬]\d{3})+(?!\d)|\d+/g;
/** A range has two numbers; of more, nobody can tell which one is meant. */
const NUMBERS_MAX = 2;
/** Phones, halves of guests, and numbers whose thousands stand in words: guessing what was meant could be far off. */
const UNCLEAR = /^\s*[-−–—+]|\d[.,٫]\d{1,2}(?!\d)|\d\s*(?:[kк](?!\p{L})|тыс|ming|минг|thousand|млн|mln|million)/iu;

/** `said`: the words, when they say more than the number does. */
export type Guests = { count: number; said?: string };

/** @returns null when no number from 1 to 100,000 can be told from it */
export function readGuests(typed: string): Guests | null {
  const text = typed.replace(/\p{Nd}/gu, asciiDigit);
  if (text.length > TEXT_MAX || UNCLEAR.test(text)) return null;
  const plain = text.replace(/[\s\u00a0\u202f]/g, "");
  const isPlain = /^\d+$/.test(plain);
  const numbers = isPlain ? [plain] : (text.match(GROUPED) ?? []);
  if (numbers.length > NUMBERS_MAX) return null;
  const count = Math.max(...numbers.map((number) => Number(number.replace(/\D/g, ""))));
  if (!(count >= 1 && count <= GUESTS_MAX)) return null;
  const isOneNumber = isPlain || numbers[0] === text.trim();
  return isOneNumber ? { count } : { count, said: typed };
}

function asciiDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  const zero = ZEROS.find((first) => code >= first && code <= first + 9);
  return zero === undefined ? digit : String(code - zero);
}
