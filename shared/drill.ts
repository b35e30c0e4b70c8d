/** Known facts of a database, to be asked of an api that runs on a restored copy of it. */
import { openReadOnly } from "./db.ts";
import type { JobStatus, Lang, SessionStatus } from "./status.ts";
import { enabledTemplates, titleOf } from "./templates.ts";

export type KnownFacts = {
  outfits: { id: string; title: string }[];
  /** The newest visit that has ended, so that no clock changes it. */
  visit: { token: string; status: SessionStatus; lang: Lang } | null;
  jobs: Partial<Record<JobStatus, number>>;
};

export const DRILL_LANG: Lang = "ru";

export function knownFacts(path: string): KnownFacts {
  const db = openReadOnly(path);
  try {
    const counts = db.query("SELECT status, count(*) AS n FROM jobs GROUP BY status").all() as {
      status: JobStatus;
      n: number;
    }[];
    return {
      outfits: enabledTemplates(db).map((outfit) => ({ id: outfit.id, title: titleOf(outfit, DRILL_LANG) })),
      visit: db
        .query(
          `SELECT token, status, lang FROM sessions WHERE status IN ('photo_taken', 'done', 'failed', 'expired', 'blocked')
           ORDER BY created_at DESC LIMIT 1`,
        )
        .get() as KnownFacts["visit"],
      jobs: Object.fromEntries(counts.map(({ status, n }) => [status, n])),
    };
  } finally {
    db.close(false);
  }
}
