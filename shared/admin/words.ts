/** What a status or a problem means in an operator's language, and how sums and times read there. */
import { retakeProblems } from "../outcomes.ts";
import type { Lang } from "../status.ts";
import { team } from "../texts/operators/index.ts";
import type { OutcomeName, ProblemName, Words } from "../texts/operators/types.ts";

export type { Words };

const known = (name: string, lang: Lang): Words | null => {
  const { problems, outcomes } = team(lang).booth;
  if (Object.hasOwn(problems, name)) return problems[name as ProblemName];
  return Object.hasOwn(outcomes, name) ? { what: outcomes[name as OutcomeName], todo: "" } : null;
};

/** A problem in words; an unknown one stands for itself. */
export function wordsOf(problem: string, lang: Lang): Words;
export function wordsOf(problem: string | null, lang: Lang): Words | null;
export function wordsOf(problem: string | null, lang: Lang): Words | null {
  return problem === null ? null : (known(problem, lang) ?? { what: problem.replaceAll("_", " "), todo: "" });
}

/** Why something ended: one of our names in words, what another side said as it said it, or both with a colon between. */
export function reasonInWords(reason: string, lang: Lang): string {
  const [, ours = reason, theirs] = /^([a-z_]+): (.+)$/s.exec(reason) ?? [];
  const words = known(ours, lang)?.what;
  if (words === undefined) return reason;
  return theirs === undefined ? words : `${words}: ${known(theirs, lang)?.what ?? theirs}`;
}

/** Problems of a selfie: the guest was sent back to the camera, which is no failure. */
export const isRetake = (problem: string | null) => (retakeProblems as readonly (string | null)[]).includes(problem);

/** Who did something, as people call them: `operator:9001 Dilshod` → `Dilshod`, `admin:bob` → `bob`. */
export function personOf(actor: string, lang: Lang): string {
  if (actor === "operator:anonymous") return team(lang).chat.anonymous;
  return /^operator:\d+ (.+)$/s.exec(actor)?.[1] ?? /^admin:(.+)$/s.exec(actor)?.[1] ?? actor;
}

/** `3 min`, `5 h` */
export function minutes(ms: number, lang: Lang): string {
  const { booth } = team(lang);
  const n = Math.max(1, Math.round(ms / 60_000));
  return n < 120 ? booth.minutes(n) : booth.hours(Math.round(n / 60));
}

/** `40 s`, `3 min`: for what is over soon. */
export function age(ms: number, lang: Lang): string {
  const { booth } = team(lang);
  return ms < 90_000 ? booth.seconds(Math.max(0, Math.round(ms / 1000))) : booth.minutes(Math.round(ms / 60_000));
}

/** How numbers are written; Uzbek ones are written as Russian ones are. */
const numerals: Record<Lang, string> = { en: "en-US", ru: "ru-RU", uz: "ru-RU" };

/** `$1.50`; `1,50 $` in Russian and Uzbek. */
export const dollars = (usd: number, lang: Lang) =>
  usd.toLocaleString(numerals[lang], {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    useGrouping: false,
  });
