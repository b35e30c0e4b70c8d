/** Everything the booth says to a guest in Telegram, in each language. HTML; names are escaped by the one who quotes them. */
import type { Config, ProviderName } from "../config.ts";
import type { FailProblem, RetakeProblem } from "../outcomes.ts";
import type { Lang } from "../status.ts";
import { en } from "./en.ts";
import { ru } from "./ru.ts";
import { uz } from "./uz.ts";

export type Texts = {
  /** The language's own name, for its button. */
  self: string;
  consent: {
    ask(name: string, hours: number, companies: string[]): string;
    yes: string;
    no: string;
    agreed: string;
    declined: string;
    /** What a question reads once nobody may answer it any more. */
    closed: { agreed: string; declined: string; timeout: string; reset: string };
  };
  link: { used: string; over: string; unknown: string };
  start: string;
  help: string;
  privacy(hours: number, companies: string[]): string;
  language: { ask: string; set: string };
  packs: {
    none: string;
    list(count: number): string;
    /** @param outfit undefined when the booth has it no more */
    pack(outfit: string | undefined, at: number, zone: string, now: number): string;
  };
  erase: {
    ask: string;
    data: string;
    packs: string;
    keep: string;
    kept: string;
    done(files: number, packs: number, busy: number): string;
  };
  where: { nothing: string; linked: string; consented: string; template_chosen: string; photo_taken: string };
  photo: {
    taken: string;
    takenQueued(minutes: number): string;
    notNow: string;
    chooseFirst: string;
    unreadable: string;
    tooLarge: string;
    tooSlow: string;
    onlyPhotos: string;
  };
  packLimit(limit: number): string;
  maintenance: string;
  retake: Record<RetakeProblem, string>;
  failed: Record<FailProblem, string>;
  pack: { title(name: string): string; ready(count: number): string; add: string };
  commands: { start: string; packs: string; language: string; privacy: string; delete: string; help: string };
};

/** Above it, "about a minute" would be untrue. */
const QUEUED_FROM_S = 120;

/** What a guest hears of a photo that was accepted. */
export function photoTaken(lang: Lang, etaSeconds: number | null): string {
  const { taken, takenQueued } = speak(lang).photo;
  return (etaSeconds ?? 0) < QUEUED_FROM_S ? taken : takenQueued(Math.round((etaSeconds ?? 0) / 60));
}

const COMPANIES: Partial<Record<ProviderName, string>> = { gemini: "Google", openai: "OpenAI" };

/** Whom a photo may be sent to, by the names that guests know; nobody when the booth draws by itself. */
export function companiesOf(config: Pick<Config, "AI_PROVIDERS" | "GEMINI_API_KEY" | "OPENAI_API_KEY">): string[] {
  const hasKey = { gemini: config.GEMINI_API_KEY, openai: config.OPENAI_API_KEY, offline: undefined };
  return config.AI_PROVIDERS.filter((name) => hasKey[name]).flatMap((name) => COMPANIES[name] ?? []);
}

const texts: Record<Lang, Texts> = { ru, uz, en };

export const speak = (lang: Lang): Texts => texts[lang];

/** Makes anything a person typed safe inside Telegram's HTML. */
export const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] as string);
