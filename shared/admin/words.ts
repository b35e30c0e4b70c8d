/** What a status or a problem means in an operator's language, and how sums and times read there. */
import type { Lang } from "../status.ts";
import { team } from "../texts/operators/index.ts";
import type { ProblemName, Words } from "../texts/operators/types.ts";

export type { Words };

const known = (name: string, lang: Lang): Words | null => {
  const { problems } = team(lang).booth;
  return Object.hasOwn(problems, name) ? problems[name as ProblemName] : null;
};

/** A problem in words; an unknown one stands for itself. */
export function wordsOf(problem: string | null, lang: Lang = "en"): Words | null {
  return problem === null ? null : (known(problem, lang) ?? { what: problem.replaceAll("_", " "), todo: "" });
}

/** Why something ended: one of our names in words, or what another side said, as it said it. */
export const reasonInWords = (reason: string, lang: Lang = "en") => known(reason, lang)?.what ?? reason;

/** Problems of a selfie: the guest was sent back to the camera, which is no failure. */
export const isRetake = (problem: string | null) =>
  problem !== null && ["no_face", "many_faces", "too_dark", "blurred", "face_hidden", "not_a_photo"].includes(problem);

/** `3 min`, `5 h` */
export function minutes(ms: number, lang: Lang = "en"): string {
  const { booth } = team(lang);
  const n = Math.max(1, Math.round(ms / 60_000));
  return n < 120 ? booth.minutes(n) : booth.hours(Math.round(n / 60));
}

/** `40 s`, `3 min`: for what is over soon. */
export function age(ms: number, lang: Lang = "en"): string {
  const { booth } = team(lang);
  return ms < 90_000 ? booth.seconds(Math.max(0, Math.round(ms / 1000))) : booth.minutes(Math.round(ms / 60_000));
}

export const dollars = (usd: number) => `$${usd.toFixed(2)}`;
