/** A model's JSON, believed only as far as its schema goes. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { selfieProblems, sheetProblems } from "./provider.ts";

const oneOf = <const T extends readonly string[]>(names: T) =>
  Type.Union(names.map((n) => Type.Literal(n as T[number])));

export const SelfieAnswer = Type.Object({
  usable: Type.Boolean(),
  faces: Type.Integer({ minimum: 0, maximum: 1000 }),
  problem: oneOf(selfieProblems),
});

const StickerWords = Type.Object({
  cell: Type.Integer({ minimum: 1, maximum: 64 }),
  emoji: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 20 }),
});
export const SheetAnswer = Type.Object({
  usable: Type.Boolean(),
  problem: oneOf(sheetProblems),
  stickers: Type.Array(StickerWords, { maxItems: 64 }),
});

/** Models like to put their JSON into a block of code. */
const FENCES = /^\s*```(?:json)?\s*|\s*```\s*$/g;

/** @returns the answer, or null when the text is not JSON of this shape */
export function parseAnswer<T extends TSchema>(schema: T, text: string | undefined): Static<T> | null {
  try {
    const value = JSON.parse((text ?? "").replace(FENCES, ""));
    // A sticker of which it says nonsense gets our own emoji; what it says of the sheet stays true.
    if (Array.isArray(value?.stickers))
      value.stickers = value.stickers.filter((words: unknown) => Value.Check(StickerWords, words));
    return Value.Check(schema, value) ? value : null;
  } catch {
    return null;
  }
}

/** A number of tokens as the answer claims it; what is none counts as nothing. */
export const tokensIn = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;

/** HTTP statuses of the two APIs in the studio's classes. 400 is ours or the key's fault; more tries change nothing. */
export function classOfStatus(status: number | undefined): "overloaded" | "broken" {
  if (status === undefined || status === 408 || status === 409 || status === 429 || status >= 500) return "overloaded";
  return "broken";
}
