/** Telegram's troubles as people read them in an alert: without a library's own wrapping around them. */
import { describe } from "./errors.ts";
import type { Lang } from "./status.ts";

type Meaning = Record<Lang, string>;

/** What the network's own codes and words mean, the first that fits. */
const MEANINGS: [RegExp, Meaning][] = [
  [
    /timed? ?out|abort/i,
    {
      en: "Telegram did not answer in time",
      ru: "Telegram не ответил вовремя",
      uz: "Telegram vaqtida javob bermadi",
    },
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    {
      en: "Telegram's address was not found: no network, or no DNS",
      ru: "адрес Telegram не найден: нет сети или не работает DNS",
      uz: "Telegram manzili topilmadi: tarmoq yoʻq yoki DNS ishlamayapti",
    },
  ],
  [
    /EPROTO|CERT|TLS|SSL/,
    {
      en: "no secure connection to Telegram",
      ru: "нет защищённого соединения с Telegram",
      uz: "Telegram bilan himoyalangan aloqa yoʻq",
    },
  ],
  [
    /^SyntaxError|JSON/,
    {
      en: "Telegram's answer could not be read",
      ru: "ответ Telegram не удалось прочитать",
      uz: "Telegram javobini oʻqib boʻlmadi",
    },
  ],
];
const UNREACHABLE: Meaning = {
  en: "Telegram could not be reached",
  ru: "до Telegram не достучаться",
  uz: "Telegramga ulanib boʻlmadi",
};

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
  const meaning = (MEANINGS.find(([pattern]) => pattern.test(describe(inner)))?.[1] ?? UNREACHABLE).en;
  const code = /\bE[A-Z_]{4,}\b/.exec(describe(inner))?.[0];
  return code ? `${meaning} (${code})` : meaning;
}

/** Such a text in an operator's language. Telegram's own descriptions stay as Telegram gives them. */
export function spoken(reason: string, lang: Lang): string {
  const meaning = [...MEANINGS.map(([, each]) => each), UNREACHABLE].find(({ en }) => reason.startsWith(en));
  return meaning ? meaning[lang] + reason.slice(meaning.en.length) : reason;
}
