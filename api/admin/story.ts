/** What happened to one pack, told from its visit's and its own history, its steps and its AI calls. */
import type { CallRow, JobStory, StepRow } from "../../shared/admin/jobs.ts";
import { reasonInWords, wordsOf } from "../../shared/admin/words.ts";
import type { HistoryRow } from "../../shared/status.ts";
import { iso } from "../../shared/time.ts";

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

const STEPS: Record<string, string> = {
  selfie: "Selfie check",
  draw: "Drawing",
  check: "Sheet check",
  cut: "Cutting",
  pack: "Sticker set",
};
const PURPOSES: Record<string, string> = { selfie: "looked at the selfie", sheet: "looked at the sheet", draw: "drew" };
const GOOD_OUTCOMES = ["ok", "gemini", "openai", "offline", "unchecked"];

/** Oldest first. */
export function storyOf({ visit, moves, steps, calls, pack, row }: JobStory): Entry[] {
  const entries: (Entry & { order: number })[] = [];
  const add = (at: number, kind: Entry["kind"], told: Told) =>
    entries.push({ at: iso(at), order: at, kind, ms: null, usd: null, detail: null, ...told });
  for (const move of visit) {
    const told = visitTold(move, row.kiosk, row.name);
    if (told) add(move.at, "visit", told);
  }
  for (const move of moves) add(move.at, "pack", packTold(move));
  for (const step of steps) add(step.at, "step", stepTold(step));
  for (const call of calls) add(call.at - call.ms, "call", callTold(call));
  if (pack?.visible_at) add(pack.visible_at, "pack", { tone: "plain", what: "The pack's page shows it" });
  if (pack?.link_sent_at) add(pack.link_sent_at, "pack", { tone: "good", what: "The guest got the link" });
  return entries.sort((a, b) => a.order - b.order).map(({ order: _, ...entry }) => entry);
}

type Told = Pick<Entry, "tone" | "what"> & Partial<Pick<Entry, "detail" | "ms" | "usd">>;

function visitTold({ before, after, reason }: HistoryRow, kiosk: string | null, name: string | null): Told | null {
  const who = name ?? "The guest";
  const told: Record<string, string> = {
    created: `Start was tapped${kiosk ? ` at kiosk ${kiosk}` : ""}`,
    linked: `${who} scanned the code`,
    consented: `${who} agreed to the photo`,
    template_chosen: `${who} chose an outfit`,
    photo_taken: "A photo came in",
  };
  if (before === "photo_taken" && after === "template_chosen")
    return { tone: "bad", what: `${who} was asked for another photo`, detail: wordsOf(reason)?.what ?? reason };
  const what = told[after];
  // How the visit ends is said by the pack itself.
  return what && before !== "failed" ? { tone: "plain", what } : null;
}

function packTold({ before, after, actor, reason }: HistoryRow): Told {
  const words = wordsOf(reason);
  switch (after) {
    case "queued":
      if (before === null) return { tone: "plain", what: "The pack went into the queue" };
      if (before === "failed") return { tone: "plain", what: `Tried again by ${actor}` };
      return { tone: "bad", what: "It went back into the queue", detail: words?.what ?? null };
    case "running":
      return { tone: "plain", what: `Slot ${actor.split("/").at(-1)} took it` };
    case "delivering":
      return { tone: "plain", what: "Telegram has the set; its page is awaited" };
    case "done":
      return { tone: "good", what: "Delivered" };
    case "failed":
      return { tone: "bad", what: "Failed", detail: words && `${sentence(words.what)} ${words.todo}` };
    default:
      return { tone: "bad", what: `Stopped (${actor})`, detail: words?.what ?? null };
  }
}

function stepTold({ name, outcome, attempt, ms }: StepRow): Told {
  const good = GOOD_OUTCOMES.includes(outcome);
  const tried = attempt > 1 ? `attempt ${attempt}` : null;
  const said = good && outcome !== "unchecked" ? null : outcomeWords(outcome);
  return {
    tone: good ? "good" : "bad",
    what: STEPS[name] ?? name,
    detail: [tried, said].filter(Boolean).join(": ") || null,
    ms,
  };
}

/** An outcome of ours, and after a colon what the other side said. */
function outcomeWords(outcome: string): string {
  const [, ours = outcome, theirs] = /^([a-z_]+): (.+)$/s.exec(outcome) ?? [];
  const said = wordsOf(ours)?.what ?? ours;
  return theirs === undefined ? said : `${said}: ${reasonInWords(theirs)}`;
}

function callTold({ provider, model, purpose, outcome, reason, usd, ms }: CallRow): Told {
  const ok = outcome === "ok";
  return {
    tone: ok ? "plain" : "bad",
    what: ok ? `${provider} ${PURPOSES[purpose] ?? purpose}` : `${provider} did not deliver (${outcome})`,
    detail: [model, reason].filter(Boolean).join(": "),
    ms,
    usd,
  };
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
