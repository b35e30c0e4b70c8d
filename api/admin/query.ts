/** What lists are asked by: each value is text from an address and is judged here. */
import { Refusal, type Say } from "../../shared/refusal.ts";

type Query = Record<string, string | undefined>;

const wrong = (name: string, say: Say) => new Refusal("invalid", (t) => t.badList, { sayFields: { [name]: say } });

/** @throws AppError `invalid` */
export function numberIn(query: Query, name: string, min = 0, max = Number.MAX_SAFE_INTEGER): number | undefined {
  const text = query[name];
  if (text === undefined || text === "") return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw wrong(name, (t) => t.wholeNumber(min, max));
  return value;
}

/** @throws AppError `invalid` */
export function oneOfIn<T extends string>(query: Query, name: string, values: readonly T[]): T | undefined {
  const text = query[name];
  if (text === undefined || text === "") return undefined;
  if (!(values as readonly string[]).includes(text)) throw wrong(name, (t) => t.oneOf(values));
  return text as T;
}

/** @throws AppError `invalid` */
export function textIn(query: Query, name: string, limit: number): string | undefined {
  const text = query[name]?.trim();
  if (!text) return undefined;
  if (text.length > limit) throw wrong(name, (t) => t.upTo(limit));
  return text;
}
