/** How the api answers when something is wrong: one form, no foreign words. */
import { NotFoundError, ParseError, ValidationError } from "elysia";
import { isBusy, isFull } from "../shared/db.ts";
import { AppError } from "../shared/errors.ts";
import { isUnwritable } from "../shared/files.ts";

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
  const fields: Record<string, string> = {};
  for (const fault of error.all) {
    if (!("path" in fault)) continue;
    const name = fault.path.split("/")[1] || "body";
    const rule = (fault.schema as { error?: unknown }).error;
    fields[name] ??= typeof rule === "string" ? rule : "is missing or not allowed here";
  }
  return fields;
}

export function errorResponse(error: AppError): Response {
  const headers = new Headers({ "cache-control": "no-store" });
  if (error.retryAfterS) headers.set("retry-after", String(error.retryAfterS));
  if (error.allow) headers.set("allow", error.allow.join(", "));
  const body = { error: error.code, message: error.message, ...(error.fields ? { fields: error.fields } : {}) };
  return Response.json(body, { status: error.status, headers });
}
