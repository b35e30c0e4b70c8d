/**
 * The steps that turn a selfie into cut stickers. Each leaves its result in the job's row (and on disk) before the next
 * begins, so whoever takes the job after a crash goes on from there and pays for nothing twice.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { alertOperators } from "../../shared/alerts.ts";
import { keepDebugSheet, readIfThere, removeFile, sessionDir, writeWhole } from "../../shared/files.ts";
import { assertHeld, isOnItsWay, type Job, keepResult } from "../../shared/jobs.ts";
import { type FailProblem, type RetakeProblem, retakeProblems } from "../../shared/outcomes.ts";
import { coloursOf, templateById } from "../../shared/templates.ts";
import { team } from "../../shared/texts/operators/index.ts";
import type { Purpose } from "../../shared/usage.ts";
import type { BotContext } from "../context.ts";
import type { Artists, Asked, Bill } from "./artists.ts";
import { noteBill } from "./bill.ts";
import { chooseKey } from "./cutter/choose-key.ts";
import { type Cut, SheetUnusable } from "./cutter/cutter.ts";
import { cutOffThread } from "./cutter/off-thread.ts";
import { emojiFor } from "./emoji.ts";
import { mimeOf } from "./providers/gemini.ts";
import type { Provider, Reply, SelfieVerdict, SheetVerdict } from "./providers/provider.ts";

/** Sheets paid for in one go; after that the guest is told rather than the bill grown. */
export const MAX_DRAWS = 3;

/** Times that a sheet is cut anew after its cutter died. */
const CUTS_AGAIN = 1;

export type Bench = {
  context: BotContext;
  artists: Artists;
  /** Ends with the job's lease, and when the process stops. */
  signal: AbortSignal;
  /** Ends when the process stops. */
  stopping: AbortSignal;
};

/** Where a step leaves the job: with a result, for a pause, or at its end. */
export type Left =
  | { kind: "kept"; job: Job; outcome: string }
  | { kind: "pause"; reason: string; untilMs?: number }
  | { kind: "retake"; problem: RetakeProblem }
  /** `reason` is what the other side said, without secrets: for the operators. */
  | { kind: "fail"; problem: FailProblem; reason?: string };

export type Step = { name: string; done: (job: Job) => boolean; run: (bench: Bench, job: Job) => Promise<Left> };

export type StoredSticker = { file: string; emoji: string[] };

export const steps: readonly Step[] = [
  { name: "selfie", done: (job) => job.selfie_check !== null, run: checkSelfie },
  { name: "draw", done: (job) => job.sheet !== null, run: drawSheet },
  { name: "check", done: (job) => job.sheet_check !== null, run: checkSheet },
  { name: "cut", done: (job) => job.stickers !== null, run: cutSheet },
];

const fileOf = ({ context }: Bench, job: Job, name: string) =>
  join(sessionDir(context.config.DATA_DIR, job.session_token), name);
const photoGone: Left = { kind: "fail", problem: "photo_gone" };

async function checkSelfie(bench: Bench, job: Job): Promise<Left> {
  const selfie = await readIfThere(fileOf(bench, job, job.selfie));
  if (!selfie) return photoGone;
  const asked = await ask(bench, job, "selfie", (artist, signal) => artist.checkSelfie(selfie, signal));
  if (asked.outcome === "refused") return { kind: "fail", problem: "refused" };
  // Nobody could look: the drawing itself will tell, and it is better to try than to send a guest away.
  const verdict: SelfieVerdict | null = asked.outcome === "ok" ? asked.value : null;
  // One that contradicts itself is believed where it costs less: a second selfie is free.
  if (verdict && (!verdict.usable || verdict.problem !== "none"))
    return { kind: "retake", problem: retakeProblem(verdict) };
  return keep(
    bench,
    job,
    { selfie_check: JSON.stringify(verdict ?? { unchecked: true }) },
    verdict ? "ok" : "unchecked",
  );
}

/** A model may say "not usable" without a problem of our list. */
function retakeProblem({ problem, faces }: SelfieVerdict): RetakeProblem {
  const named = retakeProblems.find((p) => p === problem);
  return named ?? (faces === 0 ? "no_face" : faces > 1 ? "many_faces" : "not_a_photo");
}

async function drawSheet(bench: Bench, job: Job): Promise<Left> {
  const { db, config, now } = bench.context;
  if (job.draws >= MAX_DRAWS) return { kind: "fail", problem: "bad_sheet" };
  const selfie = await readIfThere(fileOf(bench, job, job.selfie));
  if (!selfie) return photoGone;
  const template = templateById(db, job.template_id);
  const outfit = { id: job.template_id, prompt: template?.prompt ?? "what they wear in the photo" };
  const key = job.key_colour
    ? JSON.parse(job.key_colour)
    : await chooseKey(selfie, template ? coloursOf(template) : []);
  const order = { selfie, outfit, count: config.STICKERS_PER_PACK, key, lang: job.lang, attempt: job.draws };
  const name = `sheet-${job.id}-${job.draws + 1}`;
  // Paid for by a process that died before it could write the row: the file is there, so it is not drawn again.
  const found = sheetOf(bench, job, name);
  if (found) return keep(bench, job, { sheet: found, draws: job.draws + 1 }, "found");

  const asked = await ask(
    bench,
    job,
    "draw",
    (artist, signal) => artist.drawSheet(order, signal),
    (bytes) => {
      // One who stood still meanwhile finds another's there, which may be judged already: it stays.
      if (isOnItsWay(db, job.id) && !sheetOf(bench, job, name))
        writeWhole(fileOf(bench, job, `${name}.${extensionOf(bytes)}`), bytes);
    },
  );
  if (asked.outcome === "refused") return { kind: "fail", problem: "refused" };
  if (asked.outcome === "unavailable") return { kind: "pause", reason: asked.reason };
  const sheet = sheetOf(bench, job, name) ?? `${name}.${extensionOf(asked.value)}`;
  return keep(
    bench,
    job,
    { sheet, sheet_by: asked.by, draws: job.draws + 1, key_colour: JSON.stringify(key), rounds: 0 },
    asked.by,
    now(),
  );
}

const extensions = ["png", "jpg", "webp"];
const extensionOf = (bytes: Uint8Array) => ({ "image/png": "png", "image/webp": "webp" })[mimeOf(bytes)] ?? "jpg";

/** The file of a draw, if it is there. */
const sheetOf = (bench: Bench, job: Job, name: string) =>
  extensions.map((extension) => `${name}.${extension}`).find((file) => existsSync(fileOf(bench, job, file)));

async function checkSheet(bench: Bench, job: Job): Promise<Left> {
  const { config } = bench.context;
  const sheet = await readIfThere(fileOf(bench, job, job.sheet as string));
  if (!sheet) return keep(bench, job, { sheet: null }, "gone");
  const asked = await ask(bench, job, "sheet", (artist, signal) =>
    artist.checkSheet(sheet, config.STICKERS_PER_PACK, signal),
  );
  // A sheet that was paid for is not thrown away because nobody could look at it; the cutter has its own eyes.
  const verdict: SheetVerdict = asked.outcome === "ok" ? asked.value : { usable: true, problem: "none", stickers: [] };
  if (!verdict.usable) return reject(bench, job, sheet, verdict.problem);
  return keep(bench, job, { sheet_check: JSON.stringify(verdict) }, asked.outcome === "ok" ? "ok" : "unchecked");
}

async function cutSheet(bench: Bench, job: Job): Promise<Left> {
  const { config } = bench.context;
  const sheet = await readIfThere(fileOf(bench, job, job.sheet as string));
  if (!sheet) return keep(bench, job, { sheet: null, sheet_check: null }, "gone");
  let cut: Cut;
  try {
    cut = await cutOffThread(sheet, { count: config.STICKERS_PER_PACK }, bench.signal);
  } catch (error) {
    if (!(error instanceof SheetUnusable)) throw error;
    // The cutter's thread died: no fault of the sheet, which was paid for. Cut again; if that is no better, draw again.
    if (error.code === "cutter_failed" && job.strikes <= CUTS_AGAIN) throw error;
    return reject(bench, job, sheet, error.code);
  }
  const whole = cut.stickers.length === config.STICKERS_PER_PACK;
  // A doubt is worth another sheet while there is one to be had; the last one goes out if nothing is missing from it.
  const doubt = cut.problems[0] ?? (whole ? null : "wrong_count");
  if (doubt && !(whole && job.draws >= MAX_DRAWS)) return reject(bench, job, sheet, doubt);
  const verdict = JSON.parse(job.sheet_check as string) as SheetVerdict;
  assertHeld(bench.context.db, job);
  const stickers = cut.stickers.map((sticker): StoredSticker => {
    const file = `sticker-${job.id}-${String(sticker.cell).padStart(2, "0")}.${sticker.type}`;
    writeWhole(fileOf(bench, job, file), sticker.bytes);
    return { file, emoji: emojiFor(verdict, sticker.cell) };
  });
  return keep(bench, job, { stickers: JSON.stringify(stickers) }, doubt ?? "ok");
}

/** The sheet is set aside for the operators to see, and the job goes back to the drawing. */
function reject(bench: Bench, job: Job, sheet: Uint8Array, problem: string): Left {
  assertHeld(bench.context.db, job);
  keepDebugSheet(bench.context.config.DATA_DIR, job, sheet);
  removeFile(fileOf(bench, job, job.sheet as string));
  bench.context.log.warn({ job: job.id, draw: job.draws, problem }, "a sheet was rejected");
  return keep(bench, job, { sheet: null, sheet_check: null }, problem);
}

function keep(
  bench: Bench,
  job: Job,
  result: Parameters<typeof keepResult>[2],
  outcome: string,
  now = bench.context.now(),
): Left {
  return { kind: "kept", job: keepResult(bench.context.db, job, result, now), outcome };
}

/**
 * Asks the artists and writes the bill.
 * @param store keeps what a call brought before its bill is written: paid for means stored, unless it cannot be
 */
async function ask<T>(
  bench: Bench,
  job: Job,
  purpose: Purpose,
  call: (artist: Provider, signal: AbortSignal) => Promise<Reply<T>>,
  store?: (value: T) => void,
): Promise<Asked<T>> {
  const { db, config, now, log } = bench.context;
  const billed = (bill: Bill, value: T | undefined) => {
    try {
      if (value !== undefined) store?.(value);
    } finally {
      // The artist wants its money also for what a full disk did not take.
      noteBill(bench.context, job.id, bill);
    }
  };
  const mayAsk = () => assertHeld(db, job);
  const asked = await bench.artists.ask(purpose, call, { signal: bench.signal, mayAsk, billed });
  if (asked.outcome !== "ok")
    log.warn({ job: job.id, purpose, outcome: asked.outcome, reason: asked.reason }, "an artist did not deliver");
  for (const { name, reason } of asked.broken) {
    alertOperators(db, config, {
      cause: `broken:${name}`,
      text: team(config.TEAM_LANG).alerts.broken(name, reason),
      now: now(),
    });
  }
  return asked;
}
