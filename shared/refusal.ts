/** A refusal that somebody of the team reads: its sentences exist in each of the team's languages. */
import { AppError, type ErrorCode } from "./errors.ts";
import { team } from "./texts/operators/index.ts";
import type { RefusalTexts } from "./texts/operators/types.ts";

export type Say = (texts: RefusalTexts) => string;

/** Its `message` and `fields` are the English ones, for logs and for programs. */
export class Refusal extends AppError {
  constructor(
    code: ErrorCode,
    readonly say: Say,
    readonly details: { cause?: unknown; retryAfterS?: number; sayFields?: Record<string, Say> } = {},
  ) {
    const english = team("en").refusals;
    super(code, say(english), { ...details, fields: details.sayFields && spoken(details.sayFields, english) });
  }
}

/** Faulty fields with their sentences in one language. */
export const spoken = (fields: Record<string, Say>, texts: RefusalTexts): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, say]) => [name, say(texts)]));
