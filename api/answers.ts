/** How the api answers when something is wrong: one form, no foreign words. */
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { NotFoundError, ParseError, ValidationError } from "elysia";
import { isBusy, isFull } from "../shared/db.ts";
import { AppError } from "../shared/errors.ts";
import { isUnwritable } from "../shared/files.ts";

const MAX_FAULTS = 64;

/** Any thrown thing as one of ours. Judged by class: a foreign error's `status` or `code` means nothing here. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof NotFoundError) return new AppError("not_found", "There is nothing at this address.");
  // What a parser throws, Elysia wraps.
  if (error instanceof ParseError)
    return error.cause instanceof AppError
      ? error.cause
      : new AppError("bad_request", "The body could not be read.", { cause: error });
  if (error instanceof ValidationError)
    return new AppError("invalid", "Some fields broke a rule.", { fields: faultyFields(error) });
  if (isBusy(error))
    return new AppError("busy", "The booth is busy. Try again in a moment.", { cause: error, retryAfterS: 2 });
  if (isFull(error))
    return new AppError("disk_full", "The booth's disk is full. The operators have to make room.", {
      cause: error,
      retryAfterS: 60,
    });
  if (isUnwritable(error))
    return new AppError("storage", "The booth cannot store anything now. The operators have to look at its disk.", {
      cause: error,
      retryAfterS: 30,
    });
  return new AppError("internal", "Something went wrong on our side. Try again.", { cause: error });
}

/** Every faulty field with its rule's own sentence (`error` in its schema), never with what was sent. */
function faultyFields(error: ValidationError): Record<string, string> {
  const sentence = ({ error }: TSchema) => (typeof error === "string" ? error : "is missing or not allowed here");
  return Object.fromEntries(brokenRules(error).map(([field, rule]) => [field, sentence(rule)]));
}

/**
 * The first rule that each faulty field of a body broke. Elysia's own list (`error.all`) writes what was sent into a
 * sentence, and throws at what cannot be written: `{"toString":1,"valueOf":1}`.
 */
export function brokenRules({ validator, value }: ValidationError): [field: string, rule: TSchema][] {
  const faults = "Errors" in validator ? validator.Errors(value) : Value.Errors(validator as TSchema, value);
  const rules = new Map<string, TSchema>();
  let looks = 0;
  for (const { path, schema } of faults) {
    const field = path.split("/")[1] || "body";
    if (!rules.has(field)) rules.set(field, schema);
    // A body of 64 KB may have thousands.
    if (++looks === MAX_FAULTS) break;
  }
  return [...rules];
}

export function errorResponse(error: AppError): Response {
  const headers = new Headers({ "cache-control": "no-store" });
  if (error.retryAfterS) headers.set("retry-after", String(error.retryAfterS));
  if (error.allow) headers.set("allow", error.allow.join(", "));
  const body = { error: error.code, message: error.message, ...(error.fields ? { fields: error.fields } : {}) };
  return Response.json(body, { status: error.status, headers });
}
