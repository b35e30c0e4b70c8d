import { en } from "./en.ts";
import { ru } from "./ru.ts";
import { uz } from "./uz.ts";

export type Locale = "ru" | "uz" | "en";
export type FieldName = "name" | "contact" | "event_type" | "event_date" | "guests" | "city" | "comment";

/** What can be wrong: a field's rule, or that its day is over. */
export type ErrorName = FieldName | "past_date";

/** All that a visitor reads, in one language. */
export type Texts = {
  title: string;
  description: string;
  skip: string;
  languages: string;
  brand: string;
  /** The headline in three parts; the middle one is set as a sticker. */
  headline: [string, string, string];
  lead: string;
  /** What the picture shows, for those who do not see it, and the word in its bubble. */
  art: string;
  cheer: string;
  toForm: string;
  stepsTitle: string;
  steps: { title: string; text: string }[];
  formTitle: string;
  formLead: string;
  required: string;
  labels: Record<FieldName, string>;
  contactHint: string;
  eventNone: string;
  events: Record<"wedding" | "birthday" | "corporate" | "other", string>;
  honeypot: string;
  submit: string;
  sending: string;
  privacy: string;
  errors: Record<ErrorName, string>;
  errorsTitle: string;
  /** Why the request was not delivered; the ways to reach people follow each of them. */
  failed: string;
  offline: string;
  refused: string;
  crossSite: string;
  tooLarge: string;
  notAForm: string;
  wait: (minutes: number) => string;
  call: string;
  write: string;
  thanksNumbered: (number: number) => string;
  thanks: string;
  thanksText: string;
  another: string;
  notFound: string;
  home: string;
  footer: string;
};

export const LOCALES: Locale[] = ["ru", "uz", "en"];
export const LOCALE_NAMES: Record<Locale, string> = { ru: "Русский", uz: "Oʻzbekcha", en: "English" };
export const TEXTS: Record<Locale, Texts> = { ru, uz, en };

export function isLocale(value: string | undefined): value is Locale {
  return value === "ru" || value === "uz" || value === "en";
}

/** The language a browser prefers among ours, from `Accept-Language` in its own order; Russian when it names none. */
export function preferredLocale(acceptLanguage: string | null): Locale {
  const wanted = (acceptLanguage ?? "").slice(0, 500).split(",");
  const weighed = wanted.map((entry) => {
    const [tag = "", weight] = entry.trim().split(/;\s*q=/);
    return { language: tag.slice(0, 2).toLowerCase(), weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  weighed.sort((a, b) => b.weight - a.weight);
  const language = weighed.find((entry) => entry.weight > 0 && isLocale(entry.language))?.language;
  return isLocale(language) ? language : "ru";
}
