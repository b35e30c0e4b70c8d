/**
 * What is wrong with the booth now, worst first, each with what to do. The page's sentence on top, `/status` and the
 * operators' alerts all come from here, so that they never contradict each other.
 */
import { BUDGET_WARNING, type BudgetConfig } from "../budget.ts";
import type { Config } from "../config.ts";
import { isLate } from "../heartbeats.ts";
import { spoken } from "../plain-words.ts";
import type { Lang } from "../status.ts";
import { team } from "../texts/operators/index.ts";
import { kioskProblems } from "./kiosk-problems.ts";
import { DEAF_AFTER_MS, isDeaf, machineProblems, outboxProblems } from "./machine-problems.ts";
import type { Now } from "./now.ts";
import { packProblems } from "./pack-problems.ts";
import { dollars, minutes, wordsOf } from "./words.ts";

/** A loop that fails so often in a row is not having a hiccup. */
const FAILING = 3;

export type Level = "red" | "amber";
export type Problem = {
  cause: string;
  level: Level;
  /** A sentence: what is wrong. */
  what: string;
  /** A sentence: what to do. */
  todo: string;
  /** Said in the operators' chat when it is over; without it nobody is told there at all. */
  ending?: string;
  /** What a group of like ones is made of; the group speaks for them. */
  parts?: Problem[];
  /** The pack that it is about, when a retry may mend it. */
  job?: number;
};

export type ProblemSettings = Pick<Config, "AI_PROVIDERS" | "GEMINI_API_KEY" | "OPENAI_API_KEY" | "LEADS_CHAT_ID"> &
  BudgetConfig & { TEAM_LANG: Lang };

/** @param lang of the sentences: the team's, or the one that a browser asked for */
export function problemsOf(now: Now, config: ProblemSettings, lang: Lang = config.TEAM_LANG): Problem[] {
  const found = [
    // The first of those that are not red: guests are sent away until somebody thinks of it.
    ...pause(now, lang),
    ...artists(config, lang),
    ...bot(now, lang),
    ...money(now, lang),
    ...packProblems(now, config, lang),
    ...failures(now, lang),
    ...kioskProblems(now, lang),
    ...outboxProblems(now, config, lang),
    ...machineProblems(now, lang),
  ];
  return [...found.filter((p) => p.level === "red"), ...found.filter((p) => p.level === "amber")];
}

function artists({ AI_PROVIDERS, GEMINI_API_KEY, OPENAI_API_KEY }: ProblemSettings, lang: Lang): Problem[] {
  const hired = AI_PROVIDERS.filter(
    (name) => name === "offline" || (name === "gemini" ? GEMINI_API_KEY : OPENAI_API_KEY),
  );
  return hired.length > 0 ? [] : [{ cause: "artists", level: "red", ...team(lang).booth.artists }];
}

function bot({ poll, loops, at, maintenance }: Now, lang: Lang): Problem[] {
  const texts = team(lang).booth;
  const lastSign = Math.max(0, ...[poll, ...loops].map((beat) => beat?.last_ok_at ?? 0));
  if (lastSign === 0 || at - lastSign > DEAF_AFTER_MS) {
    const ago = lastSign === 0 ? null : minutes(at - lastSign, lang);
    // Whoever does not run cannot tell: no ending, and nothing in the chat.
    const { what, todo } = texts.botDown(ago, maintenance !== null);
    return [{ cause: "bot", level: "red", what, todo }];
  }
  const found: Problem[] = [];
  if (isDeaf(poll, at)) {
    const silentFor = poll?.last_ok_at ? minutes(at - poll.last_ok_at, lang) : null;
    found.push({ cause: "telegram", level: "red", ...texts.deaf(silentFor) });
  }
  for (const loop of loops.filter((beat) => isLate(beat, at))) {
    if (loop.failures > 0 && loop.failures < FAILING) continue;
    const error = loop.failures > 0 && loop.last_error ? spoken(loop.last_error, lang) : null;
    found.push({ cause: `loop:${loop.loop}`, level: "red", ...texts.loop(loop.loop, error) });
  }
  return found;
}

function money({ budget, counts }: Now, lang: Lang): Problem[] {
  const { limit, spent, share, held, day } = budget;
  const texts = team(lang).booth;
  if (limit === 0 || share < BUDGET_WARNING) return [];
  if (held) {
    const used = texts.budgetUsed(dollars(limit, lang), counts.queued);
    return [{ cause: `budget:100:${day}:${limit}`, level: "red", ...used }];
  }
  const warning = texts.budgetWarning(Math.floor(share * 100), dollars(spent, lang), dollars(limit, lang));
  return [{ cause: `budget:80:${day}:${limit}`, level: "amber", ...warning }];
}

/** Each is alerted by itself when it happens; here it is a reminder that somebody left without stickers. */
function failures({ today, lastFailed }: Now, lang: Lang): Problem[] {
  if (today.failed === 0 || lastFailed === null) return [];
  const texts = team(lang).booth;
  if (today.failed === 1) {
    const { id, name, problem } = lastFailed;
    const words = wordsOf(problem, lang);
    const { what } = texts.noStickers(name, id, words?.what ?? null);
    return [{ cause: "failures", level: "amber", what, todo: words?.todo ?? "", job: id }];
  }
  const most = today.failed >= 3 && today.failed > today.packs;
  return [{ cause: "failures", level: most ? "red" : "amber", ...texts.manyFailed(today.failed, most) }];
}

function pause({ maintenance }: Now, lang: Lang): Problem[] {
  if (!maintenance) return [];
  return [{ cause: "pause", level: "amber", ...team(lang).booth.paused(maintenance.reason) }];
}
