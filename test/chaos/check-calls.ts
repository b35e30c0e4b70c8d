/** Nothing is paid for twice: once a step's result is there, no artist is asked for it again. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Call } from "../sim/types.ts";
import type { Json } from "../world.ts";
import type { Booth } from "./booth.ts";
import { crosses } from "./incidents.ts";

type Kept = { job_id: number; step: string; value: string | null; at: number };
type Paid = { job_id: number; at: number };
/** A call of an artist, what it is about, and since when there is a picture to ask about. */
type Asked = { job: number; step: string; at: number; since: number };

export function checkCalls(booth: Booth): string[] {
  const kept = booth.rows("SELECT * FROM chaos_results ORDER BY at") as Kept[];
  const asked = askedOf(booth, kept);
  return [
    ...checkAgain(booth, asked, kept),
    ...checkUnused(booth, asked, kept),
    ...checkThrownAway(booth, kept),
    ...checkJudged(booth),
  ];
}

export const hashOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

/** Calls whose picture is still on the disk, by the job that it belongs to. */
function askedOf(booth: Booth, kept: Kept[]): Asked[] {
  const pictures = new Map<string, { job: number; since: number }>();
  const rows = booth.rows("SELECT id, session_token, selfie FROM jobs") as {
    id: number;
    session_token: string;
    selfie: string;
  }[];
  for (const { id, session_token, selfie } of rows) {
    const sheets = kept.filter((k) => k.job_id === id && k.step === "image" && k.value !== null);
    for (const { value, at } of [{ value: selfie, at: 0 }, ...sheets]) {
      const path = join(booth.dataDir, "sessions", session_token, String(value));
      if (existsSync(path)) pictures.set(hashOf(path), { job: id, since: at });
    }
  }
  return booth.sim.calls.flatMap((call) => {
    const step = /^(?:gemini|openai):(selfie|image|sheet)$/.exec(call.target)?.[1];
    const picture = pictures.get(pictureOf(call) ?? "");
    return step === undefined || picture === undefined ? [] : [{ ...picture, step, at: call.at }];
  });
}

/**
 * A verdict on a picture that is still there holds for good. A sheet is drawn anew only after the one before was given up,
 * which `checkThrownAway` looks into.
 */
function checkAgain(booth: Booth, asked: Asked[], kept: Kept[]): string[] {
  return asked.flatMap(({ job, step, at, since }) => {
    const own = kept.filter((k) => k.job_id === job && k.step === step && k.at > since);
    const had = own.filter((k) => k.at < at);
    // One that was given up is drawn anew.
    const paid = (step === "image" ? had.slice(-1) : had).find((k) => k.value !== null && !crosses(booth, k.at, at));
    return paid ? [`job ${job} asked for its ${step} again, ${Math.round(at - paid.at)} ms after it had it`] : [];
  });
}

/** A sheet is on the disk before its bill is written: whoever goes on after that uses it, and asks for no other. */
function checkUnused(booth: Booth, asked: Asked[], kept: Kept[]): string[] {
  const paid: Paid[] = booth.rows("SELECT job_id, at FROM chaos_bills WHERE purpose = 'draw' AND outcome = 'ok'");
  const events = [
    ...asked.filter(({ step }) => step === "image").map(({ job, at }) => ({ job, at, what: "asked" })),
    ...paid.map(({ job_id, at }) => ({ job: job_id, at, what: "paid" })),
    ...kept.filter((k) => k.step === "image" && k.value).map((k) => ({ job: k.job_id, at: k.at, what: "kept" })),
  ].sort((a, b) => a.at - b.at);
  return [...Map.groupBy(events, ({ job }) => job)].flatMap(([job, own]) => {
    let [isAsked, isPaid] = [false, false];
    const wrong: string[] = [];
    for (const { what, at } of own) {
      if (what === "asked" && isPaid) wrong.push(`job ${job} paid for a sheet and asked for another`);
      // A bill that comes when the sheet is kept already is one of a worker that stood still meanwhile.
      if (what === "paid" && isAsked && !couldNotBeKept(booth, at)) isPaid = true;
      if (what === "asked") isAsked = true;
      if (what === "kept") [isAsked, isPaid] = [false, false];
    }
    return wrong;
  });
}

/** A full disk takes no sheet, and its artist wants the money all the same. */
const couldNotBeKept = ({ spans }: Booth, at: number) => spans.some(({ from, to }) => from <= at && at <= to);

/** A sheet that was paid for is given up only when it was judged, and then it is kept for the operators to see. */
function checkThrownAway(booth: Booth, kept: Kept[]): string[] {
  if (booth.filesMayGo) return [];
  const shown = booth.files().filter((file) => file.startsWith("debug_sheets/"));
  // Of a guest who was erased nothing is shown to anybody.
  const ids = booth.rows("SELECT id FROM jobs WHERE user_id IS NOT NULL") as { id: number }[];
  return ids.flatMap(({ id }) => {
    const gone = kept.filter((k) => k.job_id === id && k.step === "image" && k.value === null).length;
    const judged = shown.filter((file) => file.startsWith(`debug_sheets/job-${id}-`)).length;
    return gone > judged ? [`job ${id} gave up ${gone} sheets, of which ${judged} were judged`] : [];
  });
}

/** The sheet that a pack was cut from is the very one that was judged: no late one of the same name took its place. */
function checkJudged(booth: Booth): string[] {
  const shown = new Set(booth.sim.calls.filter(({ target }) => target.endsWith(":sheet")).map(pictureOf));
  const done: Json[] = booth.rows("SELECT id, session_token, sheet FROM jobs WHERE status = 'done'");
  return done.flatMap(({ id, session_token, sheet }) => {
    const path = join(booth.dataDir, "sessions", session_token, sheet);
    return existsSync(path) && !shown.has(hashOf(path)) ? [`the sheet of job ${id} was never judged`] : [];
  });
}

/** SHA-256 of the picture that an artist was shown. */
export const pictureOf = ({ params }: Call) => (params.sha256 as string[] | undefined)?.[0];
