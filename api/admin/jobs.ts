/** `/admin/api/jobs`: the list, one pack's story, its pictures while they exist, another try, a stop. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Elysia } from "elysia";
import {
  cancelByOperator,
  type JobRow,
  type JobStory,
  jobStory,
  listJobs,
  PAGE,
  retryByOperator,
  type Word,
} from "../../shared/admin/jobs.ts";
import { wordsOf } from "../../shared/admin/words.ts";
import { debugDir, readIfThere, sessionDir } from "../../shared/files.ts";
import { Refusal } from "../../shared/refusal.ts";
import { type JobStatus, jobMachine, type Lang } from "../../shared/status.ts";
import { iso, isoOrNull } from "../../shared/time.ts";
import type { ApiContext } from "../context.ts";
import { json } from "../json.ts";
import type { AdminDoor } from "./door.ts";
import { imageResponse } from "./images.ts";
import { langOf } from "./lang.ts";
import { numberIn, oneOfIn, textIn } from "./query.ts";
import { storyOf } from "./story.ts";

const statuses = Object.keys(jobMachine.moves) as JobStatus[];
const SEARCH_LENGTH = 64;

export function jobRoutes(context: ApiContext, door: AdminDoor) {
  const { db, config, now, log } = context;

  return new Elysia({ name: "admin-jobs" })
    .get("/admin/api/jobs", ({ query, request }) => {
      const lang = langOf(request, config);
      const jobs = listJobs(db, {
        lang,
        status: oneOfIn(query, "status", statuses),
        before: numberIn(query, "before"),
        search: textIn(query, "search", SEARCH_LENGTH),
      });
      return {
        jobs: jobs.map((row) => jobView(row, lang)),
        next_before: jobs.length === PAGE ? jobs.at(-1)?.id : null,
      };
    })
    .get("/admin/api/jobs/:id", ({ params, request }) => storyOfPack(idOf(params.id), request))
    .get("/admin/api/jobs/:id/files/:name", async ({ params, request }) => {
      const story = jobStory(db, idOf(params.id), langOf(request, config));
      const file = filesOf(story).find(({ name }) => name === params.name);
      const bytes = file && (await readIfThere(file.path));
      if (!bytes) throw new Refusal("not_found", (t) => t.pictureGone);
      return imageResponse(bytes);
    })
    .post("/admin/api/jobs/:id/retry", ({ params, request }) => act(params.id, request, "retry"), { parse: json })
    .post("/admin/api/jobs/:id/cancel", ({ params, request }) => act(params.id, request, "cancel"), { parse: json });

  function act(given: string, request: Request, what: "retry" | "cancel") {
    const id = idOf(given);
    const { job } = jobStory(db, id, "en");
    const actor = door.actorOf(request);
    const word: Word =
      what === "retry"
        ? retryByOperator(db, config.DATA_DIR, id, actor, now())
        : cancelByOperator(db, id, actor, now());
    if (!word.done) throw new Refusal("wrong_status", word.why);
    log.info({ job: id, was: job.status, what }, "an operator acted on a job");
    return storyOfPack(id, request);
  }

  function storyOfPack(id: number, request: Request) {
    const lang = langOf(request, config);
    return storyView(jobStory(db, id, lang), lang);
  }

  function idOf(text: string): number {
    if (!/^\d{1,15}$/.test(text)) throw new Refusal("not_found", (t) => t.noSuchPack);
    return Number(text);
  }

  function jobView(row: JobRow, lang: Lang) {
    const { created_at, started_at, finished_at, files_removed_at, pack, problem, ...rest } = row;
    const words = wordsOf(problem, lang);
    // Whatever it failed for: without its photo there is no other try.
    const todo = files_removed_at ? wordsOf("photo_gone", lang).todo : words?.todo;
    return {
      ...rest,
      problem,
      problem_text: words?.what ?? null,
      todo: row.status === "failed" ? (todo ?? null) : null,
      files_removed_at: isoOrNull(files_removed_at),
      created_at: iso(created_at),
      started_at: isoOrNull(started_at),
      finished_at: isoOrNull(finished_at),
      seconds: Math.round(((finished_at ?? now()) - created_at) / 1000),
      pack_url: pack && `${config.TELEGRAM_WEB_ROOT}/addstickers/${pack}`,
    };
  }

  function storyView(story: JobStory, lang: Lang) {
    return {
      ...jobView(story.row, lang),
      files: filesOf(story).map(({ name, kind }) => ({
        name,
        kind,
        url: `/admin/api/jobs/${story.job.id}/files/${encodeURIComponent(name)}`,
      })),
      timeline: storyOf(story, lang),
    };
  }

  /** Sheet, stickers and rejected sheets that are on disk; never the selfie. */
  function filesOf({ job }: JobStory) {
    const folder = sessionDir(config.DATA_DIR, job.session_token);
    const stickers = job.stickers ? (JSON.parse(job.stickers) as { file: string }[]) : [];
    const rejected = readdirSync(debugDir(config.DATA_DIR)).filter((name) => name.startsWith(`job-${job.id}-`));
    const file = (kind: string, name: string, path: string) => ({ kind, name, path });
    return [
      ...(job.sheet ? [file("sheet", job.sheet, join(folder, job.sheet))] : []),
      ...stickers.map((sticker) => file("sticker", sticker.file, join(folder, sticker.file))),
      ...rejected.map((name) => file("rejected", name, join(debugDir(config.DATA_DIR), name))),
    ].filter(({ path }) => existsSync(path));
  }
}
