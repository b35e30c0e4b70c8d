/** What happened to one pack, told from its visit's and its own history, its steps and its AI calls. */
import type { CallRow, JobRow, JobStory, StepRow } from "../../shared/admin/jobs.ts";
import { personOf, reasonInWords, wordsOf } from "../../shared/admin/words.ts";
import type { HistoryRow, Lang } from "../../shared/status.ts";
import { team } from "../../shared/texts/operators/index.ts";
import type { CallOutcome, StoryTexts } from "../../shared/texts/operators/types.ts";
import { iso } from "../../shared/time.ts";
import type { Purpose } from "../../shared/usage.ts";

export type Tone = "good" | "bad" | "plain";
export type Entry = {
  at: string;
  kind: "visit" | "pack" | "step" | "call";
  tone: Tone;
  what: string;
  detail: string | null;
  ms: number | null;
  usd: number | null;
};

/** Which calls a step makes. */
const CALLS: Record<string, Purpose> = { selfie: "selfie", draw: "draw", check: "sheet" };
const GOOD_OUTCOMES = ["ok", "gemini", "openai", "offline", "unchecked"];

/**
 * Oldest first. Times are whole milliseconds and the beginning of a call is reckoned from its end, so within one of them,
 * or with a call that seems to begin before its step, it is the work's own order that counts.
 */
export function storyOf({ visit, moves, steps, calls, pack, row }: JobStory, lang: Lang): Entry[] {
  const texts = team(lang).story;
  const rank = { begin: -1, left: steps.length, shown: steps.length + 1, end: steps.length + 2 };
  const entries: { order: number; rank: number; entry: Entry }[] = [];
  const add = (order: number, rank: number, kind: Entry["kind"], told: Told) =>
    entries.push({ order, rank, entry: { at: iso(order), kind, ms: null, usd: null, detail: null, ...told } });
  for (const move of visit) {
    const told = visitTold(move, row, lang);
    if (told) add(move.at, rank.begin, "visit", told);
  }
  for (const move of moves) {
    const isLeft = move.before === "running" || move.before === "delivering";
    add(move.at, isEnd(move) ? rank.end : isLeft ? rank.left : rank.begin, "pack", packTold(move, lang));
  }
  for (const [i, step] of steps.entries()) add(step.at, i, "step", stepTold(step, lang));
  for (const call of calls) {
    const i = steps.findLastIndex(({ name, at }) => CALLS[name] === call.purpose && at <= call.at);
    add(Math.max(call.at - call.ms, steps[i]?.at ?? 0), i + 0.5, "call", callTold(call, texts));
  }
  if (pack?.visible_at) add(pack.visible_at, rank.shown, "pack", { tone: "plain", what: texts.pageShows });
  if (pack?.link_sent_at) add(pack.link_sent_at, rank.shown, "pack", { tone: "good", what: texts.linked });
  return entries.sort((a, b) => a.order - b.order || a.rank - b.rank).map(({ entry }) => entry);
}

const isEnd = ({ after }: HistoryRow) => ["done", "failed", "cancelled"].includes(after);

type Told = Pick<Entry, "tone" | "what"> & Partial<Pick<Entry, "detail" | "ms" | "usd">>;

function visitTold({ before, after, reason }: HistoryRow, { kiosk, name }: JobRow, lang: Lang): Told | null {
  const texts = team(lang).story;
  if (before === "photo_taken" && after === "template_chosen") {
    const detail = reason && (wordsOf(reason, lang)?.what ?? reason);
    return { tone: "bad", what: texts.askedAgain(name), detail };
  }
  const told: Record<string, string> = {
    created: texts.start(kiosk),
    linked: texts.scanned(name),
    consented: texts.agreed(name),
    template_chosen: texts.choseOutfit(name),
    photo_taken: texts.photo,
  };
  const what = told[after];
  // How the visit ends is said by the pack itself.
  return what && before !== "failed" ? { tone: "plain", what } : null;
}

function packTold({ before, after, actor, reason }: HistoryRow, lang: Lang): Told {
  const texts = team(lang).story;
  const words = wordsOf(reason, lang);
  switch (after) {
    case "queued":
      if (before === null) return { tone: "plain", what: texts.queued };
      if (before === "failed") return { tone: "plain", what: texts.retried(personOf(actor, lang)) };
      return { tone: "bad", what: texts.back, detail: reason && outcomeWords(reason, lang) };
    case "running":
      return { tone: "plain", what: texts.slot(actor.split("/").at(-1) ?? actor) };
    case "delivering":
      return { tone: "plain", what: texts.awaited };
    case "done":
      return { tone: "good", what: texts.delivered };
    case "failed":
      return { tone: "bad", what: texts.failed, detail: words && `${sentence(words.what)} ${words.todo}` };
    default:
      return { tone: "bad", what: texts.stopped(personOf(actor, lang)), detail: words?.what ?? null };
  }
}

function stepTold({ name, outcome, attempt, ms }: StepRow, lang: Lang): Told {
  const texts = team(lang).story;
  const good = GOOD_OUTCOMES.includes(outcome);
  const tried = attempt > 1 ? texts.attempt(attempt) : null;
  const said = good && outcome !== "unchecked" ? null : outcomeWords(outcome, lang);
  return {
    tone: good ? "good" : "bad",
    what: texts.steps[name as keyof StoryTexts["steps"]] ?? name,
    detail: [tried, said].filter(Boolean).join(": ") || null,
    ms,
  };
}

/** One of ours, known or not, or what another side said. */
const outcomeWords = (outcome: string, lang: Lang) =>
  /^[a-z_]+$/.test(outcome) ? (wordsOf(outcome, lang)?.what ?? outcome) : reasonInWords(outcome, lang);

function callTold({ provider, model, purpose, outcome, reason, usd, ms }: CallRow, texts: StoryTexts): Told {
  const ok = outcome === "ok";
  return {
    tone: ok ? "plain" : "bad",
    what: ok ? texts.did(provider, purpose as Purpose) : texts.didNot(provider, outcome as CallOutcome),
    detail: [model, reason].filter(Boolean).join(": "),
    ms,
    usd,
  };
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
