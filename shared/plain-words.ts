/** Telegram's troubles as people read them in an alert: without a library's own wrapping around them. */
import { describe } from "./errors.ts";
import type { Lang } from "./status.ts";
import { team } from "./texts/operators/index.ts";
import type { NetworkTexts } from "./texts/operators/types.ts";

type Meaning = keyof NetworkTexts;

/** What the network's own codes and words mean, the first that fits. */
const MEANINGS: [RegExp, Meaning][] = [
  [/timed? ?out|abort/i, "slow"],
  [/ENOTFOUND|EAI_AGAIN/, "notFound"],
  [/EPROTO|CERT|TLS|SSL/, "insecure"],
  [/^SyntaxError|JSON/, "unreadable"],
];

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
  const meaning = MEANINGS.find(([pattern]) => pattern.test(describe(inner)))?.[1] ?? "unreachable";
  const code = /\bE[A-Z_]{4,}\b/.exec(describe(inner))?.[0];
  const words = team("en").network[meaning];
  return code ? `${words} (${code})` : words;
}

/** Such a text, kept in English, in an operator's language. Telegram's own descriptions stay as Telegram gives them. */
export function spoken(reason: string, lang: Lang): string {
  const english = team("en").network;
  const meaning = (Object.keys(english) as Meaning[]).find((each) => reason.startsWith(english[each]));
  return meaning ? team(lang).network[meaning] + reason.slice(english[meaning].length) : reason;
}
