/** Nothing comes to nothing without a cause: a job that failed, or a selfie that was sent back, met what the plan had for it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type FailProblem, failProblems, retakeProblems } from "../../shared/outcomes.ts";
import type { Fault, FaultTold } from "../sim/faults.ts";
import type { Json } from "../world.ts";
import type { Booth } from "./booth.ts";
import { hashOf, pictureOf } from "./check-calls.ts";

/** A job that an operator stops has not failed. */
const NEVER = failProblems.filter((problem) => problem === "cancelled");
const SHEETS_A_JOB = 3;
const RETAKES = JSON.stringify(retakeProblems);

type Made = { fault: Fault; told: FaultTold };
const made = new WeakMap<Booth, Made[]>();

/** From now on each fault is remembered, also when the simulator has forgotten it: the log of calls says nothing of some. */
export function rememberFaults(booth: Booth) {
  const { sim } = booth;
  const faults: Made[] = [];
  const make = sim.fault.bind(sim);
  sim.fault = (fault) => {
    const told = make(fault);
    faults.push({ fault, told });
    return told;
  };
  made.set(booth, faults);
}

/** How many calls met such a fault. */
function met(booth: Booth, isSuch: (fault: Fault) => boolean): number {
  return (made.get(booth) ?? []).reduce((sum, { fault, told }) => sum + (isSuch(fault) ? told.met : 0), 0);
}

const isRefusal = ({ do: action }: Fault) => "outcome" in action && action.outcome === "refused";
const isSetRefusal = ({ target, do: action }: Fault) =>
  target === "telegram:createNewStickerSet" && "status" in action && action.status === 400;
const isRetake = (fault: Fault) => "answer" in fault.do && fault.target.endsWith(":selfie");

export function checkCauses(booth: Booth): string[] {
  // Of a guest who was erased the files go first: whoever worked for them may have missed one.
  const failed: Json[] = booth.rows("SELECT * FROM jobs WHERE status = 'failed' AND user_id IS NOT NULL ORDER BY id");
  return [
    ...failed.flatMap((job) => checkFailed(booth, job)),
    ...checkSets(booth),
    ...checkRefused(booth),
    ...checkRetakes(booth),
    ...checkTryouts(booth),
  ];
}

function checkFailed(booth: Booth, { id, problem }: Json): string[] {
  const wrong: string[] = [];
  if (!failProblems.includes(problem) || NEVER.includes(problem))
    wrong.push(`job ${id} failed for ${problem}, which nothing here brings about`);
  const [{ sheets }] = booth.rows(
    "SELECT count(*) AS sheets FROM chaos_results WHERE job_id = ? AND step = 'image' AND value IS NULL",
    id,
  );
  if (problem === "bad_sheet" && sheets < SHEETS_A_JOB)
    wrong.push(`job ${id} failed for its sheets, of which only ${sheets} were given up`);
  if (wasDelivered(booth, id)) wrong.push(`job ${id} failed for ${problem}, and its guest was given the pack`);
  return wrong;
}

/** A set is refused by Telegram alone, and a photo is gone only when its time is over. */
function checkSets(booth: Booth): string[] {
  // Not of the erased, whose files go first.
  const known = "job_id IN (SELECT id FROM jobs WHERE user_id IS NOT NULL)";
  const failures = (problem: FailProblem) =>
    booth.rows(`SELECT 1 FROM chaos_failures WHERE problem = ? AND ${known}`, problem).length;
  const calls = met(booth, isSetRefusal);
  const wrong: string[] = [];
  if (failures("pack_refused") > calls)
    wrong.push(`${failures("pack_refused")} packs were refused, and Telegram refused ${calls}`);
  if (failures("photo_gone") > 0 && !booth.filesMayGo)
    wrong.push("a job failed because its photo was gone, which nobody took");
  return wrong;
}

/** A try-out is given up when its bot dies, or an artist fails. */
function checkTryouts(booth: Booth): string[] {
  const failed: Json[] = booth.rows("SELECT id, problem FROM tryouts WHERE status = 'failed'");
  const strange = failed.filter(
    ({ problem }) => NEVER.includes(problem) || (problem === "restarted" && booth.botDeaths.length === 0),
  );
  return strange.map(({ id, problem }) => `try-out ${id} failed for ${problem}, which nothing here brings about`);
}

function wasDelivered(booth: Booth, id: number): boolean {
  const noted = booth.rows("SELECT 1 FROM chaos_sent WHERE what = 'link' AND id = ? AND value IS NOT NULL", id);
  const names = booth.rows("SELECT name FROM packs WHERE job_id = ?", id).map(({ name }: { name: string }) => name);
  const said = booth.sim.sent("sendMessage").map(({ params }) => `${params.text}\n`);
  return noted.length > 0 || names.some((name) => said.some((text) => text.includes(`/addstickers/${name}\n`)));
}

/** No guest hears that an artist refused when none did, or refused somebody else. */
function checkRefused(booth: Booth): string[] {
  const jobs: Json[] = booth.rows("SELECT * FROM jobs WHERE status = 'failed' AND problem = 'refused'");
  const calls = met(booth, isRefusal);
  if (jobs.length > calls)
    return [`${jobs.length} jobs failed because an artist refused, which happened ${calls} times`];
  const refusals = (made.get(booth) ?? []).filter(({ fault, told }) => isRefusal(fault) && told.call);
  // Of a fault that met more than one call only the last is known.
  if (refusals.length < calls) return [];
  const refused = refusals.map(({ told }) => told.call && pictureOf(told.call));
  return jobs.flatMap(({ id, session_token, selfie }) => {
    const path = join(booth.dataDir, "sessions", session_token, selfie);
    return existsSync(path) && !refused.includes(hashOf(path))
      ? [`job ${id} failed because an artist refused, and none refused its photo`]
      : [];
  });
}

/** A guest is sent back to the camera only by an artist who saw two faces: nothing else is wrong with photos here. */
function checkRetakes(booth: Booth): string[] {
  const jobs: Json[] = booth.rows(
    "SELECT id, problem FROM jobs WHERE status = 'cancelled' AND problem IN (SELECT value FROM json_each(?))",
    RETAKES,
  );
  const strange = jobs.filter(({ problem }) => problem !== "many_faces");
  const calls = met(booth, isRetake);
  return [
    ...strange.map(
      ({ id, problem }) => `the selfie of job ${id} was sent back for ${problem}, which nobody said of it`,
    ),
    ...(jobs.length > calls ? [`${jobs.length} selfies were sent back, and an artist said so of ${calls}`] : []),
  ];
}
