/** What lists are asked by: each value is text from an address and is judged here. */
import { AppError } from "../../shared/errors.ts";

type Query = Record<string, string | undefined>;

const wrong = (name: string, sentence: string) =>
  new AppError("invalid", "The list was asked for in a way that it does not know.", { fields: { [name]: sentence } });

/** @throws AppError `invalid` */
export function numberIn(query: Query, name: string, min = 0, max = Number.MAX_SAFE_INTEGER): number | undefined {
  const text = query[name];
  if (text === undefined || text === "") return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw wrong(name, `must be a whole number from ${min} to ${max}`);
  return value;
}

/** @throws AppError `invalid` */
export function oneOfIn<T extends string>(query: Query, name: string, values: readonly T[]): T | undefined {
  const text = query[name];
  if (text === undefined || text === "") return undefined;
  if (!(values as readonly string[]).includes(text)) throw wrong(name, `must be one of ${values.join(", ")}`);
  return text as T;
}

/** @throws AppError `invalid` */
export function textIn(query: Query, name: string, limit: number): string | undefined {
  const text = query[name]?.trim();
  if (!text) return undefined;
  if (text.length > limit) throw wrong(name, `must be at most ${limit} characters`);
  return text;
}
