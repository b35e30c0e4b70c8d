/** Of a guest who wanted to be forgotten nothing is left, in any table or folder. */
import type { Json } from "../world.ts";
import type { Booth } from "./booth.ts";

/** What is left of guest ?1 and the visit ?2, in words. A notice that still waits was promised after all was over. */
const LEFT = `
  SELECT 'a user' AS what FROM users WHERE id = ?1
  UNION ALL SELECT 'visit ' || token FROM sessions WHERE user_id = ?1
  UNION ALL SELECT 'job ' || id FROM jobs WHERE user_id = ?1
  UNION ALL SELECT 'pack ' || name FROM packs WHERE user_id = ?1
  UNION ALL SELECT 'their number in the history of ' || subject FROM history WHERE actor = 'guest:' || ?1
  UNION ALL SELECT 'chat photo ' || id FROM chat_photos WHERE user_id = ?1
  UNION ALL SELECT 'the mark of a photo of visit ' || token FROM sessions WHERE token = ?2 AND photo_sha256 IS NOT NULL
  UNION ALL SELECT 'the answer to a photo of visit ' || token FROM sessions WHERE token = ?2 AND photo_answer IS NOT NULL
  UNION ALL SELECT 'the text of notice ' || id FROM notices WHERE chat_id = ?1 AND sent_at IS NOT NULL AND payload <> '{}'`;

export function checkErased(booth: Booth, guest: number, token: string, jobs: Json[]): string[] {
  const knows = booth.rows(LEFT, guest, token).map(({ what }: { what: string }) => what);
  const folders = [`sessions/${token}/`, ...jobs.map(({ id }) => `debug_sheets/job-${id}-`)];
  const left = booth.files().filter((file) => folders.some((folder) => file.startsWith(folder)));
  return [...knows, ...left].map((what) => `guest ${guest} was erased, and there is ${what}`);
}
