/** Nothing is paid for twice: once a step's result is kept, no artist is asked for it again. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Call } from "../sim/types.ts";
import type { Booth } from "./booth.ts";
import { CROSSING_MS } from "./incidents.ts";

type Kept = { job_id: number; step: string; value: string | null; at: number };

export async function checkCalls(booth: Booth): Promise<string[]> {
  const jobs = new Map<string, number>();
  const rows = booth.rows("SELECT id, session_token, selfie FROM jobs") as {
    id: number;
    session_token: string;
    selfie: string;
  }[];
  const kept = booth.rows("SELECT * FROM chaos_results ORDER BY at") as Kept[];
  for (const { id, session_token, selfie } of rows) {
    const sheets = kept.filter((k) => k.job_id === id && k.step === "image" && k.value).map((k) => k.value as string);
    for (const name of [selfie, ...sheets]) {
      const path = join(booth.dataDir, "sessions", session_token, name);
      if (existsSync(path)) jobs.set(createHash("sha256").update(readFileSync(path)).digest("hex"), id);
    }
  }
  const again = booth.sim.calls.flatMap((call) => {
    const step = /^(?:gemini|openai):(selfie|image|sheet)$/.exec(call.target)?.[1];
    const job = step === undefined ? undefined : jobs.get(pictureOf(call) ?? "");
    if (step === undefined || job === undefined) return [];
    const paid = keptAt(kept, job, step, call.at - CROSSING_MS);
    return paid ? [`job ${job} asked for its ${step} again, ${Math.round(call.at - paid.at)} ms after it had it`] : [];
  });
  return [...again, ...checkBills(booth, kept), ...checkThrownAway(booth, kept)];
}

/** A sheet that was paid for is given up only when it was judged, and then it is kept for the operators to see. */
function checkThrownAway(booth: Booth, kept: Kept[]): string[] {
  const shown = booth.files().filter((file) => file.startsWith("debug_sheets/"));
  // Of a guest who was erased nothing is shown to anybody.
  const ids = booth.rows("SELECT id FROM jobs WHERE user_id IS NOT NULL") as { id: number }[];
  return ids.flatMap(({ id }) => {
    const gone = kept.filter((k) => k.job_id === id && k.step === "image" && k.value === null).length;
    const judged = shown.filter((file) => file.startsWith(`debug_sheets/job-${id}-`)).length;
    return gone > judged ? [`job ${id} gave up ${gone} sheets, of which ${judged} were judged`] : [];
  });
}

/** A sheet is on disk before its bill is written: whoever dies after that goes on with the sheet and draws no other. */
function checkBills(booth: Booth, kept: Kept[]): string[] {
  const bills = booth.rows(
    `SELECT job_id, count(*) AS n FROM ai_usage WHERE purpose = 'draw' AND outcome = 'ok'
       AND job_id IN (SELECT id FROM jobs WHERE status = 'done') GROUP BY job_id`,
  ) as { job_id: number; n: number }[];
  return bills.flatMap(({ job_id, n }) => {
    const used = kept.filter((k) => k.job_id === job_id && k.step === "image" && k.value !== null).length;
    return n > used ? [`job ${job_id} paid for ${n} sheets and used ${used}`] : [];
  });
}

/** The result of a step that stood in the job at this time. */
function keptAt(kept: Kept[], job: number, step: string, at: number): Kept | null {
  const last = kept.filter((k) => k.job_id === job && k.step === step && k.at < at).at(-1);
  return last?.value ? last : null;
}

/** SHA-256 of the picture that an artist was shown. */
const pictureOf = ({ params }: Call) => (params.sha256 as string[] | undefined)?.[0];
