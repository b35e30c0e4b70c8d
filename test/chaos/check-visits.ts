/** Every accepted photo ends in one pack or in a told failure; no pack without a job, none twice, none kept from its guest. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { speak } from "../../shared/texts/index.ts";
import type { Json } from "../world.ts";
import type { Booth } from "./booth.ts";
import { checkErased } from "./check-erased.ts";
import { afterNoted, unexplained } from "./incidents.ts";
import type { Visit } from "./people.ts";

/** Words of the texts with which a guest hears that nothing came of a photo. */
const TOLD =
  /I am sorry|refused to draw|does not accept the pack|could not fetch|cannot open|only take a photo|no longer here|take another one|take one of you alone|selfie, or send one|Erased|too large/;

export function checkVisits(booth: Booth, visits: Visit[]): string[] {
  return [...visits.flatMap((visit) => checkVisit(booth, visit)), ...checkSets(booth)];
}

function checkVisit(booth: Booth, { guest, token, accepted, sentInChat, erased }: Visit): string[] {
  if (token === null) return [];
  const [session] = booth.rows("SELECT * FROM sessions WHERE token = ?", token);
  if (!session) return [`the visit ${token} is gone`];
  const jobs = booth.rows("SELECT * FROM jobs WHERE session_token = ? ORDER BY id", token);
  const wrong: string[] = [];
  if (accepted && jobs.length === 0) wrong.push(`the photo of guest ${guest.id} was accepted and has no job`);
  const told = booth.sim.sent("sendMessage", guest.id).some(({ params }) => TOLD.test(String(params.text)));
  const silent = guest.ending === "block" || erased;
  // Of each job it is checked that its guest was told (checkTold).
  const isStopped = session.status === "failed" && session.problem === "cancelled";
  const ended = session.status === "done" || told || isStopped || silent;
  if ((accepted || sentInChat) && !ended)
    wrong.push(`guest ${guest.id} heard nothing of a photo: ${session.status}, ${JSON.stringify(jobs)}`);
  for (const job of jobs)
    wrong.push(...checkTold(booth, job, guest.id, silent), ...checkJob(booth, job, guest.id, silent));
  const mayBeGone = erased && guest.ending === "erase:packs";
  for (const { id } of mayBeGone ? [] : jobs.filter(({ status }) => status === "done")) {
    const [pack] = booth.rows("SELECT name, deleted_at FROM packs WHERE job_id = ?", id);
    if (pack?.deleted_at !== null) wrong.push(`nobody wanted the pack of job ${id} gone, and it is: ${pack?.name}`);
  }
  if (erased) wrong.push(...checkErased(booth, guest.id, token, jobs));
  return wrong;
}

/** Each job that came to nothing is told in its own words: one message does not stand for two failures of different kinds. */
function checkTold(booth: Booth, job: Json, guest: number, silent: boolean): string[] {
  const { failed, retake } = speak("en");
  const texts: Record<string, string> = { ...failed, ...(job.status === "cancelled" && retake) };
  const text = texts[job.problem];
  if (silent || (text === undefined && job.status !== "failed")) return [];
  const told = booth.sim.sent("sendMessage", guest).some(({ params }) => params.text === text);
  return told ? [] : [`guest ${guest} was never told that job ${job.id} is ${job.status} for ${job.problem}`];
}

function checkJob(booth: Booth, job: Json, guest: number, silent: boolean): string[] {
  const { sim } = booth;
  const [pack] = booth.rows("SELECT * FROM packs WHERE job_id = ?", job.id);
  const wrong: string[] = [];
  if (job.status !== "done" || !pack) return wrong;
  const set = sim.world.sets.get(String(pack.name).toLowerCase());
  if (!set && pack.deleted_at === null) wrong.push(`job ${job.id} is done and Telegram has no ${pack.name}`);
  if (set && set.ownerId !== guest) wrong.push(`the pack of job ${job.id} belongs to ${set.ownerId}, not ${guest}`);
  if (!areOwn(booth, job, pack.name)) wrong.push(`the pack of job ${job.id} was made of other stickers than its own`);
  if (set && set.stickers.length !== 4) wrong.push(`the pack of job ${job.id} has ${set.stickers.length} stickers`);
  const links = sim
    .sent("sendMessage", guest)
    .filter(({ params }) => String(params.text).includes(`/addstickers/${pack.name}`));
  const stickers = sim.sent("sendSticker", guest).filter(({ params }) => params.sticker === pack.first_sticker);
  for (const [what, calls] of Object.entries({ link: links, sticker: stickers })) {
    if (calls.length === 0 && !silent) wrong.push(`guest ${guest} never got the ${what} of job ${job.id}`);
    const extra = unexplained(booth, calls);
    if (extra > 0) wrong.push(`guest ${guest} got the ${what} of job ${job.id} ${extra} times too often`);
    const again = afterNoted(booth, what as "link" | "sticker", job.id, calls);
    if (again > 0)
      wrong.push(`guest ${guest} got the ${what} of job ${job.id} ${again} times after it was known to be there`);
  }
  return wrong;
}

/** Were those pictures uploaded that were cut for this job, in their order? Files and uploads of which nobody knows any more tell nothing. */
function areOwn({ sim, dataDir }: Booth, job: Json, name: string): boolean {
  const paths = (JSON.parse(job.stickers ?? "[]") as { file: string }[]).map(({ file }) =>
    join(dataDir, "sessions", job.session_token, file),
  );
  if (!paths.every((path) => existsSync(path))) return true;
  const own = paths.map((path) => Bun.hash(readFileSync(path)));
  return sim
    .sent("createNewStickerSet")
    .filter(({ params, files }) => params.name === name && Object.keys(files).length > 0)
    .every(({ params, files }) => {
      const stickers = params.stickers as { sticker: string }[];
      const pictures = stickers.map(({ sticker }) => files[sticker.replace("attach://", "")]);
      return isDeepStrictEqual(
        pictures.map((bytes) => bytes && Bun.hash(bytes)),
        own,
      );
    });
}

/** Each set in Telegram is one job's, made by one call, and not of a guest who wanted all packs gone. */
function checkSets(booth: Booth): string[] {
  const { sim } = booth;
  const wrong: string[] = [];
  const made = sim.sent("createNewStickerSet").map(({ params }) => String(params.name));
  for (const name of new Set(made))
    if (made.filter((other) => other === name).length > 1) wrong.push(`the set ${name} was made twice`);
  for (const { name } of sim.sets) {
    const [pack] = booth.rows(
      "SELECT p.*, j.status AS job_status FROM packs p JOIN jobs j ON j.id = p.job_id WHERE p.name = ?",
      name,
    );
    if (!pack) wrong.push(`Telegram has a set of no job: ${name}`);
    else if (pack.deleted_at !== null) wrong.push(`the set ${name} should be gone from Telegram`);
    else if (pack.created_at === null && pack.user_id !== null)
      wrong.push(`Telegram has ${name} and job ${pack.job_id} (${pack.job_status}) does not know`);
  }
  return wrong;
}
