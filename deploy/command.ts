/** What the operators' commands do alike: say what went wrong in one sentence, and exit 1. */
import { BackupError } from "../shared/backup/file.ts";
import { isFull } from "../shared/db.ts";
import { AppError, describe } from "../shared/errors.ts";
import type { Lang } from "../shared/status.ts";
import { team } from "../shared/texts/operators/index.ts";

/** Runs a command to its exit status: 0, or 1 with a sentence on standard error. */
export async function command(work: () => Promise<boolean | undefined> | boolean | undefined): Promise<never> {
  try {
    process.exit((await work()) === false ? 1 : 0);
  } catch (error) {
    console.error(sentenceOf(error));
    process.exit(1);
  }
}

function sentenceOf(error: unknown): string {
  if (isFull(error))
    return "The disk is full: make room (`df -h`), then run this again. Nothing that was there is touched.";
  if (error instanceof BackupError || error instanceof AppError) {
    return error.cause === undefined ? error.message : `${error.message} (${describe(error.cause)})`;
  }
  const { code, path } = error as { code?: unknown; path?: unknown };
  if (code === "EACCES" && typeof path === "string")
    return `This user may not open ${path}: give it to the booth's user (on a server: chown sticker: '${path}').`;
  return `It failed: ${describe(error)}`;
}

export const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KB`;

export function age(ms: number, lang: Lang = "en"): string {
  const { booth } = team(lang);
  const minutes = Math.floor(ms / 60_000);
  return minutes < 120 ? booth.minutes(minutes) : booth.hours(Math.floor(minutes / 60));
}
