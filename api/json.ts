/** JSON bodies: read here rather than by Elysia, which coerces, cleans and forgives. Use as `parse` of a route. */
import { AppError } from "../shared/errors.ts";
import { bytesWithin } from "./body.ts";

export const MAX_JSON_BYTES = 64 * 1024;
export const JSON_TOO_LARGE = "The request is larger than 64 KB.";

/** An absent body reads as an empty object, so that its faults are named field by field. @throws AppError `bad_request`, `too_large` */
export const json = jsonUpTo(MAX_JSON_BYTES, JSON_TOO_LARGE);

/** As `json`, with a limit of its own and the sentence that tells of it. */
export function jsonUpTo(limit: number, tooLarge: string) {
  return async ({ request }: { request: Request }): Promise<unknown> => {
    const text = new TextDecoder().decode(await bytesWithin(request, limit, tooLarge));
    if (text === "") return {};
    const value = parsed(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
    throw new AppError("bad_request", "The body must be a JSON object.");
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("bad_request", "The body is not valid JSON.", { cause });
  }
}
