/** Telegram's troubles as people read them in an alert: without a library's own wrapping around them. */
import { describe } from "./errors.ts";

/** What the network's own codes and words mean, the first that fits. */
const MEANINGS: [RegExp, string][] = [
  [/timed? ?out|abort/i, "Telegram did not answer in time"],
  [/ENOTFOUND|EAI_AGAIN/, "Telegram's address was not found: no network, or no DNS"],
  [/EPROTO|CERT|TLS|SSL/, "no secure connection to Telegram"],
  [/^SyntaxError|JSON/, "Telegram's answer could not be read"],
];
const UNREACHABLE = "Telegram could not be reached";

/**
 * The text of any thrown thing, as `describe`; a refusal of Telegram in its own description alone, a call that got no
 * answer in plain words, with the network's code where it has one. They are known by their names: not all who tell
 * operators of an error know the client library.
 */
export function inPlainWords(error: unknown): string {
  if (!(error instanceof Error)) return describe(error);
  if (error.name === "GrammyError" && "description" in error && error.description)
    return describe(new Error(String(error.description)));
  if (error.name === "SetupFailed") return describe(new Error(error.message));
  if (error.name !== "HttpError" || !("error" in error)) return describe(error);
  const { error: inner } = error;
  const meaning = MEANINGS.find(([pattern]) => pattern.test(describe(inner)))?.[1] ?? UNREACHABLE;
  const code = /\bE[A-Z_]{4,}\b/.exec(describe(inner))?.[0];
  return code ? `${meaning} (${code})` : meaning;
}
